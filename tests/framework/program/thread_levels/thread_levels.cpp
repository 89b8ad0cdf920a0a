// Partitioned operations, halos and sweeps at each thread level of MPI. The program stands between
// seam and MPI, and counts calls of threads that may not make them: another than the one that
// started MPI below MPI_THREAD_SERIALIZED, two at once at that level. Argument "wrong-thread": a
// thread marks a partition that may not. "two-threads": one asks for an operation while another is
// in a call of seam.
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/mpi/detail/check.hpp>
#include <seam/exchange/mpi/detail/names.hpp>
#include <seam/exchange/partitioned/collectives.hpp>
#include <seam/exchange/partitioned/point_to_point.hpp>
#include <seam/exchange/partitioned/reductions.hpp>
#include <seam/exchange/waiting/detail/patience.hpp>
#include <seam/framework/program/print.hpp>
#include <seam/framework/program/program.hpp>
#include <seam/stencil/ghosts/partitioned_halo.hpp>
#include <seam/stencil/roles/iterate.hpp>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

std::atomic<int> threads_inside = 0;
std::atomic<long> forbidden_calls = 0;

/// One call of MPI.
class noted_call {
public:
  noted_call() {
    int level = MPI_THREAD_SINGLE, is_main = 0;
    PMPI_Query_thread(&level);
    PMPI_Is_thread_main(&is_main);
    bool const is_second = threads_inside.fetch_add(1) > 0;
    if ((level < MPI_THREAD_SERIALIZED && is_main == 0) ||
        (level == MPI_THREAD_SERIALIZED && is_second))
      forbidden_calls.fetch_add(1);
  }
  noted_call(noted_call const&) = delete;
  noted_call& operator=(noted_call const&) = delete;
  ~noted_call() { threads_inside.fetch_sub(1); }
};

} // namespace

extern "C" {

int MPI_Isend(void const* from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
  noted_call const here;
  return PMPI_Isend(from, count, type, to, tag, comm, request);
}
int MPI_Irecv(void* into, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request* request) {
  noted_call const here;
  return PMPI_Irecv(into, count, type, from, tag, comm, request);
}
int MPI_Start(MPI_Request* request) {
  noted_call const here;
  return PMPI_Start(request);
}
int MPI_Startall(int count, MPI_Request* requests) {
  noted_call const here;
  return PMPI_Startall(count, requests);
}
int MPI_Test(MPI_Request* request, int* done, MPI_Status* status) {
  noted_call const here;
  return PMPI_Test(request, done, status);
}
int MPI_Testsome(int count, MPI_Request* requests, int* done, int* indices, MPI_Status* statuses) {
  noted_call const here;
  return PMPI_Testsome(count, requests, done, indices, statuses);
}
int MPI_Testall(int count, MPI_Request* requests, int* done, MPI_Status* statuses) {
  noted_call const here;
  return PMPI_Testall(count, requests, done, statuses);
}
int MPI_Iprobe(int from, int tag, MPI_Comm comm, int* found, MPI_Status* status) {
  noted_call const here;
  return PMPI_Iprobe(from, tag, comm, found, status);
}
int MPI_Improbe(int from, int tag, MPI_Comm comm, int* found, MPI_Message* message,
                MPI_Status* status) {
  noted_call const here;
  return PMPI_Improbe(from, tag, comm, found, message, status);
}

} // extern "C"

namespace {

using namespace seam;
using namespace seam::detail;

constexpr int partitions = 8, count = 300, epochs = 12;
constexpr int length = partitions * count;

long wrong_values = 0;

void expect(bool is_right) { wrong_values += is_right ? 0 : 1; }

int value_of(int rank, int epoch, int at) { return rank * 1'000'000 + epoch * 10'000 + at; }

std::vector<int> values_of(int rank, int epoch) {
  std::vector<int> values(length);
  for (int at = 0; at < length; ++at)
    values[at] = value_of(rank, epoch, at);
  return values;
}

/// An epoch: partitions are marked one by one, in another order each time.
void run_epoch(partitioned_operation& what, int epoch) {
  what.start();
  for (int k = 0; k < what.num_leaving(); ++k)
    what.ready((k * 3 + epoch) % what.num_leaving());
  what.wait();
}

void ring(Runtime const& runtime) {
  int const right = (runtime.rank() + 1) % runtime.size();
  int const left = (runtime.rank() + runtime.size() - 1) % runtime.size();
  std::vector<int> out(length), in(length);
  auto send = psend_init(runtime, in_partitions(out, partitions), right, 5);
  auto receive = precv_init(runtime, in_partitions(in, partitions / 2), left, 5);
  for (int epoch = 0; epoch < epochs; ++epoch) {
    std::ranges::copy(values_of(runtime.rank(), epoch), out.begin());
    receive.start();
    run_epoch(send, epoch);
    for (patience wait; !receive.arrived(0); wait.pause()) {
    }
    expect(in[0] == value_of(left, epoch, 0));
    receive.wait();
    expect(in == values_of(left, epoch));
  }
}

void collectives(Runtime const& runtime) {
  std::vector<int> out(length), sum(length), all(static_cast<std::size_t>(length * runtime.size()));
  auto add = pallreduce_init(runtime, in_partitions(out, partitions),
                             in_partitions(sum, partitions), MPI_SUM);
  auto collect = pallgather_init(runtime, in_partitions(out, partitions),
                                 {all.data(), partitions, count, MPI_INT});
  for (int epoch = 0; epoch < epochs; ++epoch) {
    std::ranges::copy(values_of(runtime.rank(), epoch), out.begin());
    run_epoch(add, epoch);
    run_epoch(collect, epoch);
    int expected = 0;
    for (int rank = 0; rank < runtime.size(); ++rank) {
      expected += value_of(rank, epoch, 7);
      expect(all[rank * length + length - 1] == value_of(rank, epoch, length - 1));
    }
    expect(sum[7] == expected);
  }
}

constexpr std::int64_t edge = 24;

double start_value(std::int64_t i, std::int64_t j) {
  return static_cast<double>((i * 31 + j * 17) % 23);
}

/// The sweeps by one process and one thread, without seam.
std::vector<double> swept_alone(int sweeps) {
  auto const at = [](std::int64_t i, std::int64_t j) {
    return static_cast<std::size_t>((i + edge) % edge * edge + (j + edge) % edge);
  };
  std::vector<double> u(edge * edge), next = u;
  for (std::int64_t i = 0; i < edge; ++i)
    for (std::int64_t j = 0; j < edge; ++j)
      u[at(i, j)] = start_value(i, j);
  for (int k = 0; k < sweeps; ++k) {
    for (std::int64_t i = 0; i < edge; ++i)
      for (std::int64_t j = 0; j < edge; ++j)
        next[at(i, j)] =
            0.25 * (u[at(i - 1, j)] + u[at(i + 1, j)] + u[at(i, j - 1)] + u[at(i, j + 1)]);
    u.swap(next);
  }
  return u;
}

void set_start(Grid<2> const& grid, Field<double, 2>& u) {
  auto const view = u.view();
  auto const first = grid.owned().lo;
  for_each_cell(u.owned(), [&](cell_index<2> const& at) {
    view[at] = start_value(first[0] + at[0], first[1] + at[1]);
  });
}

void compare(Grid<2> const& grid, Field<double, 2> const& u, int sweeps) {
  auto const expected = swept_alone(sweeps);
  auto const view = u.view();
  auto const first = grid.owned().lo;
  for_each_cell(u.owned(), [&](cell_index<2> const& at) {
    auto const i = first[0] + at[0], j = first[1] + at[1];
    expect(view[at] == expected[i * edge + j]);
  });
}

void sweeps(Runtime const& runtime) {
  Grid<2> const grid(
      runtime, {.cells = {edge, edge}, .periodic = {true, true}, .neighborhood = von_neumann(1)});
  auto u = grid.field<double>("u"), next = grid.field<double>("next");
  set_start(grid, u);
  Iterate loop(grid, u, next);
  loop.sweeps(9, [](auto v, int i, int j) {
    return 0.25 * (v(i - 1, j) + v(i + 1, j) + v(i, j - 1) + v(i, j + 1));
  });
  compare(grid, u, 9);
}

/// Tiles are marked by the thread that calls, in a loop.
void halos(Runtime const& runtime) {
  Grid<2> const grid(
      runtime, {.cells = {edge, edge}, .periodic = {true, true}, .neighborhood = von_neumann(1)});
  auto u = grid.field<double>("u");
  auto plain = make_halo(u);
  auto partitioned = make_partitioned_halo(u);
  box<2> const cells = u.owned();
  auto const compare_ghosts = [&] {
    auto const view = u.view();
    auto const first = grid.owned().lo;
    for (std::int64_t i = 0; i < cells.hi[0]; ++i)
      expect(view[{i, -1}] == start_value(first[0] + i, (first[1] + edge - 1) % edge));
  };
  set_start(grid, u);
  plain.run();
  compare_ghosts();
  for (int epoch = 0; epoch < epochs; ++epoch) {
    set_start(grid, u);
    partitioned.start();
    for (std::int64_t row = 0; row < cells.hi[0]; ++row)
      partitioned.ready(box<2>{{row, 0}, {row + 1, cells.hi[1]}});
    partitioned.wait();
    compare_ghosts();
  }
}

/// What the refusal of a call says; empty if it is not refused.
template <class Call>
std::string line_of_refusal(Call call) {
  try {
    call();
  } catch (usage_error const& problem) {
    return problem.what();
  }
  return "";
}

void mark_by_wrong_thread(Runtime const& runtime) {
  std::vector<int> out(length), in(length);
  auto add = pallreduce_init(runtime, in_partitions(out, partitions), in_partitions(in, partitions),
                             MPI_SUM);
  add.start();
  std::string line;
  std::thread([&] { line = line_of_refusal([&] { add.ready(0); }); }).join();
  print(runtime, "{}\n", line.empty() ? "not refused" : line);
  if (!line.empty())
    add.ready(0);
  add.ready_range(1, partitions - 1);
  add.wait();
}

/// The operation of a reduction, which one thread stays in until another has been refused. Where
/// several threads may call, the other one may have to wait for it and is only about to call.
std::atomic<bool> is_inside = false, may_leave = false;

void add_slowly(void* in, void* inout, int* length, MPI_Datatype*) {
  is_inside = true;
  while (!may_leave)
    std::this_thread::yield();
  for (int k = 0; k < *length; ++k)
    static_cast<int*>(inout)[k] += static_cast<int const*>(in)[k];
}

void call_by_two_threads(Runtime const& runtime) {
  MPI_Op add = MPI_OP_NULL;
  mpi::check(MPI_Op_create(&add_slowly, 1, &add), "MPI_Op_create");
  std::vector<int> out(length, 1), in(length);
  auto sum =
      pallreduce_init(runtime, in_partitions(out, partitions), in_partitions(in, partitions), add);
  sum.start();
  std::string line;
  std::thread other([&] {
    while (!is_inside)
      std::this_thread::yield();
    may_leave = mpi::thread_level() == MPI_THREAD_MULTIPLE;
    line = line_of_refusal([&] { sum.arrived(0); });
    may_leave = true;
  });
  sum.ready_range(0, partitions - 1);
  while (!sum.test()) {
  }
  is_inside = true; // on ranks that only pass on what others have added
  other.join();
  expect(in == std::vector<int>(length, runtime.size()));
  int const first =
      mpi::allreduce(runtime, line.empty() ? runtime.size() : runtime.rank(), MPI_MIN);
  if (first < runtime.size())
    mpi::bcast(runtime, line, first);
  print(runtime, "{}: {} wrong values\n", line.empty() ? "not refused" : line,
        mpi::allreduce(runtime, wrong_values, MPI_SUM));
  mpi::check(MPI_Op_free(&add), "MPI_Op_free");
}

} // namespace

int main(int argc, char** argv) {
  std::string name;
  auto const add_options = [&](option_list cli) {
    cli.describe("Exchanges at a thread level.");
    cli.add("case", name, "what goes wrong");
  };
  return run_program(argc, argv, add_options, [&](Runtime& runtime) {
    if (name == "wrong-thread")
      return mark_by_wrong_thread(runtime);
    if (name == "two-threads")
      return call_by_two_threads(runtime);
    for (auto const& [what, act] :
         {std::pair("ring", &ring), std::pair("collectives", &collectives),
          std::pair("halos", &halos), std::pair("sweeps", &sweeps)}) {
      long const before = wrong_values;
      act(runtime);
      if (wrong_values > before)
        std::fprintf(stderr, "rank %d: %ld wrong values in %s\n", runtime.rank(),
                     wrong_values - before, what);
    }
    long const wrong = mpi::allreduce(runtime, wrong_values, MPI_SUM);
    long const forbidden = mpi::allreduce(runtime, forbidden_calls.load(), MPI_SUM);
    print(runtime, "{}: {} wrong values, {} forbidden calls\n",
          mpi::name_of_thread_level(mpi::thread_level()), wrong, forbidden);
  });
}
