#include "options.hpp"

#include <CLI/CLI.hpp>

#include <limits>
#include <map>

namespace partition_bench {
namespace {

constexpr char const* examples = R"(Examples:
  mpiexec -n 2 --bind-to core seam-bench-partition
  mpiexec -n 2 --bind-to core seam-bench-partition --clouds box --points 100000 --parts 7,48
  mpiexec -n 2 --bind-to core seam-bench-partition --clouds none --mesh bracket.msh

The columns: x rival is the median over that of the best rival, below 1 being faster. The second
table says what the parts are worth: imbalance, the largest part over the mean; cut, pairs of near
points, or of cells with a common side, in different parts, and the same over the least of the
rivals.)";

constexpr std::int64_t most_points = std::numeric_limits<seam::local_id>::max();

} // namespace

void add_options(CLI::App& cli, options& wanted) {
  cli.description("Compares seam's geometric partitioners with Zoltan's.");
  std::map<std::string, std::vector<shape>> const choices{
      {"box", {shape::box}}, {"cluster", {shape::cluster}}, {"both", wanted.clouds}, {"none", {}}};
  cli.add_option_function<std::string>(
         "--clouds",
         [&wanted, choices](std::string const& name) { wanted.clouds = choices.at(name); },
         "box, cluster, none, or both, which is the default")
      ->check(CLI::IsMember({"box", "cluster", "both", "none"}))
      ->type_name("NAME");
  cli.add_option("--points", wanted.points, "of all ranks")
      ->delimiter(',')
      ->check(CLI::Range(std::int64_t{1}, most_points, "N"))
      ->type_name("N,...")
      ->capture_default_str();
  cli.add_option("--mesh", wanted.meshes, "whose cells are divided, too; may be repeated")
      ->type_name("FILE.msh");
  cli.add_option("--parts", wanted.parts, "to divide them into")
      ->delimiter(',')
      ->check(CLI::Range(1, 1 << 20, "P"))
      ->type_name("P,...")
      ->capture_default_str();
  cli.add_option("--repetitions", wanted.repetitions, "of each variant for each question")
      ->check(CLI::Range(1, std::numeric_limits<int>::max(), "COUNT"))
      ->capture_default_str();
  cli.add_option("--csv", wanted.csv, "write the table of times there too")->type_name("FILE.csv");
  cli.footer(examples);
}

} // namespace partition_bench
