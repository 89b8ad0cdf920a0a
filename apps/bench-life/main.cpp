// seam-bench-life times the loop of seam-life, fused in time and not, against plain loops over bytes
// and over words, all in one run.
//
// Sample run: mpiexec -n 2 --bind-to core seam-bench-life
//
// Expected: a table of one line for each size, rule and variant, and behind it the cells that each
// computes in a second; x rival below 1 in the lines of seam.
#include "contender.hpp"
#include "evolution.hpp"
#include "generation.hpp"

#include <kit/benchmark.hpp>
#include <seam/seam.hpp>

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

namespace life_bench {
namespace {

struct options {
  std::vector<std::int64_t> sizes{1024, 4096}; ///< rows and columns of the torus
  std::vector<std::string> rules{"B3/S23", "B36/S23"};
  std::int64_t generations = 64; ///< in one run
  int repetitions = 15;
  bool has_bytes = true; ///< false: no loops over bytes
  std::string csv;
};

constexpr char const* examples = R"(Examples:
  mpiexec -n 2 --bind-to core seam-bench-life
  mpiexec -n 2 --bind-to core seam-bench-life --sizes 65536 --rules B3/S23 --repetitions 3 --no-bytes

Sizes are multiples of 64. The column bytes is the number of cells of a run: rows x columns x
generations. Loops by hand compute each rank's rows without messages.)";

std::string check_size(std::string const& text) {
  bool const fits = std::strtoll(text.c_str(), nullptr, 10) % 64 == 0;
  return fits ? "" : text + " (expected a multiple of 64)";
}

void add_options(CLI::App& cli, options& wanted) {
  cli.description("Compares seam-life's loop, fused in time and not, with plain loops.");
  bench::add_list(cli, "--sizes", wanted.sizes, {64, 65536, "N"}, "rows and columns of the torus");
  cli.get_option("--sizes")->check(check_size);
  cli.add_option("--rules", wanted.rules, "births and survivals")
      ->delimiter(',')
      ->type_name("B/S,...")
      ->capture_default_str();
  cli.add_option("--generations", wanted.generations, "in one run")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 30))
      ->capture_default_str();
  cli.add_flag("!--no-bytes", wanted.has_bytes, "leave out the loops over bytes, which take long");
  bench::add_output(cli, wanted.repetitions, wanted.csv);
  cli.footer(examples);
}

/// The loop of seam-life, with at most so many generations between two exchanges, and with parts that
/// sleep while nothing moves in them, or without.
class seam_game : public contender {
public:
  seam_game(seam::Runtime& runtime, game const& played, int most_fused, life::rest quiet)
      : cells_(runtime, {life::topology::torus, played.columns, played.rows}, most_fused),
        loop_((set_soup(played), cells_), played.rule, quiet) {}

  void run(std::int64_t generations) override { loop_.run(generations); }
  std::int64_t population() const override { return life::population(cells_); }

private:
  void set_soup(game const& played) {
    auto const first = cells_.grid().owned().lo;
    seam::for_each_cell(cells_.now().owned(),
                        [&, words = cells_.now().view()](seam::cell_index<2> const& at) {
                          words[at] = played.soup(first[0] + at[0], first[1] + at[1]);
                        });
  }

  life::generation cells_;
  life::evolution loop_;
};

struct entry {
  std::string name;
  std::unique_ptr<contender> made;
  seam::role is = seam::role::subject;
};

/// What all play, or for loops by hand each rank for itself.
std::vector<entry> contenders(seam::Runtime& runtime, game const& played, options const& wanted) {
  constexpr int most = life::generation::most_depth;
  auto const seam_game_of = [&](int most_fused, life::rest quiet) {
    return std::make_unique<seam_game>(runtime, played, most_fused, quiet);
  };
  std::vector<entry> all;
  all.push_back({"seam, fused", seam_game_of(most, life::rest::sleep)});
  all.push_back({"seam, all awake", seam_game_of(most, life::rest::none)});
  all.push_back({"seam", seam_game_of(1, life::rest::sleep)});
  game part = played;
  part.rows = played.rows / runtime.size();
  if (auto words = words_by_hand(part))
    all.push_back({"words by hand", std::move(words), seam::role::rival});
  if (wanted.has_bytes)
    all.push_back({"bytes by hand", bytes_by_hand(part), seam::role::rival});
  return all;
}

/// On one rank all have the same board, and come to the same population.
void require_equal_populations(seam::Runtime& runtime, std::vector<entry> const& all,
                               std::int64_t generations) {
  std::int64_t expected = -1;
  for (entry const& candidate : all) {
    candidate.made->run(generations);
    if (candidate.is != seam::role::subject && runtime.size() > 1)
      continue;
    std::int64_t const found = candidate.made->population();
    bench::require_right(runtime, candidate.name, [&] {
      return expected < 0 || found == expected ? std::string()
                                               : fmt::format("population {} (expected {}, as {})",
                                                             found, expected, all.front().name);
    });
    expected = found;
  }
}

std::vector<seam::timing> compare(seam::Runtime& runtime, game const& played,
                                  options const& wanted) {
  auto const all = contenders(runtime, played, wanted);
  require_equal_populations(runtime, all, wanted.generations);
  std::vector<seam::variant> variants;
  for (entry const& candidate : all)
    variants.push_back({candidate.name,
                        [&, made = candidate.made.get()] { made->run(wanted.generations); },
                        candidate.is});
  return seam::time_in_turn(runtime,
                            {.question =
                                 fmt::format("{}^2 {}", played.rows, to_string(played.rule)),
                             .bytes = played.rows * played.columns * wanted.generations,
                             .repetitions = wanted.repetitions},
                            variants);
}

std::string in_rates(std::vector<seam::timing> const& answers) {
  std::string text;
  for (seam::timing const& answer : answers)
    text += fmt::format("{:<24} {:<14} {:9.3g} cells/s\n", answer.question, answer.variant,
                        static_cast<double>(answer.bytes) / answer.median);
  return text;
}

void run(seam::Runtime& runtime, options const& wanted) {
  std::vector<life::rule> const rules = seam::collectively(runtime, [&] {
    std::vector<life::rule> parsed;
    for (std::string const& text : wanted.rules)
      parsed.push_back(life::parse_rule(text));
    return parsed;
  });
  seam::benchmark_output output(runtime, wanted.csv);
  std::string rates = "\n";
  for (std::int64_t const size : wanted.sizes)
    for (life::rule const& rule : rules) {
      auto const answers = compare(runtime, {rule, size, size}, wanted);
      output.table.add(answers);
      rates += in_rates(answers);
    }
  output.finish(rates);
}

} // namespace

} // namespace life_bench

int main(int argc, char** argv) {
  return seam::run_program(argc, argv, life_bench::add_options, life_bench::run);
}
