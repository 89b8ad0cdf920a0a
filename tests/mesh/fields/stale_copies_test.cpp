// Checked mode finds loops that read copies on meshes whose owners may have changed since, and no others.
#include <support/airfoil_mesh.hpp>
#include <support/catch.hpp>
#include <support/stale_ghost_lines.hpp>
#include <support/world.hpp>

#include <mesh/meshes.hpp>

#include <seam/exchange/steps/stamps/ghost_stamps.hpp>
#include <seam/mesh.hpp>
#include <seam/partition.hpp>

#include <string>

using namespace seam;
using namespace seam::testing;

namespace {

using Catch::Contains;

Mesh small_mesh() { return {world(), airfoil_mesh(world(), 8, 12)}; }

/// Gives all own values of a field.
void write(MeshField<double> const& u, double value) {
  for (local_id e = 0; e < u.entities().num_owned; ++e)
    for (int c = 0; c < u.num_components(); ++c)
      u(e, c) = value + static_cast<double>(u.entities().ids[e]) + 1000 * c;
}

/// The value, which is looked at anew at the next access.
double read(MeshField<double> const& u, local_id entity, int component = 0) {
  double const value = u(entity, component);
  u.shared()->copies->stamps->settle();
  return value;
}

/// Lines about reads of all copies; of all values, if any copy is right.
std::int64_t num_stale(MeshField<double> const& u, stale_ghost_lines& found) {
  for (local_id e = u.entities().num_owned; e < u.entities().num_local(); ++e)
    for (int c = 0; c < u.num_components(); ++c)
      static_cast<void>(read(u, e, c));
  return std::ssize(found.take());
}

std::int64_t num_copies(MeshField<double> const& u) {
  return std::int64_t{u.entities().num_local() - u.entities().num_owned} * u.num_components();
}

} // namespace

TEST_CASE("copies may be read from a halo to the next change of own values that others have") {
  if (!detail::program_is_checked())
    return;
  checks_in_scope const checks(true);
  stale_ghost_lines found;
  Mesh const mesh = small_mesh();
  for (mesh_part const part : {cells, sides, vertices})
    for (int const components : {1, 3}) {
      auto u = mesh.field<double>("u", part, components);
      auto halo = make_halo(u);
      write(u, 7);
      CHECK(num_stale(u, found) == 0); // it has not been exchanged yet
      halo.run();
      for (double const value : {1.0, 2.0}) {
        write(u, value);
        CHECK(num_stale(u, found) == num_copies(u));
        halo.run();
        CHECK(num_stale(u, found) == 0);
        for (local_id e = u.entities().num_owned; e < u.entities().num_local(); ++e)
          CHECK(read(u, e) == value + static_cast<double>(u.entities().ids[e]));
      }
      write(u, 2); // the same values
      CHECK(num_stale(u, found) == 0);
      u.fill(5);
      CHECK(num_stale(u, found) == 0);
    }
}

TEST_CASE("the line about a stale copy names rank, entity, field, component and owner") {
  if (!detail::program_is_checked())
    return;
  checks_in_scope const checks(true);
  stale_ghost_lines found;
  Mesh const mesh = small_mesh();
  auto u = mesh.field<double>("u", cells, 2);
  make_halo(u).run();
  write(u, 3);
  local_id const copy = mesh.cells().num_owned;
  if (num_copies(u) == 0)
    return;
  static_cast<void>(read(u, copy, 1));
  auto const lines = found.take();
  REQUIRE(lines.size() == 1);
  CHECK(
      lines.front() ==
      "stale ghost: rank " + std::to_string(mesh.base().rank()) + " reads the copy of entity " +
          std::to_string(mesh.cells().ids[copy]) + " of 'u', component 1, on rank " +
          std::to_string(mesh.cells().owners[copy]) +
          ", which is out of date (expected a run of a halo of 'u', as make_halo(u).run(), behind "
          "its last write)");
}

TEST_CASE("steps make the copies of what they write stale, and no others") {
  if (!detail::program_is_checked())
    return;
  checks_in_scope const checks(true);
  stale_ghost_lines found;
  Mesh const mesh = small_mesh();
  auto u = mesh.field<double>("u", cells), v = mesh.field<double>("v", cells),
       w = mesh.field<double>("w", cells);
  for (auto* field : {&u, &v, &w})
    write(*field, 1);
  make_halo(u, v, w).run();
  Steps step(mesh);
  step.each(
      "spread", updates(u, cells), reads(v, cells),
      SEAM_KERNEL(auto u, auto v) { u = 0.5 * (u(0) + v(0)); });
  step.each(
      "add", mesh.inner(sides), reads(v, cells), adds(w, cells),
      SEAM_KERNEL(auto v, auto w) { w(0) += v(1); });
  step.run(3);
  CHECK(num_stale(v, found) == 0);
  CHECK(num_stale(u, found) == num_copies(u));
  CHECK(num_stale(w, found) == num_copies(w));
  make_halo(u, w).run();
  CHECK(num_stale(u, found) == 0);
  CHECK(num_stale(w, found) == 0);
  step.run(1);
  CHECK(num_stale(u, found) == num_copies(u));
}

TEST_CASE("loops in place, reverse halos, migration and pointers give no false lines") {
  if (!detail::program_is_checked())
    return;
  checks_in_scope const checks(true);
  stale_ghost_lines found;
  Mesh const mesh = small_mesh();
  auto u = mesh.field<double>("u", cells);
  write(u, 1);
  make_halo(u).run();
  {
    auto const loop = u.in_place();
    for (local_id c = 0; c < mesh.cells().num_owned; ++c) {
      double sum = u(c);
      for (local_id const other : mesh.adjacent(2, 2)[c])
        sum += u(other);
      u(c) = sum;
    }
    CHECK(num_stale(u, found) == 0);
  }
  CHECK(num_stale(u, found) == num_copies(u));

  auto v = mesh.field<double>("v", vertices);
  for (local_id c = 0; c < mesh.cells().num_owned; ++c)
    for (local_id const vertex : mesh.adjacent(2, 0)[c])
      v(vertex) += 1; // copies, too
  make_reverse_halo(reduction::sum, v).run();
  CHECK(found.take().empty());
  CHECK(num_stale(v, found) == num_copies(v));

  auto moved = mesh.field<double>("moved", cells);
  write(moved, 1);
  Mesh const other = migrate(mesh, random_ranks(mesh, world().size(), 1), moved);
  CHECK(num_stale(moved, found) == 0);
  make_halo(moved).run();
  write(moved, 2);
  CHECK(num_stale(moved, found) == num_copies(moved));

  double* const outside = moved.values().data();
  write(moved, 3);
  outside[0] = 1;
  CHECK(num_stale(moved, found) == 0); // it is not checked any more
}
