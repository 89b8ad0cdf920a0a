// One rank does not come to a call that the others make. One line says so, which names the call,
// the rank, and what it does instead; then the rank comes, and all go on with the right results.
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/collectives/allgather.hpp>
#include <seam/exchange/collectives/alltoall.hpp>
#include <seam/exchange/collectives/barrier.hpp>
#include <seam/exchange/collectives/reduce.hpp>
#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/partitioned/collectives.hpp>
#include <seam/exchange/partitioned/point_to_point.hpp>
#include <seam/exchange/partitioned/reductions.hpp>
#include <seam/exchange/point_to_point/point_to_point.hpp>
#include <seam/exchange/point_to_point/window.hpp>
#include <seam/exchange/sparse/sparse_exchange.hpp>
#include <seam/exchange/sums/sum.hpp>
#include <seam/exchange/waiting/detail/progress.hpp>
#include <seam/exchange/waiting/stall.hpp>
#include <seam/exchange/waiting/watch.hpp>
#include <seam/framework/files/vtkhdf.hpp>
#include <seam/mesh/fields/mesh_halo.hpp>
#include <seam/mesh/input/box_mesh.hpp>
#include <seam/stencil/gather.hpp>
#include <seam/stencil/halo.hpp>
#include <seam/stencil/iterate.hpp>
#include <seam/stencil/partitioned_halo.hpp>

#include <support/catch.hpp>
#include <support/world.hpp>

#include <fmt/format.h>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <functional>
#include <iterator>
#include <regex>
#include <thread>

using namespace seam;
using namespace seam::detail;

namespace {

constexpr stall_time limit{0.1};

/// What all ranks print on stderr while it lives, in one file.
class common_stderr {
public:
  common_stderr() : kept_(dup(STDERR_FILENO)) {
    mpi::comm_view const all(MPI_COMM_WORLD);
    std::array<char, 32> name{"/tmp/seam-stall-XXXXXX"};
    if (all.rank() == 0)
      close(mkstemp(name.data()));
    MPI_Bcast(name.data(), int(name.size()), MPI_CHAR, 0, MPI_COMM_WORLD);
    path_ = name.data();
    int const file = open(path_.c_str(), O_WRONLY | O_APPEND);
    dup2(file, STDERR_FILENO);
    close(file);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  common_stderr(common_stderr const&) = delete;
  common_stderr& operator=(common_stderr const&) = delete;
  ~common_stderr() {
    dup2(kept_, STDERR_FILENO);
    close(kept_);
    MPI_Barrier(MPI_COMM_WORLD);
    std::remove(path_.c_str());
  }

  std::string text() const {
    std::ifstream file(path_);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  /// Returns when there are as many lines, or after a minute; calls `meanwhile` again and again.
  void wait_for_lines(int count, std::function<void()> const& meanwhile) const {
    using namespace std::chrono_literals;
    auto const end = std::chrono::steady_clock::now() + 60s;
    while (num_lines() < count && std::chrono::steady_clock::now() < end) {
      meanwhile();
      std::this_thread::sleep_for(5ms);
    }
  }

private:
  std::ptrdiff_t num_lines() const { return std::ranges::count(text(), '\n'); }

  int kept_;
  std::string path_;
};

/// Returns when all ranks are here, in no call of seam. Meanwhile this one answers questions of
/// others at every thread level, as programs do that test their operations.
void meet() {
  MPI_Request met = MPI_REQUEST_NULL;
  MPI_Ibarrier(MPI_COMM_WORLD, &met);
  for (int done = 0; done == 0; MPI_Test(&met, &done, MPI_STATUS_IGNORE)) {
    progress_all();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

/// Lines that have been printed when rank `late` came to `call`, which it does some time after the
/// first one, or the first `num_lines`. Before, it does `instead`, and `meanwhile` again and again.
std::string said_before(
    int late, std::function<void()> const& call, std::function<void()> const& instead = [] {},
    std::function<void()> const& meanwhile = progress_all, int num_lines = 1) {
  mpi::comm_view const all(MPI_COMM_WORLD);
  common_stderr const told;
  std::string said;
  if (all.rank() == late) {
    instead();
    told.wait_for_lines(num_lines, meanwhile);
    std::this_thread::sleep_for(limit);
    said = told.text();
  }
  call();
  meet();
  said.resize(1000, ' ');
  MPI_Bcast(said.data(), int(said.size()), MPI_CHAR, late, MPI_COMM_WORLD);
  return said.substr(0, said.find_last_not_of(' ') + 1);
}

/// Cells on a ring of all ranks.
Grid<1> ring_grid(Communicator const& world) {
  grid_options<1> options;
  options.cells = {8 * world.size()};
  options.periodic = {true};
  return Grid<1>(world, options);
}

Communicator ring_of(Communicator const& world) {
  int const rank = world.rank(), size = world.size();
  return make_graph(world, Topology::graph({{(rank + size - 1) % size}}, {{(rank + 1) % size}}));
}

/// A graph with an edge between any two ranks.
Communicator complete_graph(Communicator const& world) {
  std::vector<edge> all;
  for (int rank = 0; rank < world.size(); ++rank)
    all.push_back({rank});
  return make_graph(world, Topology::graph(all, all));
}

/// A call that a rank may be late for: what is made before, by all, and the call.
struct late_call {
  char const* name; ///< as the line says it
  std::function<std::function<void()>(Communicator const&)> make;
};

using called = std::function<void()>;

/// Checks that the sum of all ranks' numbers is there.
void check_sum(Communicator const& world, int sum) {
  CHECK(sum == world.size() * (world.size() + 1) / 2);
}

std::vector<late_call> collective_calls() {
  return {
      {"allreduce",
       [](Communicator const& world) -> called {
         return [&] {
           int const mine = world.rank() + 1;
           int sum = 0;
           run(world, allreduce(std::span(&mine, 1), std::span(&sum, 1), std::plus<>()));
           check_sum(world, sum);
         };
       }},
      {"allreduce",
       [](Communicator const& world) -> called {
         return [&] {
           int const mine = world.rank() + 1;
           int sum = 0;
           start(world, allreduce(std::span(&mine, 1), std::span(&sum, 1), std::plus<>())).wait();
           check_sum(world, sum);
         };
       }},
      {"allreduce",
       [](Communicator const& world) -> called {
         struct buffers {
           int mine, sum;
         };
         auto const kept = std::make_shared<buffers>(buffers{world.rank() + 1, 0});
         auto const planned = std::make_shared<operation>(
             prepare(world, allreduce(std::span<int const>(&kept->mine, 1),
                                      std::span(&kept->sum, 1), std::plus<>())));
         return [=, &world] {
           planned->run();
           check_sum(world, kept->sum);
         };
       }},
      {"alltoall",
       [](Communicator const& world) -> called {
         auto const ring = std::make_shared<Communicator>(ring_of(world));
         return [=, &world] {
           int const mine = world.rank();
           int before = -1;
           run(*ring, alltoall(std::span(&mine, 1), std::span(&before, 1)));
           CHECK(before == (world.rank() + world.size() - 1) % world.size());
         };
       }},
      {"alltoall",
       [](Communicator const& world) -> called {
         auto const ring = std::make_shared<Communicator>(ring_of(world));
         return [=] {
           int const mine = 1;
           int before = -1;
           auto const planned =
               prepare(*ring, alltoall(std::span(&mine, 1), std::span(&before, 1)));
         };
       }},
      {"barrier",
       [](Communicator const& world) -> called { return [&] { run(world, barrier()); }; }},
      {"sum",
       [](Communicator const& world) -> called {
         return [&] { CHECK(sum(world, 1) == world.size()); };
       }},
      {"MPI_Barrier",
       [](Communicator const& world) -> called { return [&] { mpi::barrier(world); }; }},
      {"make_graph", [](Communicator const& world) -> called { return [&] { ring_of(world); }; }},
      {"Communicator::split",
       [](Communicator const& world) -> called { return [&] { world.split(0, 0); }; }},
      {"Communicator::split_type",
       [](Communicator const& world) -> called { return [&] { world.split_shared(); }; }},
      {"Communicator::base",
       [](Communicator const& world) -> called { return [&] { world.base(); }; }},
      {"Communicator::dup",
       [](Communicator const& world) -> called { return [&] { world.dup(); }; }},
      {"SparseExchange::exchange",
       [](Communicator const& world) -> called {
         auto const exchange = std::make_shared<SparseExchange>(world);
         return [=] {
           exchange->exchange();
           while (exchange->receive()) {
           }
         };
       }},
      {"a fence of a window",
       [](Communicator const& world) -> called {
         auto const memory = std::make_shared<window<int>>(world, 1);
         memory->fence();
         return [=] {
           memory->fence();
           memory->close_epoch();
         };
       }},
      {"a fence of a window",
       [](Communicator const& world) -> called {
         auto const memory = std::make_shared<window<int>>(complete_graph(world), 1);
         return [=] {
           memory->fence();
           memory->close_epoch();
         };
       }},
      {"the end of a window",
       [](Communicator const& world) -> called {
         auto const memory = std::make_shared<std::optional<window<int>>>(std::in_place, world, 1);
         return [=] { memory->reset(); };
       }},
      {"Communicator::create_group",
       [](Communicator const& world) -> called {
         return [&] {
           mpi::group all;
           MPI_Comm_group(MPI_COMM_WORLD, all.receive());
           CHECK(world.create_group(all.native()).size() == world.size());
         };
       }},
      {"pallreduce_init",
       [](Communicator const& world) -> called {
         auto const in = std::make_shared<std::vector<int>>(4, world.rank() + 1);
         auto const out = std::make_shared<std::vector<int>>(4);
         auto const sum = std::make_shared<partitioned_operation>(
             pallreduce_init(world, in_partitions(*in, 2), in_partitions(*out, 2), MPI_SUM));
         return [=, &world] { // the operation keeps no buffers
           sum->start();
           sum->ready_range(0, 1);
           sum->wait();
           check_sum(world, in->empty() ? 0 : out->front());
         };
       }},
  };
}

std::vector<late_call> calls_on_grids() {
  return {
      {"Grid", [](Communicator const& world) -> called { return [&] { ring_grid(world); }; }},
      {"Field",
       [](Communicator const& world) -> called {
         return [grid = ring_grid(world)] { static_cast<void>(grid.field<double>("u")); };
       }},
      {"make_halo",
       [](Communicator const& world) -> called {
         auto const u = std::make_shared<Field<double, 1>>(ring_grid(world), "u");
         return [=] { make_halo(*u); };
       }},
      {"the halo of u, v",
       [](Communicator const& world) -> called {
         auto const u = std::make_shared<Field<double, 1>>(ring_grid(world), "u");
         auto const v = std::make_shared<Field<int, 1>>(u->grid(), "v");
         auto const halo = std::make_shared<Halo>(make_halo(*u, *v));
         u->fill([](position<1> x) { return x[0]; });
         return [=] {
           halo->run();
           double const spacing = u->grid().spacing()[0];
           CHECK(std::abs(std::remainder(u->view()(-1) - u->view()(0) + spacing, 1.0)) < 1e-12);
         };
       }},
      {"the halo of u",
       [](Communicator const& world) -> called {
         auto const u = std::make_shared<Field<double, 1>>(ring_grid(world), "u");
         auto const halo = std::make_shared<Halo>(make_halo(*u));
         return [=] { halo->start().wait(); };
       }},
      {"a sweep of u and next",
       [](Communicator const& world) -> called {
         auto const u = std::make_shared<Field<double, 1>>(ring_grid(world), "u");
         auto const next = std::make_shared<Field<double, 1>>(u->grid(), "next");
         u->fill(1.0);
         auto const loop = std::make_shared<Iterate<double, 1>>(u->grid(), *u, *next);
         return [=] {
           loop->sweeps(3, [](auto const& at, int i) { return at(i - 1) + at(i + 1); });
           CHECK(u->view()(0) == 8.0);
         };
       }},
      {"Iterate::change",
       [](Communicator const& world) -> called {
         auto const u = std::make_shared<Field<double, 1>>(ring_grid(world), "u");
         auto const next = std::make_shared<Field<double, 1>>(u->grid(), "next");
         auto const loop = std::make_shared<Iterate<double, 1>>(u->grid(), *u, *next);
         loop->sweep([](auto const& at, int i) { return at(i - 1) + 1; });
         return [=] { CHECK(loop->change() == 1.0); };
       }},
      {"the halo of u",
       [](Communicator const& world) -> called {
         auto const u = std::make_shared<Field<double, 1>>(ring_grid(world), "u");
         auto const halo = std::make_shared<PartitionedHalo<1>>(make_partitioned_halo(*u));
         return [=] {
           halo->start();
           halo->ready(u->owned());
           halo->wait();
         };
       }},
      {"write",
       [](Communicator const& world) -> called {
         auto const u = std::make_shared<Field<double, 1>>(ring_grid(world), "u");
         return [=] { write(u->grid(), *u, "stall.vtkhdf"); };
       }},
      {"the halo of m",
       [](Communicator const& world) -> called {
         Mesh const mesh(world, box_mesh(world, shape::hexahedron, {4, 4, 4}));
         auto const m = std::make_shared<MeshField<double>>(mesh, "m", 0);
         auto const halo = std::make_shared<MeshHalo>(make_halo(*m));
         return [=] { halo->run(); };
       }},
  };
}

/// Some rank of those that wait for `late`, which is all of two, and a neighbor on a ring.
void check_line(std::string const& said, Communicator const& world, char const* name, int late,
                std::string const& instead) {
  auto const pattern = fmt::format("seam: rank [0-9]+ has waited for [0-9.]+ s in {}, a call of {} "
                                   "ranks: rank {} has not made it, it {}[^\\n]*\\n",
                                   name, world.size(), late, instead);
  INFO(pattern);
  CHECK(std::regex_match(said, std::regex(pattern)));
}

void check_late(std::vector<late_call> const& calls) {
  auto const world = testing::world();
  int turn = 0;
  for (bool const checked : {true, false}) {
    checks_in_scope const mode(checked);
    for (late_call const& tried : calls) {
      int const late = turn++ % world.size();
      INFO(tried.name << (checked ? ", checked" : "") << ", rank " << late << " is late");
      called const call = tried.make(world);
      auto const said = said_before(late, call);
      INFO(said);
      check_line(said, world, tried.name, late, "computes");
    }
  }
}

/// Rank `to` receives a number from rank `from`.
void pass_one(Communicator const& world, int to, int from) {
  int value = from;
  if (world.rank() == to)
    receive(world, {&value, 1, MPI_INT}, from);
  if (world.rank() == from)
    send(world, {&value, 1, MPI_INT}, to);
}

/// What rank 0 does, which rank 1 is late for.
struct late_message {
  char const* name; ///< as the line says it
  std::function<void(Communicator const&)> pass;
};

std::vector<late_message> messages() {
  return {
      {"receive", [](Communicator const& world) { pass_one(world, 0, 1); }},
      {"receive",
       [](Communicator const& world) {
         int value = 1;
         if (world.rank() == 0)
           start_receive(world, {&value, 1, MPI_INT}, 1).wait();
         if (world.rank() == 1)
           start_send(world, {&value, 1, MPI_INT}, 0).wait();
       }},
      {"send",
       [](Communicator const& world) {
         std::vector<int> values(1 << 20); // which the library does not keep
         if (world.rank() == 0)
           send(world, values, 1);
         if (world.rank() == 1)
           receive(world, values, 0);
       }},
      {"precv_init from rank 1, tag 5",
       [](Communicator const& world) {
         std::vector<int> values(8, world.rank());
         if (world.rank() > 1)
           return;
         auto passed = world.rank() == 0 ? precv_init(world, in_partitions(values, 2), 1, 5)
                                         : psend_init(world, in_partitions(values, 2), 0, 5);
         passed.start();
         if (world.rank() == 1)
           passed.ready_range(0, 1);
         passed.wait();
         CHECK(values.front() == 1);
       }},
  };
}

void check_messages(std::vector<late_message> const& all) {
  auto const world = testing::world();
  for (bool const checked : {true, false}) {
    checks_in_scope const mode(checked);
    for (late_message const& message : all) {
      auto const said = said_before(1, [&] { message.pass(world); });
      INFO(message.name << ": " << said);
      auto const pattern = fmt::format("seam: rank 0 has waited for [0-9.]+ s in {}, which needs "
                                       "rank 1: it computes[^\\n]*\\n",
                                       message.name);
      CHECK(std::regex_match(said, std::regex(pattern)));
    }
  }
}

/// Stalls are reported after a short time, by ranks that ask each other.
struct reporting {
  explicit reporting(stall_time after = limit) : others(set(after)) {}
  ~reporting() { set_time_before_report(std::nullopt); }
  reporting(reporting const&) = delete;
  reporting& operator=(reporting const&) = delete;

  static mpi::comm_view set(stall_time after) {
    set_time_before_report(after);
    return MPI_COMM_WORLD;
  }
  watching others;
};

} // namespace

TEST_CASE("a rank that does not come to a collective is named, whatever the call does") {
  reporting const now;
  check_late(collective_calls());
}

TEST_CASE("a rank that does not come to a halo, a sweep, or what makes them is named") {
  reporting const now;
  check_late(calls_on_grids());
}

TEST_CASE("a rank that has left is said to have left") {
  reporting const now;
  auto const world = testing::world();
  std::optional<leaving> gone;
  auto const said = said_before(
      1,
      [&] {
        gone.reset();
        run(world, barrier());
      },
      [&] { gone.emplace(); });
  INFO(said);
  CHECK(said.find("rank 1 has not made it, it has left\n") != std::string::npos);
}

TEST_CASE("after long waits, too, a rank has time to answer what it does") {
  reporting const now(stall_time(2.5));
  auto const world = testing::world();
  auto const said = said_before(world.size() - 1, [&] { run(world, barrier()); });
  INFO(said);
  CHECK(said.find(fmt::format("rank {} has not made it, it computes", world.size() - 1)) !=
        std::string::npos);
  CHECK(said.find("does not answer") == std::string::npos);
}

TEST_CASE("a rank that computes below MPI_THREAD_MULTIPLE is said not to answer") {
  if (mpi::thread_level() == MPI_THREAD_MULTIPLE)
    return;
  reporting const now;
  auto const world = testing::world();
  auto const said = said_before(
      1, [&] { run(world, barrier()); }, [] {}, [] {});
  INFO(said);
  CHECK(said.find("rank 1 does not answer, it computes or is in a call of the MPI library\n") !=
        std::string::npos);
}

TEST_CASE("a wait for a message names the rank at its other end, and what that does instead") {
  reporting const now;
  check_messages(messages());
}

TEST_CASE("a root that gathers a field names the rank whose cells are missing") {
  reporting const now;
  auto const world = testing::world();
  Field<double, 1> u(ring_grid(world), "u");
  u.fill(2.0);
  auto const said = said_before(1, [&] {
    auto const whole = gather(u);
    CHECK(std::ranges::count(whole, 2.0) == (world.rank() == 0 ? 8 * world.size() : 0));
  });
  INFO(said);
  CHECK(std::regex_match(said, std::regex("seam: rank 0 has waited for [0-9.]+ s in gather, which "
                                          "needs rank 1: it computes[^\n]*\n")));
}

TEST_CASE("a wait for a message of a rank that has left, or waits itself, says so") {
  reporting const now;
  auto const world = testing::world();
  std::optional<leaving> gone;
  auto const left = said_before(
      1,
      [&] {
        gone.reset();
        pass_one(world, 0, 1);
      },
      [&] { gone.emplace(); });
  INFO(left);
  CHECK(left.find("in receive, which needs rank 1: it has left\n") != std::string::npos);
  if (world.size() < 3)
    return;
  // Rank 0 waits for rank 1, which waits for rank 2.
  auto const pass_both = [&] { pass_one(world, 1, 2), pass_one(world, 0, 1); };
  auto const waits = said_before(
      2, pass_both, [] {}, progress_all, 2);
  INFO(waits);
  CHECK(waits.find("in receive, which needs rank 1: it waits in receive\n") != std::string::npos);
  CHECK(waits.find("in receive, which needs rank 2: it computes") != std::string::npos);
}

TEST_CASE("a wait for a message of any rank says what all of them do") {
  reporting const now;
  auto const world = testing::world();
  if (world.size() != 3)
    return;
  auto const said = said_before(1, [&] {
    int value = 0;
    if (world.rank() == 0)
      receive(world, {&value, 1, MPI_INT}, MPI_ANY_SOURCE);
    if (world.rank() == 1)
      send(world, {&value, 1, MPI_INT}, 0);
  });
  INFO(said);
  CHECK(std::regex_search(said, std::regex("in receive, which needs one of 2 ranks: rank 1 "
                                           "computes[^;]*; rank 2 computes[^;]*\n")));
}

TEST_CASE("a rank that waits in another call is said to wait there") {
  reporting const now;
  auto const world = testing::world();
  auto const others = world.dup();
  if (world.size() < 4)
    return;
  // Rank 2 waits for a message of rank 3, which comes late to both.
  auto const call = [&] {
    int value = 0;
    if (world.rank() == 2)
      receive(others, {&value, 1, MPI_INT}, 3, 0);
    if (world.rank() == 3)
      send(others, {&value, 1, MPI_INT}, 2, 0);
    run(world, barrier());
  };
  auto const said = said_before(
      3, call, [] {}, progress_all, 2); // of rank 2, and of all others
  INFO(said);
  CHECK(said.find("in barrier, a call of 4 ranks: rank 2 has not made it, it waits in receive; "
                  "rank 3 has not made it, it computes") != std::string::npos);
}

TEST_CASE(
    "a rank that is in the MPI library alone is named, too, and what is missing in its wait") {
  reporting const now;
  auto const world = testing::world();
  Grid<1> const grid = ring_grid(world);
  auto u = grid.field<double>("u");
  auto halo = make_partitioned_halo(u);
  auto const said = said_before(1, [&] {
    halo.start();
    halo.ready(u.owned());
    halo.wait();
  });
  INFO(said);
  CHECK(said.find("; an exchange in round 1 of") != std::string::npos);
  CHECK(said.find("nothing has come from rank 1") != std::string::npos);
}

TEST_CASE("of a group that makes a communicator the late rank is named, and no other is asked") {
  reporting const now;
  auto const world = testing::world();
  if (world.size() < 3)
    return;
  // The last two ranks.
  int const late = world.size() - 1;
  auto const said = said_before(late, [&] {
    if (world.rank() < world.size() - 2)
      return;
    mpi::group all, last_two;
    MPI_Comm_group(MPI_COMM_WORLD, all.receive());
    std::array const ranks{world.size() - 2, world.size() - 1};
    MPI_Group_incl(all.native(), 2, ranks.data(), last_two.receive());
    CHECK(world.create_group(last_two.native()).size() == 2);
  });
  INFO(said);
  auto const expected = fmt::format("seam: rank {} has waited for [0-9.]+ s in "
                                    "Communicator::create_group, a call of 2 ranks: rank {} has "
                                    "not made it, it computes[^\\n]*\n",
                                    late - 1, late);
  CHECK(std::regex_match(said, std::regex(expected)));
}

TEST_CASE("without a Runtime ranks report their own waits, also in the MPI library") {
  auto const world = testing::world();
  int const late = 1;
  std::vector<std::pair<char const*, called>> const calls{
      {"MPI_Barrier", [&] { mpi::barrier(world); }},
      {"Communicator::split", [&] { world.split(0, 0); }},
      {"make_graph", [&] { ring_of(world); }},
      {"barrier", [&] { run(world, barrier()); }}};
  for (auto const& [name, call] : calls) {
    set_time_before_report(limit);
    auto const said = said_before(
        late, call, [] {}, [] {}, world.size() - 1);
    set_time_before_report(std::nullopt);
    INFO(name << ": " << said);
    for (int rank = 0; rank < world.size(); ++rank) {
      std::regex const line(
          fmt::format("seam: rank {} has waited for [0-9.]+ s in {}(: [^\\n]*)?\n", rank, name));
      auto const begin = std::sregex_iterator(said.begin(), said.end(), line);
      CHECK(std::distance(begin, std::sregex_iterator()) == (rank == late ? 0 : 1));
    }
  }
}

TEST_CASE("a wait for a lock on a window names its target at every thread level") {
  reporting const now;
  auto const world = testing::world();
  window<int> memory(world, 1);
  int const one = 1;
  // Rank 1 keeps the lock on its own memory until rank 0 has said that it waits for it.
  std::optional<window<int>::locked_target> held;
  if (world.rank() == 1)
    held.emplace(memory.lock(1));
  meet();
  auto const said = said_before(1, [&] {
    held.reset();
    if (world.rank() == 0) {
      auto own = memory.lock(1);
      memory.accumulate(1, 0, std::span<int const>(&one, 1), std::plus<>());
    }
  });
  INFO(said);
  CHECK(std::regex_match(said, std::regex("seam: rank 0 has waited for [0-9.]+ s in the (un)?lock "
                                          "of a window[^\n]*\n")));
}

TEST_CASE("waits that are shorter than the limit are not reported") {
  set_time_before_report(stall_time(30));
  auto const world = testing::world();
  watching const now(MPI_COMM_WORLD);
  common_stderr const told;
  for (int round = 0; round < 20; ++round) {
    if (world.rank() == round % world.size())
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    run(world, barrier());
  }
  CHECK(told.text().empty());
  set_time_before_report(std::nullopt);
}

TEST_CASE("in checked mode two threads at a time in calls of one communicator are told so") {
  if (mpi::thread_level() < MPI_THREAD_MULTIPLE)
    return;
  auto const world = testing::world();
  checks_in_scope const checked(true);
  std::string line;
  auto const planned = [&] { return prepare(world, barrier()); };
  operation twice = planned();
  auto const both = [&](std::function<void()> const& first, std::function<void()> const& second) {
    if (world.rank() != 0) {
      MPI_Barrier(MPI_COMM_WORLD);
      return first();
    }
    auto& main = calls_of_this_thread();
    std::thread other([&] {
      while (main.name.load() == nullptr || !main.waits())
        std::this_thread::yield();
      try {
        second();
      } catch (usage_error const& problem) {
        line = problem.what();
      }
      MPI_Barrier(MPI_COMM_WORLD);
    });
    first();
    other.join();
  };
  int const one = 1;
  int sum = 0;
  both([&] { run(world, barrier()); },
       [&] { run(world, allreduce(std::span(&one, 1), std::span(&sum, 1), std::plus<>())); });
  std::string const expected =
      world.rank() == 0 ? "collective: two threads of one process at a time on one communicator or "
                          "operation, in barrier and allreduce"
                        : "";
  CHECK_THAT(line, Catch::StartsWith(expected));
  line.clear();
  both([&] { twice.run(); }, [&] { twice.run(); });
  if (world.rank() == 0)
    CHECK_THAT(line, Catch::Contains("in barrier and barrier"));
}
