// Messages of other lengths than are expected, with checks off: an error where they arrive, and
// nothing is read or written beside the buffers.
#include <seam/exchange/checks.hpp>
#include <seam/exchange/collectives/alltoall.hpp>
#include <seam/exchange/collectives/reduce.hpp>
#include <seam/exchange/collectives/reduce_scatter.hpp>
#include <seam/exchange/error.hpp>
#include <seam/exchange/shared_memory.hpp>

#include <support/catch.hpp>
#include <support/guarded_memory.hpp>
#include <support/world.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

using namespace seam;

namespace {

using values = std::vector<double>;

void call_in_form(int form, Communicator const& over, collective const& what) {
  if (form == 0)
    run(over, what);
  else if (form == 1)
    start(over, what).wait();
  else
    prepare(over, what).run();
}

/// The class of the error that the call throws, or MPI_SUCCESS.
int class_thrown_in_form(int form, Communicator const& over, collective const& what) {
  try {
    call_in_form(form, over, what);
  } catch (usage_error const& mistake) {
    return mistake.error_class();
  }
  return MPI_SUCCESS;
}

/// Lengths in lines, in rooms, at the border between them, and beyond both.
std::vector<std::pair<int, int>> const lengths{{1, 2},     {2, 1},     {200, 400},   {400, 200},
                                               {700, 500}, {500, 700}, {9000, 9001}, {9001, 9000}};

/// True if a message of so many elements is one that Open MPI 4.1 writes beyond the buffer of a
/// receiver that expects less: a message of MPI that is too long to be sent at once.
bool is_written_beyond(bool shared, int form, int length) {
  constexpr int most_at_once = 500, most_in_memory = 8192;
  bool const goes_by_mpi = !shared || form == 1 || length > most_in_memory;
  return goes_by_mpi && length > most_at_once;
}

/// Calls visit(form, first, second) for all forms and pairs of lengths, on both kinds of memory.
template <class Visit>
void for_all_pairs(bool both_ways, Visit visit) {
  checks_in_scope const unchecked(false);
  for (bool const shared : {true, false})
    for (int form = 0; form < 3; ++form)
      for (auto const& [first, second] : lengths) {
        INFO(fmt::format("shared memory {}, form {}, {} and {} elements", shared, form, first,
                         second));
        shared_memory_in_scope const choice(shared);
        bool const is_longer = both_ways || first > second;
        if (!is_longer || !is_written_beyond(shared, form, std::max(first, second)))
          visit(form, first, second);
      }
}

} // namespace

TEST_CASE("a message of another length is an error where it arrives") {
  auto const world = testing::world();
  auto const pair = world.split(world.rank() < 2 ? 0 : 1, 0);
  if (world.rank() >= 2 || world.size() < 2)
    return;
  bool const sends = world.rank() == 0;
  for_all_pairs(false, [&](int form, int sent, int expected) {
    auto const graph =
        make_graph(*pair, sends ? Topology::graph({}, {{1}}) : Topology::graph({{0}}, {}));
    values const out(std::size_t(sends ? sent : 0), 1);
    values in(std::size_t(sends ? 0 : expected), -1);
    int const found = class_thrown_in_form(form, graph, alltoall(out, in));
    if (!sends)
      CHECK(found == MPI_ERR_TRUNCATE);
  });
}

TEST_CASE("a reduction of other lengths is an error, and takes no old values") {
  auto const world = testing::world();
  auto const pair = world.split(world.rank() < 2 ? 0 : 1, 0);
  if (world.rank() >= 2 || world.size() < 2)
    return;
  for_all_pairs(true, [&](int form, int first, int second) {
    edge const other{1 - world.rank()};
    auto const graph = make_graph(*pair, Topology::graph({other}, {other}));
    values const mine(std::size_t(world.rank() == 0 ? first : second), 1);
    values sum(mine.size(), -1);
    CHECK(class_thrown_in_form(form, graph, allreduce(mine, sum, MPI_SUM)) == MPI_ERR_TRUNCATE);
    CHECK(std::ranges::count(sum, -1) == std::ssize(sum));
  });
}

TEST_CASE("a prepared reduction of other lengths is refused on all ranks") {
  auto const world = testing::world();
  if (world.size() < 2)
    return;
  for_all_pairs(false, [&](int, int first, int second) {
    values const mine(std::size_t(world.rank() == 0 ? first : second), 1);
    values sum(mine.size(), -1);
    auto const class_of_prepared = [&](collective const& what) {
      return class_thrown_in_form(2, world, what);
    };
    CHECK(class_of_prepared(allreduce(mine, sum, MPI_SUM)) == MPI_ERR_TRUNCATE);
    CHECK(class_of_prepared(seam::reduce(mine, sum, MPI_SUM, 0)) == MPI_ERR_TRUNCATE);
    elements const whole{sum.data(), std::ssize(sum), MPI_DOUBLE};
    CHECK(class_of_prepared(reduce_scatter_block(
              {MPI_IN_PLACE, 0, MPI_DOUBLE}, {whole.data, whole.count / world.size(), MPI_DOUBLE},
              MPI_SUM)) ==
          (first / world.size() == second / world.size() ? MPI_SUCCESS : MPI_ERR_TRUNCATE));
  });
}

TEST_CASE("nothing has been written beside a piece of memory") {
  CHECK(testing::num_overruns == 0);
}
