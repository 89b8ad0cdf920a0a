// Fluxes between vertices: what linear functions, conservation and symmetry ask of them on cells of
// all kinds, and what explicit steps with them converge to. Fluxes between cells: where they are
// taken, and where refused.
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/sums/sum.hpp>
#include <seam/mesh/fields/mesh_halo.hpp>
#include <seam/mesh/fluxes/quadrature.hpp>
#include <seam/mesh/fluxes/two_point_flux.hpp>
#include <seam/mesh/fluxes/vertex_flux.hpp>

#include <mesh/unit_boxes.hpp>
#include <support/catch.hpp>
#include <support/refusal.hpp>

#include <numbers>

using namespace seam;
using namespace seam::testing;

namespace {

using Catch::Contains;
using std::numbers::pi;

double largest(Communicator const& over, double own) { return mpi::allreduce(over, own, MPI_MAX); }

/// Neighbors and conductances of own vertices, by ids.
using rows_by_id = std::map<global_id, std::vector<std::pair<global_id, double>>>;

rows_by_id rows_of(Mesh const& mesh, mesh_fluxes const& fluxes) {
  rows_by_id rows;
  auto conductance = fluxes.conductances.begin();
  for (local_id v = 0; v < mesh.vertices().num_owned; ++v) {
    auto& row = rows[mesh.vertices().ids[std::size_t(v)]];
    for (local_id const neighbor : fluxes.neighbors[v])
      row.emplace_back(mesh.vertices().ids[std::size_t(neighbor)], *conductance++);
  }
  return rows;
}

double ramp(local_id, place const& where) { return 1 + where[0] + 0.5 * where[1]; }

/// A number for each vertex that does not depend on ranks, also for copies.
MeshField<double> random_field(Mesh const& mesh, unsigned seed) {
  MeshField<double> u(mesh, "u", 0);
  for (local_id v = 0; v < mesh.vertices().num_local(); ++v) {
    std::mt19937 random(seed + 31U * unsigned(mesh.vertices().ids[std::size_t(v)]));
    random.discard(2);
    u(v) = double(random()) / double(random.max());
  }
  return u;
}

/// Goes on by explicit steps.
void go(mesh_fluxes const& fluxes, MeshField<double>& u, std::int64_t count, double length) {
  Mesh const& mesh = u.mesh();
  MeshField<double> next(mesh, "next", 0);
  auto halo = make_halo(u);
  for (std::int64_t step = 0; step < count; ++step) {
    halo.run();
    for (local_id v = 0; v < mesh.vertices().num_owned; ++v)
      next(v) = u(v) + length / fluxes.volumes[std::size_t(v)] * fluxes.inflow(v, u);
    std::ranges::copy(next.values(), u.values().begin());
  }
  halo.run();
}

double heat_of(mesh_fluxes const& fluxes, MeshField<double> const& u, int power) {
  std::vector<double> heat;
  for (std::size_t v = 0; v < fluxes.volumes.size(); ++v)
    heat.push_back(fluxes.volumes[v] * std::pow(u(local_id(v)), power));
  return sum(u.mesh().base(), heat);
}

std::string refusal(Mesh const& mesh, std::function<void(Mesh const&)> const& find) {
  return refusal_of([&] { find(mesh); });
}

std::string two_point_refusal(Mesh const& mesh) {
  return refusal(mesh, [](Mesh const& of) { find_two_point_fluxes(of); });
}

} // namespace

TEST_CASE("functions of elements are 1 together, and lead to each place of a cell") {
  std::array<place, 8> const corners{{{0, 0, 0},
                                      {2, 0.1, 0},
                                      {2.2, 1.9, 0.3},
                                      {0.2, 2, 0.1},
                                      {0.1, 0.3, 2},
                                      {2, 0, 1.8},
                                      {2, 2, 2.2},
                                      {0, 1.8, 2}}};
  for (shape const of : {shape::tetrahedron, shape::pyramid, shape::prism, shape::hexahedron}) {
    auto const count = std::size_t(num_vertices_of(of));
    auto const of_cell = std::span(corners).first(count);
    for (quadrature_point const& point : quadrature_of(of)) {
      mapped_point const at = map_point(point, 3, of_cell);
      place where{}, gradient{}, gradient_of_x{};
      double sum = 0;
      for (std::size_t v = 0; v < count; ++v) {
        sum += point.values[v];
        for (std::size_t a = 0; a < 3; ++a) {
          where[a] += point.values[v] * of_cell[v][a];
          gradient[a] += at.gradients[v][a];
          gradient_of_x[a] += at.gradients[v][a] * of_cell[v][0];
        }
      }
      CHECK(sum == Approx(1));
      for (std::size_t a = 0; a < 3; ++a) {
        CHECK(at.where[a] == Approx(where[a]).margin(1e-14));
        CHECK(std::abs(gradient[a]) < 1e-13);
        CHECK(gradient_of_x[a] == Approx(a == 0 ? 1 : 0).margin(1e-13));
      }
    }
  }
}

TEST_CASE("nothing flows into vertices inside where the function is linear, on any cells") {
  Communicator const all = world();
  for (box_family const& family : box_families()) {
    INFO(family.name);
    Mesh const mesh = scattered(family(all, 3), 6);
    mesh_fluxes const fluxes = find_vertex_fluxes(mesh);
    MeshField<double> u(mesh, "u", 0);
    for (local_id v = 0; v < mesh.vertices().num_local(); ++v) {
      place const at = place_of(mesh, v);
      u(v) = 2 + at[0] - 3 * at[1] + 0.5 * at[2];
    }
    double worst = 0;
    for (local_id v = 0; v < mesh.vertices().num_owned; ++v)
      if (end_at(place_of(mesh, v), family.num_dimensions) == 0)
        worst = std::max(worst, std::abs(fluxes.inflow(v, u)));
    CHECK(largest(all, worst) < 1e-13);
    CHECK(sum(all, fluxes.volumes) == Approx(1).epsilon(1e-13));
  }
}

TEST_CASE("fluxes are the same bits on any ranks, and in both directions") {
  Communicator const all = world(), single = alone();
  for (int kind = 0; kind < num_kinds; ++kind) {
    INFO("kind " << kind);
    Mesh const mesh = scattered(Mesh(all, mesh_of_kind(all, kind)), 7);
    Mesh const whole(single, mesh_of_kind(single, kind));
    auto const fluxes = find_vertex_fluxes(mesh, ramp), expected = find_vertex_fluxes(whole, ramp);
    auto const rows = rows_of(mesh, fluxes), all_rows = rows_of(whole, expected);
    std::map<std::pair<global_id, global_id>, double> back;
    for (auto const& [v, row] : all_rows)
      for (auto const& [other, conductance] : row)
        back[{other, v}] = conductance;
    for (auto const& [v, row] : rows) {
      CHECK((row == all_rows.at(v)));
      for (auto const& [other, conductance] : row)
        REQUIRE_IN_LOOP(back.at({v, other}) == conductance);
    }
    std::map<global_id, double> volumes;
    for (local_id v = 0; v < whole.vertices().num_owned; ++v)
      volumes[whole.vertices().ids[std::size_t(v)]] = expected.volumes[std::size_t(v)];
    for (local_id v = 0; v < mesh.vertices().num_owned; ++v)
      REQUIRE_IN_LOOP(volumes.at(mesh.vertices().ids[std::size_t(v)]) ==
                      fluxes.volumes[std::size_t(v)]);
    CHECK(longest_step(all, fluxes) == longest_step(single, expected));
  }
}

TEST_CASE("heat stays and its square falls in the longest explicit steps, on any cells") {
  Communicator const all = world();
  for (box_family const& family : box_families()) {
    INFO(family.name << ", seed 8");
    Mesh const mesh = family(all, 3);
    mesh_fluxes const fluxes = find_vertex_fluxes(mesh, ramp);
    double const longest = longest_step(all, fluxes);
    MeshField<double> u = random_field(mesh, 8);
    double const heat = heat_of(fluxes, u, 1);
    for (int part = 0; part < 4; ++part) {
      double const square = heat_of(fluxes, u, 2);
      go(fluxes, u, 20, longest);
      CHECK(heat_of(fluxes, u, 1) == Approx(heat).epsilon(1e-13));
      CHECK(heat_of(fluxes, u, 2) < square * (1 + 1e-13));
    }
  }
}

TEST_CASE("on right triangles the longest step is that of five-point differences at the border") {
  Communicator const all = world();
  Mesh const mesh(all, box_mesh(all, shape::triangle, {8, 8, 1}));
  CHECK(longest_step(all, find_vertex_fluxes(mesh)) == Approx(1.0 / 64 / 6).epsilon(1e-12));
}

TEST_CASE("errors in time fall by four when cells are halved and explicit steps quartered, on any "
          "cells") {
  Communicator const all = world();
  for (box_family const& family : box_families()) {
    int const d = family.num_dimensions;
    double const time = 0.06;
    auto const waves = [](place const& x) {
      return std::cos(pi * x[0]) * std::cos(pi * x[1]) * std::cos(pi * x[2]);
    };
    auto const error_of = [&](std::int64_t n, std::int64_t& steps) {
      Mesh const mesh = family(all, n);
      mesh_fluxes const fluxes = find_vertex_fluxes(mesh);
      double const longest = longest_step(all, fluxes);
      if (steps == 0)
        steps = std::int64_t(std::ceil(time / (0.5 * longest)));
      REQUIRE(time / double(steps) < longest);
      MeshField<double> u(mesh, "u", 0);
      for (local_id v = 0; v < mesh.vertices().num_owned; ++v)
        u(v) = waves(place_of(mesh, v));
      go(fluxes, u, steps, time / double(steps));
      double const left = std::exp(-d * pi * pi * time);
      return l2_error(u, [&](place const& x) { return left * waves(x); });
    };
    std::int64_t const n = d == 2 ? 8 : 4;
    std::int64_t steps = 0;
    double const coarse = error_of(n, steps);
    steps *= 4;
    double const fine = error_of(2 * n, steps);
    INFO(family.name << ": " << coarse << " " << fine);
    CHECK(coarse < 1.0 / double(n * n));
    CHECK(std::log2(coarse / fine) > 1.8);
  }
}

TEST_CASE("fluxes between cells are taken on boxes, also uneven ones, and equilateral triangles") {
  Communicator const all = world();
  for (shape const of : {shape::line, shape::quadrilateral, shape::hexahedron}) {
    auto input = box_mesh(all, of, {4, 5, 3});
    for (double& x : input.coordinates)
      x = x * x + x;
    auto const fluxes = find_two_point_fluxes(scattered(Mesh(all, input), 3));
    CHECK(fluxes.between.dimension == dimensions_of(of));
  }
  auto leaning = box_mesh(all, shape::triangle, {4, 4, 1});
  for (std::size_t v = 0; v < leaning.vertex_ids.size(); ++v) {
    leaning.coordinates[3 * v] -= 0.5 * leaning.coordinates[3 * v + 1];
    leaning.coordinates[3 * v + 1] *= std::sqrt(0.75);
  }
  CHECK_NOTHROW(find_two_point_fluxes(Mesh(all, leaning)));
}

TEST_CASE("fluxes between cells are refused where they would not converge") {
  Communicator const all = world();
  for (shape const of : {shape::triangle, shape::tetrahedron, shape::prism, shape::pyramid}) {
    auto const line = two_point_refusal(Mesh(all, box_mesh(all, of, {4, 3, 2})));
    CHECK_THAT(line,
               Contains("fluxes: the line from the center of cell ") &&
                   Contains(" degrees from the normal of their side (expected at most 0.01") &&
                   Contains("find_vertex_fluxes()"));
  }
  for (shape const of : {shape::quadrilateral, shape::hexahedron}) {
    auto const input = distorted(box_mesh(all, of, {3, 3, 3}), 0.02, 9);
    CHECK_THAT(two_point_refusal(Mesh(all, input)), Contains("leans by "));
  }
  auto bent = box_mesh(all, shape::line, {2, 1, 1});
  for (std::size_t v = 0; v < bent.vertex_ids.size(); ++v)
    bent.coordinates[3 * v + 1] = bent.coordinates[3 * v] == 0.5 ? 0.5 : 0;
  CHECK_THAT(two_point_refusal(Mesh(all, bent)),
             Contains("to that of cell") && Contains("leans by 45 degrees"));
}

TEST_CASE("what has no fluxes between vertices is refused by all ranks") {
  Communicator const all = world();
  Mesh const mesh(all, box_mesh(all, shape::quadrilateral, {4, 4, 1}));
  auto const find = [](Mesh const& of) { find_vertex_fluxes(of); };
  CHECK_THAT(refusal(mesh.with_ghosts({.depth = 0}), find), Contains("0 layers of ghost cells"));
  CHECK_THAT(refusal(mesh.with_ghosts({.depth = 1, .through = 1}), find),
             Contains("through entities of dimension 1 (expected at least 1 through vertices"));
  CHECK_THAT(
      refusal(mesh,
              [](Mesh const& of) {
                find_vertex_fluxes(of, [](local_id, place const& at) { return at[0] - 0.9; });
              }),
      Contains("fluxes: the conductivity of cell ") && Contains("expected a number above 0"));
  auto folded = box_mesh(all, shape::quadrilateral, {2, 2, 1});
  for (std::size_t v = 0; v < folded.vertex_ids.size(); ++v)
    if (folded.vertex_ids[v] == 4)
      folded.coordinates[3 * v] = 1.5;
  CHECK_THAT(refusal(Mesh(all, folded), find), Contains("is flat or folded"));
  auto flat = box_mesh(all, shape::tetrahedron, {2, 2, 2}, {1, 1, 0});
  CHECK_THAT(refusal(Mesh(all, flat), find), Contains("is flat or folded"));
}
