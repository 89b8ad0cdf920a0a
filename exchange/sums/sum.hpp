/// Sums, least and largest values of all ranks' numbers, in the same bits however they are divided
/// among ranks.
///
///     auto const [mass, num_hits] = sum(world, own_mass, own_hits);
///     double const latest = maximum(world, own_time);
///     double const length = norm(world, own_values);         // a range of any length on each rank
///
/// On grids and meshes these take fields and functions of cells: stencil/sum.hpp,
/// mesh/fields/sum.hpp.
///
/// Numbers are integers, bool included, float and double. Of each the sum is exact: of integers as
/// std::int64_t or, if they are unsigned, std::uint64_t; of float and double as the double that is
/// nearest to the exact sum, even where values cancel (see exact_accumulator.hpp). So it depends
/// neither on the order of values nor on ranks and threads.
///
/// Where a value is no number, so are sum, norm, minimum and maximum. Infinite values make a sum
/// infinite; those of both signs make it no number. -0.0 counts as less than 0.0. Of nothing, on no
/// rank, sums and norms are 0, the minimum is the largest number of the type, infinity if it has
/// that, and the maximum the least.
///
/// All functions here are collective over `over`, which is not bipartite. Cost: one allreduce, of
/// 1.1 KB for each sum or norm of floating-point numbers, 24 bytes for each sum of integers, 8
/// bytes for each minimum and maximum; no allocation.
#pragma once

#include <seam/exchange/mpi/comm.hpp>
#include <seam/exchange/sums/detail/accumulators.hpp>

#include <ranges>
#include <tuple>

namespace seam {

namespace detail {

/// Ranges of numbers.
template <class Range>
concept range_of_numbers =
    std::ranges::input_range<Range const> && number<std::ranges::range_value_t<Range const>>;

/// What all ranks' values, of which `values` are this rank's, come to.
template <template <class> class Accumulator, range_of_numbers Range>
auto reduce_range(mpi::comm_view over, Range const& values) {
  using value_type = std::ranges::range_value_t<Range const>;
  Accumulator<value_type> own;
  for (value_type const value : values)
    own.add(value);
  return over_all_ranks(over, own);
}

/// What all ranks' first, second, ... values come to: a number, or a tuple of several.
template <template <class> class Accumulator, number... Values>
auto reduce_values(mpi::comm_view over, Values... values) {
  auto const of = []<class T>(T value) {
    Accumulator<T> own;
    own.add(value);
    return own;
  };
  return over_all_ranks(over, of(values)...);
}

} // namespace detail

/// The sum of all ranks' values; of several, a tuple of the sums of the first ones, of the second
/// ones, and so on. @throws usage_error  a sum of integers has more than 64 bits (on all ranks)
template <number... Values>
auto sum(mpi::comm_view over, Values... values) {
  return detail::reduce_values<detail::total_of>(over, values...);
}

/// The least of all ranks' values, in their type; of several, a tuple as above.
template <number... Values>
auto minimum(mpi::comm_view over, Values... values) {
  return detail::reduce_values<detail::least_of>(over, values...);
}

/// The largest of all ranks' values, in their type; of several, a tuple as above.
template <number... Values>
auto maximum(mpi::comm_view over, Values... values) {
  return detail::reduce_values<detail::largest_of>(over, values...);
}

/// The sum of what is in all ranks' ranges, which may be empty.
/// @throws usage_error  a sum of integers has more than 64 bits (on all ranks)
template <detail::range_of_numbers Range>
auto sum(mpi::comm_view over, Range const& values) {
  return detail::reduce_range<detail::total_of>(over, values);
}

/// The least of what is in all ranks' ranges.
template <detail::range_of_numbers Range>
auto minimum(mpi::comm_view over, Range const& values) {
  return detail::reduce_range<detail::least_of>(over, values);
}

/// The largest of what is in all ranks' ranges.
template <detail::range_of_numbers Range>
auto maximum(mpi::comm_view over, Range const& values) {
  return detail::reduce_range<detail::largest_of>(over, values);
}

/// The 2-norm, the root of the sum of squares, of what is in all ranks' ranges, as a double. It
/// overflows only if it is beyond the largest double itself.
template <detail::range_of_numbers Range>
double norm(mpi::comm_view over, Range const& values) {
  return detail::reduce_range<detail::norm_of>(over, values);
}

/// The maximum norm, the largest size, of what is in all ranks' ranges: of integers unsigned.
template <detail::range_of_numbers Range>
auto maximum_norm(mpi::comm_view over, Range const& values) {
  return detail::reduce_range<detail::largest_size_of>(over, values);
}

} // namespace seam
