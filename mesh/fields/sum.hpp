/// Sums, least and largest values, and norms of all entities of a mesh, with the same bits on any
/// number of ranks and threads, and for any division of the mesh.
///
///     double const heat = sum(mesh, mesh.num_dimensions(), [&](local_id c) {
///       return volumes[c] * u(c);
///     });
///     double const hottest = maximum(u);
///
/// They take all components of a field's values, a function of a value, or a function of an entity:
/// each entity counts once, on the rank that owns it. Functions are called by Kokkos' host threads,
/// in any order; they return numbers. Types of results, values that are no numbers, and costs among
/// ranks: exchange/sums/sum.hpp.
///
/// Collective: all functions, over mesh.base().
/// Cost: for sums and norms of floating-point numbers some nanoseconds for each value and thread;
/// about 5 KB of memory for each thread.
#pragma once

#include <seam/exchange/ground/detail/loop_threads.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/sums/sum.hpp>
#include <seam/mesh/fields/mesh_field.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>
#include <span>

namespace seam {
namespace detail {

/// The result of an accumulator after add(k, accumulator) for k in [0, count) on each rank.
template <class Accumulator, class Add>
auto reduce_counted(Mesh const& mesh, std::int64_t count, Add const& add) {
  using host = Kokkos::DefaultHostExecutionSpace;
  constexpr std::int64_t parts_for_a_thread = 4;
  int const num_threads =
      num_own_loop_threads > 0 ? num_own_loop_threads : static_cast<int>(host().concurrency());
  std::int64_t const num_parts = std::min(count, parts_for_a_thread * num_threads);
  auto const in_parallel = [&](auto const& do_part) {
    if (num_own_loop_threads > 0)
      loop_on_own_threads(num_parts, [&](std::int64_t part) { do_part(static_cast<int>(part)); });
    else
      Kokkos::parallel_for(
          "seam::reduce", Kokkos::RangePolicy<host, Kokkos::IndexType<int>>(0, num_parts), do_part);
  };
  auto const own = accumulate_parts<Accumulator>(
      static_cast<int>(num_parts), in_parallel, [&](int part, Accumulator& into) {
        std::int64_t const each = count / num_parts, more = count % num_parts;
        std::int64_t const first = part * each + std::min<std::int64_t>(part, more);
        for (std::int64_t k = first; k < first + each + (part < more ? 1 : 0); ++k)
          add(k, into);
      });
  return over_all_ranks(mesh.base().context(), own);
}

/// Reduces a function of own entities.
template <template <class> class Accumulator, class Function>
auto reduce_mesh(Mesh const& mesh, int dimension, Function const& function) {
  static_assert(std::is_invocable_v<Function const&, local_id>,
                "sums, extremes and norms of a mesh take a function of an entity's local_id");
  using value_type = std::remove_cvref_t<std::invoke_result_t<Function const&, local_id>>;
  static_assert(number<value_type>,
                "the function of an entity has to return an integer, a float or a double");
  return reduce_counted<Accumulator<value_type>>(
      mesh, mesh.entities(dimension).num_owned,
      [&](std::int64_t entity, auto& into) { into.add(function(static_cast<local_id>(entity))); });
}

/// The values of own entities.
template <class T>
std::span<T const> own_values(MeshField<T> const& field) {
  auto const count = std::int64_t{field.entities().num_owned} * field.num_components();
  return {reinterpret_cast<T const*>(field.shared()->memory.get()),
          static_cast<std::size_t>(count)};
}

/// Reduces a function of a field's values.
template <template <class> class Accumulator, class T, class Function>
auto reduce_mesh_field(MeshField<T> const& field, Function const& function) {
  static_assert(std::is_invocable_v<Function const&, T const&>,
                "sums, extremes and norms of a field take a function of one of its values");
  using value_type = std::remove_cvref_t<std::invoke_result_t<Function const&, T const&>>;
  static_assert(number<value_type>,
                "the function of a value has to return an integer, a float or a double");
  auto const values = own_values(field);
  return reduce_counted<Accumulator<value_type>>(field.mesh(), std::ssize(values),
                                                 [&](std::int64_t k, auto& into) {
                                                   into.add(function(values[k]));
                                                 });
}

/// Reduces a field's values themselves.
template <template <class> class Accumulator, class T>
auto reduce_mesh_field(MeshField<T> const& field) {
  static_assert(number<T>, "a field's values are reduced if they are integers, float or double; "
                           "of other types a function of a value is, as in sum(u, function)");
  return reduce_mesh_field<Accumulator>(field, [](T const& value) { return value; });
}

} // namespace detail

/// The sum of a field's values, of a function of them, or of a function of the entities of one
/// dimension: exact, and for floating-point numbers rounded once.
/// @throws usage_error  a sum of integers has more than 64 bits (on all ranks)
template <class T>
auto sum(MeshField<T> const& field) {
  return detail::reduce_mesh_field<detail::total_of>(field);
}
template <class T, class Function>
auto sum(MeshField<T> const& field, Function const& function) {
  return detail::reduce_mesh_field<detail::total_of>(field, function);
}
template <class Function>
auto sum(Mesh const& mesh, int dimension, Function const& function) {
  return detail::reduce_mesh<detail::total_of>(mesh, dimension, function);
}

/// The least of a field's values, of a function of them, or of a function of entities; no number if
/// one of them is none.
template <class T>
auto minimum(MeshField<T> const& field) {
  return detail::reduce_mesh_field<detail::least_of>(field);
}
template <class T, class Function>
auto minimum(MeshField<T> const& field, Function const& function) {
  return detail::reduce_mesh_field<detail::least_of>(field, function);
}
template <class Function>
auto minimum(Mesh const& mesh, int dimension, Function const& function) {
  return detail::reduce_mesh<detail::least_of>(mesh, dimension, function);
}

/// The largest value, with the arguments of minimum().
template <class T>
auto maximum(MeshField<T> const& field) {
  return detail::reduce_mesh_field<detail::largest_of>(field);
}
template <class T, class Function>
auto maximum(MeshField<T> const& field, Function const& function) {
  return detail::reduce_mesh_field<detail::largest_of>(field, function);
}
template <class Function>
auto maximum(Mesh const& mesh, int dimension, Function const& function) {
  return detail::reduce_mesh<detail::largest_of>(mesh, dimension, function);
}

/// The 2-norm, the root of the sum of squares, of a field's values or of a function of entities: a
/// double that overflows only if the norm is beyond the largest double itself. All entities have
/// the same weight: the caller multiplies by their sizes.
template <class T>
double norm(MeshField<T> const& field) {
  return detail::reduce_mesh_field<detail::norm_of>(field);
}
template <class Function>
double norm(Mesh const& mesh, int dimension, Function const& function) {
  return detail::reduce_mesh<detail::norm_of>(mesh, dimension, function);
}

/// The maximum norm, the largest absolute value of a field's values or of a function of entities;
/// unsigned for integers.
template <class T>
auto maximum_norm(MeshField<T> const& field) {
  return detail::reduce_mesh_field<detail::largest_size_of>(field);
}
template <class Function>
auto maximum_norm(Mesh const& mesh, int dimension, Function const& function) {
  return detail::reduce_mesh<detail::largest_size_of>(mesh, dimension, function);
}

/// The sum of the products of two fields' values, as a double that is nearest to the exact one.
/// @throws usage_error  the fields are on different meshes or entities, or have different numbers
///         of components (on all ranks)
template <class T>
double dot(MeshField<T> const& first, MeshField<T> const& second) {
  static_assert(detail::number<T>, "dot() takes fields of integers, float or double");
  if (!first.mesh().is_same(second.mesh()) || first.dimension() != second.dimension() ||
      first.num_components() != second.num_components())
    throw usage_error("dot: fields '" + first.name() + "' and '" + second.name() +
                          "' differ in their mesh, dimension or components (expected the same)",
                      true);
  auto const a = detail::own_values(first), b = detail::own_values(second);
  return detail::reduce_counted<detail::products_of<T>>(
      first.mesh(), std::ssize(a), [&](std::int64_t k, auto& into) { into.add(a[k], b[k]); });
}

} // namespace seam
