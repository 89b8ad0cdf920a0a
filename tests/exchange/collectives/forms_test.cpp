// Collectives in place, with derived datatypes, behind gates, many at once, and between two groups.
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/collectives/allgather.hpp>
#include <seam/exchange/collectives/alltoall.hpp>
#include <seam/exchange/collectives/barrier.hpp>
#include <seam/exchange/collectives/bcast.hpp>
#include <seam/exchange/collectives/gather.hpp>
#include <seam/exchange/collectives/reduce.hpp>
#include <seam/exchange/collectives/reduce_scatter.hpp>
#include <seam/exchange/collectives/scan.hpp>
#include <seam/exchange/collectives/scatter.hpp>
#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/point_to_point/point_to_point.hpp>

#include <exchange/collectives/collective_cases.hpp>
#include <support/two_sides.hpp>

#include <deque>
#include <numeric>

using namespace seam;
using namespace seam::detail;
using namespace seam::testing;

TEST_CASE("in place, a reduction takes and leaves its values in one buffer") {
  on_random_graphs(6, [](graph_case const& on, std::mt19937&) {
    values buffer(block_length), expected(block_length, 0);
    for (edge const& from : on.in)
      for (int k = 0; k < block_length; ++k)
        expected[std::size_t(k)] += value_of(from.rank, 0, k);
    in_all_forms(
        on.comm, allreduce({MPI_IN_PLACE}, elements_of(buffer), MPI_SUM),
        [&] { fill(buffer, block_of(on.rank, 0)); }, [&] { CHECK(buffer == expected); });
  });
}

TEST_CASE("in place, values leave whole before the identity takes their place") {
  auto const world = testing::world();
  int const rank = world.rank();
  if (world.size() < 2)
    return;
  // One edge, from rank 0 to rank 1.
  Communicator const pair = make_graph(world, rank == 0   ? Topology::graph({}, {{1}})
                                              : rank == 1 ? Topology::graph({{0}}, {})
                                                          : Topology::graph({}, {}));
  std::size_t const longer_than_eager = 1 << 20;
  values const sent(longer_than_eager, 3), nothing(longer_than_eager, 0);
  values buffer(longer_than_eager);
  for (bool in_place : {true, false})
    in_all_forms(
        pair,
        allreduce(in_place ? elements{MPI_IN_PLACE} : elements_of(sent), elements_of(buffer),
                  MPI_SUM),
        [&] { fill(buffer, sent); }, [&] { CHECK((buffer == (rank == 1 ? sent : nothing))); });
}

TEST_CASE("a reduction of a process's own values waits for its gate") {
  auto const world = testing::world();
  int const rank = world.rank();
  Communicator const own = make_graph(world, Topology::graph({{rank}}, {{rank}}));
  values send(block_length, untouched), receive(block_length);
  operation kept = prepare(own, allreduce(send, receive, std::plus<>()));
  auto flying = kept.start_gated();
  CHECK_FALSE(flying.test());
  fill(send, block_of(rank, 0));
  flying.open(0);
  flying.wait();
  CHECK(receive == block_of(rank, 0));
}

TEST_CASE("in place, alltoall exchanges the blocks that are there") {
  auto const world = testing::world();
  int const rank = world.rank(), size = world.size();
  int const next = (rank + 1) % size, before = (rank + size - 1) % size;
  // Edge 0 to the next rank and back, edge 1 to itself, edge 2 to the rank before and back.
  std::vector<edge> const edges{{next}, {rank}, {before}};
  Communicator const both_ways = make_graph(world, Topology::graph(edges, edges));
  values buffer(3 * block_length), expected;
  append(expected, block_of(next, size == 2 ? 0 : 2));
  append(expected, block_of(rank, 1));
  append(expected, block_of(before, size == 2 ? 2 : 0));
  if (size == 1)
    expected = blocks_of_all(rank, 3);
  in_all_forms(
      both_ways, alltoall({MPI_IN_PLACE}, {buffer.data(), block_length, MPI_INT64_T}),
      [&] { fill(buffer, blocks_of_all(rank, 3)); }, [&] { CHECK(buffer == expected); });
}

TEST_CASE("in place, roots with an edge to themselves leave their block where it is") {
  auto const world = testing::world();
  int const rank = world.rank(), size = world.size(), root = size - 1;
  std::vector<edge> everybody;
  for (int other = 0; other < size; ++other)
    everybody.push_back({other});
  auto const at_root = rank == root ? everybody : std::vector<edge>();
  Communicator const to_root = make_graph(world, Topology::graph(at_root, {{root}}));
  Communicator const from_root = make_graph(world, Topology::graph({{root}}, at_root));
  auto const n = static_cast<std::size_t>(size);
  values const block = block_of(rank, 0);
  elements const here{MPI_IN_PLACE}, own_block = elements_of(block);

  values all(rank == root ? n * block_length : 0), expected;
  for (int other = 0; other < (rank == root ? size : 0); ++other)
    append(expected, block_of(other, 0));
  auto const place = std::ssize(all) - block_length;
  in_all_forms(
      to_root,
      gather(rank == root ? here : own_block, {all.data(), block_length, MPI_INT64_T}, root),
      [&] {
        std::ranges::fill(all, untouched);
        if (rank == root)
          std::ranges::copy(block, all.begin() + place);
      },
      [&] { CHECK(all == expected); });

  values const blocks = blocks_of_all(root, rank == root ? n : 0);
  values receive(block_length);
  elements const into = elements_of(receive);
  in_all_forms(
      from_root,
      scatter({blocks.data(), block_length, MPI_INT64_T}, rank == root ? here : into, root),
      [&] { std::ranges::fill(receive, untouched); },
      [&] {
        CHECK(receive == (rank == root ? values(block_length, untouched) : block_of(root, rank)));
      });
}

TEST_CASE("derived datatypes travel as their elements") {
  on_random_graphs(6, [](graph_case const& on, std::mt19937&) {
    // A matrix of 4 x 5 on each rank: column e % 5 leaves along edge e, and arrives as every
    // second element of a line.
    constexpr int rows = 4, columns = 5;
    mpi::datatype column, every_second;
    MPI_Type_vector(rows, 1, columns, MPI_INT64_T, column.receive());
    MPI_Type_vector(rows, 1, 2, MPI_INT64_T, every_second.receive());
    MPI_Type_commit(column.receive());
    MPI_Type_commit(every_second.receive());
    auto const entry = [](int rank, int row, int col) { return 100 * rank + 10 * row + col; };
    values matrix;
    for (int row = 0; row < rows; ++row)
      for (int col = 0; col < columns; ++col)
        matrix.push_back(entry(on.rank, row, col));
    std::size_t const room = 2 * rows;
    values lines(on.in.size() * room), expected_columns(lines.size(), untouched);
    values expected_first(expected_columns);
    std::vector<elements> sends, receives;
    for (std::size_t e = 0; e < on.out.size(); ++e)
      sends.push_back({&matrix[e % columns], 1, column.native()});
    for (std::size_t e = 0; e < on.in.size(); ++e) {
      receives.push_back({&lines[e * room], 1, every_second.native()});
      int const from = on.in[e].rank, there = on.graph.other_end(on.rank, static_cast<int>(e));
      for (int row = 0; row < rows; ++row) {
        std::size_t const at = e * room + 2 * static_cast<std::size_t>(row);
        expected_columns[at] = entry(from, row, there % columns);
        expected_first[at] = entry(from, row, 0);
      }
    }
    expect(on.comm, alltoallw(sends, receives), lines, expected_columns);
    expect(on.comm, allgatherw({matrix.data(), 1, column.native()}, receives), lines,
           expected_first);
    int const root = 0;
    bool const reached = std::ranges::count(on.in, root, &edge::rank) > 0;
    values buffer(matrix.size());
    in_all_forms(
        on.comm, bcast(elements{buffer.data(), 1, column.native()}, root),
        [&] { fill(buffer, on.rank == root ? matrix : values(matrix.size(), untouched)); },
        [&] {
          for (int row = 0; row < rows; ++row) {
            auto const at = static_cast<std::size_t>(row * columns);
            CHECK(buffer[at] == (reached || on.rank == root ? entry(root, row, 0) : untouched));
            CHECK(buffer[at + 1] == (on.rank == root ? entry(root, row, 1) : untouched));
          }
        });
  });
}

TEST_CASE("data behind a closed gate does not leave") {
  auto const world = testing::world();
  int const rank = world.rank(), size = world.size();
  Communicator const ring =
      make_graph(world, Topology::graph({{(rank + size - 1) % size}}, {{(rank + 1) % size}}));
  values send(block_length), receive(block_length);
  operation kept = prepare(ring, allgather(send, receive));
  for (int round = 0; round < 5; ++round) {
    std::ranges::fill(send, untouched);
    auto flying = kept.start_gated();
    for (int k = 0; k < 20; ++k)
      CHECK_FALSE(flying.test());
    fill(send, block_of(rank, round));
    flying.open(0);
    flying.wait();
    CHECK(receive == block_of((rank + size - 1) % size, round));
  }
}

TEST_CASE(
    "a barrier holds a process until its in-neighbors have called it, and for no other process") {
  checks_in_scope const unchecked(false); // checks involve all ranks
  auto const world = testing::world();
  int const rank = world.rank(), size = world.size();
  int const next = (rank + 1) % size, before = (rank + size - 1) % size;
  Communicator const ring = make_graph(world, Topology::graph({{before}}, {{next}}));
  for (int round = 0; round < 20; ++round)
    run(ring, barrier());
  std::vector<int> token{0};
  for (int round = 0; round < 3; ++round) {
    if (rank == 0) // calls when all others have returned, or are known to wait for it
      for (int other = 1; other < size; ++other)
        receive(world, token, other, round);
    auto flying = start(ring, barrier());
    if (rank == 1) {
      for (int k = 0; k < 50; ++k)
        CHECK_FALSE(flying.test());
    } else if (rank > 1) {
      flying.wait();
    }
    if (rank > 0)
      send(world, token, 0, round);
    flying.wait();
  }
}

TEST_CASE(
    "a barrier between two sides holds a process until all of the other side have called it") {
  checks_in_scope const unchecked(false); // checks involve all ranks
  auto const world = testing::world();
  if (world.size() < 2)
    return;
  testing::two_sides const sides(world);
  auto prepared = prepare(sides.comm, barrier());
  std::vector<int> token{0};
  for (int late = 0; late < world.size(); ++late) {
    bool const late_is_low = late < (world.size() + 1) / 2;
    bool const is_held = late_is_low != sides.low;
    for (int other = 0; other < world.size() && sides.rank == late; ++other)
      if ((other < (world.size() + 1) / 2) != late_is_low)
        receive(world, token, other, late);
    auto flying = late % 2 == 0 ? start(sides.comm, barrier()) : prepared.start();
    for (int k = 0; k < 200 && is_held; ++k)
      CHECK_FALSE(flying.test());
    if (is_held)
      send(world, token, late, late);
    flying.wait();
  }
}

TEST_CASE("many operations fly at once and complete in any order") {
  on_random_graphs(3, [](graph_case const& on, std::mt19937&) {
    constexpr int num_flights = 40;
    std::vector<values> sent, received(num_flights, values(block_length));
    std::deque<in_flight> flying;
    for (int f = 0; f < num_flights; ++f)
      sent.push_back(block_of(on.rank, f));
    for (int f = 0; f < num_flights; ++f)
      flying.push_back(
          start(on.comm, allreduce(sent[std::size_t(f)], received[std::size_t(f)], std::plus<>())));
    while (!flying.empty()) {
      flying.back().wait();
      flying.pop_back();
    }
    for (int f = 0; f < num_flights; ++f)
      for (int k = 0; k < block_length; ++k) {
        std::int64_t sum = 0;
        for (edge const& from : on.in)
          sum += value_of(from.rank, f, k);
        CHECK(received[std::size_t(f)][std::size_t(k)] == sum);
      }
  });
}

TEST_CASE("bipartite communicators exchange with the other side") {
  auto const world = testing::world();
  int const rank = world.rank(), size = world.size();
  if (size < 2)
    return;
  bool const low = rank < (size + 1) / 2;
  auto half = world.split(low ? 0 : 1, rank);
  Communicator const sides = *world.two_sides(low ? 0 : 1);
  int const remote = size - half->size(), first_remote = low ? (size + 1) / 2 : 0;
  values const send = block_of(rank, 0);
  values receive(std::size_t(remote) * block_length), expected, sum(block_length, 0), reduced(sum);
  std::vector<elements> blocks;
  for (int r = 0; r < remote; ++r) {
    append(expected, block_of(first_remote + r, 0));
    blocks.push_back({&receive[std::size_t(r) * block_length], block_length, MPI_INT64_T});
    for (int k = 0; k < block_length; ++k)
      sum[std::size_t(k)] += value_of(first_remote + r, 0, k);
  }
  expect(sides, allgather(send, receive), receive, expected);
  expect(sides, allgatherw(elements_of(send), blocks), receive, expected);
  expect(sides, allreduce(send, reduced, std::plus<>()), reduced, sum);
  CHECK_THROWS_WITH(run(sides, scan(send, reduced, std::plus<>())),
                    Catch::Contains("has no meaning on a bipartite communicator"));
  elements const beyond{receive.data(), std::int64_t{1} << 31, MPI_BYTE};
  CHECK_THROWS_WITH(prepare(sides, reduce_scatter_block(beyond, beyond, MPI_BOR)),
                    Catch::Contains("does not fit MPI's counts"));
}

namespace {

/// Counts and displacements of `count` blocks, of which block r has `length(r)` elements.
struct layout {
  template <class Length>
  layout(int count, Length length) {
    for (int r = 0; r < count; ++r) {
      places.push_back(total);
      counts.push_back(length(r));
      total += counts.back();
    }
  }

  std::vector<elements> blocks(values const& data) const {
    std::vector<elements> all;
    for (std::size_t r = 0; r < counts.size(); ++r)
      all.push_back({data.data() + places[r], counts[r], MPI_INT64_T});
    return all;
  }

  std::vector<int> counts, places;
  int total = 0;
};

} // namespace

TEST_CASE("between two sides every collective is MPI's") {
  auto const world = testing::world();
  if (world.size() < 2)
    return;
  testing::two_sides const sides(world);
  MPI_Comm const native = sides.comm.view().native();
  int const rank = sides.rank, here = sides.comm.rank(), own = sides.own, remote = sides.remote;
  constexpr int l = block_length;
  auto const type = MPI_INT64_T;
  // Seam's and MPI's calls get the same buffer to fill.
  auto const compare = [&](std::int64_t room, auto const& make_call, auto const& by_mpi) {
    values found(room, untouched), expected(found);
    by_mpi(expected.data());
    expect(sides.comm, make_call(found), found, expected);
  };
  in_all_forms(
      sides.comm, barrier(), [] {}, [] {});

  values const blocks = blocks_of_all(rank, static_cast<std::size_t>(remote));
  values const block = block_of(rank, 0);
  compare(
      l * remote, [&](values& into) { return alltoall(blocks, into); },
      [&](void* into) { MPI_Alltoall(blocks.data(), l, type, into, l, type, native); });
  // Both ends of an edge know the length of its block.
  layout const both(remote, [&](int r) { return here + r + 1; });
  values numbers(both.total);
  std::iota(numbers.begin(), numbers.end(), 1000 * rank);
  compare(
      both.total, [&](values& into) { return alltoallw(both.blocks(numbers), both.blocks(into)); },
      [&](void* into) {
        MPI_Alltoallv(numbers.data(), both.counts.data(), both.places.data(), type, into,
                      both.counts.data(), both.places.data(), type, native);
      });
  layout const ascending(remote, [](int r) { return r + 1; });
  values const own_block = block_of(rank, 0, here + 1);
  compare(
      ascending.total,
      [&](values& into) { return allgatherw(elements_of(own_block), ascending.blocks(into)); },
      [&](void* into) {
        MPI_Allgatherv(own_block.data(), here + 1, type, into, ascending.counts.data(),
                       ascending.places.data(), type, native);
      });
  // As many elements on both sides.
  values const product(static_cast<std::size_t>(own * remote), rank + 1);
  compare(
      remote,
      [&](values& into) {
        return reduce_scatter_block(elements_of(product), elements_of(into), MPI_SUM);
      },
      [&](void* into) {
        MPI_Reduce_scatter_block(product.data(), into, remote, type, MPI_SUM, native);
      });
  std::vector<int> const counts(own, remote);
  compare(
      remote,
      [&](values& into) {
        return reduce_scatter(elements_of(product), elements_of(into), counts, MPI_SUM);
      },
      [&](void* into) {
        MPI_Reduce_scatter(product.data(), into, counts.data(), type, MPI_SUM, native);
      });

  for (bool low_has_root : {true, false}) {
    int const root = sides.root(low_has_root);
    int const num_blocks = root == MPI_ROOT ? remote : 0;
    layout const at_root(num_blocks, [](int r) { return r + 1; });
    compare(
        l * num_blocks, [&](values& into) { return gather(block, into, root); },
        [&](void* into) { MPI_Gather(block.data(), l, type, into, l, type, root, native); });
    compare(
        at_root.total,
        [&](values& into) { return gatherw(elements_of(own_block), at_root.blocks(into), root); },
        [&](void* into) {
          MPI_Gatherv(own_block.data(), here + 1, type, into, at_root.counts.data(),
                      at_root.places.data(), type, root, native);
        });
    compare(
        l, [&](values& into) { return scatter(blocks, into, root); },
        [&](void* into) { MPI_Scatter(blocks.data(), l, type, into, l, type, root, native); });
    values const dealt(static_cast<std::size_t>(at_root.total), rank);
    compare(
        here + 1,
        [&](values& into) { return scatterw(at_root.blocks(dealt), elements_of(into), root); },
        [&](void* into) {
          MPI_Scatterv(dealt.data(), at_root.counts.data(), at_root.places.data(), type, into,
                       here + 1, type, root, native);
        });
    compare(
        l, [&](values& into) { return seam::reduce(block, into, std::plus<>(), root); },
        [&](void* into) { MPI_Reduce(block.data(), into, l, type, MPI_SUM, root, native); });
    values found(l), expected = root == MPI_ROOT ? block : values(l, untouched);
    MPI_Bcast(expected.data(), l, type, root, native);
    in_all_forms(
        sides.comm, bcast(found, root),
        [&] { fill(found, root == MPI_ROOT ? block : values(l, untouched)); },
        [&] { CHECK(found == expected); });
  }
}
