/// Checked mode: seam makes sure that the calls of all ranks match, before data moves.
///
///     ./app --checks on            or SEAM_CHECKS=on, or set_checks(true) in the program
///
/// Graphs are checked when communicators are made of them, collectives and exchanges when they are
/// called or planned: every mismatch is one error line that names the ranks, the same on all ranks.
/// Each call costs two more small messages between any two ranks, a start of a planned operation
/// none.
#pragma once

namespace seam {

/// True in checked mode, which is the default of checked builds and programs (SEAM_CHECKED). The
/// environment variable SEAM_CHECKS=on or off overrides the default, and set_checks() both. Local.
/// @throws usage_error  SEAM_CHECKS has another value
bool checks_are_on();

/// Turns checked mode on or off. The same on all ranks, between their common calls. Local.
void set_checks(bool on) noexcept;

/// Checked mode turned on or off in a scope. The same on all ranks.
class checks_in_scope {
public:
  explicit checks_in_scope(bool on) : before_(checks_are_on()) { set_checks(on); }
  checks_in_scope(checks_in_scope const&) = delete;
  checks_in_scope& operator=(checks_in_scope const&) = delete;
  ~checks_in_scope() { set_checks(before_); }

private:
  bool before_;
};

namespace detail {

/// True if seam has been built with SEAM_CHECKED, or a part of the program is compiled with it. Local.
bool program_is_checked() noexcept;

/// Notes that it is, and makes checked mode the default. Returns true. Local.
bool note_checked_program() noexcept;

#if defined(SEAM_CHECKED) && SEAM_CHECKED
/// Before main().
inline bool const is_checked_program = note_checked_program();
#endif

} // namespace detail
} // namespace seam
