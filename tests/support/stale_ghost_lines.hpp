// What checked views say of reads of ghosts that are out of date, kept for a test.
#pragma once

#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/steps/stamps/ghost_stamps.hpp>

#include <string>
#include <utility>
#include <vector>

namespace seam::testing {

/// True if views of fields that are made now are checked.
inline bool views_are_checked() { return detail::program_is_checked() && checks_are_on(); }

/// Collects the lines, instead of ending the program. One at a time.
class stale_ghost_lines {
public:
  stale_ghost_lines()
      : before_(detail::set_stale_ghost_handler([](std::string const& line) {
          lines_.push_back(line);
        })) {
    lines_.clear();
  }
  stale_ghost_lines(stale_ghost_lines const&) = delete;
  stale_ghost_lines& operator=(stale_ghost_lines const&) = delete;
  ~stale_ghost_lines() { detail::set_stale_ghost_handler(before_); }

  std::int64_t count() const { return std::ssize(lines_); }

  /// The lines since the last call.
  std::vector<std::string> take() { return std::exchange(lines_, {}); }

private:
  static inline std::vector<std::string> lines_; // handlers are plain functions
  detail::stale_ghost_handler before_;
};

} // namespace seam::testing
