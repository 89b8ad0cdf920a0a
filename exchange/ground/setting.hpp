/// Settings: environment variables for a whole program, unless the program overrides them.
#pragma once

#include <atomic>

namespace seam::detail {

/// A switch that an environment variable turns on or off.
/// Threads: any.
class on_off_setting {
public:
  constexpr on_off_setting(char const* variable, bool on_by_default) noexcept
      : variable_(variable), on_by_default_(on_by_default) {}

  /// The value that was set last; before that the value of the variable, or the default. Local.
  /// @throws usage_error  the variable is neither on nor off
  bool is_on();

  /// Before the first is_on(), by one thread.
  void set_default(bool on) noexcept { on_by_default_ = on; }

  void set(bool on) noexcept { now_.store(on ? state::on : state::off); }

private:
  enum class state { unknown, off, on };
  bool first_value() const;

  char const* variable_;
  bool on_by_default_;
  std::atomic<state> now_ = state::unknown;
};

} // namespace seam::detail
