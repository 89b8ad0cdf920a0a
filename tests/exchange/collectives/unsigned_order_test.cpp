// Minima and maxima of unsigned values that would be negative if they were signed are right, also
// where the MPI library orders the type as signed.
#include <seam/exchange/collectives/reduce.hpp>
#include <seam/exchange/collectives/reduce_scatter.hpp>
#include <seam/exchange/collectives/scan.hpp>
#include <seam/exchange/partitioned/reductions.hpp>

#include <support/catch.hpp>
#include <support/world.hpp>

#include <algorithm>
#include <limits>
#include <vector>

using namespace seam;
using namespace seam::detail;

namespace {

/// Maxima and minima of 1 at rank 0 and the largest values elsewhere, by each operation.
template <class T>
struct reductions_of {
  reductions_of(Communicator const& world, MPI_Datatype its_name)
      : over(world),
        type(its_name),
        own(static_cast<std::size_t>(world.size()), value_of(world.rank())) {}

  static T value_of(int rank) {
    return rank == 0 ? T{1} : static_cast<T>(std::numeric_limits<T>::max() - static_cast<T>(rank));
  }

  /// Of the values of ranks first to last.
  static T expected(MPI_Op op, int first, int last) {
    T result = value_of(first);
    for (int r = first; r <= last; ++r)
      result = op == MPI_MAX ? std::max(result, value_of(r)) : std::min(result, value_of(r));
    return result;
  }

  elements of(T const* data, int count = 1) const { return {data, count, type}; }

  void check(MPI_Op op) {
    int const rank = over.rank(), size = over.size();
    T const all = expected(op, 0, size - 1);
    T got{};
    run(over, allreduce(of(own.data()), of(&got), op));
    CHECK(got == all);
    run(over, reduce(of(own.data()), of(&got), op, 0));
    CHECK((rank != 0 || got == all));
    run(over, scan(of(own.data()), of(&got), op));
    CHECK(got == expected(op, 0, rank));
    run(over, exscan(of(own.data()), of(&got), op));
    CHECK((rank == 0 || got == expected(op, 0, rank - 1)));
    run(over, reduce_scatter_block(of(own.data(), size), of(&got), op));
    CHECK(got == all);
    run(over, reduce_scatter(of(own.data(), size), of(&got), std::vector<int>(size, 1), op));
    CHECK(got == all);
    on_graph(op);
    partitioned(op);
  }

  void on_graph(MPI_Op op) {
    int const rank = over.rank(), size = over.size(), before = (rank + size - 1) % size;
    auto const pairs =
        make_graph(over, Topology::graph({{before}, {rank}}, {{(rank + 1) % size}, {rank}}));
    T got{};
    run(pairs, allreduce(of(own.data()), of(&got), op));
    CHECK(got == (op == MPI_MAX ? std::max(value_of(before), value_of(rank))
                                : std::min(value_of(before), value_of(rank))));
  }

  void partitioned(MPI_Op op) {
    T got{};
    auto partitioned = pallreduce_init(over, {own.data(), 1, 1, type}, {&got, 1, 1, type}, op);
    partitioned.start();
    partitioned.ready(0);
    partitioned.wait();
    CHECK(got == expected(op, 0, over.size() - 1));
  }

  Communicator const& over;
  MPI_Datatype type;
  std::vector<T> own;
};

template <class T>
void check(Communicator const& world, MPI_Datatype type) {
  for (MPI_Op op : {MPI_MIN, MPI_MAX})
    reductions_of<T>(world, type).check(op);
}

} // namespace

TEST_CASE("large unsigned values are larger than small ones") {
  auto const world = testing::world();
  check<unsigned char>(world, MPI_UNSIGNED_CHAR);
  check<unsigned short>(world, MPI_UNSIGNED_SHORT);
  check<unsigned>(world, MPI_UNSIGNED);
  check<unsigned long>(world, MPI_UNSIGNED_LONG);
  check<unsigned long long>(world, MPI_UNSIGNED_LONG_LONG);
  check<std::uint64_t>(world, MPI_UINT64_T);
}
