// Windows between endpoints: memory that two of them open, locks that others of the process and of
// other processes wait for, and what is refused.
#include <support/catch.hpp>
#include <support/on_endpoints.hpp>

#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/detail/handle.hpp>
#include <seam/exchange/point_to_point/window.hpp>

#include <algorithm>
#include <array>
#include <complex>
#include <functional>
#include <string>
#include <vector>

using namespace seam;
using namespace seam::detail;
using namespace seam::testing;

namespace {

/// The error line of `call`; "" without an error.
template <class Call>
std::string line_of(Call const& call) {
  try {
    call();
  } catch (std::exception const& problem) {
    return problem.what();
  }
  return "";
}

bool has(std::string const& line, char const* part) { return line.find(part) != std::string::npos; }

} // namespace

TEST_CASE("windows of two endpoints of a process may be the same memory") {
  std::array<int, 8> shared{};
  Communicator const self = Communicator::dup(MPI_COMM_SELF);
  auto const own = create_endpoints(self, 4);
  in_threads(4, [&](int k) {
    Communicator const& all = own[std::size_t(k)];
    // Endpoints 0 and 2 open the lower half and the middle: elements 2 and 3 are in both windows.
    std::int64_t const length = k % 2 == 0 ? 4 * sizeof(int) : 0;
    untyped_window tested(all,
                          {.length = length, .unit = sizeof(int), .data = &shared[std::size_t(k)]});
    int const value = 10 + k;
    tested.fence();
    if (k == 1)
      tested.put(0, 2, {&value, 1, MPI_INT}, {nullptr, 1, MPI_INT});
    if (k == 3)
      tested.put(2, 1, {&value, 1, MPI_INT}, {nullptr, 1, MPI_INT});
    tested.fence();
    int seen[2] = {-1, -1};
    tested.get(2, 0, {seen, 2, MPI_INT}, {nullptr, 2, MPI_INT});
    tested.close_epoch();
    EXPECT(seen[0] == 11);
    EXPECT(seen[1] == 13);
  });
  CHECK(shared == std::array<int, 8>{0, 0, 11, 13, 0, 0, 0, 0});
}

TEST_CASE("an exclusive lock keeps all others out, of the process and of other processes") {
  on_endpoints({2, 1, 3}, [](Communicator& all) {
    int const size = all.size(), rank = all.rank();
    window<std::int64_t> counters(all, 2);
    std::vector<std::int64_t> both(2);
    for (int round = 0; round < 20; ++round) {
      int const target = (rank * 7 + round) % size;
      auto held = counters.lock(target);
      counters.get(target, 0, both);
      held.unlock();
      // Reads and writes as one access: two elements that change together.
      auto again = counters.lock(target, lock_kind::exclusive);
      std::vector<std::int64_t> const one{1, -1};
      counters.accumulate(target, 0, one, std::plus<>());
      again.unlock();
      EXPECT(both[0] + both[1] == 0);
    }
    mpi::barrier(all);
    std::int64_t total = 0;
    for (int target = 0; target < size; ++target) {
      auto shared = counters.lock(target, lock_kind::shared);
      counters.get(target, 0, both);
      shared.unlock();
      total += both[0];
    }
    EXPECT(total == 20 * size);
  });
  SUCCEED();
}

TEST_CASE("locks of several targets are held at a time, and shared ones together") {
  on_endpoints({2, 1}, [](Communicator& all) {
    int const size = all.size(), rank = all.rank();
    window<int> memory(all, size);
    std::vector<int> const own{rank + 1};
    std::vector<window<int>::locked_target> held;
    for (int target = 0; target < size; ++target)
      held.push_back(memory.lock(target, lock_kind::shared));
    mpi::barrier(all); // all ranks hold all locks
    for (int target = 0; target < size; ++target)
      memory.put(target, rank, own);
    held.clear();
    mpi::barrier(all);
    auto const alone = memory.lock(rank);
    for (int from = 0; from < size; ++from)
      EXPECT(memory.local()[std::size_t(from)] == from + 1);
  });
  SUCCEED();
}

TEST_CASE("a rank that makes no call is accessed all the same") {
  on_endpoints({1}, [](Communicator& all) {
    int const size = all.size(), rank = all.rank();
    window<double> memory(all, 2000);
    if (rank > 0) {
      std::vector<double> const values(2000, rank);
      std::vector<double> seen(2000);
      auto held = memory.lock(0);
      memory.put(0, 0, values);
      memory.get(0, 0, seen);
      held.unlock();
      EXPECT(std::ranges::count(seen, rank) == 2000);
      MPI_Send(nullptr, 0, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    } else {
      for (int from = 1; from < size; ++from) // outside of seam
        MPI_Recv(nullptr, 0, MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  });
  SUCCEED();
}

TEST_CASE("operations of MPI are those of processes") {
  on_endpoints({2, 1}, [](Communicator& all) {
    int const size = all.size(), rank = all.rank();
    window<unsigned> bits(all, 3);
    window<std::complex<double>> products(all, 1);
    if (rank == 0)
      products.local()[0] = 1;
    bits.fence();
    products.fence();
    std::vector<unsigned> const own{1U << rank, unsigned(rank), 5};
    std::vector<std::complex<double>> const factor{{0, 1}};
    bits.accumulate(0, 0, std::span(own).first(1), std::bit_or<>());
    bits.accumulate(0, 1, std::span(own).subspan(1, 1), larger());
    bits.accumulate(0, 2, std::span(own).subspan(2, 1), MPI_REPLACE);
    bits.accumulate(0, 2, std::span(own).first(1), MPI_NO_OP);
    products.accumulate(0, 0, factor, std::multiplies<>());
    bits.close_epoch();
    products.close_epoch();
    if (rank == 0) {
      EXPECT(bits.local()[0] == (1U << size) - 1);
      EXPECT(bits.local()[1] == unsigned(size - 1));
      EXPECT(bits.local()[2] == 5);
      EXPECT(products.local()[0] == std::pow(std::complex<double>(0, 1), size));
    }
  });
  SUCCEED();
}

TEST_CASE("what windows of endpoints refuse is one line at the endpoint that asks") {
  on_endpoints({2, 1}, [](Communicator& all) {
    int const size = all.size(), rank = all.rank();
    mpi::datatype pair;
    MPI_Type_contiguous(2, MPI_INT, pair.receive());
    MPI_Datatype native = pair.native();
    MPI_Type_commit(&native);
    constexpr std::int64_t beyond_all = std::int64_t{1} << 58;
    EXPECT(has(line_of([&] { window<double>(all, rank == size - 1 ? beyond_all : 1); }),
               "window: "));
    untyped_window memory(all, {.length = 4 * sizeof(int), .unit = sizeof(int)});
    std::array<int, 4> const values{};
    elements const two{values.data(), 2, MPI_INT}, as_pair{nullptr, 1, native};
    memory.fence();
    EXPECT(has(line_of([&] { memory.put(size, 0, two, two); }), "(expected 0 to "));
    EXPECT(has(line_of([&] { memory.put(rank, 3, two, two); }), "elements 3 to 4"));
    EXPECT(has(line_of([&] { memory.accumulate(rank, 0, two, as_pair, MPI_SUM); }),
               "accumulate: "));
    EXPECT(has(line_of([&] {
                 memory.accumulate(rank, 0, {values.data(), 1, MPI_INT}, {nullptr, 1, MPI_FLOAT},
                                   MPI_BAND);
               }),
               "expected an operation that MPI defines"));
    EXPECT(has(line_of([&] { memory.lock(rank, lock_kind::shared); }), "a fence has opened"));
    memory.put(rank, 4, {values.data(), 0, MPI_INT}, {nullptr, 0, MPI_INT});
    memory.close_epoch();
  });
  SUCCEED();
}

TEST_CASE("a window belongs to the threads of its endpoint") {
  Endpoints const endpoints(MPI_COMM_SELF, 2);
  Communicator const& first = endpoints.all();
  in_threads(2, [&](int k) {
    attach(k, first);
    window<int> memory(endpoints.all(), 1);
    std::vector<int> const one{1};
    memory.fence();
    memory.accumulate(0, 0, one, std::plus<>());
    memory.close_epoch();
    if (k == 1) {
      detach();
      EXPECT(has(line_of([&] { static_cast<void>(memory.lock(0)); }), "attached to no endpoint"));
      attach(0, first);
      EXPECT(has(line_of([&] { memory.fence(); }), "attached to endpoint 0 (expected endpoint 1"));
      attach(1, first);
    } else {
      auto const held = memory.lock(0);
      EXPECT(memory.local()[0] == 2);
    }
  });
  SUCCEED();
}
