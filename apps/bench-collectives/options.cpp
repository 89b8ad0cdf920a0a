#include "options.hpp"

#include "operations.hpp"

#include <CLI/CLI.hpp>

#include <limits>

namespace collective_bench {
namespace {

constexpr char const* examples = R"(Examples:
  mpiexec -n 2 --bind-to core seam-bench-collectives
  mpiexec -n 2 --bind-to core seam-bench-collectives --operations alltoall --dimensions 2,3
  mpiexec -n 27 --oversubscribe seam-bench-collectives --neighborhoods moore --repetitions 0

'faces' and 'moore' are neighborhoods on a periodic grid of all processes; 'complete' is all pairs,
where the rivals are MPI's own operations. Blocks of v and w forms and of reduce_scatter differ:
every other one is half as long. Isend/Irecv sends a message along each edge, packed one to each
process; Neighbor_allgather is followed by the sum if the operation is allreduce.
The columns: x rival is the median over that of the best rival, below 1 being faster; messages are
those to others, of the process that sends most, where they are not the MPI library's.
Without --repetitions nothing is timed if there are more ranks than cores.)";

void add_questions(CLI::App& cli, options& wanted) {
  cli.add_option("--operations", wanted.operations, "collectives; all if none are named")
      ->delimiter(',')
      ->check(CLI::IsMember(names_of_operations()))
      ->type_name("NAME,...");
  cli.add_option("--neighborhoods", wanted.neighborhoods, "faces, moore, complete")
      ->delimiter(',')
      ->check(CLI::IsMember({"faces", "moore", "complete"}))
      ->type_name("NAME,...")
      ->capture_default_str();
  cli.add_option("--dimensions", wanted.dimensions, "of the grid of processes")
      ->delimiter(',')
      ->check(CLI::Range(1, 6, "D"))
      ->type_name("D,...")
      ->capture_default_str();
  auto const multiple = [](std::string const& text) {
    return std::stoi(text) % 8 == 0 ? std::string() : "expected a multiple of 8, found " + text;
  };
  cli.add_option("--bytes", wanted.bytes, "of a block; multiples of 8")
      ->delimiter(',')
      ->check(CLI::Range(8, 1 << 28, "BYTES") & CLI::Validator(multiple, ""))
      ->type_name("BYTES,...")
      ->capture_default_str();
}

/// Adds an option that takes a list of names of an enumeration's values.
template <class Choice>
void add_choice(CLI::App& cli, char const* option, std::map<std::string, Choice> const& choices,
                std::vector<Choice>& chosen, char const* help) {
  cli.add_option_function<std::vector<std::string>>(
         option,
         [&chosen, choices](std::vector<std::string> const& names) {
           chosen.clear();
           for (std::string const& name : names)
             chosen.push_back(choices.at(name));
         },
         help)
      ->delimiter(',')
      ->check(CLI::IsMember(choices))
      ->type_name("NAME,...");
}

void add_rivals(CLI::App& cli, options& wanted) {
  add_choice<form>(cli, "--forms",
                   {{"blocking", form::blocking},
                    {"nonblocking", form::nonblocking},
                    {"persistent", form::persistent}},
                   wanted.rivals.forms,
                   "of seam's calls and the rivals': blocking, nonblocking, persistent; all if "
                   "none are named");
  add_choice<origin>(
      cli, "--rivals", {{"mpi", origin::mpi}, {"edges", origin::edges}, {"packed", origin::packed}},
      wanted.rivals.origins,
      "mpi: the library's operations; edges, packed: messages by hand; all if none are named");
}

} // namespace

void add_options(CLI::App& cli, options& wanted) {
  cli.description("Compares seam's collectives with MPI's and with plain messages.");
  add_questions(cli, wanted);
  add_rivals(cli, wanted);
  cli.add_option("--repetitions", wanted.repetitions,
                 "of each variant for each question, 20 by default; 0 only counts messages")
      ->check(CLI::Range(0, std::numeric_limits<int>::max(), "COUNT"));
  cli.add_option("--seconds", wanted.seconds,
                 "for a question: fewer repetitions, but 5, where they take longer")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  cli.add_option("--csv", wanted.csv, "write the table there too")->type_name("FILE.csv");
  cli.footer(examples);
}

std::vector<question> questions(options const& wanted) {
  std::vector<int> const none{0};
  std::vector<question> all;
  for (std::string const& name :
       wanted.operations.empty() ? names_of_operations() : wanted.operations)
    for (std::string const& around : wanted.neighborhoods)
      for (int dimensions : around == "complete" ? none : wanted.dimensions)
        for (int bytes : name == "barrier" ? none : wanted.bytes)
          if (around == "complete" || operation_of(name).on_graphs)
            all.push_back({name, around, dimensions, bytes});
  if (all.empty())
    seam::refuse("--neighborhoods: none on which one of the operations has a meaning (expected "
                 "complete among them)");
  return all;
}

} // namespace collective_bench
