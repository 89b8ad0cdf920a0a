// seam-bench-sparse times messages to ranks that do not expect them, by seam's algorithms and by
// other libraries, all in one run.
//
// Sample run: mpiexec -n 2 --bind-to core seam-bench-sparse
//
// Expected: a table of one line for each pattern, length and variant; x rival at most about 1 in
// the lines of "seam", which choose their algorithm.
#include "way.hpp"

#include <kit/benchmark.hpp>
#include <seam/seam.hpp>

#include <fmt/ranges.h>

#include <algorithm>

namespace sparse_bench {
namespace {

struct options {
  std::vector<int> lengths{1, 64, 4096}; ///< lengths of messages [doubles]
  double destinations = 4;               ///< mean number for each rank in random patterns
  int repetitions = 50;
  std::string csv;
};

constexpr char const* examples = R"(Examples:
  mpiexec -n 2 --bind-to core seam-bench-sparse
  mpiexec -n 8 --oversubscribe seam-bench-sparse --lengths 1 --destinations 2 --csv sparse.csv

Patterns are the same in each exchange (repeated) or others (new). The columns: x rival is the median
over that of the best rival, below 1 being faster; of limit is the time of an exchange whose sources
are known before over the median.)";

void add_options(CLI::App& cli, options& wanted) {
  cli.description("Compares ways of dynamic sparse data exchange.");
  bench::add_list(cli, "--lengths", wanted.lengths, {1, 1 << 20, "N"}, "doubles in each message");
  cli.add_option("--destinations", wanted.destinations,
                 "of each rank in random patterns, on average")
      ->check(CLI::Range(0.0, 1e6, "K"))
      ->type_name("K")
      ->capture_default_str();
  bench::add_output(cli, wanted.repetitions, wanted.csv);
  cli.footer(examples);
}

struct contender {
  char const* name;
  std::unique_ptr<way> (*make)(MPI_Comm, int);
};

std::vector<contender> rivals() {
  std::vector<contender> all{{"mpi alltoallv", make_alltoallv},
                             {"nbx by hand", make_consensus_by_hand}};
  if constexpr (bench::has_petsc)
    all.insert(all.end(), {{"petsc allreduce", make_petsc_allreduce},
                           {"petsc ibarrier", make_petsc_ibarrier},
                           {"petsc redscatter", make_petsc_redscatter}});
  if constexpr (bench::has_zoltan)
    all.push_back({"zoltan comm", make_zoltan});
  return all;
}

/// Repeats the exchanges of a pattern by one method.
class repetition {
public:
  repetition(pattern const& turns, int rank, int length, std::unique_ptr<way> by)
      : turns_(&turns), rank_(rank), way_(std::move(by)) {
    for (int i = 0; i < length; ++i)
      values_.push_back(value(rank, i));
  }

  void run() {
    way_->exchange(turns_->destinations(turn_, rank_), values_, in_);
    turn_ = (turn_ + 1) % pattern::num_turns;
  }

  /// Describes the first error in the messages of the last run; empty if there is none.
  std::string first_error() const {
    int const turn = (turn_ + pattern::num_turns - 1) % pattern::num_turns;
    auto found = in_.ranks;
    std::ranges::sort(found);
    auto const expected = turns_->sources(turn, rank_);
    if (found != expected)
      return fmt::format("messages from {} (expected from {})", fmt::join(found, ", "),
                         fmt::join(expected, ", "));
    for (int m = 0; m < std::ssize(in_.ranks); ++m)
      for (int i = 0; i < static_cast<int>(values_.size()); ++i)
        if (double const is = in_.values[m][i], should_be = value(in_.ranks[m], i); is != should_be)
          return fmt::format("{} from rank {} (expected {})", is, in_.ranks[m], should_be);
    return "";
  }

private:
  static double value(int from, int i) { return 1e7 * from + i; }

  pattern const* turns_;
  int rank_;
  std::unique_ptr<way> way_;
  std::vector<double> values_; ///< of this rank
  arrivals in_;
  int turn_ = 0;
};

/// Runs all turns and checks each message.
void require_right_messages(seam::Communicator const& world, repetition& checked,
                            std::string const& name) {
  for (int turn = 0; turn < pattern::num_turns; ++turn) {
    checked.run();
    bench::require_right(world.context(), name, [&] { return checked.first_error(); });
  }
}

std::vector<seam::timing> compare(seam::Communicator const& world, kind which, bool renewed,
                                  int length, options const& wanted) {
  // 1. Choose the destinations of each rank in each turn.
  int const rank = world.rank();
  pattern const turns(which, renewed, world.size(), wanted.destinations);

  // 2. Make seam's algorithms, the rivals, and the limit if there is one.
  std::vector<std::unique_ptr<repetition>> all;
  std::vector<seam::variant> variants;
  auto const add = [&](std::string const& name, std::unique_ptr<way> by, seam::role role) {
    all.push_back(std::make_unique<repetition>(turns, rank, length, std::move(by)));
    variants.push_back({name, [repeated = all.back().get()] { repeated->run(); }, role});
  };
  for (seam::sparse_algorithm const algorithm : seam::sparse_algorithms()) {
    bool const chooses = algorithm == seam::sparse_algorithm::automatic;
    add(chooses ? "seam" : fmt::format("seam {}", name_of(algorithm)), make_seam(world, algorithm),
        seam::role::subject);
  }
  for (contender const& rival : rivals())
    add(rival.name, rival.make(world.view().native(), length), seam::role::rival);
  if (!renewed)
    add("known sources", make_known_sources(world.view().native(), length, turns.sources(0, rank)),
        seam::role::limit);

  // 3. Check that all are right, then time them in turn.
  for (int v = 0; v < std::ssize(variants); ++v)
    require_right_messages(world, *all[v], variants[v].name);
  return seam::time_in_turn(
      world.context(),
      {.question = fmt::format("{} {} {}", name_of(which), renewed ? "new" : "repeated", length),
       .bytes = length * static_cast<int>(sizeof(double)),
       .repetitions = wanted.repetitions},
      variants);
}

void run(seam::Runtime& runtime, options const& wanted) {
  seam::benchmark_output output(runtime, wanted.csv);
  auto const world = seam::Communicator::dup(runtime);
  constexpr kind kinds[] = {kind::random, kind::mesh, kind::all_to_one, kind::empty};
  seam::progress bar(runtime, "questions", 2 * std::ssize(kinds) * std::ssize(wanted.lengths));
  for (kind which : kinds)
    for (bool renewed : {true, false})
      for (int length : wanted.lengths) {
        bool const is_asked_before = which == kind::empty && (renewed || length > 1);
        if (!is_asked_before)
          output.table.add(compare(world, which, renewed, length, wanted));
        bar.advance();
      }
  output.finish();
}

} // namespace
} // namespace sparse_bench

int main(int argc, char** argv) {
  return seam::run_program(argc, argv, sparse_bench::add_options, sparse_bench::run);
}
