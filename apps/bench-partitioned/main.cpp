// seam-bench-partitioned asks what partitions cost when all are ready at once, and what they gain
// when they become ready one by one, against what programs do without them, all in one run.
//
// Sample run: mpiexec -n 2 --bind-to core seam-bench-partitioned
//
// Expected: a table of one line for each question and variant; x rival about 1 where partitions are
// ready together, below 1 where they are not, and the fraction that arrived early.
#include <seam/exchange/partitioned/point_to_point.hpp>
#include <seam/seam.hpp>

#include <CLI/CLI.hpp>

#include <chrono>

namespace {

constexpr char const* examples = R"(Examples:
  mpiexec -n 2 --bind-to core seam-bench-partitioned
  mpiexec -n 2 --bind-to core seam-bench-partitioned --partitions 4 --bytes 1048576 --work 200

Every rank sends to the next one and receives from the one before. 'together': all partitions are
ready at once; 'uniform': each after as much work as the others; 'laggard': all but the last are
ready at once, and the last after all the work.)";

struct options {
  std::vector<std::int64_t> bytes{1024, 16384, 262144, 4194304};
  int partitions = 8;
  double work = 100;
  int repetitions = 50;
};

/// Keeps the core busy. [us]
void compute(double microseconds) {
  auto const end =
      std::chrono::steady_clock::now() + std::chrono::duration<double, std::micro>(microseconds);
  while (std::chrono::steady_clock::now() < end) {
  }
}

/// How the partitions of an epoch become ready.
enum class course { together, uniform, laggard };

/// Calls ready(p) for each partition when the work for it is done.
template <class Ready>
void work_through(options const& wanted, course how, Ready ready) {
  for (int p = 0; p < wanted.partitions; ++p) {
    if (how == course::uniform)
      compute(wanted.work / wanted.partitions);
    if (how == course::laggard && p + 1 == wanted.partitions)
      compute(wanted.work);
    ready(p);
  }
}

/// What one rank sends and receives, and with whom.
struct ring {
  ring(seam::Communicator const& over, std::int64_t bytes)
      : comm(over),
        next((over.rank() + 1) % over.size()),
        before((over.rank() + over.size() - 1) % over.size()),
        out(static_cast<std::size_t>(bytes)),
        in(out.size()) {}

  seam::Communicator const& comm;
  int next, before;
  std::vector<std::byte> out, in;
};

/// Requests of MPI for the whole ring, or for each of its partitions.
class messages {
public:
  messages(ring& of, int count, bool persistent) : of_(of), persistent_(persistent) {
    auto const each = of.out.size() / static_cast<std::size_t>(count);
    for (int p = 0; p < count; ++p)
      pieces_.push_back({static_cast<std::size_t>(p) * each, static_cast<int>(each)});
    requests_.resize(2 * pieces_.size(), MPI_REQUEST_NULL);
    for (std::size_t p = 0; persistent && p < pieces_.size(); ++p) {
      auto const [begin, length] = pieces_[p];
      seam::mpi::check(MPI_Recv_init(&of.in[begin], length, MPI_BYTE, of.before, int(p), comm(),
                                     &requests_[p]),
                       "MPI_Recv_init");
      seam::mpi::check(MPI_Send_init(&of.out[begin], length, MPI_BYTE, of.next, int(p), comm(),
                                     &requests_[pieces_.size() + p]),
                       "MPI_Send_init");
    }
  }
  messages(messages const&) = delete;
  messages& operator=(messages const&) = delete;
  ~messages() {
    for (MPI_Request& one : requests_)
      if (one != MPI_REQUEST_NULL)
        MPI_Request_free(&one);
  }

  void expect() {
    for (std::size_t p = 0; p < pieces_.size(); ++p)
      if (persistent_)
        seam::mpi::check(MPI_Start(&requests_[p]), "MPI_Start");
      else
        seam::mpi::check(MPI_Irecv(&of_.in[pieces_[p].begin], pieces_[p].length, MPI_BYTE,
                                   of_.before, int(p), comm(), &requests_[p]),
                         "MPI_Irecv");
  }

  void send(std::size_t p) {
    MPI_Request* const request = &requests_[pieces_.size() + p];
    if (persistent_)
      seam::mpi::check(MPI_Start(request), "MPI_Start");
    else
      seam::mpi::check(MPI_Isend(&of_.out[pieces_[p].begin], pieces_[p].length, MPI_BYTE, of_.next,
                                 int(p), comm(), request),
                       "MPI_Isend");
  }

  void wait() {
    seam::mpi::check(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(),
                                 MPI_STATUSES_IGNORE),
                     "MPI_Waitall");
  }

private:
  struct piece {
    std::size_t begin;
    int length;
  };

  MPI_Comm comm() const { return of_.comm.view().native(); }

  ring& of_;
  bool persistent_;
  std::vector<piece> pieces_;
  std::vector<MPI_Request> requests_;
};

/// Bytes that had arrived before the last partition was ready, of all. [1]
double early_fraction(seam::partitioned_operation& in, int partitions) {
  int early = 0;
  for (int p = 0; p < partitions; ++p)
    early += in.arrived(p) ? 1 : 0;
  return static_cast<double>(early) / partitions;
}

void compare(seam::Communicator const& world, options const& wanted, std::int64_t bytes, course how,
             seam::benchmark_table& table, std::string& notes) {
  // 1. The same memory for all ways to send it.
  bytes = std::max<std::int64_t>(bytes / wanted.partitions, 1) * wanted.partitions;
  ring data(world, bytes);
  auto out =
      seam::psend_init(world, seam::in_partitions(data.out, wanted.partitions), data.next, 0);
  auto in =
      seam::precv_init(world, seam::in_partitions(data.in, wanted.partitions), data.before, 0);
  messages whole(data, 1, true), each(data, wanted.partitions, false);
  double early = 0;
  int epochs = 0;

  // 2. Partitions against one message when all is done, and a message for each.
  std::vector<seam::variant> const variants{
      {.name = "partitioned",
       .run =
           [&] {
             in.start();
             out.start();
             work_through(wanted, how, [&](int p) {
               if (how != course::together && p + 1 == wanted.partitions) {
                 early += early_fraction(in, wanted.partitions);
                 ++epochs;
               }
               out.ready(p);
             });
             out.wait();
             in.wait();
           }},
      {.name = "one persistent send",
       .run =
           [&] {
             whole.expect();
             work_through(wanted, how, [](int) {});
             whole.send(0);
             whole.wait();
           },
       .is = seam::role::rival},
      {.name = "isend for each",
       .run =
           [&] {
             each.expect();
             work_through(wanted, how, [&](int p) { each.send(static_cast<std::size_t>(p)); });
             each.wait();
           },
       .is = seam::role::rival}};

  // 3. Some epochs for what is observed to be known; then all in turn.
  for (int warm_up = 0; warm_up < 20; ++warm_up)
    variants[0].run();
  constexpr char const* names[] = {"together", "uniform", "laggard"};
  std::string const question = fmt::format("{} {} B", names[static_cast<int>(how)], bytes);
  early = epochs = 0;
  table.add(seam::time_in_turn(
      world, {.question = question, .bytes = bytes, .repetitions = wanted.repetitions}, variants));
  if (how != course::together)
    notes += fmt::format("{:<24} early-bird fraction {:.2f}\n", question, early / epochs);
}

void run(seam::Runtime& runtime, options const& wanted) {
  seam::Communicator const& world = runtime.world();
  seam::print(runtime, "{}\n", runtime.describe());
  seam::benchmark_table table;
  std::string notes;
  for (course how : {course::together, course::uniform, course::laggard})
    for (std::int64_t bytes : wanted.bytes)
      compare(world, wanted, bytes, how, table, notes);
  seam::print(runtime, table.text());
  seam::print(runtime, "{}", notes);
}

} // namespace

int main(int argc, char** argv) {
  CLI::App cli("Compares partitioned messages with others.");
  options wanted;
  cli.add_option("--bytes", wanted.bytes, "of all partitions together")
      ->delimiter(',')
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 30, "N"))
      ->type_name("N,...")
      ->capture_default_str();
  cli.add_option("--partitions", wanted.partitions, "of each message")
      ->check(CLI::Range(1, 4000))
      ->capture_default_str();
  cli.add_option("--work", wanted.work, "of all partitions together [us]")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  cli.add_option("--repetitions", wanted.repetitions, "of each variant for each question")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  cli.footer(examples);
  return seam::run_program(cli, argc, argv, [&](seam::Runtime& runtime) { run(runtime, wanted); });
}
