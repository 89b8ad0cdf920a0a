// Endpoints and threads: the four communicators, attachment, and what is refused.
#include <support/catch.hpp>
#include <support/on_endpoints.hpp>

#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/collectives/barrier.hpp>
#include <seam/exchange/collectives/gather.hpp>
#include <seam/exchange/collectives/reduce.hpp>
#include <seam/exchange/communicator/shared_memory.hpp>
#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/point_to_point/point_to_point.hpp>
#include <seam/exchange/waiting/thread_level.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <future>
#include <optional>
#include <string_view>
#include <thread>

using namespace seam;
using namespace seam::testing;
using Catch::Contains;

namespace {

int rank_of_process() { return mpi::comm_view(MPI_COMM_WORLD).rank(); }
int num_processes() { return mpi::comm_view(MPI_COMM_WORLD).size(); }

/// Endpoints of process `p`: 2, 3, 1, 2, 3, ...
int count_of(int process) { return std::array{2, 3, 1}[static_cast<std::size_t>(process) % 3]; }

int first_of(int process) {
  int first = 0;
  for (int p = 0; p < process; ++p)
    first += count_of(p);
  return first;
}

/// The class and the line of the error of `call`; {0, ""} without an error.
template <class Call>
std::pair<int, std::string> error_of(Call const& call) {
  try {
    call();
  } catch (usage_error const& mistake) {
    return {mistake.error_class(), mistake.what()};
  }
  return {0, ""};
}

/// What a thread of its own returns.
template <class Call>
auto in_thread(Call const& call) {
  return std::async(std::launch::async, call).get();
}

} // namespace

TEST_CASE("a thread sees the four communicators of its endpoint") {
  int const process = rank_of_process(), own = count_of(process);
  Endpoints const endpoints(MPI_COMM_WORLD, own);
  REQUIRE(endpoints.size() == own);
  CHECK(endpoints.all().rank() == first_of(process)); // where a thread begins
  CHECK(endpoints.world().rank() == process);
  CHECK(endpoints.world().size() == num_processes());
  in_threads(own, [&](int index) {
    EXPECT(endpoints.all().rank() == first_of(process));
    attach(first_of(process) + index, endpoints.all());
    EXPECT(endpoints.all().rank() == first_of(process) + index);
    EXPECT(endpoints.all().size() == first_of(num_processes()));
    EXPECT(endpoints.clique().rank() == index);
    EXPECT(endpoints.clique().size() == own);
    EXPECT(endpoints.self().rank() == 0);
    EXPECT(endpoints.self().size() == 1);
    int const sum = mpi::allreduce(endpoints.all(), endpoints.all().rank(), MPI_SUM);
    EXPECT(sum == first_of(num_processes()) * (first_of(num_processes()) - 1) / 2);
    EXPECT(mpi::allreduce(endpoints.clique(), 1, MPI_SUM) == own);
  });
}

TEST_CASE("a thread moves from endpoint to endpoint, and sends as the one that it is attached to") {
  Endpoints const endpoints(MPI_COMM_SELF, 4);
  in_thread([&] {
    for (int rank = 0; rank < 4; ++rank) { // the figure of the paper: rank 2 of the clique sends
      attach(rank, endpoints.clique());
      int const value = 10 * rank;
      send(endpoints.clique(), std::span(&value, 1), (rank + 1) % 4, 5);
    }
    for (int rank = 0; rank < 4; ++rank) {
      attach(rank, endpoints.all());
      int value = -1;
      auto const got = receive(endpoints.clique(), std::span(&value, 1), MPI_ANY_SOURCE, 5);
      EXPECT(got.source == (rank + 3) % 4);
      EXPECT(value == 10 * got.source);
    }
    return 0;
  });
}

TEST_CASE("attachment to what is no endpoint of the process is an error of the class ENDPOINTS") {
  int const process = rank_of_process();
  Endpoints const endpoints(MPI_COMM_WORLD, 2);
  Communicator const processes = Communicator::dup(MPI_COMM_WORLD);
  int const size = endpoints.all().size();
  auto const refused = [&](int rank, mpi::comm_view among) {
    return error_of([&] { attach(rank, among); });
  };
  int const ours = Endpoints::error_class();
  CHECK(refused(-1, endpoints.all()).first == ours);
  CHECK_THAT(refused(size, endpoints.all()).second,
             Contains("attach: endpoint " + std::to_string(size)) && Contains("expected 0 to"));
  CHECK_THAT(refused(0, MPI_COMM_NULL).second, Contains("MPI_COMM_NULL"));
  CHECK_THAT(refused(0, processes).second, Contains("communicator of processes"));
  if (num_processes() > 1) {
    auto const [error_class, line] =
        refused(2 * ((process + 1) % num_processes()), endpoints.all());
    CHECK(error_class == ours);
    CHECK_THAT(line, Contains("belongs to process"));
  }
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(ours, text, &length);
  CHECK_THAT(std::string(text), Contains("ENDPOINTS"));
}

TEST_CASE("of a bipartite communicator no endpoint can be attached to") {
  Endpoints const endpoints(MPI_COMM_SELF, 3);
  Communicator const& first = endpoints.all();
  in_threads(3, [&](int k) {
    attach(k, first);
    auto const sides = endpoints.all().two_sides(k == 0 ? 0 : 1);
    auto const [error_class, line] = error_of([&] { attach(0, *sides); });
    EXPECT(error_class == Endpoints::error_class());
    EXPECT(line.find("a bipartite communicator") != std::string::npos);
    EXPECT(endpoints.all().rank() == k); // the thread is where it was
  });
}

TEST_CASE("a call without attachment, or with another endpoint's communicator, is refused") {
  Endpoints const endpoints(MPI_COMM_SELF, 2);
  Communicator const& first = endpoints.all();
  int value = 0;
  in_thread([&] {
    attach(1, first);
    auto const other = error_of([&] { mpi::allreduce(first, value, MPI_SUM); });
    EXPECT(other.first == Endpoints::error_class());
    EXPECT(other.second.find("attached to endpoint 1 (expected endpoint 0") != std::string::npos);
    EXPECT(error_of([&] { send(first, std::span(&value, 1), 0); }).first ==
           Endpoints::error_class());
    EXPECT(error_of([&] {
             run(first, allreduce(std::span(&value, 1), std::span(&value, 1), std::plus<>()));
           }).first == Endpoints::error_class());
    EXPECT(error_of([&] { endpoints.world(); }).second.find("the 2. of its process") !=
           std::string::npos);
    detach();
    auto const none = error_of([&] { endpoints.clique(); });
    EXPECT(none.first == Endpoints::error_class());
    EXPECT(none.second.find("attached to no endpoint") != std::string::npos);
    EXPECT(error_of([&] { send(first, std::span(&value, 1), 0); }).second.find("attach first") !=
           std::string::npos);
    attach(0, first);
    EXPECT(endpoints.all().rank() == 0);
    return 0;
  });
}

TEST_CASE("a new thread begins at the endpoint of the thread that has made it") {
  Endpoints const endpoints(MPI_COMM_SELF, 3);
  Communicator const& first = endpoints.all();
  auto const rank_here = [&] { return endpoints.all().rank(); };
  char const* const setting = std::getenv("SEAM_INHERIT_ENDPOINTS");
  bool const inherits = setting == nullptr || std::string_view(setting) != "off";
  CHECK(in_thread(rank_here) == 0);
  in_thread([&] {
    attach(2, first);
    EXPECT(in_thread(rank_here) == (inherits ? 2 : 0));
    EXPECT(in_thread([&] { return in_thread(rank_here); }) == (inherits ? 2 : 0));
    std::jthread moved([&] {
      attach(1, first);
      EXPECT(in_thread(rank_here) == (inherits ? 1 : 0));
    });
    moved.join();
    EXPECT(rank_here() == 2);
    detach();
    EXPECT(in_thread([&] { return error_of(rank_here).first; }) ==
           (inherits ? Endpoints::error_class() : 0));
    return 0;
  });
  CHECK(in_thread(rank_here) == 0);
}

TEST_CASE("a thread may outlive the endpoint that it has begun at") {
  std::promise<void> ended;
  auto const is_over = ended.get_future().share();
  std::future<bool> later;
  {
    Endpoints const endpoints(MPI_COMM_SELF, 2);
    Communicator const& first = endpoints.all();
    in_thread([&] {
      attach(1, first);
      later = std::async(std::launch::async, [is_over] {
        is_over.wait();
        Endpoints const next(MPI_COMM_SELF, 1);
        return next.all().rank() == 0;
      });
      return 0;
    });
  }
  ended.set_value();
  CHECK(later.get());
}

TEST_CASE("with MPI_THREAD_FUNNELED an endpoint has one thread, all endpoints at once") {
  mpi::limit_thread_level(MPI_THREAD_FUNNELED);
  Endpoints const endpoints(MPI_COMM_SELF, 3);
  Communicator const& first = endpoints.all();
  in_thread([&] {
    attach(1, first);
    in_thread([&] {
      auto const taken = error_of([&] { attach(1, first); });
      EXPECT(taken.first == Endpoints::error_class());
      EXPECT(taken.second.find("MPI_THREAD_FUNNELED") != std::string::npos);
      attach(2, first);
      return 0;
    });
    in_thread([&] {
      attach(2, first); // the thread before has ended
      return 0;
    });
    return 0;
  });
  mpi::limit_thread_level(MPI_THREAD_MULTIPLE);
}

TEST_CASE("with MPI_THREAD_SERIALIZED one thread of an endpoint calls at a time") {
  checks_in_scope const checked(true);
  mpi::limit_thread_level(MPI_THREAD_SERIALIZED);
  Endpoints const endpoints(MPI_COMM_SELF, 2);
  Communicator const& first = endpoints.all();
  auto const error_on = [&](int rank) {
    return in_thread([&, rank] {
      attach(rank, first);
      return error_of([] { detail::call_of_thread const now("test", "a call"); }).second;
    });
  };
  in_thread([&] {
    attach(1, first);
    detail::call_of_thread const under_way("test", "a call");
    EXPECT(error_on(0).empty());
    EXPECT(error_on(1).find("another thread is in a call") != std::string::npos);
    return 0;
  });
  CHECK(error_on(1).empty());
  mpi::limit_thread_level(MPI_THREAD_MULTIPLE);
}

TEST_CASE("two threads in collectives of one endpoint are refused in checked mode") {
  checks_in_scope const checked(true);
  Endpoints const endpoints(MPI_COMM_SELF, 2);
  Communicator const& first = endpoints.all();
  std::promise<void> refused;
  std::jthread second([&, may_come = refused.get_future()]() mutable {
    attach(1, first);
    Communicator const& own = endpoints.all();
    may_come.wait();
    run(own, barrier());
  });
  // Of two threads in the barrier the later one is refused; the other waits for endpoint 1.
  auto const enter = [&] {
    auto line = error_of([&] { run(first, barrier()); }).second;
    if (!line.empty())
      refused.set_value();
    return line;
  };
  auto line_of_other = std::async(std::launch::async, [&] {
    attach(0, first);
    return enter();
  });
  std::string const own = enter(), other = line_of_other.get();
  CHECK_THAT(own + other, Contains("two threads of one process at a time"));
  CHECK((own.empty() || other.empty()));
}

TEST_CASE("threads attach and detach a million times") {
  Endpoints const endpoints(MPI_COMM_SELF, 2);
  Communicator const& first = endpoints.all();
  for (int time = 0; time < 1'000'000; ++time) {
    attach(time % 2, first);
    detach();
  }
  attach(0, first);
  CHECK(endpoints.all().rank() == 0);
}

TEST_CASE("a request ends where it began, also if its thread has ended") {
  Endpoints const endpoints(MPI_COMM_SELF, 2);
  Communicator const& first = endpoints.all();
  Communicator const* second = nullptr;
  std::optional<in_flight> pending;
  int value = 0;
  in_thread([&] {
    attach(1, first);
    second = &endpoints.all();
    pending.emplace(start_receive(*second, std::span(&value, 1), 0, 3));
    return 0;
  });
  CHECK(error_of([&] { pending->test(); }).first == Endpoints::error_class());
  int const sent = 7;
  send(first, std::span(&sent, 1), 1, 3);
  in_thread([&] {
    attach(1, first);
    pending->wait();
    EXPECT(value == 7);
    pending.reset();
    return 0;
  });
}

TEST_CASE("processes may make different numbers of endpoints, also none") {
  Communicator const world = Communicator::dup(MPI_COMM_WORLD);
  int const process = world.rank();
  auto const own = create_endpoints(world, process % 2 == 0 ? 2 : 0);
  int const all = 2 * ((world.size() + 1) / 2);
  in_threads(static_cast<int>(own.size()), [&](int k) {
    Communicator const& mine = own[static_cast<std::size_t>(k)];
    EXPECT(mine.size() == all);
    EXPECT(mine.rank() == process + k);
    EXPECT(mpi::allreduce(mine, 1, MPI_SUM) == all);
  });
  auto const one_each = create_endpoints(world, 1);
  CHECK(one_each.front().rank() == world.rank());
  CHECK(one_each.front().size() == world.size());
}

TEST_CASE("impossible numbers of endpoints are refused on all processes") {
  Communicator const world = Communicator::dup(MPI_COMM_WORLD);
  int const wrong = world.rank() == world.size() - 1 ? -1 : 2;
  auto const [error_class, line] = error_of([&] { create_endpoints(world, wrong); });
  CHECK(error_class == MPI_ERR_ARG);
  CHECK_THAT(line, Contains("-1 on process " + std::to_string(world.size() - 1)));
  CHECK(error_of([&] { Endpoints const none(world, wrong < 0 ? 0 : 1); }).first == MPI_ERR_ARG);
  auto const own = create_endpoints(world, 1);
  CHECK_THAT(error_of([&] { create_endpoints(own.front(), 1); }).second,
             Contains("made of a communicator of endpoints"));
}

TEST_CASE("a receive that is shorter than its message is an error at its endpoint") {
  for (std::size_t length : {4, 4000}) {
    on_endpoints({2, 1}, [length](Communicator& all) {
      int const size = all.size(), rank = all.rank();
      std::vector<int> const sent(length, rank);
      std::vector<int> received(length / 2, -1);
      auto sending = start_send(all, sent, (rank + 1) % size, 1);
      std::string line;
      try {
        receive(all, received, (rank + size - 1) % size, 1);
      } catch (mpi_error const& failure) {
        EXPECT(failure.error_class() == MPI_ERR_TRUNCATE);
        line = failure.what();
      }
      EXPECT(line.find("bytes from rank") != std::string::npos);
      sending.wait();
      mpi::barrier(all); // the endpoints go on
    });
  }
  SUCCEED();
}

TEST_CASE("tags beyond the limit are refused") {
  auto const own = create_endpoints(Communicator::dup(MPI_COMM_SELF), 1);
  int value = 0;
  auto const [error_class, line] =
      error_of([&] { send(own.front(), std::span(&value, 1), 0, 1 << 30); });
  CHECK(error_class == MPI_ERR_TAG);
  CHECK_THAT(line, Contains("expected 0 to 1073741823"));
}

TEST_CASE("communicators are freed by one endpoint after the other, while others still use them") {
  auto own = create_endpoints(Communicator::dup(MPI_COMM_SELF), 3);
  for (int round = 0; round < 20; ++round)
    in_threads(3, [&](int k) {
      Communicator copy = own[static_cast<std::size_t>(k)].dup();
      std::vector<int> const values(500, k);
      if (k == 0) {
        send(copy, values, 1); // kept for its receiver
        copy.close();
      } else if (k == 1) {
        std::vector<int> received(500, -1);
        receive(copy, received, 0);
        EXPECT(std::ranges::count(received, 0) == 500);
      }
    });
  SUCCEED();
}

TEST_CASE("a communicator that one endpoint alone has freed serves the others") {
  auto own = create_endpoints(Communicator::dup(MPI_COMM_SELF), 3);
  in_threads(3, [&](int k) {
    Communicator copy = own[static_cast<std::size_t>(k)].dup();
    if (k == 0)
      copy.close();
    mpi::barrier(own[static_cast<std::size_t>(k)]);
    if (k == 0)
      return;
    std::vector<int> const values(100, k);
    std::vector<int> received(100, -1);
    send(copy, values, 0); // short: kept, and dropped in the end
    auto sending = start_send(copy, values, 3 - k);
    receive(copy, received, 3 - k);
    sending.wait();
    EXPECT(std::ranges::count(received, 3 - k) == 100);
  });
  SUCCEED();
}

TEST_CASE("memory that one endpoint has allocated may be given back by another") {
  on_endpoints({3, 2}, [](Communicator& all) {
    static std::array<std::shared_ptr<double[]>, 3> of_process; // by endpoint
    int const size = all.size(), rank = all.rank();
    int const here = count_here({3, 2});
    int const first = rank_of_process() / 2 * 5 + rank_of_process() % 2 * 3, index = rank - first;
    for (int round = 0; round < 5; ++round) {
      auto own = allocate<double>(all, 1000);
      std::fill_n(own.get(), 1000, 100.0 * round + rank);
      of_process[std::size_t(index)] = std::move(own);
      mpi::barrier(all);
      int const other = (index + 1) % here;
      auto taken = std::move(of_process[std::size_t(other)]);
      EXPECT(std::count(taken.get(), taken.get() + 1000, 100.0 * round + first + other) == 1000);
      taken.reset();
      mpi::barrier(all);
    }
    EXPECT(mpi::allreduce(all, 1, MPI_SUM) == size);
  });
  SUCCEED();
}

TEST_CASE("messages in flight arrive although their communicators are closed") {
  auto own = create_endpoints(Communicator::dup(MPI_COMM_WORLD), 2);
  int const size = own.front().size();
  for (std::size_t length : {4, 4000})
    in_threads(2, [&](int k) {
      Communicator copy = own[static_cast<std::size_t>(k)].dup();
      int const rank = copy.rank();
      std::vector<int> const sent(length, rank);
      std::vector<int> received(length, -1);
      auto sending = start_send(copy, sent, (rank + 1) % size, 1);
      auto receiving = start_receive(copy, received, (rank + size - 1) % size, 1);
      copy.close();
      receiving.wait();
      sending.wait();
      EXPECT(std::ranges::count(received, (rank + size - 1) % size) == std::ssize(received));
    });
  SUCCEED();
}
