// seam-bench-partition asks what it costs to divide a cloud of points into parts, and what the
// parts are worth: seam's geometric partitioners and Zoltan's, all in one run.
//
// Sample run: mpiexec -n 2 --bind-to core seam-bench-partition
//
// Expected: a table of one line for each cloud, number of parts and variant, x rival well below 1
// in the lines of seam; then a table of what the parts are worth, imbalance at most 1.001.
#include "cloud.hpp"
#include "options.hpp"
#include "rival.hpp"

#include <seam/seam.hpp>

#include <CLI/CLI.hpp>

#include <limits>

namespace partition_bench {
namespace {

/// A way to divide, and the parts that it found in its last run.
struct contender {
  std::string name;
  seam::role is;
  std::function<std::vector<int>()> partition;
  std::vector<int> points2parts{};
};

std::vector<contender> make_contenders(seam::Runtime& runtime, seam::point_set const& points,
                                       int num_parts) {
  std::vector<contender> all;
  for (auto const method :
       {seam::partition_method::rib, seam::partition_method::rcb, seam::partition_method::hilbert})
    all.push_back({fmt::format("seam {}", name_of(method)), seam::role::subject,
                   [&runtime, &points, num_parts, method] {
                     return seam::partition(runtime, points, num_parts, method);
                   }});
  for (auto const& [name, method] :
       {std::pair{"zoltan rib", "RIB"}, {"zoltan rcb", "RCB"}, {"zoltan hsfc", "HSFC"}})
    if (std::shared_ptr<rival> const made = make_zoltan(runtime, points, method, num_parts))
      all.push_back({name, seam::role::rival, [made] { return made->partition(); }});
  return all;
}

/// What the parts of all contenders are worth, a line for each. Collective.
std::string judge(seam::Runtime& runtime, std::string const& question, near_pairs const& pairs,
                  seam::point_set const& points, std::vector<contender> const& all, int num_parts) {
  std::vector<std::int64_t> cuts;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (contender const& one : all) {
    cuts.push_back(pairs.num_cut(runtime, points, one.points2parts));
    if (one.is == seam::role::rival)
      least = std::min(least, cuts.back());
  }
  std::string lines;
  for (std::size_t k = 0; k < all.size(); ++k) {
    auto const balance = seam::balance_of(runtime, points, all[k].points2parts, num_parts);
    bool const has_rival = least > 0 && least < std::numeric_limits<std::int64_t>::max();
    std::string const ratio =
        has_rival ? fmt::format("{:.3f}", double(cuts[k]) / double(least)) : "";
    lines += fmt::format("{:<28}{:<14}{:>10.5f}{:>10}{:>9}{:>12.2f}\n", question, all[k].name,
                         balance.imbalance, cuts[k], ratio,
                         seam::box_surface_of(runtime, points, all[k].points2parts, num_parts));
  }
  return lines;
}

struct tables {
  seam::benchmark_table times;
  std::string worth;
};

void compare(seam::Runtime& runtime, options const& wanted, shape of, std::int64_t num_points,
             tables& into, seam::progress& bar) {
  seam::point_set const points = make_cloud(runtime.rank(), runtime.size(), num_points, of);
  near_pairs const pairs(runtime, num_points, of);
  for (int const num_parts : wanted.parts) {
    std::string const question = fmt::format("{} n={} P={}", name_of(of), num_points, num_parts);
    auto contenders = make_contenders(runtime, points, num_parts);
    std::vector<seam::variant> variants;
    for (contender& one : contenders)
      variants.push_back({one.name, [&one] { one.points2parts = one.partition(); }, one.is});
    auto const bytes = num_points * static_cast<std::int64_t>(3 * sizeof(double));
    into.times.add(seam::time_in_turn(
        runtime, {.question = question, .bytes = bytes, .repetitions = wanted.repetitions},
        variants));
    into.worth += judge(runtime, question, pairs, points, contenders, num_parts);
    bar.advance();
  }
}

void run(seam::Runtime& runtime, options const& wanted) {
  if (!wanted.csv.empty())
    seam::require_writable(runtime, wanted.csv);
  seam::print(runtime, "{}\n", runtime.describe());
  tables all;
  seam::progress bar(runtime, "questions",
                     std::ssize(wanted.clouds) * std::ssize(wanted.points) *
                         std::ssize(wanted.parts));
  for (shape const of : wanted.clouds)
    for (std::int64_t const num_points : wanted.points)
      compare(runtime, wanted, of, num_points, all, bar);
  seam::print(runtime, all.times.text());
  seam::print(runtime, "\n{:<28}{:<14}{:>10}{:>10}{:>9}{:>12}\n{}", "question", "variant",
              "imbalance", "cut", "x rival", "surface", all.worth);
  if (!wanted.csv.empty())
    seam::write_text(runtime, all.times.csv(), wanted.csv);
}

} // namespace
} // namespace partition_bench

int main(int argc, char** argv) {
  CLI::App cli("Compares seam's geometric partitioners with Zoltan's.");
  partition_bench::options wanted;
  partition_bench::add_options(cli, wanted);
  return seam::run_program(cli, argc, argv,
                           [&](seam::Runtime& runtime) { partition_bench::run(runtime, wanted); });
}
