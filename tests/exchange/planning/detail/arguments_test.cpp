// Arguments that a process itself can see to be wrong are refused at once: by collectives in all
// forms, messages along edges, windows and sparse exchanges, with checks on and off.
#include <seam/exchange/collectives/allgather.hpp>
#include <seam/exchange/collectives/alltoall.hpp>
#include <seam/exchange/collectives/bcast.hpp>
#include <seam/exchange/collectives/gather.hpp>
#include <seam/exchange/collectives/reduce.hpp>
#include <seam/exchange/collectives/reduce_scatter.hpp>
#include <seam/exchange/collectives/scan.hpp>
#include <seam/exchange/collectives/scatter.hpp>
#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/point_to_point/point_to_point.hpp>
#include <seam/exchange/point_to_point/window.hpp>
#include <seam/exchange/sparse/sparse_exchange.hpp>

#include <support/call_in_form.hpp>
#include <support/catch.hpp>
#include <support/world.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

using namespace seam;
using testing::call_in_form;
using namespace seam::detail;

namespace {

constexpr int untouched = -7;

/// The arguments of a collective; two blocks fill the buffers of the largest number of ranks.
struct arguments {
  std::vector<int> out = std::vector<int>(64, 1), in = std::vector<int>(64, untouched);
  elements send{out.data() + 16, 2, MPI_INT}, receive{in.data() + 16, 2, MPI_INT};
  MPI_Op op = MPI_SUM;
  int root = 0;
};

/// A collective, and the arguments that it has besides two buffers.
struct kind {
  char const* name;
  bool has_root, has_op;
  std::function<collective(Communicator const&, arguments const&)> make;
};

std::vector<elements> blocks_for(Communicator const& over, bool leave, elements const& each) {
  auto const& edges = over.topology();
  auto const degree = !edges.is_graph() ? std::size_t(over.size())
                      : leave           ? edges.destinations().size()
                                        : edges.sources().size();
  return std::vector<elements>(degree, each);
}

std::vector<kind> all_kinds() {
  using on = Communicator const&;
  using with = arguments const&;
  return {
      {"alltoall", false, false, [](on, with a) { return alltoall(a.send, a.receive); }},
      {"alltoallw", false, false,
       [](on over, with a) {
         return alltoallw(blocks_for(over, true, a.send), blocks_for(over, false, a.receive));
       }},
      {"allgather", false, false, [](on, with a) { return allgather(a.send, a.receive); }},
      {"allgatherw", false, false,
       [](on over, with a) { return allgatherw(a.send, blocks_for(over, false, a.receive)); }},
      {"gather", true, false, [](on, with a) { return gather(a.send, a.receive, a.root); }},
      {"gatherw", true, false,
       [](on over, with a) { return gatherw(a.send, blocks_for(over, false, a.receive), a.root); }},
      {"scatter", true, false, [](on, with a) { return scatter(a.send, a.receive, a.root); }},
      {"scatterw", true, false,
       [](on over, with a) { return scatterw(blocks_for(over, true, a.send), a.receive, a.root); }},
      {"reduce", true, true,
       [](on, with a) { return seam::reduce(a.send, a.receive, a.op, a.root); }},
      {"allreduce", false, true, [](on, with a) { return allreduce(a.send, a.receive, a.op); }},
      {"bcast of what is sent", true, false, [](on, with a) { return bcast(a.send, a.root); }},
      {"bcast of what is received", true, false,
       [](on, with a) { return bcast(a.receive, a.root); }},
  };
}

std::vector<kind> kinds_among_all() {
  using on = Communicator const&;
  using with = arguments const&;
  auto kinds = all_kinds();
  kinds.push_back({"scan", false, true, [](on, with a) { return scan(a.send, a.receive, a.op); }});
  kinds.push_back({"exscan", false, true,
                   [](on, with a) { return exscan(a.send, a.receive, a.op); }});
  kinds.push_back({"reduce_scatter_block", false, true,
                   [](on, with a) { return reduce_scatter_block(a.send, a.receive, a.op); }});
  kinds.push_back({"reduce_scatter", false, true, [](on over, with a) {
                     auto const count = static_cast<int>(std::min(a.send.count, a.receive.count));
                     return reduce_scatter(a.send, a.receive,
                                           std::vector<int>(std::size_t(over.size()), count), a.op);
                   }});
  return kinds;
}

/// The class of the error that `call` throws, or MPI_SUCCESS.
template <class Call>
int class_thrown_by(Call const& call) {
  try {
    call();
  } catch (usage_error const& mistake) {
    return mistake.error_class();
  }
  return MPI_SUCCESS;
}

/// The mistakes that buffers may have, the same on all ranks, and their error classes.
struct mistake {
  char const* name;
  int error_class;
  std::function<void(arguments&)> make;
};

/// A type that is not committed.
struct uncommitted {
  uncommitted() { MPI_Type_vector(2, 1, 3, MPI_INT, &type); }
  uncommitted(uncommitted const&) = delete;
  uncommitted& operator=(uncommitted const&) = delete;
  ~uncommitted() { MPI_Type_free(&type); }
  MPI_Datatype type = MPI_DATATYPE_NULL;
};

std::vector<mistake> mistakes_of_sent(MPI_Datatype not_committed) {
  return {{"a negative count", MPI_ERR_COUNT, [](arguments& a) { a.send.count = -1; }},
          {"a count far below 0", MPI_ERR_COUNT, [](arguments& a) { a.send.count = -(1 << 30); }},
          {"no memory", MPI_ERR_BUFFER, [](arguments& a) { a.send.data = nullptr; }},
          {"no type", MPI_ERR_TYPE, [](arguments& a) { a.send.type = MPI_DATATYPE_NULL; }},
          {"a type that is not committed", MPI_ERR_TYPE,
           [=](arguments& a) { a.send.type = not_committed; }}};
}

std::vector<mistake> mistakes_of_received(MPI_Datatype not_committed) {
  auto mistakes = mistakes_of_sent(not_committed);
  for (mistake& wrong : mistakes)
    wrong.make = [make = wrong.make](arguments& a) {
      std::swap(a.send, a.receive);
      make(a);
      std::swap(a.send, a.receive);
    };
  mistakes.push_back({"in place", MPI_ERR_BUFFER,
                      [](arguments& a) { a.receive.data = MPI_IN_PLACE; }});
  return mistakes;
}

bool ignores_sent(kind const& tested) {
  return tested.name == std::string("bcast of what is received");
}
/// Rank 0 receives nothing in an exclusive scan.
bool ignores_received(kind const& tested) {
  return tested.name == std::string("bcast of what is sent") ||
         tested.name == std::string("exscan");
}

/// In a scatter MPI_IN_PLACE is allowed.
bool is_mistake(kind const& tested, mistake const& wrong) {
  return std::string(tested.name).find("scatter") != 0 || std::string(wrong.name) != "in place";
}

Communicator graph_of_all_edges(Communicator const& world) {
  std::vector<edge> all;
  for (int rank = 0; rank < world.size(); ++rank)
    all.push_back({rank});
  return make_graph(world, Topology::graph(all, all));
}

/// Calls `tested` with a mistake on all ranks, in all forms and modes in which none of them waits:
/// a process that is not the root need not see the mistake.
void expect_refusal(Communicator const& over, kind const& tested, mistake const& wrong) {
  for (bool const checked : {true, false})
    for (int form = 0; form < 3; ++form) {
      bool const all_know = checked || form == 2 || !tested.has_root || over.size() == 1;
      if (!all_know)
        continue;
      INFO(fmt::format("{}, {}, form {}, checks {}", tested.name, wrong.name, form, checked));
      checks_in_scope const mode(checked);
      arguments with;
      wrong.make(with);
      CHECK(class_thrown_by([&] { call_in_form(form, over, tested.make(over, with)); }) ==
            wrong.error_class);
      CHECK(std::ranges::count(with.in, untouched) == std::ssize(with.in));
    }
}

void expect_all_refusals(Communicator const& over, std::vector<kind> const& kinds) {
  uncommitted const vector;
  for (kind const& tested : kinds) {
    if (!ignores_sent(tested))
      for (mistake const& wrong : mistakes_of_sent(vector.type))
        expect_refusal(over, tested, wrong);
    if (!ignores_received(tested))
      for (mistake const& wrong : mistakes_of_received(vector.type))
        if (is_mistake(tested, wrong))
          expect_refusal(over, tested, wrong);
    for (int const root : {-1, over.size(), MPI_PROC_NULL})
      if (tested.has_root)
        expect_refusal(over, tested,
                       {"a root that is none", MPI_ERR_ROOT, [=](arguments& a) { a.root = root; }});
    for (MPI_Op op : {MPI_OP_NULL, MPI_REPLACE, MPI_NO_OP, MPI_MAXLOC})
      if (tested.has_op)
        expect_refusal(over, tested, {"no operation that combines", MPI_ERR_OP, [=](arguments& a) {
                                        a.op = op;
                                      }});
  }
}

} // namespace

TEST_CASE("arguments that cannot be are refused at once among all processes") {
  auto const world = testing::world();
  expect_all_refusals(world, kinds_among_all());
  expect_all_refusals(*world.split(world.rank(), 0), kinds_among_all());
}

TEST_CASE("arguments that cannot be are refused at once on graphs") {
  auto const world = testing::world();
  expect_all_refusals(graph_of_all_edges(world), all_kinds());
  expect_all_refusals(graph_of_all_edges(*world.split(world.rank(), 0)), all_kinds());
}

TEST_CASE("an error that one rank sees is thrown by all where all compare") {
  auto const world = testing::world();
  auto const graph = graph_of_all_edges(world);
  bool const is_last = world.rank() == world.size() - 1;
  for (Communicator const* over : {&world, &graph})
    for (kind const& tested : all_kinds())
      for (bool const checked : {true, false})
        for (int form = checked ? 0 : 2; form < 3; ++form) {
          if (ignores_sent(tested) || (tested.name[0] == 's' && world.size() > 1))
            continue; // the last rank sends nothing
          INFO(fmt::format("{}, form {}, checks {}", tested.name, form, checked));
          checks_in_scope const mode(checked);
          arguments with;
          with.send.count = is_last ? -3 : 2;
          CHECK(class_thrown_by([&] { call_in_form(form, *over, tested.make(*over, with)); }) ==
                MPI_ERR_COUNT);
        }
}

TEST_CASE("counts of blocks that follow each other are looked at one by one") {
  auto const world = testing::world();
  auto const graph = graph_of_all_edges(world);
  auto const size = std::size_t(world.size());
  std::vector<int> const out(4 * size, 1);
  std::vector<int> in(4 * size, untouched), wrong(size, 2), fine(size, 2);
  wrong[0] = -2;
  for (Communicator const* over : {&world, &graph})
    for (bool const checked : {true, false}) {
      checks_in_scope const mode(checked);
      CHECK(class_thrown_by([&] { run(*over, alltoallv(out, wrong, in, fine)); }) == MPI_ERR_COUNT);
      CHECK(class_thrown_by([&] { run(*over, alltoallv(out, fine, in, wrong)); }) == MPI_ERR_COUNT);
      CHECK(class_thrown_by([&] { run(*over, allgatherv(std::vector<int>(2), in, wrong)); }) ==
            MPI_ERR_COUNT);
      CHECK(std::ranges::count(in, untouched) == std::ssize(in));
    }
}

TEST_CASE("a datatype may have the addresses in itself") {
  auto const world = testing::world();
  auto const graph = graph_of_all_edges(world);
  auto const size = std::size_t(world.size());
  for (bool const checked : {true, false})
    for (Communicator const* over : {&world, &graph}) {
      checks_in_scope const mode(checked);
      std::vector<int> sent(size, world.rank()), received(size, untouched);
      auto const at = [](std::vector<int>& values, std::size_t k) {
        MPI_Aint place = 0;
        MPI_Get_address(&values[k], &place);
        mpi::datatype absolute;
        int const one = 1;
        MPI_Type_create_hindexed(1, &one, &place, MPI_INT, absolute.receive());
        MPI_Type_commit(absolute.receive());
        return absolute;
      };
      std::vector<mpi::datatype> types;
      std::vector<elements> sends, receives;
      for (std::size_t k = 0; k < size; ++k) {
        sends.push_back({MPI_BOTTOM, 1, types.emplace_back(at(sent, k)).native()});
        receives.push_back({MPI_BOTTOM, 1, types.emplace_back(at(received, k)).native()});
      }
      run(*over, alltoallw(sends, receives));
      for (std::size_t k = 0; k < size; ++k)
        CHECK(received[k] == static_cast<int>(k));
      run(*over, bcast(sends[0], world.size() - 1));
      CHECK(sent[0] == world.size() - 1);
    }
}

TEST_CASE("buffers without elements need no memory") {
  auto const world = testing::world();
  auto const graph = make_graph(world, Topology::graph({}, {}));
  elements const nothing{nullptr, 0, MPI_INT}, unused{nullptr, 3, MPI_INT};
  for (bool const checked : {true, false}) {
    checks_in_scope const mode(checked);
    CHECK_NOTHROW(run(world, alltoall(nothing, nothing)));
    CHECK_NOTHROW(run(world, allgather(nothing, nothing)));
    CHECK_NOTHROW(run(world, allreduce(nothing, nothing, MPI_SUM)));
    CHECK_NOTHROW(run(world, bcast(nothing, 0)));
    CHECK_NOTHROW(run(graph, alltoall(unused, unused))); // there are no edges
    CHECK_NOTHROW(run(graph, allgather(unused, unused)));
    std::vector<int> own(3, 1), sum(3);
    elements const result{world.rank() == 0 ? nullptr : sum.data(), 3, MPI_INT};
    CHECK_NOTHROW(run(world, exscan({own.data(), 3, MPI_INT}, result, MPI_SUM)));
    if (world.rank() > 0)
      CHECK(sum == std::vector<int>(3, world.rank()));
  }
}

TEST_CASE("messages along edges are refused where their arguments cannot be") {
  auto const world = testing::world();
  auto const self = graph_of_all_edges(*world.split(world.rank(), 0));
  int value = 3;
  auto const class_of_send = [&](elements const& values, int to, int tag) {
    return class_thrown_by([&] { send(self, values, to, tag); });
  };
  auto const class_of_receive = [&](elements const& values, int from, int tag) {
    return class_thrown_by([&] { receive(self, values, from, tag); });
  };
  CHECK(class_of_send({&value, -1, MPI_INT}, 0, 0) == MPI_ERR_COUNT);
  CHECK(class_of_send({nullptr, 1, MPI_INT}, 0, 0) == MPI_ERR_BUFFER);
  CHECK(class_of_send({&value, 1, MPI_DATATYPE_NULL}, 0, 0) == MPI_ERR_TYPE);
  CHECK(class_of_send({&value, 1, MPI_INT}, 5, 0) == MPI_ERR_RANK);
  CHECK(class_of_send({&value, 1, MPI_INT}, 0, -4) == MPI_ERR_TAG);
  CHECK(class_of_send({&value, 1, MPI_INT}, 0, MPI_ANY_TAG) == MPI_ERR_TAG);
  CHECK(class_of_receive({&value, -1, MPI_INT}, 0, 0) == MPI_ERR_COUNT);
  CHECK(class_of_receive({nullptr, 1, MPI_INT}, 0, 0) == MPI_ERR_BUFFER);
  CHECK(class_of_receive({&value, 1, MPI_INT}, 5, 0) == MPI_ERR_RANK);
  CHECK(class_of_receive({&value, 1, MPI_INT}, 0, -4) == MPI_ERR_TAG);
}

TEST_CASE("accesses to windows are refused where their arguments cannot be") {
  auto const world = testing::world();
  int value = 3;
  detail::untyped_window memory(world, {.length = 16, .unit = 4});
  memory.fence();
  int const own = world.rank();
  elements const there{nullptr, 1, MPI_INT};
  auto const class_of_put = [&](int target, elements const& here, elements const& into) {
    return class_thrown_by([&] { memory.put(target, 0, here, into); });
  };
  CHECK(class_of_put(own, {&value, -1, MPI_INT}, there) == MPI_ERR_COUNT);
  CHECK(class_of_put(own, {&value, 1, MPI_INT}, {nullptr, -1, MPI_INT}) == MPI_ERR_COUNT);
  CHECK(class_of_put(own, {nullptr, 1, MPI_INT}, there) == MPI_ERR_BUFFER);
  CHECK(class_of_put(own, {&value, 1, MPI_DATATYPE_NULL}, there) == MPI_ERR_TYPE);
  CHECK(class_of_put(world.size(), {&value, 1, MPI_INT}, there) == MPI_ERR_RANK);
  CHECK(class_thrown_by([&] {
          memory.put(own, 4, {&value, 1, MPI_INT}, there);
        }) == MPI_ERR_RMA_RANGE);
  CHECK(class_thrown_by([&] {
          memory.accumulate(own, 0, {&value, 1, MPI_INT}, there, MPI_OP_NULL);
        }) == MPI_ERR_OP);
  CHECK(class_thrown_by([&] { memory.lock(own, lock_kind::shared); }) == MPI_ERR_RMA_SYNC);
  memory.close_epoch();
  CHECK(class_thrown_by([&] {
          detail::untyped_window const none(world, {.length = 16, .unit = 4, .data = nullptr});
        }) == MPI_ERR_BASE);
}

TEST_CASE("a destination of a sparse exchange that is no rank is refused at once") {
  auto const world = testing::world();
  SparseExchange exchange(world);
  for (bool const checked : {true, false}) {
    checks_in_scope const mode(checked);
    CHECK(class_thrown_by([&] { exchange.pack(world.size(), 1); }) == MPI_ERR_RANK);
    CHECK(class_thrown_by([&] { exchange.pack(-1, 1); }) == MPI_ERR_RANK);
  }
}
