#include "options.hpp"

#include <CLI/CLI.hpp>

#include <limits>

namespace steps_bench {
namespace {

constexpr char const* examples = R"(Examples:
  OMP_NUM_THREADS=2 seam-bench-steps
  mpiexec -n 2 --bind-to core seam-bench-steps --problems heat,wave --cells-3d 512 --late 200
  seam-bench-steps --cells-2d 256 --cells-3d 96

The columns: x rival is the median over that of the fastest rival, below 1 being faster: of the loops by
hand, and for heat of a loop over PETSc's distributed arrays, which has no threads. On several ranks
loops by hand compute each rank's block without messages, and are a limit. The last example tells how
fast the kernels are in cache.)";

} // namespace

void add_options(CLI::App& cli, options& wanted) {
  cli.description("Compares steps, fused and not, with loops written by hand.");
  cli.add_option("--problems", wanted.problems,
                 "of heat, laplace, gray-scott, wave, shallow-water, cavity, euler, multigrid, "
                 "alternating-directions; all by default")
      ->delimiter(',')
      ->check(CLI::IsMember(wanted.problems))
      ->type_name("NAME,...");
  cli.add_option("--cells-2d", wanted.cells_2d, "cells on each axis of problems with two")
      ->check(CLI::Range(8, 1 << 16))
      ->capture_default_str();
  cli.add_option("--cells-3d", wanted.cells_3d, "cells on each axis of problems with three")
      ->check(CLI::Range(8, 1 << 11))
      ->capture_default_str();
  cli.add_option("--steps", wanted.steps, "steps in one run")
      ->check(CLI::Range(1, 1 << 20))
      ->capture_default_str();
  cli.add_option("--fuse", wanted.fused, "steps between messages of the fused variant")
      ->check(CLI::Range(2, 64))
      ->capture_default_str();
  cli.add_option("--repetitions", wanted.repetitions, "of each variant for each problem")
      ->check(CLI::Range(1, std::numeric_limits<int>::max(), "COUNT"))
      ->capture_default_str();
  cli.add_option("--late", wanted.late,
                 "on two ranks: time also steps whose messages arrive so many us late")
      ->check(CLI::Range(0, 1'000'000));
  cli.add_option("--csv", wanted.csv, "write the table there too")->type_name("FILE.csv");
  cli.footer(examples);
}

} // namespace steps_bench
