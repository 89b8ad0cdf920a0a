// seam-bench-collectives asks what collectives cost on the neighborhoods of stencils: seam's in the
// blocking and the persistent form, MPI's neighborhood collectives, and messages by hand, all in
// one run.
//
// Sample run: mpiexec -n 2 --bind-to core seam-bench-collectives --dimensions 3
//
// Expected: a table of one line for each question and variant; x rival at most about 1 in the lines
// of seam, well below in those of small blocks on Moore neighborhoods.
#include "problem.hpp"

#include <CLI/CLI.hpp>

#include <limits>

namespace collective_bench {
namespace {

struct options {
  std::vector<std::string> operations = collective_bench::operations();
  std::vector<int> dimensions{1, 2, 3, 4};
  std::vector<int> bytes{8, 512, 8192, 131072, 1048576};
  std::vector<std::string> neighborhoods{"faces", "moore"};
  int repetitions = 20;
  std::string csv;
};

constexpr char const* examples = R"(Examples:
  mpiexec -n 2 --bind-to core seam-bench-collectives
  mpiexec -n 2 --bind-to core seam-bench-collectives --operations alltoall --dimensions 2,3

The columns: x rival is the median over that of the best rival, below 1 being faster. Messages that
one process sends stand behind the name of the neighborhood.)";

void add_options(CLI::App& cli, options& wanted) {
  cli.add_option("--operations", wanted.operations, "collectives")
      ->delimiter(',')
      ->check(CLI::IsMember(operations()))
      ->type_name("NAME,...");
  cli.add_option("--dimensions", wanted.dimensions, "of the grid of processes")
      ->delimiter(',')
      ->check(CLI::Range(1, 6, "D"))
      ->type_name("D,...")
      ->capture_default_str();
  cli.add_option("--bytes", wanted.bytes, "of a block; multiples of 8")
      ->delimiter(',')
      ->check(CLI::Range(8, 1 << 28, "BYTES"))
      ->type_name("BYTES,...")
      ->capture_default_str();
  cli.add_option("--neighborhoods", wanted.neighborhoods, "faces, moore")
      ->delimiter(',')
      ->check(CLI::IsMember({"faces", "moore"}))
      ->type_name("NAME,...")
      ->capture_default_str();
  cli.add_option("--repetitions", wanted.repetitions, "of each variant for each question")
      ->check(CLI::Range(1, std::numeric_limits<int>::max(), "COUNT"))
      ->capture_default_str();
  cli.add_option("--csv", wanted.csv, "write the table there too")->type_name("FILE.csv");
  cli.footer(examples);
}

/// The graph of a neighborhood on a periodic grid of all processes.
seam::Communicator make_grid(seam::Runtime& runtime, int dimensions, std::string const& shape) {
  seam::Communicator const named = runtime.world().dup();
  auto const free = std::vector<int>(static_cast<std::size_t>(dimensions));
  seam::CartesianNaming const naming(named.size(), seam::dims_create(named.size(), free),
                                     std::vector<bool>(free.size(), true));
  seam::name(named, naming);
  auto const around = shape == "faces" ? seam::von_neumann(1) : seam::moore(1);
  return seam::make_named_graph(named, seam::make_topology(naming, named.rank(), around));
}

/// All variants must leave in `receive` what the first of them leaves there.
void require_same_result(problem& on, std::vector<seam::variant> const& variants) {
  std::vector<double> expected;
  for (seam::variant const& one : variants) {
    std::ranges::fill(on.receive, -1.0);
    one.run();
    if (expected.empty())
      expected = on.receive;
    seam::collectively(on.graph.context(), [&] {
      if (on.receive != expected)
        seam::refuse(on.operation + ": " + one.name + " and " + variants[0].name +
                     " leave different results");
    });
  }
}

std::vector<seam::timing> compare(problem& on, std::string const& question, int repetitions) {
  seam::collective const what = make_collective(on);
  seam::operation kept = seam::prepare(on.graph, what);
  std::vector<seam::variant> variants{{.name = "seam", .run = [&] { seam::run(on.graph, what); }},
                                      {.name = "seam persistent", .run = [&] { kept.run(); }}};
  for (auto const& rival :
       {neighbor_collective(on), persistent_neighbor_collective(on), by_hand(on)})
    if (rival.run)
      variants.push_back(rival);
  require_same_result(on, variants);
  return seam::time_in_turn(
      on.graph.context(),
      {.question = question, .bytes = on.count * 8L, .repetitions = repetitions}, variants);
}

/// One line of what is asked.
struct question {
  std::string operation, shape;
  int dimensions, bytes;
};

std::vector<question> questions(options const& wanted) {
  std::vector<int> const no_bytes{0};
  std::vector<question> all;
  for (std::string const& operation : wanted.operations)
    for (std::string const& shape : wanted.neighborhoods)
      for (int dimensions : wanted.dimensions)
        for (int bytes : operation == "barrier" ? no_bytes : wanted.bytes)
          all.push_back({operation, shape, dimensions, bytes});
  return all;
}

std::vector<seam::timing> answer(seam::Runtime& runtime, question const& asked, int repetitions) {
  problem on{.graph = make_grid(runtime, asked.dimensions, asked.shape),
             .native = MPI_COMM_NULL,
             .operation = asked.operation,
             .count = asked.bytes / 8,
             .send = {},
             .receive = {}};
  on.native = on.graph.view().native();
  on.send.resize(static_cast<std::size_t>(on.num_destinations() * on.count));
  on.receive.resize(static_cast<std::size_t>(on.num_sources() * on.count));
  for (std::size_t k = 0; k < on.send.size(); ++k)
    on.send[k] = static_cast<double>(k % 1000) + 1000.0 * runtime.rank();
  return compare(on, fmt::format("{} {}D {}", asked.operation, asked.dimensions, asked.shape),
                 repetitions);
}

void run(seam::Runtime& runtime, options const& wanted) {
  if (!wanted.csv.empty())
    seam::require_writable(runtime, wanted.csv);
  seam::print(runtime, "{}\n", runtime.describe());
  seam::benchmark_table table;
  auto const all = questions(wanted);
  seam::progress bar(runtime, "questions", std::ssize(all));
  for (question const& one : all) {
    table.add(answer(runtime, one, wanted.repetitions));
    bar.advance();
  }
  seam::print(runtime, table.text());
  if (!wanted.csv.empty())
    seam::write_text(runtime, table.csv(), wanted.csv);
}

} // namespace
} // namespace collective_bench

int main(int argc, char** argv) {
  CLI::App cli("Compares seam's collectives on neighborhoods with MPI's and with plain messages.");
  collective_bench::options wanted;
  collective_bench::add_options(cli, wanted);
  return seam::run_program(cli, argc, argv,
                           [&](seam::Runtime& runtime) { collective_bench::run(runtime, wanted); });
}
