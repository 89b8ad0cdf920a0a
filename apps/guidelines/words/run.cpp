// run: the kernel.
#include "experiments/input_file.hpp"
#include "kernel/measure.hpp"
#include "kernel/run_info.hpp"
#include "words/words.hpp"

#include <seam/exchange.hpp>
#include <seam/files.hpp>
#include <seam/program.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <sstream>

namespace guidelines {
namespace {

constexpr char const* run_examples = R"(Examples:
  mpiexec -n 2 --bind-to core seam-guidelines run experiments.csv --output times.csv
  mpiexec -n 2 --bind-to core seam-guidelines run experiments.csv --output times.csv --resume

An input file has a line for each experiment below the names of the columns:
  setup,datatype,bytes,partitions,repetitions,work,topology,constructor,dimensions,finite,radius,ordering,seed,reorder
  Neighbor_alltoall,MPI_BYTE,256,-,50,0,Moore,Dist_graph_create_adjacent,1,0,1,FMAJ,-,0
  Ialltoall,MPI_DOUBLE,8192,-,50,100000,Complete,-,-,-,-,-,-,-
The output has these lines with the times of all repetitions, each the maximum over the processes.)";

struct options {
  std::string input, output;
  std::vector<std::string> head; ///< "key=value"
  bool resume = false;
};

std::pair<std::string, std::string> split_entry(std::string const& text) {
  auto const equals = text.find('=');
  return {text.substr(0, equals), text.substr(equals + 1)};
}

void add_options(CLI::App& cli, options& wanted) {
  cli.name("seam-guidelines run");
  cli.description("Measures the experiments of a file.");
  cli.add_option("input", wanted.input, "file of experiments")->required()->type_name("FILE.csv");
  cli.add_option("--output", wanted.output, "file for the times")
      ->required()
      ->type_name("FILE.csv");
  cli.add_flag("--resume", wanted.resume,
               "go on behind the last whole line of the output, if it is there");
  auto const is_entry = [](std::string const& text) {
    bool const is_good = text.find('=') != text.npos && text.find('\n') == text.npos;
    return is_good ? std::string() : "'" + text + "' (expected KEY=VALUE)";
  };
  cli.add_option("--head", wanted.head, "an entry for the head of the output; may be repeated")
      ->check(CLI::Validator(is_entry, ""))
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  cli.footer(run_examples);
}

/// The output, which rank 0 writes line by line, so that what has been measured stays.
class output {
public:
  output(seam::Runtime& runtime, std::string path) : runtime_(runtime), path_(std::move(path)) {}

  /// Writes the head of a new file, or cuts off the last line of one that is there if the line is
  /// not whole.
  /// @param expected  the experiments in the order of the input
  /// @return          the number of experiments that are there; one more if the file has its end
  std::int64_t begin(std::vector<levels> const& expected, std::string const& head) {
    std::int64_t done = -1;
    seam::collectively(runtime_, [&] {
      if (runtime_.rank() != 0 || !std::filesystem::exists(path_))
        return;
      if (!std::filesystem::is_regular_file(path_))
        throw seam::usage_error(
            fmt::format("--output '{}': this is no file (expected one, or a new name)", path_));
      done = keep_whole_lines(expected, head);
    });
    seam::mpi::bcast(runtime_, std::span(&done, 1), 0);
    if (done < 0)
      append(head);
    return std::max<std::int64_t>(done, 0);
  }

  void refuse_existing() const {
    seam::collectively(runtime_, [&] {
      if (runtime_.rank() == 0 && std::filesystem::exists(path_))
        throw seam::usage_error(
            fmt::format("--output '{}': the file exists (expected a new one, or --resume)", path_));
    });
  }

  void append(std::string const& text) {
    seam::collectively(runtime_, [&] {
      if (runtime_.rank() != 0)
        return;
      if (!file_.is_open())
        file_.open(path_, std::ios::app | std::ios::binary);
      if (!(file_ << text << std::flush))
        throw seam::usage_error(fmt::format("--output '{}': {}", path_, std::strerror(errno)));
    });
  }

private:
  /// Cuts off a last line that is not whole; returns the number of experiments that are there, one
  /// more if the file has its end.
  std::int64_t keep_whole_lines(std::vector<levels> const& expected,
                                std::string const& new_head) const {
    std::ifstream stream(path_, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    auto const begun = find_begun_results(text.str(), path_, expected, new_head);
    std::filesystem::resize_file(path_, begun.bytes);
    return begun.num_experiments + (begun.is_complete ? 1 : 0);
  }

  seam::Runtime& runtime_;
  std::string path_;
  std::ofstream file_;
};

std::string head_of(seam::Runtime& runtime, options const& wanted,
                    std::vector<levels> const& experiments) {
  auto entries = describe_run(runtime);
  for (std::string const& entry : wanted.head)
    entries.push_back(split_entry(entry));
  entries.emplace_back("experiments",
                       fmt::format("{} {}", experiments.size(), fingerprint(experiments)));
  // Ranks other than 0 have no entries, and do not look at the text.
  return results_head(entries);
}

/// Names the line of the input in an error of its experiment.
result measured(levels const& experiment, seam::Runtime& runtime, seam::mpi::comm_view barrier,
                std::string const& input) {
  try {
    return measure(experiment, runtime, barrier);
  } catch (seam::usage_error const& problem) {
    throw seam::usage_error(fmt::format("{}: {}: {}", input, line_of(experiment), problem.what()),
                            problem.on_all_ranks());
  }
}

/// Keeps the processes busy for a while, so that the first experiments of a run find processors as
/// awake as the others do.
/// Collective: over `over`.
void wake_processors(seam::mpi::comm_view over) {
  using clock = std::chrono::steady_clock;
  auto const end = clock::now() + std::chrono::milliseconds(200);
  for (int more = 1; more != 0;) {
    for (int k = 0; k < 1000; ++k)
      dissemination_barrier(over);
    more = seam::mpi::allreduce(over, clock::now() < end ? 1 : 0, MPI_MIN);
  }
}

void run(seam::Runtime& runtime, options const& wanted) {
  // 1. Read the experiments.
  std::string const text = seam::read_text(runtime, wanted.input);
  auto const experiments =
      seam::collectively(runtime, [&] { return parse_input(text, wanted.input, runtime.size()); });

  // 2. Begin the output, or go on where it ends.
  output file(runtime, wanted.output);
  if (!wanted.resume)
    file.refuse_existing();
  std::string const head = head_of(runtime, wanted, experiments);
  std::int64_t const done = file.begin(experiments, head);

  // 3. Measure.
  auto const barrier = seam::Communicator::dup(runtime.world());
  if (runtime.has_core_for_each())
    wake_processors(barrier);
  seam::progress bar(runtime, "experiments", std::ssize(experiments));
  bar.advance(std::min(done, std::ssize(experiments)));
  std::map<status, int> outcomes;
  for (std::int64_t k = done; k < std::ssize(experiments); ++k) {
    auto const made = measured(experiments[k], runtime, barrier, wanted.input);
    file.append(line_of(made));
    ++outcomes[made.outcome];
    bar.advance();
  }
  if (done <= std::ssize(experiments))
    file.append(results_end(experiments.size()));
  seam::print(runtime, "{} experiments: {} ok, {} WRONG, {} ABSENT, {} measured before\n",
              experiments.size(), outcomes[status::ok], outcomes[status::wrong],
              outcomes[status::absent], std::min(done, std::ssize(experiments)));
}

} // namespace

int run_word(int argc, char** argv) {
  options wanted;
  argv[1] = argv[0];
  return seam::run_program(
      argc - 1, argv + 1, [&](CLI::App& cli) { add_options(cli, wanted); },
      [&](seam::Runtime& runtime) { run(runtime, wanted); });
}

int check_word(int argc, char** argv) {
  auto const num_processes = argc == 3 ? seam::decimal<int>(argv[2]) : std::nullopt;
  if (!num_processes)
    throw seam::usage_error("check: expected the number of processes, or 0");
  std::string const text(std::istreambuf_iterator<char>(std::cin), {});
  try {
    parse_input(text, "experiments", *num_processes);
    return EXIT_SUCCESS;
  } catch (seam::usage_error const& problem) {
    fmt::print("{}\n", problem.what());
    return EXIT_FAILURE;
  }
}

} // namespace guidelines
