// The program that docs/performance-how-to.md shows: variants, measured in turn. Prints a table.
//
//     mpiexec -n 2 performance-how-to
#include <seam/seam.hpp>

int main(int argc, char** argv) {
  seam::Runtime runtime(argc, argv);
  seam::Grid<2> grid(runtime, {.cells = {256, 256}, .periodic = {true, true}});
  auto a = grid.field<double>("a"), b = grid.field<double>("b"), c = grid.field<double>("c");

  // One message for each neighbor, whatever the number of fields, or one for each field.
  auto together = seam::make_halo(a, b, c);
  auto first = seam::make_halo(a), second = seam::make_halo(b), third = seam::make_halo(c);

  // A step with messages each time, or each fourth time for computing some cells twice.
  auto const kernel = SEAM_KERNEL(auto u) {
    u = u() + 0.1 * (u(1, 0) + u(-1, 0) + u(0, 1) + u(0, -1) - 4 * u());
  };
  seam::Steps plain(grid), fused(grid);
  plain.each("spread", updates(a, seam::star(1)), kernel);
  fused.each("spread", updates(b, seam::star(1)), kernel);
  fused.fuse(4);

  seam::benchmark_table table;
  table.add(seam::time_in_turn(
      runtime, {.question = "ghosts of 3 fields", .seconds = 0.5},
      {{.name = "together", .run = [&] { together.run(); }, .messages = together.num_messages()},
       {.name = "one by one",
        .run = [&] { first.run(), second.run(), third.run(); },
        .is = seam::role::rival,
        .messages = 3 * first.num_messages()}}));
  table.add(seam::time_in_turn(
      runtime, {.question = "4 steps", .seconds = 0.5},
      {{.name = "fused", .run = [&] { fused.run(4); }},
       {.name = "plain", .run = [&] { plain.run(4); }, .is = seam::role::rival}}));
  seam::print(runtime, table.text());
}
