/// Values that are not finite: nan or infinite. In checked mode bodies of kernels note the first that a
/// kernel makes of finite ones.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace seam::detail {

class step_space;
struct step_kernel;
struct step_program;

/// Where a kernel has made a value that is not finite. Of two the one that compares less came first.
struct not_finite_value {
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

  /// Step, numbers of the kernel, of its argument and of the component, and the place in the domain.
  std::array<std::int64_t, 7> where{never, never, never, never, never, never, never};
  double value = 0;
  std::string inputs; ///< what with() has given the kernel and is not finite, in words

  bool is_found() const { return where.front() != never; }
};

/// What threads have found in the values of a kernel.
struct value_findings {
  step_program const* program; ///< outlives this
  int kernel;                  ///< number
  std::vector<not_finite_value> of_workers;

  /// The first one, which is forgotten with all others.
  not_finite_value take_first();
};

/// "nan", "inf" or "-inf". Local.
std::string not_finite_in_words(double value);

/// What with() has given a kernel with findings and is not finite: ", with 'dt' = inf". Local.
std::string inputs_in_words(step_kernel const& kernel);

/// In checked mode: lets bodies note values that are not finite. True if some kernel has watches. Local.
bool watch_values(step_program& program, int num_workers);

/// What bodies have found first. Local.
not_finite_value first_not_finite(step_program const& program);

/// @param own  the first finding of this rank
/// @throws usage_error  a rank has found something: the first of all, in one line, on all ranks
/// Collective: over the space.
void refuse_not_finite(step_program const& program, step_space const& space,
                       not_finite_value const& own);

} // namespace seam::detail
