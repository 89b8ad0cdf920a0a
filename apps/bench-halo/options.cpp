#include "options.hpp"

#include <CLI/CLI.hpp>

#include <limits>
#include <map>

namespace halo_bench {
namespace {

constexpr char const* examples = R"(Examples:
  mpiexec -n 2 --bind-to core seam-bench-halo
  mpiexec -n 2 --bind-to core seam-bench-halo --sizes 64,128 --neighborhood moore --csv halo.csv

The columns: x rival is the median over that of the best rival, below 1 being faster; of limit is
the time of copying the same cells inside one process over the median.)";

/// A block of 2^31 bytes or more would need datatypes that the rivals do not use.
constexpr std::int64_t largest_size = 640;

} // namespace

void add_options(CLI::App& cli, options& wanted) {
  cli.description("Compares seam's halo exchange with others in three dimensions.");
  cli.add_option("--sizes", wanted.sizes, "cells along each edge of a rank's block")
      ->delimiter(',')
      ->check(CLI::Range(std::int64_t{1}, largest_size, "N"))
      ->type_name("N,...")
      ->capture_default_str();
  std::map<std::string, std::vector<neighbors>> const choices{
      {"faces", {neighbors::faces}},
      {"moore", {neighbors::moore}},
      {"both", {neighbors::faces, neighbors::moore}}};
  cli.add_option_function<std::string>(
         "--neighborhood",
         [&wanted, choices](std::string const& name) { wanted.neighborhoods = choices.at(name); },
         "whose ghosts are needed: faces, moore, or both, which is the default")
      ->check(CLI::IsMember({"faces", "moore", "both"}))
      ->type_name("NAME");
  cli.add_option("--repetitions", wanted.repetitions, "of each variant for each question")
      ->check(CLI::Range(1, std::numeric_limits<int>::max(), "COUNT"))
      ->capture_default_str();
  cli.add_option("--csv", wanted.csv, "write the table there too")->type_name("FILE.csv");
  cli.footer(examples);
}

} // namespace halo_bench
