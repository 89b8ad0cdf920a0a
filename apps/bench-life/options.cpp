#include "options.hpp"

#include <CLI/CLI.hpp>

#include <limits>

namespace life_bench {
namespace {

constexpr char const* examples = R"(Examples:
  mpiexec -n 2 --bind-to core seam-bench-life
  mpiexec -n 2 --bind-to core seam-bench-life --sizes 65536 --rules B3/S23 --repetitions 3 --no-bytes

The column bytes is the number of cells of a run: rows x columns x generations. Loops by hand compute
each rank's rows without messages.)";

} // namespace

void add_options(CLI::App& cli, options& wanted) {
  cli.description("Compares seam-life's loop, fused in time and not, with plain loops.");
  CLI::Validator const size(
      [](std::string& text) {
        auto const number = std::strtoll(text.c_str(), nullptr, 10);
        return number >= 64 && number <= 65536 && number % 64 == 0
                   ? std::string()
                   : text + " (expected a multiple of 64 up to 65536)";
      },
      "MULTIPLE OF 64");
  cli.add_option("--sizes", wanted.sizes, "rows and columns of the torus")
      ->delimiter(',')
      ->check(size)
      ->capture_default_str();
  cli.add_option("--rules", wanted.rules, "births and survivals")
      ->delimiter(',')
      ->type_name("B/S,...")
      ->capture_default_str();
  cli.add_option("--generations", wanted.generations, "in one run")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 30))
      ->capture_default_str();
  cli.add_option("--repetitions", wanted.repetitions, "of each variant for each question")
      ->check(CLI::Range(1, std::numeric_limits<int>::max(), "COUNT"))
      ->capture_default_str();
  cli.add_flag("!--no-bytes", wanted.has_bytes, "leave out the loops over bytes, which take long");
  cli.add_option("--csv", wanted.csv, "write the table there too")->type_name("FILE.csv");
  cli.footer(examples);
}

} // namespace life_bench
