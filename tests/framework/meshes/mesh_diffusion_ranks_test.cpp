// Diffusion on a mesh that is divided among ranks at random, and on one rank alone.
#include <seam/framework/petsc/petsc.hpp>

#include <framework/meshes/known_diffusion.hpp>
#include <support/catch.hpp>

using namespace seam;
using namespace seam::testing;

namespace {

/// What is found for each vertex, by its id.
std::map<global_id, double> by_id(Mesh const& mesh, std::function<double(local_id)> const& value) {
  std::map<global_id, double> values;
  for (local_id v = 0; v < mesh.vertices().num_owned; ++v)
    values[mesh.vertices().ids[std::size_t(v)]] = value(v);
  return values;
}

} // namespace

TEST_CASE("borders are the same bits on any ranks, and solutions the same to rounding errors") {
  Communicator const all = world(), single = alone();
  start_petsc(all);
  for (box_family const& family : box_families()) {
    INFO(family.name);
    Mesh const mesh = scattered(family(all, 3), 5), whole = family(single, 3);
    auto const problem = waves_on_a_ramp(family.num_dimensions);
    auto const here = find_vertex_borders(mesh, problem.conditions, problem.k),
               there = find_vertex_borders(whole, problem.conditions, problem.k);
    auto const source_of = [](vertex_borders const& of) {
      return [&](local_id v) { return of.sources[std::size_t(v)]; };
    };
    auto const value_of = [](vertex_borders const& of) {
      return [&](local_id v) { return std::isnan(of.values(v)) ? -999 : of.values(v); };
    };
    auto const u = solve(mesh, problem, tight()), expected = solve(whole, problem, tight());
    auto const sources = by_id(whole, source_of(there)), values = by_id(whole, value_of(there)),
               solution = by_id(whole, [&](local_id v) { return expected(v); });
    for (auto const& [id, source] : by_id(mesh, source_of(here)))
      REQUIRE_IN_LOOP(source == sources.at(id));
    for (auto const& [id, value] : by_id(mesh, value_of(here)))
      REQUIRE_IN_LOOP(value == values.at(id));
    for (auto const& [id, value] : by_id(mesh, [&](local_id v) { return u(v); }))
      REQUIRE_IN_LOOP(std::abs(value - solution.at(id)) < 1e-12);
  }
}
