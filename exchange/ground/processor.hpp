/// Processors: a build for one machine's processor (SEAM_NATIVE) uses instructions that others may
/// lack. There a program ends with one line before main() begins, in place of an illegal instruction
/// at any time.
#pragma once

namespace seam::detail {

/// A set of instructions, by the compiler's name.
struct instruction_set {
  char const* name;
  bool is_used;  ///< by what the compiler makes
  bool is_there; ///< on this processor
};

/// The name of the first set from `first` to `end` that is used and not there, or nullptr. Local.
char const* missing_of(instruction_set const* first, instruction_set const* end) noexcept;

/// True when the processor has been looked at. What refers to it brings the look into a program.
extern bool processor_is_checked;

} // namespace seam::detail
