/// Loops by threads over the entities of a mesh, for what a program computes itself.
///
///     for_each(mesh, cells, [=](local_id c) { next(c) = u(c) + dt * rate(c); });
///     for_each(border_sides(mesh, mesh.tag("wall", sides)), [=](local_id side) { ... });
///
/// They are carried out by all threads of the calling rank, those of Kokkos or of an endpoint. The
/// function is called for distinct entities at the same time, in any order: it may read what no call
/// writes, write what belongs to its entity, and must not communicate. A field's operator() may be
/// called by all. The same function gives the same bits on any number of threads, unless it adds to
/// what others add to: a loop over the entities that receive, which gathers, has no such races.
#pragma once

#include <seam/exchange/ground/detail/loop_threads.hpp>
#include <seam/mesh/entities/mesh.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace seam {
namespace detail {

/// Calls visit(k) for each k below `count`, on all threads of the rank; each has one range of them.
/// Kokkos' host loops end before they return; a label of 15 characters needs no memory.
template <class Visit>
void for_each_below(std::int64_t count, Visit const& visit) {
  if (num_own_loop_threads > 0) {
    std::int64_t const num_parts = std::min<std::int64_t>(count, num_own_loop_threads);
    loop_on_own_threads(num_parts, [&](std::int64_t part) {
      for (std::int64_t k = count * part / num_parts; k < count * (part + 1) / num_parts; ++k)
        visit(k);
    });
    return;
  }
  using host = Kokkos::DefaultHostExecutionSpace;
  Kokkos::parallel_for("seam::for_each", Kokkos::RangePolicy<host>(0, count), visit);
}

} // namespace detail

/// Calls visit(entity) for each of this rank's own entities of a part of the mesh, copies left out;
/// returns when all are done.
/// Local.
/// Threads: the calling one and those of its loops; `visit` is called by several at a time.
/// Cost: no allocation.
template <class Visit>
void for_each(Mesh const& mesh, mesh_part of, Visit const& visit) {
  static_assert(std::is_invocable_v<Visit const&, local_id>, "loops call visit(local_id)");
  detail::for_each_below(mesh.entities(mesh.dimension_of(of)).num_owned,
                         [&visit](std::int64_t e) { visit(static_cast<local_id>(e)); });
}

/// Calls visit(entity) for each of a list; otherwise as above.
template <class Visit>
void for_each(std::vector<local_id> const& entities, Visit const& visit) {
  static_assert(std::is_invocable_v<Visit const&, local_id>, "loops call visit(local_id)");
  local_id const* const which = entities.data();
  detail::for_each_below(std::ssize(entities),
                         [&visit, which](std::int64_t k) { visit(which[k]); });
}

/// This rank's own entities with a tag, by ascending number. Local.
std::vector<local_id> tagged(Mesh const& mesh, mesh_part of, std::int32_t tag);

/// This rank's own sides at the border of the mesh, those with one cell; those with a tag alone. The
/// mesh needs a ghost layer through sides, or through a part of them.
/// @throws usage_error  the mesh has no ghost layer, so that a rank does not see the cell beyond
/// Local.
std::vector<local_id> border_sides(Mesh const& mesh);
std::vector<local_id> border_sides(Mesh const& mesh, std::int32_t tag);

/// This rank's own sides between two cells; otherwise as above.
/// Local.
std::vector<local_id> inner_sides(Mesh const& mesh);

} // namespace seam
