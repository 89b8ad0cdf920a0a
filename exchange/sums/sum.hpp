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
/// Numbers are integers, bool included, float and double. Sums are exact: those of integers are
/// std::int64_t or, for unsigned ones, std::uint64_t; those of float and double are the double that
/// is nearest to the exact sum, even where values cancel (see exact_accumulator.hpp). So a sum
/// depends neither on the order of values nor on ranks and threads.
///
/// If a value is NaN, so are sum, norm, minimum and maximum. Infinite values make a sum infinite;
/// infinities of both signs make it NaN. -0.0 counts as less than 0.0. Without any value on all
/// ranks, sums and norms are 0, the minimum is the largest number of the type, infinity if it has
/// that, and the maximum the least.
///
/// Collective: all functions here, over `over`, which is not bipartite.
/// Cost: one allreduce, of 1.1 KB for each sum or norm of floating-point numbers, 24 bytes for each
/// sum of integers, 8 bytes for each minimum and maximum; no allocation.
#pragma once

#include <seam/exchange/mpi/comm.hpp>
#include <seam/exchange/sums/detail/accumulators.hpp>

#include <span> // and the concepts of ranges
#include <tuple>

namespace seam {

namespace detail {

/// Ranges of numbers.
template <class Range>
concept range_of_numbers =
    std::ranges::input_range<Range const> && number<std::ranges::range_value_t<Range const>>;

/// Reduces the values of all ranks; `values` are this rank's.
template <template <class> class Accumulator, range_of_numbers Range>
auto reduce_range(mpi::comm_view over, Range const& values) {
  using value_type = std::ranges::range_value_t<Range const>;
  Accumulator<value_type> own;
  for (value_type const value : values)
    own.add(value);
  return over_all_ranks(over, own);
}

/// Reduces the first, second, ... values of all ranks: to a number, or a tuple of several.
template <template <class> class Accumulator, number... Values>
auto reduce_values(mpi::comm_view over, Values... values) {
  auto const accumulate = []<class T>(T value) {
    Accumulator<T> own;
    own.add(value);
    return own;
  };
  return over_all_ranks(over, accumulate(values)...);
}

} // namespace detail

/// The sum of all ranks' values; of several values, a tuple of the sum of the first values, of the
/// second values, and so on.
/// @throws usage_error  a sum of integers has more than 64 bits (on all ranks)
template <detail::number... Values>
auto sum(mpi::comm_view over, Values... values) {
  return detail::reduce_values<detail::total_of>(over, values...);
}

/// The least of all ranks' values, in their type; of several values, a tuple as above.
template <detail::number... Values>
auto minimum(mpi::comm_view over, Values... values) {
  return detail::reduce_values<detail::least_of>(over, values...);
}

/// The largest of all ranks' values, in their type; of several values, a tuple as above.
template <detail::number... Values>
auto maximum(mpi::comm_view over, Values... values) {
  return detail::reduce_values<detail::largest_of>(over, values...);
}

/// The sum of the values in all ranks' ranges, which may be empty.
/// @throws usage_error  a sum of integers has more than 64 bits (on all ranks)
template <detail::range_of_numbers Range>
auto sum(mpi::comm_view over, Range const& values) {
  return detail::reduce_range<detail::total_of>(over, values);
}

/// The least of the values in all ranks' ranges.
template <detail::range_of_numbers Range>
auto minimum(mpi::comm_view over, Range const& values) {
  return detail::reduce_range<detail::least_of>(over, values);
}

/// The largest of the values in all ranks' ranges.
template <detail::range_of_numbers Range>
auto maximum(mpi::comm_view over, Range const& values) {
  return detail::reduce_range<detail::largest_of>(over, values);
}

/// The 2-norm, the root of the sum of squares, of the values in all ranks' ranges, as a double. It
/// overflows only if it is itself beyond the largest double.
template <detail::range_of_numbers Range>
double norm(mpi::comm_view over, Range const& values) {
  return detail::reduce_range<detail::norm_of>(over, values);
}

/// The maximum norm, the largest absolute value, in all ranks' ranges; unsigned for integers.
template <detail::range_of_numbers Range>
auto maximum_norm(mpi::comm_view over, Range const& values) {
  return detail::reduce_range<detail::largest_size_of>(over, values);
}

} // namespace seam
