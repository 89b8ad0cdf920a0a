#include <seam/framework/solve/simulation.hpp>

#include <CLI/CLI.hpp>

namespace seam {

void simulation::add_options(CLI::App& cli, std::string const& shown) {
  cli.add_option("--cells", cells, "cells on each axis")
      ->check(CLI::Range(fewest_cells, 1 << 20))
      ->capture_default_str();
  if (steps > 0)
    cli.add_option("--steps", steps, "time steps")
        ->check(CLI::Range(1, 1 << 30))
        ->capture_default_str();
  if (time > 0)
    cli.add_option("--time", time, "simulated time at the end")
        ->check(CLI::Range(0.0, 1e6))
        ->capture_default_str();
  outputs.add_options(cli, shown);
  cli.add_option("--fusion", fusion,
                 "steps between messages: off, auto (by measurement), or 2 to 64")
      ->check(CLI::IsMember({"off", "auto"}) | CLI::Range(2, 64))
      ->type_name("off|auto|N")
      ->capture_default_str();
  restart.add_options(cli);
}

void simulation::check_outputs(Runtime& runtime) const { outputs.check(runtime, steps); }

} // namespace seam
