// seam-bench-sparse times messages to ranks that do not expect them, by seam's algorithms and by
// other libraries, all in one run.
//
// Sample run: mpiexec -n 2 --bind-to core seam-bench-sparse
//
// Expected: a table of one line for each pattern, length and variant; x rival at most about 1 in
// the lines of "seam", which choose their algorithm.
#include "way.hpp"

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

Patterns are the same in each exchange (repeated) or others (new). The column x rival is the median over
that of the best rival, below 1 being faster.)";

void add_options(seam::option_list cli, options& wanted) {
  cli.describe("Compares ways of dynamic sparse data exchange.");
  cli.add("--lengths", wanted.lengths, "doubles in each message").between(1, 1 << 20, "N");
  cli.add("--destinations", wanted.destinations, "of each rank in random patterns, on average")
      .between(0.0, 1e6, "K");
  bench::add_output(cli, wanted.repetitions, wanted.csv);
  cli.end_help(examples);
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

struct question {
  kind which;
  bool is_renewed;
  int length;

  std::string in_words() const {
    return fmt::format("{} {} {}", names_of_kinds[static_cast<int>(which)],
                       is_renewed ? "new" : "repeated", length);
  }
};

std::vector<question> questions(std::vector<int> const& lengths) {
  std::vector<question> all;
  for (kind const which : {kind::random, kind::mesh, kind::all_to_one})
    for (bool const is_renewed : {true, false})
      for (int const length : lengths)
        all.push_back({which, is_renewed, length});
  all.push_back({kind::empty, false, 1}); // however long
  return all;
}

std::vector<seam::timing> compare(seam::Communicator const& world, question const& asked,
                                  options const& wanted) {
  // 1. Choose the destinations of each rank in each turn.
  int const rank = world.rank();
  pattern const turns(asked.which, asked.is_renewed, world.size(), wanted.destinations);

  // 2. Make seam's algorithms and the rivals.
  std::vector<std::unique_ptr<repetition>> all;
  std::vector<seam::variant> variants;
  auto const add = [&](std::string const& name, std::unique_ptr<way> by, seam::role role) {
    all.push_back(std::make_unique<repetition>(turns, rank, asked.length, std::move(by)));
    variants.push_back({name, [repeated = all.back().get()] { repeated->run(); }, role});
  };
  for (seam::sparse_algorithm const algorithm : seam::sparse_algorithms()) {
    bool const chooses = algorithm == seam::sparse_algorithm::automatic;
    add(chooses ? "seam" : fmt::format("seam {}", name_of(algorithm)), make_seam(world, algorithm),
        seam::role::subject);
  }
  MPI_Comm const native = world.view().native();
  auto const add_rival = [&](rival const& listed) {
    add(listed.name, listed.make(native, asked.length), listed.is);
  };
  std::ranges::for_each(rivals_of_mpi(), add_rival);
  if constexpr (bench::has_petsc)
    std::ranges::for_each(rivals_of_petsc(), add_rival);
  if constexpr (bench::has_zoltan)
    std::ranges::for_each(rivals_of_zoltan(), add_rival);

  // 3. Check that all are right, then time them in turn.
  for (int v = 0; v < std::ssize(variants); ++v)
    require_right_messages(world, *all[v], variants[v].name);
  return seam::time_in_turn(world.context(),
                            {.question = asked.in_words(),
                             .bytes = asked.length * static_cast<int>(sizeof(double)),
                             .repetitions = wanted.repetitions},
                            variants);
}

void run(seam::Runtime& runtime, options const& wanted) {
  seam::benchmark_output output(runtime, wanted.csv);
  auto const world = seam::Communicator::dup(runtime);
  bench::for_each_question(runtime, "questions", questions(wanted.lengths),
                           [&](question const& asked) {
                             output.table.add(compare(world, asked, wanted));
                           });
  output.finish();
}

} // namespace
} // namespace sparse_bench

int main(int argc, char** argv) {
  return seam::run_program(argc, argv, sparse_bench::add_options, sparse_bench::run);
}
