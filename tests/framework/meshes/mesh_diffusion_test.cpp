// Diffusion on meshes by finite elements: how errors of known solutions fall on cells of all kinds,
// steady and in time, with conductivities and borders by tag.
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/framework/petsc/petsc.hpp>
#include <seam/framework/program/print.hpp>

#include <framework/meshes/known_diffusion.hpp>
#include <support/catch.hpp>
#include <support/refusal.hpp>

using namespace seam;
using namespace seam::testing;

namespace {

using Catch::Contains;

/// Continuous at x = 1/2, where the conductivity of cells jumps from 1 (tag 1) to 10 (tag 2), and
/// so does the slope.
known_problem two_materials(Mesh const& mesh) {
  auto const k = [](place const& x) { return x[0] < 0.5 ? 1.0 : 10.0; };
  known_problem made;
  made.u = [=](place const& x) { return (x[0] - 0.5) / k(x) * std::cos(pi * x[1]); };
  made.f = [=](place const& x) { return pi * pi * (x[0] - 0.5) * std::cos(pi * x[1]); };
  made.k = [=](local_id cell, place const&) {
    return mesh.cells().tags[std::size_t(cell)] == 1 ? 1.0 : 10.0;
  };
  made.conditions = {given_value(1, made.u),
                     given_inflow(2, [](place const& x) { return std::cos(pi * x[1]); })};
  return made;
}

/// The L2 error of two-point fluxes, values of cells being those at their centers.
double two_point_error_of(Mesh const& mesh) {
  auto const problem = waves_on_a_ramp(mesh.num_dimensions());
  std::vector<side_condition> around;
  int const d = mesh.num_dimensions();
  for (int tag = 1; tag <= 2 * d; ++tag)
    around.push_back(given_value(tag, problem.u));
  auto const system = assemble_two_point_diffusion(mesh, around);
  petsc_vector x(mesh.base(), mesh.cells().num_owned), b(mesh.base(), mesh.cells().num_owned);
  for (local_id c = 0; c < mesh.cells().num_owned; ++c)
    b.values()[std::size_t(c)] =
        d * pi * pi * problem.u(mesh.center(d, c)) * system.volumes[std::size_t(c)] +
        system.sources[std::size_t(c)];
  linear_solver(mesh.base(), system.matrix, tight())(b, x);
  double sum = 0;
  for (local_id c = 0; c < mesh.cells().num_owned; ++c)
    sum += detail::measure(mesh, d, c) *
           std::pow(x.values()[std::size_t(c)] - problem.u(mesh.center(d, c)), 2);
  return std::sqrt(mpi::allreduce(mesh.base(), sum, MPI_SUM));
}

/// Implicit steps to `time` of d/dt u - div(k grad u) = f with u = exp(-t) sin(pi x) cos(pi y)
/// cos(pi z), whose length falls by four when cells are halved. Returns the L2 error.
double error_in_time(Mesh const& mesh, std::int64_t n) {
  constexpr double time = 0.2;
  int const d = mesh.num_dimensions();
  auto const wave = [](place const& x) {
    return std::sin(pi * x[0]) * std::cos(pi * x[1]) * std::cos(pi * x[2]);
  };
  auto const k = [](place const& x) { return 1 + x[0] + 0.5 * x[1]; };
  auto const f = [=](place const& x) { // of exp(-t)
    double const x_slope = pi * std::cos(pi * x[0]) * std::cos(pi * x[1]) * std::cos(pi * x[2]),
                 y_slope = -pi * std::sin(pi * x[0]) * std::sin(pi * x[1]) * std::cos(pi * x[2]);
    return (k(x) * d * pi * pi - 1) * wave(x) - x_slope - 0.5 * y_slope;
  };
  std::int64_t const steps = n * n / 4;
  double const length = time / double(steps);
  auto const system = assemble_diffusion(mesh, {given_value(1, 0.0), given_value(2, 0.0)},
                                         [=](local_id, place const& x) { return k(x); });
  linear_solver const solver(mesh.base(), with_volumes(system, 1 / length), loose());
  MeshField<double> u(mesh, "u", 0);
  for (local_id v = 0; v < mesh.vertices().num_owned; ++v)
    u(v) = wave(place_of(mesh, v));
  petsc_vector x = share(u), b(mesh.base(), mesh.vertices().num_owned);
  for (std::int64_t step = 1; step <= steps; ++step) {
    for (std::size_t v = 0; v < system.volumes.size(); ++v)
      b.values()[v] =
          system.volumes[v] * (u(local_id(v)) / length +
                               std::exp(-double(step) * length) * f(place_of(mesh, local_id(v)))) +
          system.sources[v];
    solver(b, x);
  }
  make_halo(u).run();
  return l2_error(u, [&](place const& at) { return std::exp(-time) * wave(at); });
}

} // namespace

TEST_CASE("linear solutions are found to rounding errors on any cells with any borders") {
  Communicator const all = world();
  for (box_family const& family : box_families()) {
    INFO(family.name);
    Mesh const mesh = scattered(family(all, 3), 2);
    known_problem problem;
    problem.u = [](place const& x) { return 1 + 2 * x[0] - x[1] + 0.5 * x[2]; };
    problem.f = [](place const&) { return 0.0; };
    problem.k = [](local_id, place const&) { return 3.0; };
    problem.conditions = {given_value(1, problem.u), given_slope(2, 2.0), given_slope(3, 1.0),
                          given_inflow(4, -3.0)};
    if (family.num_dimensions == 3) {
      problem.conditions.push_back(given_inflow(5, -1.5));
      problem.conditions.push_back(given_value(6, problem.u));
    }
    auto const u = solve(mesh, problem, tight());
    double worst = 0;
    for (local_id v = 0; v < mesh.vertices().num_local(); ++v)
      worst = std::max(worst, std::abs(u(v) - problem.u(place_of(mesh, v))));
    CHECK(mpi::allreduce(all, worst, MPI_MAX) < 1e-11);
  }
}

TEST_CASE("errors fall by four when cells are halved, with uneven conductivity and any borders") {
  Communicator const all = world();
  for (box_family const& family : box_families()) {
    int const d = family.num_dimensions;
    double last = 0;
    for (std::int64_t n = d == 2 ? 8 : 4; n <= (d == 2 ? 32 : 8); n *= 2) {
      double const error = error_of(family(all, n), waves_on_a_ramp(d));
      INFO(family.name << ", n = " << n << ": " << last << " " << error);
      CHECK(error < 2.5 / double(n * n));
      if (last > 0)
        CHECK(std::log2(last / error) > 1.8);
      last = error;
    }
  }
}

TEST_CASE("errors fall by four where the conductivity jumps between cells") {
  Communicator const all = world();
  for (shape const of : {shape::triangle, shape::quadrilateral, shape::tetrahedron, shape::prism,
                         shape::pyramid, shape::hexahedron}) {
    std::int64_t const n = dimensions_of(of) == 2 ? 8 : 4;
    auto const error = [&](std::int64_t bricks) {
      Mesh const mesh = plain_boxes("", of)(all, bricks);
      return error_of(mesh, two_materials(mesh));
    };
    double const coarse = error(n), fine = error(2 * n);
    INFO("shape " << int(of) << ": " << coarse << " " << fine);
    CHECK(coarse < 0.5 / double(n * n));
    CHECK(std::log2(coarse / fine) > 1.8);
  }
}

TEST_CASE("errors in time fall by four when uneven cells are halved and implicit steps quartered") {
  Communicator const all = world();
  for (box_family const& family : box_families()) {
    if (family.name.find("moved") == std::string::npos)
      continue;
    std::int64_t const n = family.num_dimensions == 2 ? 8 : 4;
    double const coarse = error_in_time(family(all, n), n),
                 fine = error_in_time(family(all, 2 * n), 2 * n);
    INFO(family.name << ": " << coarse << " " << fine);
    CHECK(coarse < 1.5 / double(n * n));
    CHECK(std::log2(coarse / fine) > 1.8);
  }
}

TEST_CASE("without a given value the solution on vertices is found up to a constant") {
  Communicator const all = world();
  Mesh const mesh = scattered(Mesh(all, box_mesh(all, shape::prism, {6, 6, 6})), 4);
  auto const system = assemble_diffusion(mesh);
  linear_solver const solver(all, system.matrix, tight());
  CHECK(solver.is_singular());
  auto const waves = [](place const& x) {
    return std::cos(pi * x[0]) * std::cos(pi * x[1]) * std::cos(pi * x[2]);
  };
  MeshField<double> u(mesh, "u", 0);
  petsc_vector x = share(u), b(all, mesh.vertices().num_owned);
  for (local_id v = 0; v < mesh.vertices().num_owned; ++v)
    b.values()[std::size_t(v)] =
        3 * pi * pi * waves(place_of(mesh, v)) * system.volumes[std::size_t(v)];
  solver(b, x);
  make_halo(u).run();
  double mean = 0;
  for (std::size_t v = 0; v < system.volumes.size(); ++v)
    mean += system.volumes[v] * u(local_id(v));
  mean = mpi::allreduce(all, mean, MPI_SUM);
  CHECK(l2_error(u, [&](place const& at) { return waves(at) + mean; }) < 0.05);
}

TEST_CASE("implicit steps on vertices keep the whole") {
  Communicator const all = world();
  Mesh const mesh(all, mixed_mesh(all, {4, 4, 4}));
  auto const system = assemble_diffusion(mesh);
  linear_solver const solver(all, with_volumes(system, 100.0), tight());
  CHECK(!solver.is_singular());
  petsc_vector x(all, mesh.vertices().num_owned), b(all, mesh.vertices().num_owned);
  for (local_id v = 0; v < mesh.vertices().num_owned; ++v)
    b.values()[std::size_t(v)] = 100 * system.volumes[std::size_t(v)] * place_of(mesh, v)[0];
  solver(b, x);
  double heat = 0;
  for (std::size_t v = 0; v < system.volumes.size(); ++v)
    heat += x.values()[v] * system.volumes[v];
  CHECK(mpi::allreduce(all, heat, MPI_SUM) == Approx(0.5).epsilon(1e-11));
}

TEST_CASE("a vertex on two borders has the value that is listed first") {
  Communicator const all = world();
  Mesh const mesh = scattered(Mesh(all, box_mesh(all, shape::quadrilateral, {4, 4, 1})), 3);
  for (bool const is_first : {true, false}) {
    std::vector<side_condition> conditions{given_value(1, 10.0), given_value(3, 30.0)};
    if (!is_first)
      std::swap(conditions[0], conditions[1]);
    auto const borders = find_vertex_borders(mesh, conditions);
    for (local_id v = 0; v < mesh.vertices().num_local(); ++v) {
      place const at = place_of(mesh, v);
      bool const is_left = at[0] == 0, is_low = at[1] == 0;
      if (!is_left && !is_low)
        CHECK(std::isnan(borders.values(v)));
      else
        CHECK(borders.values(v) == (is_left && (is_first || !is_low) ? 10 : 30));
    }
  }
}

TEST_CASE("conditions that make no sense are refused by all ranks") {
  Communicator const all = world();
  Mesh const mesh(all, box_mesh(all, shape::quadrilateral, {4, 4, 1}));
  auto const with = [&](Mesh const& on, std::vector<side_condition> const& conditions) {
    return refusal_of([&] { assemble_diffusion(on, conditions); });
  };
  CHECK_THAT(with(mesh, {given_value(1, 0.0), given_slope(1, 0.0)}),
             Contains("two conditions on the sides with tag 1"));
  CHECK_THAT(with(mesh, {given_value(7, 0.0)}),
             Contains("a condition on sides with tag 7, which no side has"));
  CHECK_THAT(with(mesh, {given_inflow(2, std::nan(""))}),
             Contains("nan is given on the sides with tag 2 at (1, "));
  CHECK_THAT(with(mesh.with_ghosts({.depth = 0}), {}), Contains("0 layers of ghost cells"));
  CHECK_THAT(refusal_of([&] { find_vertex_borders(mesh.with_ghosts({.depth = 0}), {}); }),
             Contains("0 layers of ghost cells"));
  if (all.size() > 1)
    CHECK_THAT(with(mesh, {given_value(all.rank() == 0 ? 1 : 2, 0.0)}),
               Contains("diffusion: conditions"));
  CHECK_THAT(refusal_of([&] { assemble_two_point_diffusion(mesh, {given_value(7, 0.0)}); }),
             Contains("which no side has"));
}

TEST_CASE("the table of errors", "[.table]") {
  Communicator const all = world();
  start_petsc(all);
  for (box_family const& family : box_families()) {
    double last = 0;
    print(all, "{}\n", family.name);
    int const d = family.num_dimensions;
    for (std::int64_t n = d == 2 ? 8 : 4; n <= (d == 2 ? 64 : 16); n *= 2) {
      Mesh const mesh = family(all, n);
      double const error = error_of(mesh, waves_on_a_ramp(d));
      std::string two_point = "refused";
      try {
        two_point = fmt::format("{:.3e}", two_point_error_of(mesh));
      } catch (usage_error const&) {
      }
      print(all, "  {:3}  {:.3e}  {:.2f}   two-point {}\n", n, error, std::log2(last / error),
            two_point);
      last = error;
    }
  }
}
