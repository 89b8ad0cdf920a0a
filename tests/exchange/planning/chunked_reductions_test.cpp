// Scans and reduce-scatters chunk by chunk give the results of MPI's own.
#include <seam/exchange/collectives/reduce_scatter.hpp>
#include <seam/exchange/collectives/scan.hpp>
#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/planning/chunked_reductions.hpp>

#include <support/catch.hpp>
#include <support/world.hpp>

#include <algorithm>
#include <numeric>
#include <vector>

using namespace seam;
using namespace seam::detail;

namespace {

using numbers = std::vector<std::int64_t>;

/// a x + b, b in the lower half: composition, which is associative and depends on the order.
void compose(void* from, void* into, int* count, MPI_Datatype*) {
  auto const* left = static_cast<std::int64_t const*>(from);
  auto* right = static_cast<std::int64_t*>(into);
  constexpr std::int64_t modulus = 10007;
  for (int i = 0; i < *count; ++i) {
    std::int64_t const a = left[i] / modulus, b = left[i] % modulus;
    std::int64_t const c = right[i] / modulus, d = right[i] % modulus;
    right[i] = a * c % modulus * modulus + (a * d + b) % modulus;
  }
}

/// MPI's sum, and an operation that does not commute.
struct operations {
  operations() { MPI_Op_create(compose, 0, &composition); }
  ~operations() { MPI_Op_free(&composition); }
  std::vector<MPI_Op> all() const { return {MPI_SUM, composition}; }

  MPI_Op composition = MPI_OP_NULL;
};

numbers values_of(int rank, std::size_t count) {
  numbers values(count);
  for (std::size_t i = 0; i < count; ++i)
    values[i] = 10007 * (3 + rank) + static_cast<std::int64_t>(i * 7) + rank;
  return values;
}

/// Runs twice, so that the second run finds what the first has left behind.
void run_twice(operation planned, numbers& into, numbers const& before) {
  planned.run();
  into = before;
  planned.run();
}

} // namespace

TEST_CASE("a scan in chunks is MPI's") {
  auto const world = testing::world();
  operations const ops;
  for (MPI_Op op : ops.all())
    for (std::size_t count : {0, 1, 3, 4, 11})
      for (bool in_place : {false, true})
        for (bool exclusive : {false, true}) {
          INFO("count " << count << ", in place " << in_place << ", exclusive " << exclusive);
          numbers const sent = values_of(world.rank(), count);
          numbers expected(count, -1), before = in_place ? sent : numbers(count, -1), into = before;
          elements const send{sent.data(), std::ssize(sent), MPI_INT64_T};
          elements const result = elements_of(expected);
          run(world, exclusive ? exscan(send, result, op) : scan(send, result, op));
          if (exclusive && world.rank() == 0)
            expected = before; // nothing arrives at rank 0
          elements const own = in_place ? elements{MPI_IN_PLACE, 0, MPI_INT64_T} : send;
          chunked_terms const terms{
              .send = own, .receive = elements_of(into), .op = op, .chunk_bytes = 4 * 8};
          run_twice(operation(world, chunked_scan(edges_of(world), terms, exclusive)), into,
                    before);
          CHECK(into == expected);
        }
}

TEST_CASE("a reduce-scatter in chunks is MPI's") {
  auto const world = testing::world();
  int const rank = world.rank(), size = world.size();
  operations const ops;
  for (MPI_Op op : ops.all())
    for (int first : {0, 3, 9})
      for (bool in_place : {false, true}) {
        INFO("first " << first << ", in place " << in_place);
        std::vector<int> counts;
        for (int r = 0; r < size; ++r)
          counts.push_back((first + 5 * r) % 11);
        auto const all = std::accumulate(counts.begin(), counts.end(), 0);
        auto const own_count = static_cast<std::size_t>(counts[static_cast<std::size_t>(rank)]);
        numbers const sent = values_of(rank, static_cast<std::size_t>(all));
        numbers expected(own_count, -1);
        elements const send = elements_of(sent);
        run(world, reduce_scatter(send, elements_of(expected), counts, op));
        numbers const before = in_place ? sent : numbers(own_count, -1);
        numbers into = before;
        elements const own = in_place ? elements{MPI_IN_PLACE, 0, MPI_INT64_T} : send;
        chunked_terms const terms{.send = own,
                                  .receive = elements_of(into),
                                  .op = op,
                                  .chunk_bytes = std::int64_t{2 * 8} * size};
        run_twice(operation(world, chunked_reduce_scatter(edges_of(world), terms,
                                                          {counts.begin(), counts.end()})),
                  into, before);
        CHECK(std::equal(expected.begin(), expected.end(), into.begin()));
      }
}

namespace {

/// Sides of `low` ranks and of the others.
struct sides_of_any_size {
  sides_of_any_size(Communicator const& world, int low_size)
      : is_low(world.rank() < low_size),
        comm(*world.two_sides(is_low ? 0 : 1)),
        first_peer(is_low ? low_size : 0),
        num_peers(world.size() - comm.size()) {}

  /// All values of the other side, combined from its first rank to its last.
  numbers combined(std::size_t count, MPI_Op op) const {
    numbers result = values_of(first_peer + num_peers - 1, count);
    for (int peer = num_peers - 2; peer >= 0; --peer) {
      numbers const left = values_of(first_peer + peer, count);
      MPI_Reduce_local(left.data(), result.data(), static_cast<int>(count), MPI_INT64_T, op);
    }
    return result;
  }

  bool is_low;
  Communicator comm;
  int first_peer, num_peers;
};

/// Counts of `size` ranks, which differ, and are `all` together.
std::vector<int> counts_of_all(int size, int all, int first) {
  std::vector<int> counts;
  for (int r = 0; r + 1 < size; ++r) {
    counts.push_back(std::min(all, (first + 5 * r) % 7));
    all -= counts.back();
  }
  counts.push_back(all);
  return counts;
}

numbers part_of(numbers const& all, int first, int count) {
  return {all.begin() + first, all.begin() + first + count};
}

/// Calls test(sides, values of this rank) for sides of all sizes.
template <class Test>
void for_each_two_sides(int length, Test const& test) {
  auto const world = testing::world();
  for (int low_size = 1; low_size < world.size(); ++low_size) {
    INFO(low_size << " of " << world.size() << " ranks on the low side");
    sides_of_any_size const sides(world, low_size);
    int const all = length * low_size * (world.size() - low_size);
    test(sides, values_of(world.rank(), static_cast<std::size_t>(all)));
  }
}

} // namespace

TEST_CASE("between two sides each gets the blocks of the other's combined values") {
  operations const ops;
  for (int const length : {0, 1, 5})
    for_each_two_sides(length, [&](sides_of_any_size const& sides, numbers const& sent) {
      int const rank = sides.comm.rank(), all = static_cast<int>(std::ssize(sent));
      std::int64_t const chunk = std::int64_t{2 * 8} * (sides.comm.size() + sides.num_peers);
      for (MPI_Op const op : ops.all()) {
        numbers const expected = sides.combined(sent.size(), op);
        int const own = all / sides.comm.size();
        numbers into(own, -1);
        chunked_terms terms{elements_of(sent), elements_of(into), op, chunk};
        run_twice(operation(sides.comm, chunked_reduce_scatter_between(sides.comm, terms)), into,
                  numbers(own, -1));
        CHECK(into == part_of(expected, rank * own, own));
        auto const counts = counts_of_all(sides.comm.size(), all, sides.is_low ? 2 : 4);
        int const count = counts[rank], first = std::accumulate(&counts[0], &counts[rank], 0);
        numbers part(count, -1);
        terms.receive = elements_of(part);
        run_twice(operation(sides.comm, chunked_reduce_scatter_between(
                                            sides.comm, terms, {counts.begin(), counts.end()})),
                  part, numbers(count, -1));
        CHECK(part == part_of(expected, first, count));
      }
    });
}

TEST_CASE("calls of reduce-scatter between two sides have one meaning on processes and endpoints") {
  for (bool const checked : {false, true}) {
    checks_in_scope const checks(checked);
    for_each_two_sides(3, [&](sides_of_any_size const& sides, numbers const& sent) {
      int const rank = sides.comm.rank(), all = static_cast<int>(std::ssize(sent));
      numbers const expected = sides.combined(sent.size(), MPI_SUM);
      auto const counts = counts_of_all(sides.comm.size(), all, sides.is_low ? 2 : 4);
      int const own = all / sides.comm.size();
      int const count = counts[rank], first = std::accumulate(&counts[0], &counts[rank], 0);
      auto const expect = [&](int length, int begin, auto const& call) {
        for (int form = 0; form < 3; ++form) {
          numbers into(length, -1);
          if (form == 0)
            run(sides.comm, call(into));
          else if (form == 1)
            start(sides.comm, call(into)).wait();
          else
            prepare(sides.comm, call(into)).run();
          CHECK(into == part_of(expected, begin, length));
        }
      };
      expect(own, rank * own, [&](numbers& into) {
        return reduce_scatter_block(elements_of(sent), elements_of(into), MPI_SUM);
      });
      expect(count, first, [&](numbers& into) {
        return reduce_scatter(elements_of(sent), elements_of(into), counts, MPI_SUM);
      });
      elements const in_place{MPI_IN_PLACE, 0, MPI_INT64_T};
      numbers into(own, -1);
      CHECK_THROWS_WITH(prepare(sides.comm,
                                reduce_scatter_block(in_place, elements_of(into), MPI_SUM)),
                        Catch::Contains("MPI_IN_PLACE between two groups"));
    });
  }
}

TEST_CASE("elements with gaps are combined in chunks too") {
  auto const world = testing::world();
  int const rank = world.rank(), size = world.size();
  constexpr int count = 7;
  mpi::datatype spaced;
  mpi::check(MPI_Type_create_resized(MPI_INT64_T, 0, 16, spaced.receive()),
             "MPI_Type_create_resized");
  MPI_Datatype type = spaced.native();
  mpi::check(MPI_Type_commit(&type), "MPI_Type_commit");
  MPI_Op add = MPI_OP_NULL;
  MPI_Op_create(
      [](void* from, void* into, int* n, MPI_Datatype*) {
        for (int i = 0; i < *n; ++i)
          static_cast<std::int64_t*>(into)[2 * i] += static_cast<std::int64_t*>(from)[2 * i];
      },
      1, &add);
  {
    numbers const sent(2 * count, rank + 1);
    numbers into(2 * count, -1);
    chunked_terms const terms{.send = {sent.data(), count, type},
                              .receive = {into.data(), count, type},
                              .op = add,
                              .chunk_bytes = 3 * 16};
    operation(world, chunked_scan(edges_of(world), terms, false)).run();
    for (std::size_t i = 0; i < count; ++i) {
      CHECK(into[2 * i] == (rank + 1) * (rank + 2) / 2);
      CHECK(into[2 * i + 1] == -1);
    }
    numbers const blocks(static_cast<std::size_t>(2 * count * size), rank + 1);
    std::ranges::fill(into, -1);
    chunked_terms const each{.send = {blocks.data(), count * size, type},
                             .receive = {into.data(), count, type},
                             .op = add,
                             .chunk_bytes = std::int64_t{3 * 16} * size};
    operation(world, chunked_reduce_scatter(edges_of(world), each,
                                            std::vector<std::int64_t>(std::size_t(size), count)))
        .run();
    for (std::size_t i = 0; i < count; ++i) {
      CHECK(into[2 * i] == size * (size + 1) / 2);
      CHECK(into[2 * i + 1] == -1);
    }
  }
  MPI_Op_free(&add);
}
