#include <seam/framework/solve/simulation.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/framework/program/print.hpp>
#include <seam/framework/program/value_checks.hpp>

#include <string_view>

namespace seam {
namespace {

/// The cells on one axis of a square or cube that the user describes as "64", "64x64" or "64x64x64".
/// @throws usage_error  the numbers differ
std::string cells_on_an_axis(std::string const& text) {
  std::string_view const all = text;
  std::string first(all.substr(0, all.find('x')));
  for (auto at = first.size(); at < all.size(); at += first.size() + 1)
    if (all.substr(at + 1, all.find('x', at + 1) - at - 1) != first)
      refuse("--cells: '" + text + "' (expected as many cells on each axis)");
  return first;
}

std::string check_fusion(std::string const& text) {
  int const number = decimal<int>(text).value_or(0);
  bool const fits = text == "off" || text == "auto" || (number >= 2 && number <= 64);
  return fits ? "" : "'" + text + "' (expected off, auto or a number from 2 to 64)";
}

} // namespace

void simulation::add_options(option_list list, std::string const& shown) {
  if (cells > 0)
    list.add("--cells", cells, "cells on each axis")
        .changed_by(cells_on_an_axis)
        .between(fewest_cells, 1 << 20);
  if (steps > 0)
    list.add("--steps", steps, "time steps").between(1, 1 << 30);
  if (time > 0)
    list.add("--time", time, "simulated time at the end").between(0.0, 1e6);
  outputs.add_options(list, shown, cells > 0 ? shown_on::grid : shown_on::mesh);
  list.add("--fusion", fusion, "steps between messages: off, auto (by measurement), or 2 to 64")
      .must(check_fusion)
      .named("off|auto|N");
  restart.add_options(list);
}

void simulation::begin(Runtime& runtime, std::string const& input) const {
  outputs.check(runtime, steps, input);
  print(runtime, "{}\n", runtime.describe());
}

} // namespace seam
