// Steps on meshes: what kernels read, write and add to, at which entities, compared with loops over the
// whole mesh on one rank; messages bring what is read and nothing else.
#include <support/airfoil_mesh.hpp>
#include <support/catch.hpp>
#include <support/refusal.hpp>
#include <support/world.hpp>

#include <mesh/meshes.hpp>

#include <seam/mesh.hpp>
#include <seam/partition.hpp>

#include <algorithm>
#include <string>
#include <vector>

using namespace seam;
using namespace seam::testing;

namespace {

using Catch::Contains;

Mesh small_mesh(Communicator const& over) { return Mesh(over, airfoil_mesh(over, 8, 12)); }
Mesh solid_mesh(Communicator const& over) {
  return Mesh(over, box_mesh(over, shape::tetrahedron, {3, 4, 2}));
}

/// A number for an entity, whatever the ranks.
double number_of(global_id id) { return static_cast<double>(id * 37 % 101) + 0.25; }

template <class T>
void number(MeshField<T>& field) {
  for (local_id e = 0; e < field.entities().num_local(); ++e)
    for (int c = 0; c < field.num_components(); ++c)
      field(e, c) = e < field.entities().num_owned
                        ? static_cast<T>(number_of(field.entities().ids[e] + 1000 * c))
                        : T{-1};
}

/// Compares own values with those of the same field on one rank.
template <class T>
void check_same(MeshField<T> const& field, MeshField<T> const& expected) {
  int num_wrong = 0;
  auto const& ids = expected.entities().ids;
  for (local_id e = 0; e < field.entities().num_owned; ++e) {
    auto const at = std::ranges::lower_bound(ids, field.entities().ids[e]) - ids.begin();
    for (int c = 0; c < field.num_components(); ++c)
      num_wrong += field(e, c) != expected(static_cast<local_id>(at), c) ? 1 : 0;
  }
  CHECK(num_wrong == 0);
}

/// Runs a program on all ranks and on one, and compares a field of it.
template <class Program>
void check_on_ranks(Mesh (*make)(Communicator const&), Program const& program) {
  auto const expected = program(make(alone()), 1 << 20);
  for (int const places_of_tile : {1, 7, 1000})
    check_same(program(make(world()), places_of_tile), expected);
}

Steps<on_mesh> steps_on(Mesh const& mesh, int places_of_tile) {
  Steps step(mesh);
  step.machine().settings().tile_extent = places_of_tile;
  return step;
}

/// Ids of the entities of a dimension around an entity that all ranks with it agree on.
adjacency list_by_id(Mesh const& mesh, int dimension) {
  adjacency list;
  auto const& ids = mesh.entities(dimension).ids;
  auto const& around = mesh.adjacent(dimension, dimension);
  for (local_id e = 0; e < mesh.entities(dimension).num_owned; ++e) {
    list.ab2b.insert(list.ab2b.end(), around[e].begin(), around[e].end());
    std::sort(list.ab2b.begin() + list.a2ab.back(), list.ab2b.end(),
              [&](local_id a, local_id b) { return ids[a] > ids[b]; });
    list.end_row();
  }
  return list;
}

} // namespace

TEST_CASE("copies of what a kernel reads travel, and nothing else") {
  Mesh const mesh = small_mesh(world());
  auto ids = mesh.field<double>("ids", cells), sum_of = mesh.field<double>("sum", cells);
  number(ids);
  Steps step = steps_on(mesh, 16);
  step.each(
      "sum", mesh.inner(sides), reads(ids, cells), adds(sum_of, cells),
      SEAM_KERNEL(auto id, auto sum) {
        sum(0) += id(1);
        sum(1) += id(0);
      });
  step.run(1);
  auto const& neighbors = mesh.adjacent(2, 2);
  std::vector<bool> is_read(mesh.cells().num_local());
  for (local_id c = 0; c < mesh.cells().num_owned; ++c) {
    double expected = 0;
    for (local_id const other : neighbors[c]) {
      expected += number_of(mesh.cells().ids[other]);
      is_read[other] = true;
    }
    CHECK(sum_of(c) == expected);
  }
  for (local_id c = mesh.cells().num_owned; c < mesh.cells().num_local(); ++c)
    CHECK(ids(c) == (is_read[c] ? number_of(mesh.cells().ids[c]) : -1));
}

TEST_CASE("kernels with updates read the old values around them, and the field has the new ones") {
  auto const mean = [](Mesh const& mesh, int places_of_tile) {
    auto u = mesh.field<double>("u", vertices);
    number(u);
    double const* const before = u.values().data();
    Steps step = steps_on(mesh, places_of_tile);
    step.each(
        "mean", updates(u, vertices), SEAM_KERNEL(auto u) {
          double sum = u();
          for (int k = 0; k < u.count(); ++k)
            sum += u(k);
          u = sum / (1 + u.count());
        });
    for (int const count : {1, 3, 2, 1})
      step.run(count);
    CHECK(u.values().data() == before);
    return u;
  };
  check_on_ranks(small_mesh, mean);
  check_on_ranks(solid_mesh, mean);
}

TEST_CASE("additions come in ascending order of their sources, from any part to any other") {
  auto const gathered = [](Mesh const& mesh, int places_of_tile) {
    auto from_cells = mesh.field<double>("from_cells", cells),
         to = mesh.field<double>("to", vertices);
    auto of_sides = mesh.field<double>("of_sides", sides),
         back = mesh.field<double>("back", cells, 2);
    number(from_cells);
    number(to);
    number(of_sides);
    Steps step = steps_on(mesh, places_of_tile);
    step.each(
        "to vertices", mesh.all(cells), reads(from_cells), adds(to, vertices),
        SEAM_KERNEL(auto from, auto to) {
          for (int k = 0; k < to.count(); ++k)
            to(k) += 1 / (from() + k);
        });
    step.each(
        "to cells", mesh.border(), reads(of_sides), reads(to, vertices), collects(back, cells),
        SEAM_KERNEL(auto side, auto at, auto back) {
          back[0](0) += at(0) / side();
          back[1](0) -= at(at.count() - 1) * side();
        });
    step.each(
        "more", mesh.inner(sides), reads(of_sides), adds(back, cells),
        SEAM_KERNEL(auto side, auto back) {
          back(0) += side();
          back[1](1) -= side() / 3;
        });
    step.each(
        "use", updates(from_cells), reads(back),
        SEAM_KERNEL(auto from, auto back) { from = from() + 0.125 * back[1]() + back(); });
    step.run(3);
    return from_cells;
  };
  check_on_ranks(small_mesh, gathered);
  check_on_ranks(solid_mesh, gathered);
}

TEST_CASE("a set restricts a kernel: elsewhere values stay, also of fields that move") {
  auto const program = [](Mesh const& mesh, int places_of_tile) {
    auto u = mesh.field<double>("u", vertices), v = mesh.field<double>("v", vertices);
    auto w = mesh.field<int>("w", sides);
    number(u);
    number(v);
    std::vector<local_id> chosen;
    for (local_id e = 0; e < mesh.vertices().num_owned; ++e)
      if (mesh.vertices().ids[e] % 3 == 1)
        chosen.push_back(e);
    Steps step = steps_on(mesh, places_of_tile);
    step.each(
        "border", mesh.border(), writes(w), SEAM_KERNEL(auto w) { w = 5; });
    step.each(
        "rest", mesh.inner(sides), modifies(w), SEAM_KERNEL(auto w) { w += 7; });
    step.each(
        "move", mesh.inner(vertices), updates(u, vertices),
        SEAM_KERNEL(auto u) { u = 0.5 * (u() + u(u.count() - 1)); });
    step.each(
        "fix", mesh.listed(vertices, chosen), writes(v), reads(u),
        SEAM_KERNEL(auto v, auto u) { v = u(); });
    step.each(
        "back", updates(u, vertices), reads(v, vertices), reads(w, sides),
        SEAM_KERNEL(auto u, auto v, auto w) {
          double sum = u();
          for (int k = 0; k < v.count(); ++k)
            sum += 0.01 * v(k) + u(k);
          u = sum / (1 + w.count()) + w(0);
        });
    step.run(4);
    return u;
  };
  check_on_ranks(small_mesh, program);
  check_on_ranks(solid_mesh, program);
}

TEST_CASE("lists of the user's own have numbers on their entries and entities") {
  auto const heat = [](Mesh const& mesh, int places_of_tile) {
    auto u = mesh.field<double>("u", vertices);
    number(u);
    auto const fluxes = find_vertex_fluxes(mesh);
    double const dt = 0.9 * longest_step(mesh.base(), fluxes);
    Steps step = steps_on(mesh, places_of_tile);
    step.each(
        "heat", updates(u, fluxes.neighbors), reads(fluxes.conductances), reads(fluxes.volumes),
        SEAM_KERNEL(auto u, auto k, auto volume) { u = u() + dt / volume() * inflow(k, u); });
    step.run(5);
    auto next = mesh.field<double>("next", vertices), by_hand = mesh.field<double>("v", vertices);
    number(by_hand);
    auto halo = make_halo(by_hand);
    for (int s = 0; s < 5; ++s) {
      halo.run();
      for (local_id v = 0; v < mesh.vertices().num_owned; ++v)
        next(v) = by_hand(v) + dt / fluxes.volumes[v] * fluxes.inflow(v, by_hand);
      for (local_id v = 0; v < mesh.vertices().num_owned; ++v)
        by_hand(v) = next(v);
    }
    for (local_id v = 0; v < mesh.vertices().num_owned; ++v)
      CHECK(u(v) == by_hand(v));
    return u;
  };
  check_on_ranks(small_mesh, heat);
  check_on_ranks(solid_mesh, heat);
}

TEST_CASE("kernels in colors read what they change: the order follows from ids alone") {
  auto const smooth = [](Mesh const& mesh, int places_of_tile) {
    auto u = mesh.field<double>("u", cells), b = mesh.field<double>("b", cells);
    number(u);
    number(b);
    auto const list = list_by_id(mesh, mesh.num_dimensions());
    Steps step = steps_on(mesh, places_of_tile);
    step.each(
            "smooth", modifies(u, list), reads(b),
            SEAM_KERNEL(auto u, auto b) {
              double sum = b();
              for (int k = 0; k < u.count(); ++k)
                sum += u(k);
              u = sum / (1 + u.count());
            })
        .in_colors();
    step.each(
            "again", modifies(u, cells),
            SEAM_KERNEL(auto u) {
              if (u.count() > 0)
                u = 0.5 * (u(0) + u());
            })
        .in_colors();
    step.run(3);
    return u;
  };
  check_on_ranks(small_mesh, smooth);
  check_on_ranks(solid_mesh, smooth);
}

TEST_CASE("values, kernels of some steps, on values alone and until a condition holds") {
  auto const program = [](Mesh const& mesh, int places_of_tile) {
    auto u = mesh.field<double>("u", cells);
    number(u);
    Value<double> largest("largest"), total("total"), factor("factor", 0.5);
    Steps step = steps_on(mesh, places_of_tile);
    step.each(
        "scale", modifies(u), with(factor),
        SEAM_KERNEL(auto u, double by) { u = by * u() + 0.125; });
    step.each(
            "jump", modifies(u),
            SEAM_KERNEL(auto u, entity_place here) {
              u += static_cast<double>(here.id() % 5) + here.center()[0];
            })
        .every(3, 1);
    step.each(
        reads(u), maximum(largest), sum(total), SEAM_KERNEL(auto u, auto most, auto all) {
          most(u());
          all(u() * u());
        });
    step.once(
        with(largest), sets(factor),
        SEAM_KERNEL(double most, double& by) { by = most > 3 ? 0.25 : 0.75; });
    CHECK(step.run_until(total, [](double t) { return t > 0; }, {.check_every = 4}));
    CHECK(step.num_steps() == 4);
    step.run(3);
    CHECK(total > 0);
    return u;
  };
  check_on_ranks(small_mesh, program);
}
