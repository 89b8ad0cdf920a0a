/// The end of a program before its time that is no error: after a signal, for example.
#pragma once

#include <stdexcept>

namespace seam::detail {

/// Leaves the body of a program, on all ranks together. run_program() prints its line on stderr, and
/// returns 0.
class ended_early : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

} // namespace seam::detail
