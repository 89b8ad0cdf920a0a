// Step graphs: what their tasks wait for.
#include <seam/exchange/steps/flow/step_graph.hpp>
#include <seam/exchange/steps/run/step_storage.hpp>
#include <seam/stencil/roles/steps.hpp>

#include <support/catch.hpp>
#include <support/world.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

using namespace seam;
using namespace seam::detail;

namespace {

/// The graph of `count` fused steps in tiles of 8 cells.
step_graph fused_graph(Steps<1>& step, Grid<1> const& grid, int count) {
  step.plan();
  step_program const& program = step.machine().program();
  step_range const steps{0, count, count};
  step_storage storage(program, *grid.space());
  storage.widen(buffers_of(program), {steps});
  storage.number_buffers();
  buffer_order order = storage.order();
  step_dataflow const flow(program, storage.layouts(), order, steps);
  kept_exchanges kept;
  return make_step_graph(flow, storage.arrays(), *grid.space(), kept,
                         {.is_fused = true, .extent = 8});
}

/// The number of pairs of tasks of which one waits for the other.
std::size_t num_links(step_graph const& graph) { return graph.order.after.size(); }

} // namespace

TEST_CASE(
    "links to conditions and reductions grow with the number of fused steps, not its square") {
  Grid<1> const grid(testing::world(), {.cells = {64}});
  Value<double> most("most", 1.0);
  std::vector<Field<double, 1>> fields;
  Steps step(grid);
  for (char const* const name : {"u", "v", "w"}) {
    auto& field = fields.emplace_back(grid.field<double>(name));
    field.boundary([most](auto const& ghost) { return ghost.inside + most.get(); });
    step.each(name, updates(field, star(1)), maximum(most), [](auto to, auto into) {
      double const now = to(-1) + to(1);
      to = now;
      into(now);
    });
  }
  CHECK(num_links(fused_graph(step, grid, 32)) < 3 * num_links(fused_graph(step, grid, 16)));
}

TEST_CASE("a tile contributes once the step before has been merged, also while its value is read") {
  Grid<1> const grid(testing::world(), {.cells = {64}});
  Value<double> most("most", 1.0);
  auto u = grid.field<double>("u");
  u.boundary([most](auto const& ghost) { return ghost.inside + most.get(); });
  Steps step(grid);
  step.each("limit", reads(u), maximum(most), [](auto v, auto into) { into(v()); });
  step.each("move", updates(u, star(1)), [](auto v) { v = v(-1) + v(1); });
  auto const graph = fused_graph(step, grid, 2);
  auto const waits = [&](task_kind before, task_kind after, int instance) {
    bool found = false;
    for (std::size_t task = 0; task < graph.tasks.size(); ++task)
      for (int k = graph.order.tasks2after[task]; k < graph.order.tasks2after[task + 1]; ++k) {
        auto const& next = graph.tasks[graph.order.after[k]];
        found = found || (graph.tasks[task].kind == before && next.kind == after &&
                          next.instance == instance);
      }
    return found;
  };
  constexpr int second_limit = 2; // instance
  CHECK(waits(task_kind::reduce, task_kind::tile, second_limit));
  CHECK_FALSE(waits(task_kind::fill, task_kind::tile, second_limit));
  CHECK(waits(task_kind::fill, task_kind::reduced, second_limit));
}
