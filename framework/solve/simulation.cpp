#include <seam/framework/solve/simulation.hpp>

#include <seam/framework/program/print.hpp>

#include <CLI/CLI.hpp>

#include <string_view>

namespace seam {
namespace {

/// The cells on one axis of a square or cube that the user describes as "64", "64x64" or "64x64x64".
/// @throws CLI::ValidationError  the numbers differ
std::string cells_on_an_axis(std::string const& text) {
  std::string_view const all = text;
  std::string first(all.substr(0, all.find('x')));
  for (auto at = first.size(); at < all.size(); at += first.size() + 1)
    if (all.substr(at + 1, all.find('x', at + 1) - at - 1) != first)
      throw CLI::ValidationError("'" + text + "' (expected as many cells on each axis)");
  return first;
}

} // namespace

void simulation::add_options(option_list list, std::string const& shown) {
  CLI::App& cli = list.cli();
  if (cells > 0)
    cli.add_option("--cells", cells, "cells on each axis")
        ->transform(cells_on_an_axis)
        ->check(CLI::Range(fewest_cells, 1 << 20))
        ->capture_default_str();
  if (steps > 0)
    cli.add_option("--steps", steps, "time steps")
        ->check(CLI::Range(1, 1 << 30))
        ->capture_default_str();
  if (time > 0)
    list.add("--time", time, "simulated time at the end").between(0.0, 1e6);
  outputs.add_options(cli, shown, cells > 0 ? shown_on::grid : shown_on::mesh);
  cli.add_option("--fusion", fusion,
                 "steps between messages: off, auto (by measurement), or 2 to 64")
      ->check(CLI::IsMember({"off", "auto"}) | CLI::Range(2, 64))
      ->type_name("off|auto|N")
      ->capture_default_str();
  restart.add_options(cli);
}

void simulation::begin(Runtime& runtime, std::string const& input) const {
  outputs.check(runtime, steps, input);
  print(runtime, "{}\n", runtime.describe());
}

} // namespace seam
