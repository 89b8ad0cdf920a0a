// Seeded faults: one rank makes another call than the others expect. In checked mode all ranks
// throw the same line, which names this rank, and can go on together.
#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/new_comm.hpp>
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
#include <seam/exchange/halo/exchange.hpp>
#include <seam/exchange/point_to_point/point_to_point.hpp>

#include <support/call_in_form.hpp>
#include <support/catch.hpp>
#include <support/world.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <random>
#include <span>

using namespace seam;
using testing::call_in_form;
using namespace seam::detail;

namespace {

/// The arguments of a collective. All ranks mean the same, except one.
struct arguments {
  std::string name;
  int form; ///< 0 blocking, 1 nonblocking, 2 persistent
  int root;
  int count = 4;
  MPI_Datatype type = MPI_INT;
  MPI_Op op = MPI_SUM;
};

/// Memory for blocks of twice as many elements as the test means, twice as long.
std::vector<double> room_of(Communicator const& over) {
  auto const& edges = over.topology();
  auto const blocks =
      edges.is_graph() ? edges.sources().size() + edges.destinations().size() : over.size();
  return std::vector<double>(8 * (static_cast<std::size_t>(blocks) + 1));
}

void call(Communicator const& over, arguments const& with) {
  std::vector<double> const out = room_of(over);
  std::vector<double> in = out;
  elements const send{out.data(), with.count, with.type}, receive{in.data(), with.count, with.type};
  auto const tested = [&]() -> collective {
    if (with.name == "alltoall")
      return alltoall(send, receive);
    if (with.name == "allgather")
      return allgather(send, receive);
    if (with.name == "bcast")
      return bcast(send, with.root);
    if (with.name == "gather")
      return gather(send, receive, with.root);
    if (with.name == "scatter")
      return scatter(send, receive, with.root);
    if (with.name == "reduce")
      return seam::reduce(send, receive, with.op, with.root);
    if (with.name == "allreduce")
      return allreduce(send, receive, with.op);
    if (with.name == "scan")
      return scan(send, receive, with.op);
    return barrier();
  }();
  call_in_form(with.form, over, tested);
}

/// The line that all ranks throw. They compare it, and so can go on.
std::string told_to_all(Communicator const& world, std::function<void()> const& act) {
  std::string line;
  try {
    act();
  } catch (usage_error const& problem) {
    CHECK(problem.on_all_ranks());
    line = problem.what();
  }
  require_same(world, "error lines", line);
  return line;
}

template <class T>
T one_of(std::vector<T> const& all, std::mt19937& random) {
  return all[random() % all.size()];
}

/// A graph with edges from each rank to the next two, two of them to the first.
Topology two_ahead(int rank, int size) {
  auto const at = [&](int distance) { return edge{(rank + distance + 2 * size) % size}; };
  return Topology::graph({at(-1), at(-2), at(-1)}, {at(1), at(2), at(1)});
}

Topology with(Topology const& edges, std::function<void(std::vector<edge>&)> const& change,
              bool of_sources) {
  std::vector<edge> in(edges.sources().begin(), edges.sources().end());
  std::vector<edge> out(edges.destinations().begin(), edges.destinations().end());
  change(of_sources ? in : out);
  return Topology::graph(in, out);
}

/// Changes one argument of the culprit, and says which.
std::string change_one(arguments& own, bool on_graph, std::mt19937& random) {
  std::vector<std::string> things{"count", "type", "name", "form", "root"};
  bool const reduces = own.name == "reduce" || own.name == "allreduce" || own.name == "scan";
  bool const rooted =
      own.name == "bcast" || own.name == "gather" || own.name == "scatter" || own.name == "reduce";
  if (reduces)
    things = {"count", "type", "name", "form", "op"};
  if (!rooted)
    std::erase(things, "root");
  if (own.name == "barrier")
    things = {"name", "form"};
  std::string thing = one_of(things, random);
  if (thing == "count")
    own.count = one_of<int>({0, 1, 3, 5, 8}, random);
  if (thing == "type")
    own.type = MPI_DOUBLE;
  if (thing == "op")
    own.op = one_of<MPI_Op>({MPI_PROD, MPI_MAX, MPI_BXOR}, random);
  if (thing == "root")
    own.root = one_of<int>({own.root + 1, 1000, -5}, random);
  if (thing == "form")
    own.form = own.form == 2 ? 0 : 2;
  if (thing == "name")
    own.name = own.name == "barrier"            ? "alltoall"
               : on_graph || own.name == "scan" ? "barrier"
                                                : "scan";
  return thing;
}

} // namespace

TEST_CASE("a rank that calls something else is named, on graphs and complete communicators") {
  checks_in_scope const checked(true);
  auto const world = testing::world();
  int const rank = world.rank(), size = world.size();
  if (size < 2)
    return; // a single rank expects its own call
  auto const graph = make_graph(world, two_ahead(rank, size));
  std::vector<std::string> const everywhere{"alltoall", "allgather", "bcast",     "gather",
                                            "scatter",  "reduce",    "allreduce", "barrier"};
  for (unsigned seed = 0; seed < 50; ++seed) {
    std::mt19937 random(seed);
    bool const on_graph = seed % 2 == 0;
    int const culprit = static_cast<int>(random() % unsigned(size));
    auto names = everywhere;
    if (!on_graph)
      names.emplace_back("scan");
    arguments all{
        .name = one_of(names, random), .form = static_cast<int>(random() % 3), .root = culprit};
    arguments own = all;
    auto const thing = change_one(own, on_graph, random);
    if (rank != culprit)
      own = all;
    Communicator const& over = on_graph ? graph : world;
    INFO("seed " << seed << ": " << all.name << " in form " << all.form << ", another " << thing
                 << " on rank " << culprit);
    auto const line = told_to_all(world, [&] { call(over, own); });
    INFO(line);
    CHECK_THAT(line, Catch::Contains(fmt::format("rank {}", culprit)));
    CHECK(std::ranges::count(line, '\n') == 0);
    CHECK(told_to_all(world, [&] { call(over, all); }).empty());
  }
}

TEST_CASE("function objects that differ between ranks are found") {
  checks_in_scope const checked(true);
  auto const world = testing::world();
  if (world.size() < 2)
    return;
  auto const later = [](double, double there) { return there; };
  auto const earlier = [](double here, double) { return here; };
  std::vector<double> const own(2, world.rank());
  std::vector<double> all(2);
  CHECK(told_to_all(world, [&] { run(world, allreduce(own, all, later)); }).empty());
  auto const line = told_to_all(world, [&] {
    run(world, world.rank() == 1 ? allreduce(own, all, later) : allreduce(own, all, earlier));
  });
  CHECK_THAT(line, Catch::Contains("of the user of MPI_DOUBLE") && Catch::Contains("rank 1"));
}

TEST_CASE("an edge that only one side lists so is named") {
  checks_in_scope const checked(true);
  auto const world = testing::world();
  int const rank = world.rank(), size = world.size();
  std::vector<std::function<void(std::vector<edge>&)>> const changes{
      [](std::vector<edge>& edges) { edges.pop_back(); },
      [](std::vector<edge>& edges) { edges.push_back(edges.front()); },
      [](std::vector<edge>& edges) { edges.clear(); },
      [](std::vector<edge>& edges) { edges[1].rank = MPI_PROC_NULL; },
      [](std::vector<edge>& edges) { edges[1].weight = 5; },
      [&](std::vector<edge>& edges) { edges.push_back({rank}); }};
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    int const culprit = static_cast<int>(random() % unsigned(size));
    auto const change = one_of(changes, random);
    auto const right = two_ahead(rank, size);
    auto const wrong = with(right, change, random() % 2 == 0);
    INFO("seed " << seed);
    auto const line =
        told_to_all(world, [&] { make_graph(world, rank == culprit ? wrong : right); });
    CHECK_THAT(line, Catch::Contains(fmt::format("rank {}", culprit)) &&
                         Catch::Contains("(expected the same at both ends)"));
  }
}

TEST_CASE("blocks of other lengths along edges to the same rank are found by their order") {
  checks_in_scope const checked(true);
  auto const world = testing::world();
  int const rank = world.rank(), size = world.size(), next = (rank + 1) % size,
            before = (rank + size - 1) % size;
  auto const graph = make_graph(world, Topology::graph({{before}, {before}}, {{next}, {next}}));
  std::vector<int> out(3), in(3);
  elements const one{out.data(), 1, MPI_INT}, two{out.data() + 1, 2, MPI_INT};
  bool const swapped = rank == 0;
  auto const line = told_to_all(world, [&] {
    run(graph, alltoallw({swapped ? two : one, swapped ? one : two},
                         {{in.data(), 1, MPI_INT}, {in.data() + 1, 2, MPI_INT}}));
  });
  if (size == 1)
    CHECK_THAT(line, Catch::Contains("rank 0 sends 8 bytes to itself and expects 4 from there"));
  else
    CHECK(line ==
          fmt::format("alltoallw(): rank 0 sends 8, 4 bytes along 2 edges to rank {}, which "
                      "expects 4, 8 bytes along 2 edges (expected the same at both ends)",
                      1 % size));
}

TEST_CASE("an exchange whose plans differ at the ends of an edge is refused") {
  checks_in_scope const checked(true);
  auto const world = testing::world();
  int const rank = world.rank(), size = world.size(), next = (rank + 1) % size,
            before = (rank + size - 1) % size;
  auto const ring = make_graph(world, Topology::graph({{before}}, {{next}}));
  std::vector<int> values(10);
  auto const some = [](int count) {
    return regions_of_edges(
        std::vector{region{.offset = 0, .extent = {1, 1, count}, .stride = {}}});
  };
  int const culprit = size - 1;
  plan const tested(ring.topology(), some(rank == culprit ? 3 : 2), some(2));
  auto const array = exchanged_array::of(values.data());
  auto const line = told_to_all(world, [&] { make_exchange(ring, tested, std::span(&array, 1)); });
  CHECK_THAT(line, Catch::Contains(fmt::format("rank {} sends 12 bytes", culprit)));
}

TEST_CASE("arrays of other names, types or reductions are found on all ranks") {
  auto const world = testing::world();
  if (world.size() < 2)
    return;
  checks_in_scope const checked(true);
  plan const nothing(Topology::graph({}, {}), regions_of_edges(), regions_of_edges());
  double a = 0, b = 0;
  std::int64_t c = 0;
  bool const is_culprit = world.rank() == world.size() - 1;
  auto const told = [&](exchanged_array const& right, exchanged_array const& wrong) {
    auto const second = exchanged_array::of(&b, reduction::replace, "b");
    std::vector const arrays{is_culprit ? wrong : right, second};
    return told_to_all(world, [&] { make_exchange(world, nothing, arrays); });
  };
  auto const named = exchanged_array::of(&a, reduction::replace, "a");
  auto const because = [](char const* found, char const* expected) {
    return Catch::Contains(
        fmt::format("[8 ({}), 8 (b: double)], 1 (expected the same on all ranks: "
                    "[8 ({}), 8 (b: double)], 1 as on rank 0)",
                    found, expected));
  };
  CHECK_THAT(told(named, exchanged_array::of(&b, reduction::replace, "v")),
             because("v: double", "a: double"));
  CHECK_THAT(told(named, exchanged_array::of(&c, reduction::replace, "a")),
             because("a: long", "a: double"));
  CHECK_THAT(told(exchanged_array::of(&a), exchanged_array::of(&a, reduction::sum)),
             because("double, sum", "double"));
}

TEST_CASE("other counts of a reduce-scatter, and arguments of scans, are found on all ranks") {
  auto const world = testing::world();
  int const size = world.size();
  if (size < 2)
    return;
  bool const is_culprit = world.rank() == 1;
  std::vector<int> out(std::size_t(4 * size)), in = out;
  std::vector<int> right(std::size_t(size), 2), as_many(right), longer(right);
  as_many.front() = 1, as_many.back() = 3;
  longer.push_back(0);
  auto const with = [&](std::vector<int> const& wrong) {
    return reduce_scatter(elements_of(out), elements_of(in), is_culprit ? wrong : right, MPI_SUM);
  };
  elements const two{in.data(), 2, MPI_INT}, three{out.data(), 3, MPI_INT};
  elements const negative{in.data(), -1, MPI_INT};
  for (bool checks : {true, false})
    for (int form : checks ? std::vector{0, 1, 2} : std::vector{2}) {
      checks_in_scope const checked(checks);
      INFO("checked: " << checks << ", form " << form);
      auto const told = [&](collective const& tested) {
        return told_to_all(world, [&] { call_in_form(form, world, tested); });
      };
      CHECK_THAT(told(with(longer)),
                 Catch::Contains(fmt::format("reduce_scatter: {} counts (expected one for each of "
                                             "{} ranks)",
                                             size + 1, size)));
      CHECK_THAT(told(scan(is_culprit ? three : two, two, MPI_SUM)),
                 Catch::Contains("scan: 3 elements into 2"));
      CHECK_THAT(told(exscan(negative, negative, MPI_SUM)), Catch::Contains("exscan"));
      CHECK_THAT(told(reduce_scatter_block(negative, negative, MPI_SUM)),
                 Catch::Contains("reduce_scatter_block"));
      CHECK(told(with(right)).empty());
      if (checks)
        CHECK_THAT(told(with(as_many)), Catch::Contains("rank 0 calls") &&
                                            Catch::Contains("counts 2, 2") &&
                                            Catch::Contains("counts 1, "));
    }
}

TEST_CASE("calls that the MPI library carries out are compared edge by edge, too") {
  checks_in_scope const checked(true);
  auto const world = testing::world();
  int const size = world.size();
  if (size < 2)
    return;
  std::vector<int> out(std::size_t(4 * size)), in = out;
  auto const ints = [](std::vector<int>& data, int count) {
    return elements{data.data(), count, MPI_INT};
  };
  auto const span_of = [](std::vector<int>& data, int length) {
    return std::span(data).first(std::size_t(length));
  };
  struct fault {
    std::string_view line; ///< is contained in the error line
    std::function<collective(bool)> call;
  };
  // The calls of the culprit, rank 1, and of the other ranks.
  std::vector<fault> const faults{
      {"rank 1 sends 12 bytes",
       [&](bool it) { return alltoall(ints(out, it ? 3 : 2), ints(in, 2)); }},
      {"rank 1 sends 8 bytes to itself and expects 4",
       [&](bool it) { return allgather(ints(out, 2), ints(in, it ? 1 : 2)); }},
      {"rank 0 sends 8 bytes to itself and expects 12",
       [&](bool) { return gather(ints(out, 2), ints(in, 3), 0); }},
      {"rank 0 sends 12 bytes", [&](bool) { return scatter(ints(out, 3), ints(in, 2), 0); }},
      {"allreduce: 3 elements into 2 (expected as many",
       [&](bool it) { return allreduce(span_of(out, it ? 3 : 2), span_of(in, 2), std::plus<>()); }},
      {"reduce: 3 elements into 2 (expected as many",
       [&](bool it) {
         return seam::reduce(span_of(out, it ? 3 : 2), span_of(in, it ? 2 : 3), std::plus<>(), 1);
       }},
      {"and 2 from each",
       [&](bool it) {
         return allgather(span_of(out, 2), span_of(in, it ? 2 * size + 1 : 2 * size));
       }},
      {"elements for", [&](bool it) {
         return alltoall(span_of(out, it ? 2 * size + 1 : 2 * size), span_of(in, 2 * size));
       }}};
  bool const is_culprit = world.rank() == 1;
  for (std::size_t f = 0; f < faults.size(); ++f)
    for (int form : {0, 1, 2}) {
      INFO("fault " << f << " in form " << form);
      auto const line =
          told_to_all(world, [&] { call_in_form(form, world, faults[f].call(is_culprit)); });
      CHECK_THAT(line, Catch::Contains(std::string(faults[f].line)));
    }
}

namespace {

/// The lower half of the ranks on one side, the others on the other.
Communicator make_sides(Communicator const& world) {
  return *world.two_sides(world.rank() < world.size() / 2 ? 0 : 1);
}

} // namespace

TEST_CASE("both sides of a bipartite communicator throw the line") {
  checks_in_scope const checked(true);
  auto const world = testing::world();
  int const rank = world.rank(), size = world.size();
  if (size < 2)
    return;
  auto const both = make_sides(world);
  std::vector<int> out(2 * size), in = out;
  auto const reduce_with = [&](MPI_Op op, int form) {
    elements const send{out.data(), 2, MPI_INT}, receive{in.data(), 2, MPI_INT};
    auto const tested = allreduce(send, receive, op);
    call_in_form(form, both, tested);
  };
  for (int form : {0, 1, 2}) {
    auto const line = told_to_all(world, [&] { reduce_with(rank == 0 ? MPI_MAX : MPI_SUM, form); });
    CHECK_THAT(line, Catch::Contains("rank 0") && Catch::Contains("maximum of MPI_INT") &&
                         Catch::Contains("sum of MPI_INT"));
    CHECK(told_to_all(world, [&] { reduce_with(MPI_SUM, form); }).empty());
  }
}

TEST_CASE("another length or root on one side of a bipartite communicator is named") {
  checks_in_scope const checked(true);
  auto const world = testing::world();
  int const rank = world.rank(), size = world.size(), half = size / 2, last = size - 1;
  if (size < 4)
    return; // the test needs two processes on each side
  auto const both = make_sides(world);
  std::vector<int> out(std::size_t(4 * size)), in = out;
  elements const two{out.data(), 2, MPI_INT}, three{out.data(), 3, MPI_INT};
  elements const into{in.data(), 2, MPI_INT};
  int const at_root = rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
  auto const root = [&](int named) { return rank < half ? at_root : named; };
  for (int form : {0, 1, 2}) {
    INFO("form " << form);
    auto line = told_to_all(world, [&] {
      call_in_form(form, both, allgather(rank == 0 ? three : two, into));
    });
    CHECK_THAT(line, Catch::Contains("rank 0 of the other side sends 12 bytes along 1 edge"));
    line = told_to_all(world,
                       [&] { call_in_form(form, both, bcast(two, root(rank == last ? 1 : 0))); });
    CHECK_THAT(line,
               Catch::Contains(fmt::format("to rank {}, which expects nothing", last - half)));
    CHECK(told_to_all(world, [&] { call_in_form(form, both, bcast(two, root(0))); }).empty());
  }
}

TEST_CASE("a checked nonblocking call does not wait at its start") {
  checks_in_scope const checked(true);
  auto const world = testing::world();
  std::vector<int> own(3, 1), sum(3), token(1);
  constexpr int tag = 3;
  bool const last = world.rank() + 1 == world.size();
  // The last rank starts when the others have told it that they have.
  if (last)
    for (int from = 0; from + 1 < world.size(); ++from)
      receive(world, token, from, tag);
  auto flying = start(world, allreduce(own, sum, std::plus<>()));
  auto next = start(world, barrier());
  if (!last)
    send(world, token, world.size() - 1, tag);
  next.wait();
  flying.wait();
  CHECK(sum == std::vector<int>(3, world.size()));
}
