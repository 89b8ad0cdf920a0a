// Every collective in every form: on random graphs against its definition, on the graph of all
// edges against the MPI library.
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

#include <deque>
#include <numeric>

using namespace seam;
using namespace seam::detail;
using namespace seam::testing;

TEST_CASE("alltoall moves a block along each edge") {
  on_random_graphs(8, [](graph_case const& on, std::mt19937&) {
    values const send = blocks_of_all(on.rank, on.out.size());
    values receive(on.in.size() * block_length), expected;
    for (std::size_t e = 0; e < on.in.size(); ++e)
      append(expected, block_of(on.in[e].rank, on.graph.other_end(on.rank, static_cast<int>(e))));
    expect(on.comm, alltoall(send, receive), receive, expected);
  });
}

TEST_CASE("alltoallw moves blocks of any length, also of none") {
  on_random_graphs(8, [](graph_case const& on, std::mt19937&) {
    auto const length = [](int from, int edge) { return (from + 2 * edge) % 5; };
    std::deque<values> out, in;
    std::vector<elements> sends, receives;
    values expected;
    for (int e = 0; e < std::ssize(on.out); ++e) {
      out.push_back(block_of(on.rank, e, length(on.rank, e)));
      sends.push_back(elements_of(out.back()));
    }
    for (int e = 0; e < std::ssize(on.in); ++e) {
      int const from = on.in[std::size_t(e)].rank, there = on.graph.other_end(on.rank, e);
      in.emplace_back(std::size_t(length(from, there)));
      receives.push_back(elements_of(in.back()));
      append(expected, block_of(from, there, length(from, there)));
    }
    in_all_forms(
        on.comm, alltoallw(sends, receives),
        [&] {
          for (values& block : in)
            std::ranges::fill(block, untouched);
        },
        [&] {
          values found;
          for (values const& block : in)
            append(found, block);
          CHECK(found == expected);
        });
  });
}

TEST_CASE("blocks that follow each other in ranges may be of any length") {
  on_random_graphs(8, [](graph_case const& on, std::mt19937&) {
    auto const length = [](int from, int edge) { return (from + 2 * edge) % 5; };
    values sent, expected, all_expected;
    std::vector<int> out, in, from_all;
    for (int e = 0; e < std::ssize(on.out); ++e) {
      append(sent, block_of(on.rank, e, length(on.rank, e)));
      out.push_back(length(on.rank, e));
    }
    for (int e = 0; e < std::ssize(on.in); ++e) {
      int const from = on.in[std::size_t(e)].rank, there = on.graph.other_end(on.rank, e);
      append(expected, block_of(from, there, length(from, there)));
      in.push_back(length(from, there));
      append(all_expected, block_of(from, 0, from + 1));
      from_all.push_back(from + 1);
    }
    values received(expected.size()), all_received(all_expected.size());
    expect(on.comm, alltoallv(sent, out, received, in), received, expected);
    values const own = block_of(on.rank, 0, on.rank + 1);
    expect(on.comm, allgatherv(own, all_received, from_all), all_received, all_expected);
  });
}

TEST_CASE("calls with lists of blocks share a plan if the lists are the same") {
  values one(4), other(4);
  auto const key = [](values const& out, values const& in, std::vector<std::int64_t> counts) {
    std::vector<elements> receives;
    for (auto const count : counts)
      receives.push_back({in.data(), count, MPI_INT64_T});
    return alltoallw({elements_of(out)}, receives).key;
  };
  auto const first = key(one, other, {1, 2});
  CHECK_FALSE(first.is_empty());
  CHECK(first == key(one, other, {1, 2}));
  CHECK(first != key(one, other, {2, 1}));
  CHECK(first != key(one, other, {1}));
  CHECK(first != key(other, one, {1, 2}));
  CHECK(gatherw(elements_of(one), {}, 0).key != gatherw(elements_of(one), {}, 1).key);

  // A plan that is kept belongs to its own call.
  checks_in_scope const unchecked(false);
  auto const world = testing::world();
  std::size_t const size = std::size_t(world.size());
  values received(3 * size);
  for (int round = 0; round < 4; ++round) {
    int const count = 1 + round % 2;
    values const sent(3 * size, round);
    received.assign(received.size(), untouched);
    std::vector<int> const counts(size, count);
    run(world, alltoallv(sent, counts, received, counts));
    CHECK(std::ranges::count(received, round) == std::ssize(counts) * count);
  }
}

TEST_CASE("calls with derived datatypes share a plan as long as these live") {
  checks_in_scope const unchecked(false);
  auto const world = testing::world();
  std::size_t const size = std::size_t(world.size());
  auto const made = [](int stride) {
    mpi::datatype apart;
    mpi::check(MPI_Type_vector(2, 1, stride, MPI_INT64_T, apart.receive()), "MPI_Type_vector");
    mpi::check(MPI_Type_commit(apart.receive()), "MPI_Type_commit");
    return apart;
  };
  values const sent(2 * size, 1);
  values received(8 * size);
  auto const call = [&](mpi::datatype const& type) {
    std::vector<elements> sends, receives;
    for (std::size_t r = 0; r < size; ++r) {
      sends.push_back({&sent[2 * r], 2, MPI_INT64_T});
      receives.push_back({&received[8 * r], 1, type.native()});
    }
    return alltoallw(sends, receives);
  };
  call_key before;
  int handles_again = 0;
  MPI_Datatype freed = MPI_DATATYPE_NULL;
  for (int round = 0; round < 6; ++round) {
    int const stride = 2 + round % 3;
    mpi::datatype const type = made(stride);
    handles_again += type.native() == freed;
    freed = type.native();
    CHECK_FALSE(call(type).key.is_empty());
    CHECK(call(type).key == call(type).key);
    CHECK(call(type).key != before);
    before = call(type).key;
    for (int again = 0; again < 2; ++again) {
      values expected(received.size(), untouched);
      for (std::size_t r = 0; r < size; ++r)
        expected[8 * r] = expected[8 * r + std::size_t(stride)] = 1;
      received.assign(received.size(), untouched);
      run(world, call(type));
      CHECK(received == expected);
    }
  }
  INFO("the handle of a freed type came back " << handles_again << " times");
  mpi::datatype const one = made(2), other = made(2);
  CHECK(call(one).key != call(other).key);
}

TEST_CASE("blocks of any length go from a range of the root and into one") {
  auto const world = testing::world();
  int const rank = world.rank(), size = world.size(), root = size - 1;
  std::vector<int> counts;
  values all;
  for (int r = 0; r < size; ++r) {
    counts.push_back(r + 1);
    append(all, block_of(r, 0, r + 1));
  }
  values const own = block_of(rank, 0, rank + 1), nothing;
  values gathered(rank == root ? all.size() : 0), scattered(own.size());
  expect(world, gatherv(own, gathered, counts, root), gathered, rank == root ? all : nothing);
  expect(world, scatterv(rank == root ? all : nothing, counts, scattered, root), scattered, own);
  CHECK_THROWS_WITH(prepare(world,
                            scatterv(own, std::vector(counts.size(), rank + 2), scattered, root)),
                    Catch::Contains("scatterv: blocks of"));
}

TEST_CASE("allgather brings the block of each source") {
  on_random_graphs(8, [](graph_case const& on, std::mt19937&) {
    values const send = block_of(on.rank, 0);
    values receive(on.in.size() * block_length), expected;
    for (edge const& from : on.in)
      append(expected, block_of(from.rank, 0));
    expect(on.comm, allgather(send, receive), receive, expected);
  });
}

TEST_CASE("blocks of one process that differ in length are refused on all ranks") {
  auto const world = testing::world();
  int const rank = world.rank(), size = world.size();
  int const next = (rank + 1) % size, before = (rank + size - 1) % size;
  auto const twice = make_graph(world, Topology::graph({{before}, {before}}, {{next}, {next}}));
  values const send(3);
  values room(6);
  std::vector<int> const counts{3, rank + 1 == size ? 2 : 3}; // only the last rank is wrong
  CHECK_THROWS_WITH(prepare(twice, allgatherv(send, room, counts)),
                    Catch::Contains("along edges from rank") &&
                        Catch::Contains("sends the same along all"));
}

TEST_CASE("bcast reaches the out-neighbors of the root and no other rank") {
  on_random_graphs(8, [](graph_case const& on, std::mt19937& random) {
    int const root = random_root(on, random);
    values buffer(block_length);
    bool const reached =
        std::ranges::any_of(on.in, [&](edge const& from) { return from.rank == root; });
    in_all_forms(
        on.comm, bcast(buffer, root),
        [&] {
          fill(buffer, on.rank == root ? block_of(root, 0) : values(block_length, untouched));
        },
        [&] {
          CHECK(buffer ==
                (reached || on.rank == root ? block_of(root, 0) : values(block_length, untouched)));
        });
  });
}

TEST_CASE("gather and reduce bring to the root the blocks of its edges, in their order") {
  on_random_graphs(8, [](graph_case const& on, std::mt19937& random) {
    int const root = random_root(on, random);
    values const send = block_of(on.rank, 0);
    std::size_t const degree = on.rank == root ? on.in.size() : 0;
    values all(degree * block_length), gathered;
    values sum(on.rank == root ? block_length : 0, 0), reduced(sum.size());
    for (std::size_t e = 0; e < degree; ++e) {
      values const block = block_of(on.in[e].rank, 0);
      append(gathered, block);
      for (std::size_t k = 0; k < block.size(); ++k)
        sum[k] += block[k];
    }
    expect(on.comm, gather(send, all, root), all, gathered);
    reduced.resize(block_length);
    if (on.rank != root)
      sum.assign(block_length, untouched);
    expect(on.comm, seam::reduce(send, reduced, std::plus<>(), root), reduced, sum);
  });
}

TEST_CASE("scatter gives each out-neighbor of the root the block of the last edge to it") {
  on_random_graphs(8, [](graph_case const& on, std::mt19937& random) {
    int const root = random_root(on, random);
    auto const& out = on.graph.destinations(root);
    values const send = blocks_of_all(root, on.rank == root ? out.size() : 0);
    values receive(block_length), expected(block_length, untouched);
    for (int e = 0; e < std::ssize(out); ++e)
      if (out[std::size_t(e)].rank == on.rank)
        expected = block_of(root, e);
    expect(on.comm, scatter(send, receive, root), receive, expected);
  });
}

TEST_CASE(
    "allreduce combines the values of the sources; without sources it gives the neutral element") {
  on_random_graphs(8, [](graph_case const& on, std::mt19937&) {
    values const send = block_of(on.rank, 0);
    values receive(block_length), sum(block_length, 0),
        largest(block_length, std::numeric_limits<std::int64_t>::lowest());
    for (edge const& from : on.in)
      for (int k = 0; k < block_length; ++k) {
        auto const value = value_of(from.rank, 0, k);
        sum[std::size_t(k)] += value;
        largest[std::size_t(k)] = std::max(largest[std::size_t(k)], value);
      }
    expect(on.comm, allreduce(send, receive, std::plus<>()), receive, sum);
    expect(on.comm, allreduce(send, receive, larger()), receive, largest);
  });
}

TEST_CASE("operations that do not commute combine in the order of the edges") {
  on_random_graphs(8, [](graph_case const& on, std::mt19937&) {
    values const send = block_of(on.rank, 0);
    values receive(block_length);
    auto const first = [](std::int64_t a, std::int64_t) { return a; };
    auto const last = [](std::int64_t, std::int64_t b) { return b; };
    values const nothing(block_length, untouched);
    expect(on.comm, allreduce(send, receive, first), receive,
           on.in.empty() ? nothing : block_of(on.in.front().rank, 0));
    expect(on.comm, allreduce(send, receive, last), receive,
           on.in.empty() ? nothing : block_of(on.in.back().rank, 0));
  });
}

TEST_CASE("on the graph of all edges collectives are those of MPI") {
  auto const world = testing::world();
  int const rank = world.rank(), size = world.size();
  std::vector<edge> everybody;
  for (int other = 0; other < size; ++other)
    everybody.push_back({other});
  Communicator const all = make_graph(world, Topology::graph(everybody, everybody));
  auto const n = static_cast<std::size_t>(size);
  values const blocks = blocks_of_all(rank, n), block = block_of(rank, 0);
  values on_graph, on_complete;
  auto const compare = [&](std::size_t room, auto const& make_call) {
    on_graph.assign(room, untouched);
    on_complete.assign(room, untouched);
    in_all_forms(
        all, make_call(on_graph), [&] { on_graph.assign(room, untouched); }, [] {});
    in_all_forms(
        world, make_call(on_complete), [&] { on_complete.assign(room, untouched); }, [] {});
    CHECK(on_graph == on_complete);
  };
  std::size_t const l = block_length;
  compare(l * n, [&](values& into) { return alltoall(blocks, into); });
  compare(l * n, [&](values& into) { return allgather(block, into); });
  compare(l, [&](values& into) { return allreduce(block, into, std::plus<>()); });
  auto const last = [](std::int64_t, std::int64_t b) { return b; };
  compare(l, [&](values& into) { return allreduce(block, into, last); });
  // Block r of rank s has r + s elements, so that both sides know it.
  auto const pieces_of = [&](values const& of) {
    std::vector<elements> pieces;
    for (std::size_t r = 0; r < n; ++r)
      pieces.push_back({&of[2 * n * r], static_cast<std::int64_t>(r) + rank, MPI_INT64_T});
    return pieces;
  };
  values numbers(2 * n * n);
  std::iota(numbers.begin(), numbers.end(), 1000 * rank);
  auto const numbered = pieces_of(numbers);
  compare(numbers.size(), [&](values& into) { return alltoallw(numbered, pieces_of(into)); });
  auto const lengths_of = [&](values& of) {
    auto pieces = pieces_of(of);
    for (std::size_t r = 0; r < n; ++r)
      pieces[r].count = static_cast<std::int64_t>(r) + 1;
    return pieces;
  };
  elements const own{numbers.data(), rank + 1, MPI_INT64_T};
  compare(numbers.size(), [&](values& into) { return allgatherw(own, lengths_of(into)); });
  compare(numbers.size(), [&](values& into) { return gatherw(own, lengths_of(into), size - 1); });
  compare(numbers.size(), [&](values& into) {
    return scatterw(lengths_of(numbers), {into.data(), rank + 1, MPI_INT64_T}, 0);
  });
  for (int root = 0; root < size; ++root) {
    compare(rank == root ? l * n : 0, [&](values& into) { return gather(block, into, root); });
    compare(l, [&](values& into) { return scatter(blocks, into, root); });
    compare(l, [&](values& into) { return seam::reduce(block, into, std::bit_xor<>(), root); });
    values sent(l);
    for (Communicator const* over : {&all, &world})
      in_all_forms(
          *over, bcast(sent, root), [&] { fill(sent, block); },
          [&] { CHECK(sent == block_of(root, 0)); });
  }
}

TEST_CASE("calls that the definition leaves open are refused on all ranks") {
  auto const world = testing::world();
  Communicator const lonely = make_graph(world, Topology::graph({}, {}));
  values send(block_length), receive(block_length);
  auto const refused = Catch::Contains("has no meaning on a graph communicator");
  CHECK_THROWS_WITH(run(lonely, scan(send, receive, std::plus<>())), refused);
  CHECK_THROWS_WITH(run(lonely, exscan(send, receive, std::plus<>())), refused);
  auto const in = elements_of(send), out = elements_of(receive);
  CHECK_THROWS_WITH(prepare(lonely, reduce_scatter_block(in, out, MPI_SUM)), refused);
  CHECK_THROWS_WITH(start(lonely, bcast(send, world.size())).wait(), Catch::Contains("root"));
  CHECK_THROWS_WITH(prepare(lonely, bcast(send, -1)), Catch::Contains("root"));
}

TEST_CASE("scans and reduce-scatters on complete communicators are those of MPI") {
  auto const world = testing::world();
  int const rank = world.rank(), size = world.size();
  values const one(1, rank + 1);
  values receive(1), ones(std::size_t(size), 1);
  in_all_forms(
      world, scan(one, receive, std::plus<>()), [&] { receive[0] = untouched; },
      [&] { CHECK(receive[0] == (rank + 1) * (rank + 2) / 2); });
  in_all_forms(
      world, reduce_scatter_block(elements_of(ones), elements_of(receive), MPI_SUM),
      [&] { receive[0] = untouched; }, [&] { CHECK(receive[0] == size); });
  run(world, reduce_scatter_block(ones, receive, larger()));
  CHECK(receive[0] == 1);
  std::vector<int> counts(std::size_t(size), 1);
  counts[0] = 3;
  values const more(ones.size() + 2, rank);
  values part(rank == 0 ? 3 : 1);
  run(world, reduce_scatter(more, part, counts, std::plus<>()));
  CHECK(part == values(part.size(), size * (size - 1) / 2));
  CHECK_THROWS_WITH(run(world, reduce_scatter_block(more, receive, std::plus<>())),
                    Catch::Contains("reduce_scatter_block"));
}

TEST_CASE("a collective that nothing defines has no meaning on a graph") {
  auto const world = testing::world();
  auto const graph = make_graph(world, Topology::graph({{world.rank()}}, {{world.rank()}}));
  collective const undefined("nothing");
  CHECK_THROWS_WITH(run(graph, undefined), Catch::Contains("nothing"));
  CHECK_THROWS_WITH(prepare(graph, undefined), Catch::Contains("nothing"));
}
