// seam-bench-partition measures time and quality of partitions of a cloud of points, or of the
// cells of a mesh, by seam's geometric partitioners and Zoltan's, all in one run.
//
// Sample run: mpiexec -n 2 --bind-to core seam-bench-partition
//
// Expected: a table of one line for each input, number of parts and variant, x rival well below 1
// in the lines of seam; then a table of the quality of the parts, imbalance at most 1.001.
#include "cloud.hpp"

#include <kit/benchmark.hpp>
#include <seam/seam.hpp>

#include <filesystem>
#include <limits>

namespace partition_bench {
namespace {

struct options {
  std::vector<std::string> clouds{"box", "cluster"}; ///< or "none"
  std::vector<int> points{1000000, 4000000};         ///< counts of all ranks' points
  std::vector<std::string> meshes{};                 ///< Gmsh files
  std::vector<int> parts{2, 16, 64, 256};
  int repetitions = 5;
  std::string csv;
};

constexpr char const* examples = R"(Examples:
  mpiexec -n 2 --bind-to core seam-bench-partition
  mpiexec -n 2 --bind-to core seam-bench-partition --clouds box --points 100000 --parts 7,48
  mpiexec -n 2 --bind-to core seam-bench-partition --clouds none --mesh bracket.msh

The columns: x rival is the median over that of the best rival, below 1 being faster. The second
table says what the parts are worth: imbalance, the largest part over the mean; cut, pairs of near
points, or of cells with a common side, in different parts, and the same over the least of the
rivals.)";

void add_options(seam::option_list cli, options& wanted) {
  cli.describe("Compares seam's geometric partitioners with Zoltan's.");
  cli.add("--clouds", wanted.clouds, "of points that are divided")
      .one_of({"box", "cluster", "none"});
  cli.add("--points", wanted.points, "of all ranks")
      .between(1, std::numeric_limits<seam::local_id>::max(), "N");
  cli.add("--mesh", wanted.meshes, "whose cells are divided, too; may be repeated")
      .named("FILE.msh");
  cli.add("--parts", wanted.parts, "to divide them into").between(1, 1 << 20, "P");
  bench::add_output(cli, wanted.repetitions, wanted.csv);
  cli.end_help(examples);
}

/// A partitioner, and the parts that it found in its last run.
struct contender {
  std::string name;
  seam::role is;
  std::function<std::vector<int>()> partition;
  std::vector<int> points2parts{};
};

std::vector<contender> make_contenders(seam::Runtime& runtime, seam::point_set const& points,
                                       int num_parts) {
  std::vector<contender> all;
  for (auto const method : seam::geometric_partition_methods())
    all.push_back({fmt::format("seam {}", name_of(method)), seam::role::subject,
                   [&runtime, &points, num_parts, method] {
                     return seam::partition(runtime, points, num_parts, method);
                   }});
  if constexpr (bench::has_zoltan)
    for (auto const& [name, method] :
         {std::pair{"zoltan rib", "RIB"}, {"zoltan rcb", "RCB"}, {"zoltan hsfc", "HSFC"}})
      all.push_back({name, seam::role::rival, make_zoltan(runtime, points, method, num_parts)});
  return all;
}

/// The points that are divided, and the pairs that may be cut.
struct input {
  std::string name;
  seam::point_set points;
  std::int64_t num_points; ///< of all ranks

  /// Counts the pairs in different parts; the same on all ranks.
  /// Collective: over all ranks.
  std::function<std::int64_t(std::vector<int> const& points2parts, int num_parts)> num_cut;
};

input cloud_input(seam::Runtime& runtime, std::string const& name, int num_points) {
  shape const of = name == "box" ? shape::box : shape::cluster;
  auto const points = make_cloud(runtime.rank(), runtime.size(), num_points, of);
  auto const pairs = std::make_shared<near_pairs>(runtime, num_points, of);
  return {fmt::format("{} n={}", name, num_points), points, num_points,
          [&runtime, pairs, points](std::vector<int> const& parts, int) {
            return pairs->num_cut(runtime, points, parts);
          }};
}

/// The centers of a mesh's cells; two cells that share a side are a pair.
input mesh_input(seam::Runtime& runtime, std::string const& path) {
  seam::Mesh const mesh(runtime, seam::read_gmsh(runtime, path));
  auto const name = std::filesystem::path(path).stem().string();
  std::int64_t const num_cells = mesh.cells().num_global;
  input made{fmt::format("{} n={}", name, num_cells), seam::cell_centers(mesh), num_cells, nullptr};
  made.num_cut = [mesh, points = made.points,
                  graph = seam::dual_graph(mesh)](std::vector<int> const& parts, int num_parts) {
    return seam::connection_of(mesh.base(), points, graph.view(), parts, num_parts).edge_cut;
  };
  return made;
}

/// Measures the quality of all contenders' parts, in a line for each.
/// Collective: over the runtime's ranks.
std::string judge(seam::Runtime& runtime, std::string const& question, input const& divided,
                  std::vector<contender> const& all, int num_parts) {
  std::vector<std::int64_t> cuts;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (contender const& judged : all) {
    cuts.push_back(divided.num_cut(judged.points2parts, num_parts));
    if (judged.is == seam::role::rival)
      least = std::min(least, cuts.back());
  }
  std::string lines;
  for (int k = 0; k < std::ssize(all); ++k) {
    auto const balance = seam::balance_of(runtime, divided.points, all[k].points2parts, num_parts);
    bool const has_rival = least > 0 && least < std::numeric_limits<std::int64_t>::max();
    std::string const ratio =
        has_rival ? fmt::format("{:.3f}", double(cuts[k]) / double(least)) : "";
    lines += fmt::format("{:<28}{:<14}{:>10.5f}{:>10}{:>9}\n", question, all[k].name,
                         balance.imbalance, cuts[k], ratio);
  }
  return lines;
}

/// The inputs that are asked for, each made when it is divided.
std::vector<std::function<input()>> inputs(seam::Runtime& runtime, options const& wanted) {
  std::vector<std::function<input()>> all;
  for (std::string const& cloud : wanted.clouds)
    for (int const num_points : wanted.points)
      if (cloud != "none")
        all.emplace_back([&, num_points] { return cloud_input(runtime, cloud, num_points); });
  for (std::string const& path : wanted.meshes)
    all.emplace_back([&] { return mesh_input(runtime, path); });
  return all;
}

void run(seam::Runtime& runtime, options const& wanted) {
  seam::benchmark_output output(runtime, wanted.csv);
  auto worth = fmt::format("\n{:<28}{:<14}{:>10}{:>10}{:>9}\n", "question", "variant", "imbalance",
                           "cut", "x rival");
  bench::for_each_question(runtime, "inputs", inputs(runtime, wanted), [&](auto const& make) {
    input const divided = make();
    for (int const num_parts : wanted.parts) {
      std::string const question = fmt::format("{} P={}", divided.name, num_parts);
      auto contenders = make_contenders(runtime, divided.points, num_parts);
      std::vector<seam::variant> variants;
      for (contender& listed : contenders)
        variants.push_back({listed.name, [&listed] { listed.points2parts = listed.partition(); },
                            listed.is});
      auto const bytes = divided.num_points * static_cast<std::int64_t>(3 * sizeof(double));
      output.table.add(seam::time_in_turn(
          runtime, {.question = question, .bytes = bytes, .repetitions = wanted.repetitions},
          variants));
      worth += judge(runtime, question, divided, contenders, num_parts);
    }
  });
  output.finish(worth);
}

} // namespace
} // namespace partition_bench

int main(int argc, char** argv) {
  return seam::run_program(argc, argv, partition_bench::add_options, partition_bench::run);
}
