/// Sums, least and largest values, and norms of all cells of a grid, or of all values of a field on
/// cells, faces or corners, with the same bits on any number of ranks and threads.
///
///     double const heat = sum(u);
///     double const energy = sum(grid, [u = u.view(), v = v.view()](int i, int j) {
///       return u(i, j) * u(i, j) + v(i, j) * v(i, j);
///     });
///     std::int64_t const num_hot = sum(u, [](double value) { return value > 1; });
///     double const error = maximum_norm(grid, [=, u = u.view(), v = v.view()](auto... at) {
///       return u(at...) - v(at...);
///     });
///
/// They take the values of all components of a field, those on the domain's borders included, a
/// function of these values, or a function of the indices of a cell relative to the rank's block, as
/// kernels have them (or of one cell_index). Functions are called once for each value or cell that a
/// rank owns, by Kokkos' host threads, in any order; they return numbers. Types of results, values
/// that are no numbers, and costs among ranks: exchange/sums/sum.hpp.
///
/// Collective: all functions, over the grid.
/// Cost: for sums and norms of floating-point numbers some nanoseconds for each cell and thread;
/// about 5 KB of memory for each thread.
#pragma once

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/steps/run/parallel.hpp>
#include <seam/exchange/sums/sum.hpp>
#include <seam/stencil/fields/field.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

namespace seam {
namespace detail {

/// The result of an accumulator after add(part, accumulator) for all parts of all ranks' places.
/// @param owned  this rank's places, relative to its block
template <class Accumulator, int D, class Add>
auto reduce_places(Grid<D> const& grid, box<D> const& owned, Add const& add) {
  parts_of<D> const parts(owned);
  auto const in_parallel = [&](auto const& do_part) {
    parallel_for_parts("seam::reduce", parts.size(), do_part);
  };
  auto const own = accumulate_parts<Accumulator>(
      parts.size(), in_parallel, [&](int part, Accumulator& into) { add(parts[part], into); });
  return over_all_ranks(grid.base().context(), own);
}

template <std::size_t>
using index_on_axis = int;

template <int D, class Function, std::size_t... Axis>
auto call_on_axes(Function const& function, cell_index<D> const& at, std::index_sequence<Axis...>) {
  if constexpr (std::is_invocable_v<Function const&, index_on_axis<Axis>...>)
    return function(static_cast<int>(at[Axis])...);
  else
    return function(at);
}

/// Calls function(i, j, ...) or function(cell_index).
template <class Function, int D>
auto call_at(Function const& function, cell_index<D> const& at) {
  return call_on_axes<D>(function, at, std::make_index_sequence<static_cast<std::size_t>(D)>{});
}

/// Reduces a function of cells.
template <template <class> class Accumulator, int D, class Function>
auto reduce(Grid<D> const& grid, Function const& function) {
  using value_type = decltype(call_at<Function, D>(function, cell_index<D>{}));
  static_assert(number<value_type>,
                "the function of a cell has to return an integer, a float or a double");
  return reduce_places<Accumulator<value_type>>(grid, box<D>{{}, grid.owned().extents()},
                                                [&](box<D> const& part, auto& into) {
                                                  for_each_cell(part, [&](cell_index<D> const& at) {
                                                    into.add(call_at<Function, D>(function, at));
                                                  });
                                                });
}

/// Views of all components of a field.
template <class T, int D>
std::vector<bare_view<T const, D>> views_of(Field<T, D> const& field) {
  std::vector<bare_view<T const, D>> views;
  for (int c = 0; c < field.num_components(); ++c)
    views.push_back(field.template view<no_watch<T const>>(c));
  return views;
}

/// Reduces a function of a field's values, wherever on cells they lie.
template <template <class> class Accumulator, class T, int D, class Function>
auto reduce(Field<T, D> const& field, Function const& function) {
  static_assert(std::is_invocable_v<Function const&, T const&>,
                "sums, extremes and norms of a field take a function of one of its values");
  using value_type = std::remove_cvref_t<std::invoke_result_t<Function const&, T const&>>;
  static_assert(number<value_type>,
                "the function of a value has to return an integer, a float or a double");
  return reduce_places<Accumulator<value_type>>(
      field.grid(), field.owned(),
      [&function, views = views_of(field)](box<D> const& part, auto& into) {
        for (auto const& values : views)
          for_each_cell(part, [&](cell_index<D> const& at) { into.add(function(values[at])); });
      });
}

/// Reduces a field's values themselves.
template <template <class> class Accumulator, class T, int D>
auto reduce(Field<T, D> const& field) {
  static_assert(number<T>, "a field's values are reduced if they are integers, float or double; "
                           "of other types a function of a value is, as in sum(u, function)");
  return reduce<Accumulator>(field, [](T const& value) { return value; });
}

template <class Over>
inline constexpr bool is_reduced = false;
template <class T, int D>
inline constexpr bool is_reduced<Field<T, D>> = true;
template <int D>
inline constexpr bool is_reduced<Grid<D>> = true;

/// A field, or a grid with a function of its cells.
template <class Over>
concept reduced = is_reduced<Over>;

} // namespace detail

/// The sum of a field's values, of a function of them, or of a function of cells: exact, and for
/// floating-point numbers rounded once: sum(u), sum(u, function), sum(grid, function).
/// @throws usage_error  a sum of integers has more than 64 bits (on all ranks)
template <detail::reduced Over, class... Function>
auto sum(Over const& over, Function const&... function) {
  return detail::reduce<detail::total_of>(over, function...);
}

/// The least of a field's values, of a function of them, or of a function of cells; no number if
/// one of them is none.
template <detail::reduced Over, class... Function>
auto minimum(Over const& over, Function const&... function) {
  return detail::reduce<detail::least_of>(over, function...);
}

/// The largest value, with the arguments of minimum().
template <detail::reduced Over, class... Function>
auto maximum(Over const& over, Function const&... function) {
  return detail::reduce<detail::largest_of>(over, function...);
}

/// The 2-norm, the root of the sum of squares, of a field's values or of a function of cells: a
/// double that overflows only if the norm is beyond the largest double itself. All cells have the
/// same weight: the caller multiplies by their volumes.
template <detail::reduced Over, class... Function>
double norm(Over const& over, Function const&... function) {
  return detail::reduce<detail::norm_of>(over, function...);
}

/// The maximum norm, the largest absolute value of a field's values or of a function of cells;
/// unsigned for integers.
template <detail::reduced Over, class... Function>
auto maximum_norm(Over const& over, Function const&... function) {
  return detail::reduce<detail::largest_size_of>(over, function...);
}

/// The sum of the products of two fields' values, as a double that is nearest to the exact one.
/// @throws usage_error  the fields are on different grids, lie elsewhere on cells, or have different
///         numbers of components (on all ranks)
template <class T, int D>
double dot(Field<T, D> const& first, Field<T, D> const& second) {
  static_assert(detail::number<T>, "dot() takes fields of integers, float or double");
  if (!(first.grid() == second.grid()))
    throw usage_error("dot: fields '" + first.name() + "' and '" + second.name() +
                          "' of different grids (expected fields of one grid)",
                      true);
  if (first.on() != second.on() || first.num_components() != second.num_components())
    throw usage_error("dot: fields '" + first.name() + "' and '" + second.name() +
                          "' differ in their places on cells or in components (expected the same)",
                      true);
  return detail::reduce_places<detail::products_of<T>>(
      first.grid(), first.owned(),
      [a = detail::views_of(first), b = detail::views_of(second)](box<D> const& part, auto& into) {
        for (std::size_t c = 0; c < a.size(); ++c)
          for_each_cell(part, [&](cell_index<D> const& at) { into.add(a[c][at], b[c][at]); });
      });
}

} // namespace seam
