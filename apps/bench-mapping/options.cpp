#include "options.hpp"

#include <seam/mapping.hpp>

#include <CLI/CLI.hpp>

#include <limits>

namespace mapping_bench {
namespace {

constexpr char const* examples = R"(Examples:
  mpiexec -n 16 seam-bench-mapping
  tests/multihost/run-on-hosts.sh --hosts 4 --ranks 24 --rate 200mbit -- seam-bench-mapping

Placements: in-order takes the ranks host after host, dealt-out one of each host in turn, as mpiexec
--map-by node does. The model's bytes are the values that the mapping's cost counts; the counted
ones include the headers of the network. Where ranks are many and cores are few, some halos wait for a
core or for TCP: the least time then tells of the links, and the median of these waits.)";

} // namespace

void add_options(CLI::App& cli, options& wanted) {
  cli.description(
      "Compares what mappings move between hosts with what they should, and times them.");
  auto const names = seam::mapping_strategies();
  constexpr int most = std::numeric_limits<int>::max();
  cli.add_option("--block", wanted.block, "cells of each rank's block of doubles")
      ->delimiter('x')
      ->expected(2, 3)
      ->check(CLI::Range(1, 1 << 20, "N"))
      ->type_name("NxN[xN]")
      ->capture_default_str();
  cli.add_option("--width", wanted.width, "layers of ghosts at each face")
      ->check(CLI::Range(1, 1 << 20, "N"))
      ->capture_default_str();
  cli.add_option("--processes", wanted.processes, "on each axis; default: seam chooses")
      ->delimiter('x')
      ->expected(2, 3)
      ->check(CLI::Range(0, most, "N"))
      ->type_name("NxN[xN]");
  cli.add_flag("--periodic", wanted.periodic, "make all axes rings");
  cli.add_option("--placements", wanted.placements, "in-order, dealt-out")
      ->delimiter(',')
      ->check(CLI::IsMember({"in-order", "dealt-out"}))
      ->type_name("NAME,...")
      ->capture_default_str();
  cli.add_option("--strategies", wanted.strategies, "of mapping; 'best' is judged by the others")
      ->delimiter(',')
      ->check(CLI::IsMember(std::vector<std::string>(names.begin(), names.end())))
      ->type_name("NAME,...")
      ->capture_default_str();
  cli.add_option("--halos", wanted.halos, "whose bytes are counted together")
      ->check(CLI::Range(1, most, "COUNT"))
      ->capture_default_str();
  cli.add_option("--repetitions", wanted.repetitions, "of each timing")
      ->check(CLI::Range(1, most, "COUNT"))
      ->capture_default_str();
  cli.add_option("--seconds", wanted.seconds,
                 "after which no further repetition begins, for each placement; default: no limit")
      ->check(CLI::NonNegativeNumber)
      ->type_name("TIME");
  cli.add_option("--tolerance", wanted.tolerance,
                 "fail if counted bytes differ by a larger fraction from the model's, or those of "
                 "'best' exceed another strategy's")
      ->check(CLI::PositiveNumber)
      ->type_name("FRACTION");
  cli.footer(examples);
}

} // namespace mapping_bench
