#include <seam/exchange/steps/flow/step_depths.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace seam::detail {
namespace {

/// The values that this rank computes when `depth` steps are fused, in relation to its own.
/// @throws usage_error  a kernel reads farther beyond a border than the domain is thick
double repeated_values(step_program const& program, int rank, std::vector<int> const& layouts,
                       buffer_order order, int depth) {
  step_dataflow const flow(program, layouts, order, {0, depth, depth});
  auto const regions = flow.regions(rank);
  std::int64_t computed = 0, own = 0;
  for (int i = 0; i < std::ssize(regions); ++i)
    if (auto const& kernel = flow.kernel_of(i); kernel.space) {
      computed += regions[i].size();
      own += kernel.space->owned_values(kernel.kind).size();
    }
  return own == 0 ? 1.0 : static_cast<double>(computed) / static_cast<double>(own);
}

/// True if a process has no neighbors, and its values stay in caches without fusion.
bool fits_into_cache(step_program const& program, step_space const& space) {
  constexpr std::int64_t cache = 512 * 1024;
  std::int64_t bytes = 0;
  for (auto const& field : program.fields)
    bytes += field->num_bytes() * std::ssize(field->buffers);
  return space.base().size() == 1 && bytes <= cache;
}

/// Why no depth is worth a trial; empty if some may be.
std::string against_any_depth(step_program const& program, step_space const& space) {
  if (fits_into_cache(program, space))
    return "the block fits into a cache, and has no neighbors";
  if (period_of(program) > longest_period)
    return fmt::format("the same kernels run again after more than {} steps", longest_period);
  for (step_kernel const& kernel : program.kernels)
    if (auto why = against_fusion(kernel); !why.empty())
      return why;
  return "";
}

/// The kernels that run in each of `count` steps.
std::vector<bool> pattern_of(step_program const& program, std::int64_t first, int count) {
  std::vector<bool> pattern;
  for (std::int64_t s = first; s < first + count; ++s)
    for (step_kernel const& kernel : program.kernels)
      pattern.push_back(kernel.runs_in(s));
  return pattern;
}

} // namespace

std::int64_t period_of(step_program const& program) {
  std::int64_t period = 1;
  for (step_kernel const& kernel : program.kernels) {
    if (std::max(period, kernel.every) > longest_period)
      return longest_period + 1;
    period = std::lcm(period, kernel.every);
  }
  return period;
}

void check_fusion(step_program const& program, int fused_steps) {
  if (fused_steps <= 1)
    return;
  constexpr int most = 1024;
  if (fused_steps > most)
    refuse(fmt::format("steps: {} steps are fused (expected at most {})", fused_steps, most));
  if (period_of(program) > longest_period)
    refuse(
        fmt::format("steps: {} steps are fused, and the same kernels run again after more than {} "
                    "(expected numbers of every() with a smaller multiple, or no fusion)",
                    fused_steps, longest_period));
  for (step_kernel const& kernel : program.kernels)
    if (auto const why = against_fusion(kernel); !why.empty())
      refuse(fmt::format("steps: {} steps are fused, and {}", fused_steps, why));
}

tried_depths find_depths(step_program const& program, step_space const& space,
                         std::vector<int> const& layouts, buffer_order const& order) {
  constexpr double most_repeated = 1.2;
  tried_depths found;
  if (auto const why = against_any_depth(program, space); !why.empty()) {
    found.refused = fmt::format("  fusion: {}\n", why);
    return found;
  }
  for (int const depth : {2, 4, 8}) {
    double const own = collectively(space.base().context(), [&] {
      return repeated_values(program, space.rank(), layouts, order, depth);
    });
    double const most = mpi::allreduce(space.base().context(), own, MPI_MAX);
    if (most <= most_repeated)
      found.depths.push_back(depth);
    else
      found.refused += fmt::format("  fusion of {} steps: a rank computes {:.2f} times its own "
                                   "values (expected at most {})\n",
                                   depth, most, most_repeated);
  }
  return found;
}

std::vector<step_range> ranges_to_run(step_program const& program, std::vector<int> const& depths) {
  std::set<std::int64_t> phases; // in one of these steps each kernel runs
  for (step_kernel const& kernel : program.kernels)
    phases.insert(kernel.phase);
  std::vector<step_range> ranges;
  for (std::int64_t const phase : phases)
    ranges.push_back({phase, 1, 0});
  std::int64_t const period = period_of(program);
  for (int const depth : depths) {
    std::set<std::vector<bool>> patterns;
    for (std::int64_t first = 0; depth > 1 && first < period; ++first)
      if (patterns.insert(pattern_of(program, first, depth)).second)
        ranges.push_back({first, depth, depth});
  }
  return ranges;
}

} // namespace seam::detail
