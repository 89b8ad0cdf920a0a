// Scans and reduce-scatters chunk by chunk give the results of MPI's own.
#include <seam/exchange/collectives/reduce_scatter.hpp>
#include <seam/exchange/collectives/scan.hpp>
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
