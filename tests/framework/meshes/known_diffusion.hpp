/// Diffusion with known solutions on the unit square and cube.
#pragma once

#include <seam/framework/meshes/mesh_diffusion.hpp>
#include <seam/framework/petsc/solver.hpp>
#include <seam/mesh/fields/mesh_halo.hpp>

#include <mesh/unit_boxes.hpp>

#include <numbers>

namespace seam::testing {

using std::numbers::pi;

inline solver_options tight() { return {.tolerance = 1e-13}; }

/// For solutions with larger errors of their own.
inline solver_options loose() { return {.tolerance = 1e-8}; }

/// -div(k grad u) = f with u known.
struct known_problem {
  std::function<double(place const&)> u, f;
  conductivity k;
  std::vector<side_condition> conditions;
};

/// A product of sines with conductivity 1 + x + y / 2 + z / 4; borders are given by values, slopes
/// and inflows in turn.
inline known_problem waves_on_a_ramp(int num_dimensions) {
  bool const is_solid = num_dimensions == 3;
  auto const factor = [=](place const& x, int derived) {
    double product = 1;
    constexpr std::array shifts{0.2, 0.5, 0.3};
    for (int axis = 0; axis < num_dimensions; ++axis) {
      double const phase = pi * x[std::size_t(axis)] + shifts[std::size_t(axis)];
      product *= axis == derived ? pi * std::cos(phase) : std::sin(phase);
    }
    return product;
  };
  auto const k = [=](place const& x) {
    return 1 + x[0] + 0.5 * x[1] + (is_solid ? 0.25 * x[2] : 0);
  };
  known_problem made;
  made.u = [=](place const& x) { return factor(x, -1); };
  made.f = [=](place const& x) {
    return k(x) * num_dimensions * pi * pi * factor(x, -1) - factor(x, 0) - 0.5 * factor(x, 1) -
           (is_solid ? 0.25 * factor(x, 2) : 0);
  };
  made.k = [=](local_id, place const& x) { return k(x); };
  made.conditions = {
      given_value(1, made.u), given_slope(2, [=](place const& x) { return factor(x, 0); }),
      given_value(3, made.u), given_inflow(4, [=](place const& x) { return k(x) * factor(x, 1); })};
  if (is_solid) {
    made.conditions.push_back(given_slope(5, [=](place const& x) { return -factor(x, 2); }));
    made.conditions.push_back(given_value(6, made.u));
  }
  return made;
}

/// The field that solves the discrete problem.
inline MeshField<double> solve(Mesh const& mesh, known_problem const& problem,
                               solver_options const& how) {
  auto const system = assemble_diffusion(mesh, problem.conditions, problem.k);
  MeshField<double> u(mesh, "u", 0);
  petsc_vector x = share(u), b(mesh.base(), mesh.vertices().num_owned);
  for (local_id v = 0; v < mesh.vertices().num_owned; ++v)
    b.values()[std::size_t(v)] = problem.f(place_of(mesh, v)) * system.volumes[std::size_t(v)] +
                                 system.sources[std::size_t(v)];
  linear_solver const solver(mesh.base(), system.matrix, how);
  solver(b, x);
  make_halo(u).run();
  return u;
}

inline double error_of(Mesh const& mesh, known_problem const& problem) {
  return l2_error(solve(mesh, problem, loose()), problem.u);
}

} // namespace seam::testing
