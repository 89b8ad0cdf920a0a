// Operations in flight complete in any order, whatever their processes do meanwhile: wait for other
// operations, exchange halos, sweep, communicate by MPI's own calls.
#include <seam/exchange/collectives/allgather.hpp>
#include <seam/exchange/collectives/alltoall.hpp>
#include <seam/exchange/collectives/reduce.hpp>
#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/mpi/detail/check.hpp>
#include <seam/exchange/sparse/sparse_exchange.hpp>
#include <seam/mapping/cartesianity.hpp>
#include <seam/mapping/dims.hpp>
#include <seam/mapping/named_communicator.hpp>
#include <seam/mapping/neighbors.hpp>
#include <seam/mapping/network.hpp>
#include <seam/stencil/roles/iterate.hpp>

#include <support/catch.hpp>
#include <support/operations_in_flight.hpp>
#include <support/world.hpp>

#include <fmt/format.h>

#include <condition_variable>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <thread>

using namespace seam;
using namespace seam::detail;

namespace {

using testing::subject, testing::neighbor_exchange, testing::running_sum, testing::ghost_exchange,
    testing::partitioned_exchange;
using testing::values;
using namespace std::chrono_literals;

/// Ends the job with a line if its scope takes longer.
class time_bound {
public:
  time_bound(std::string what, std::chrono::seconds limit)
      : thread_([this, what = std::move(what), limit](std::stop_token const& stop) {
          std::unique_lock lock(mutex_);
          if (!ended_.wait_for(lock, stop, limit, [&] { return stop.stop_requested(); })) {
            std::fprintf(stderr, "still running after %ld s: %s\n", long(limit.count()),
                         what.c_str());
            std::_Exit(1);
          }
        }) {}

private:
  std::mutex mutex_;
  std::condition_variable_any ended_;
  std::jthread thread_;
};

constexpr auto limit = 100s; // of a program, which takes milliseconds alone

/// A periodic grid of processes, each with its Moore neighbors; messages are combined, in a round
/// for each axis.
Communicator make_torus(Communicator const& world) {
  CartesianNaming const naming(world.size(), dims_create(world.size(), std::vector{0, 0}),
                               {true, true});
  name(world.view(), naming);
  set_network({.latency = 1, .seconds_per_byte = 0});
  Communicator torus = make_named_graph(world, make_topology(naming, world.rank(), moore(1)));
  REQUIRE(torus.structure() != nullptr);
  return torus;
}

/// Calls that all ranks make in the same order, each to its end.
class common_calls {
public:
  common_calls(Communicator const& world, Communicator const& torus, Grid<2> const& grid)
      : world_(world),
        torus_(torus),
        sparse_(world),
        u_(grid.field<double>("u")),
        next_(grid.field<double>("next")),
        loop_(grid, u_, next_) {}

  static constexpr int count = 7;

  /// True if the results are right.
  bool make(int which) {
    switch (which) {
    case 0: return sum_is_right([](int mine) { return sum_by_seam(mine); });
    case 1: return sum_is_right([](int mine) { return sum_by_mpi(mine); });
    case 2: return mpi::check(MPI_Barrier(MPI_COMM_WORLD), "MPI_Barrier"), true;
    case 3: return gather_along_torus();
    case 4: return send_sparsely();
    case 5: return loop_.sweep(KOKKOS_LAMBDA(auto u, int i, int j) { return u(i, j - 1); }), true;
    default: return world_.dup().size() == world_.size();
    }
  }

private:
  static int sum_by_mpi(int mine) {
    mpi::check(MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD),
               "MPI_Allreduce");
    return mine;
  }
  static int sum_by_seam(int mine) {
    static Communicator const world = testing::world();
    values const out{mine};
    values in(1);
    run(world, allreduce(out, in, std::plus<>()));
    return static_cast<int>(in[0]);
  }
  bool sum_is_right(int (*sum)(int)) const {
    return sum(world_.rank() + 1) == world_.size() * (world_.size() + 1) / 2;
  }

  bool gather_along_torus() {
    auto const sources = torus_.topology().sources();
    values const out{torus_.rank()};
    values in(sources.size(), -1);
    run(torus_, allgather(out, in));
    return std::ranges::equal(in, sources, {}, {}, &edge::rank);
  }

  bool send_sparsely() {
    int const rank = world_.rank(), size = world_.size(), reach = 1 + rank % 2;
    for (int k = 1; k <= reach; ++k)
      sparse_.pack((rank + k) % size, rank);
    sparse_.exchange();
    int num_received = 0;
    bool right = true;
    for (; sparse_.receive(); ++num_received)
      right = sparse_.unpack<int>() == sparse_.from() && right;
    return right && num_received > 0;
  }

  Communicator const& world_;
  Communicator const& torus_;
  SparseExchange sparse_;
  Field<double, 2> u_, next_;
  Iterate<double, 2> loop_;
};

/// One program: operations are started in the order that all ranks share, completed by each rank in
/// an order of its own, with calls in between that all make.
class random_program {
public:
  random_program(Communicator const& world, Communicator const& torus, Grid<2> const& grid,
                 unsigned seed)
      : common_(seed), own_(seed * 1000 + unsigned(world.rank())), calls_(world, torus, grid) {
    int const num_subjects = 3 + static_cast<int>(common_() % 8);
    for (int s = 0; s < num_subjects; ++s)
      subjects_.push_back({make_subject(world, torus, grid, common_() % 9), false});
  }

  /// True if all results are right.
  bool run() {
    for (int turn = 0; turn < 40; ++turn) {
      auto const kind = common_() % 5;
      if (kind < 3)
        start(subjects_[common_() % subjects_.size()], turn);
      else
        right_ = calls_.make(static_cast<int>(common_() % common_calls::count)) && right_;
      complete_some();
    }
    while (complete_one()) {
    }
    return right_;
  }

private:
  struct started_subject {
    std::unique_ptr<subject> what;
    bool in_flight;
  };

  static std::unique_ptr<subject> make_subject(Communicator const& world, Communicator const& torus,
                                               Grid<2> const& grid, std::size_t which) {
    using enum running_sum::kind;
    switch (which) {
    case 0: return std::make_unique<neighbor_exchange>(torus, true, true);
    case 1: return std::make_unique<neighbor_exchange>(torus, true, false);
    case 2: return std::make_unique<neighbor_exchange>(torus, false, true);
    case 3: return std::make_unique<neighbor_exchange>(torus, false, false);
    case 4: return std::make_unique<running_sum>(world, scan);
    case 5: return std::make_unique<running_sum>(world, exscan);
    case 6: return std::make_unique<running_sum>(world, running_sum::kind::allreduce);
    case 7: return std::make_unique<ghost_exchange>(grid);
    default: return std::make_unique<partitioned_exchange>(world);
    }
  }

  void start(started_subject& started, int turn) {
    complete(started);
    started.what->start(turn);
    started.in_flight = true;
  }

  void complete(started_subject& started) {
    if (!started.in_flight)
      return;
    if (own_() % 2 == 0)
      for (int looks = static_cast<int>(own_() % 100); looks > 0 && !started.what->test();
           --looks) {
      }
    started.what->wait();
    started.in_flight = false;
    right_ = started.what->is_right() && right_;
  }

  void complete_some() {
    for (auto left = own_() % 4; left > 1; --left)
      complete_one();
  }

  /// Any one of those in flight; false if there is none.
  bool complete_one() {
    std::vector<started_subject*> flying;
    for (started_subject& started : subjects_)
      if (started.in_flight)
        flying.push_back(&started);
    if (flying.empty())
      return false;
    complete(*flying[own_() % flying.size()]);
    return true;
  }

  std::mt19937 common_, own_;
  common_calls calls_;
  std::vector<started_subject> subjects_;
  bool right_ = true;
};

unsigned number_from_environment(char const* name, unsigned otherwise) {
  char const* const text = std::getenv(name); // NOLINT(concurrency-mt-unsafe)
  return text == nullptr ? otherwise : static_cast<unsigned>(std::strtoul(text, nullptr, 10));
}

} // namespace

TEST_CASE("two operations complete though they are waited for in opposite orders") {
  auto const world = testing::world();
  Communicator const torus = make_torus(world);
  for (bool const checked : {false, true})
    for (bool const is_prepared : {false, true}) {
      checks_in_scope const mode(checked);
      time_bound const bound("opposite orders", limit);
      neighbor_exchange first(torus, true, is_prepared), second(torus, false, is_prepared);
      for (int turn = 0; turn < 20; ++turn) {
        first.start(turn), second.start(turn);
        bool const turned = (world.rank() + turn) % 2 == 0;
        (turned ? first : second).wait();
        (turned ? second : first).wait();
        REQUIRE(first.is_right());
        REQUIRE(second.is_right());
      }
    }
}

TEST_CASE("an operation completes while other processes are in a call of the MPI library") {
  auto const world = testing::world();
  Communicator const torus = make_torus(world);
  using enum running_sum::kind;
  checks_in_scope const unchecked(false);
  time_bound const bound("one waits, the others are in MPI_Allreduce", limit);
  neighbor_exchange started(torus, true, false), prepared(torus, false, true);
  running_sum prefix(world, scan), before(world, exscan);
  for (subject* const tried :
       std::initializer_list<subject*>{&started, &prepared, &prefix, &before}) {
    for (int waiting = 0; waiting < world.size(); ++waiting) {
      tried->start(waiting);
      if (world.rank() == waiting)
        tried->wait();
      int sum = 1;
      mpi::check(MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD),
                 "MPI_Allreduce");
      if (world.rank() != waiting)
        tried->wait();
      REQUIRE(tried->is_right());
    }
  }
}

TEST_CASE("an operation completes while other processes compute") {
  auto const world = testing::world();
  Communicator const torus = make_torus(world);
  checks_in_scope const unchecked(false);
  time_bound const bound("one waits, the others compute until it is done", limit);
  MPI_Win window = MPI_WIN_NULL;
  int* done = nullptr;
  mpi::check(MPI_Win_allocate_shared(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &done,
                                     &window),
             "MPI_Win_allocate_shared");
  MPI_Aint bytes = 0;
  int unit = 0;
  mpi::check(MPI_Win_shared_query(window, 0, &bytes, &unit, static_cast<void*>(&done)),
             "MPI_Win_shared_query");
  std::atomic_ref<int> const is_done(*done);
  if (world.rank() == 0)
    is_done = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  neighbor_exchange started(torus, true, false);
  started.start(1);
  if (world.rank() == 0) {
    started.wait();
    is_done = 1;
  }
  while (is_done == 0)
    std::this_thread::yield();
  if (world.rank() != 0)
    started.wait();
  REQUIRE(started.is_right());
  mpi::check(MPI_Win_free(&window), "MPI_Win_free");
}

// SEAM_FLIGHT_PROGRAMS: how many; SEAM_FLIGHT_SEED: the first one's seed.
TEST_CASE("random programs end, with right results") {
  auto const world = testing::world();
  Communicator const torus = make_torus(world);
  Grid<2> const grid(world,
                     {.cells = {17, 19}, .periodic = {true, true}, .neighborhood = moore(1)});
  unsigned const count = number_from_environment("SEAM_FLIGHT_PROGRAMS", 12);
  unsigned const first = number_from_environment("SEAM_FLIGHT_SEED", 1);
  for (unsigned seed = first; seed < first + count; ++seed) {
    checks_in_scope const mode(seed % 4 == 0);
    auto const named = fmt::format("random program: SEAM_FLIGHT_SEED={}", seed);
    INFO(named);
    time_bound const bound(named, limit);
    REQUIRE(random_program(world, torus, grid, seed).run());
  }
}
