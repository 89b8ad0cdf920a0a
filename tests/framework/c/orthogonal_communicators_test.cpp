// The C interface's communicators: their names, bases and parts, as in C++.
#include <seam/c/orthogonal.h>

#include <seam/exchange/mpi/comm.hpp>
#include <seam/mapping/named_communicator.hpp>

#include <support/catch.hpp>
#include <support/orthogonal.hpp>

#include <array>
#include <optional>
#include <vector>

using namespace seam;
using namespace seam::detail;
using seam::testing::ring_of_two;
using seam::testing::text_of;

TEST_CASE("Cart_get returns the order that was given, and tells of one that C does not know") {
  int size = 0, grid_size = 0, dimorder = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm named = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &named);
  std::array const order{1, size, 1}, period{0, 1, 0};
  std::array<int, 3> found{};
  for (int const given : {ROWMAJOR, COLMAJOR}) {
    CHECK(Cart_name(named, 3, given, order.data(), period.data(), &grid_size) == MPI_SUCCESS);
    CHECK(Cart_get(named, &dimorder, 3, found.data(), found.data()) == MPI_SUCCESS);
    CHECK(dimorder == given);
  }
  auto const order_after = [&](std::vector<int> const& slowest_first) {
    name(named, CartesianNaming(size, {1, size, 1}, {false, true, false},
                                dimension_order::permutation(slowest_first)));
    CHECK(Cart_get(named, &dimorder, 3, found.data(), found.data()) == MPI_SUCCESS);
    return dimorder;
  };
  CHECK(order_after({0, 1, 2}) == ROWMAJOR);
  CHECK(order_after({2, 1, 0}) == COLMAJOR);
  CHECK(order_after({1, 2, 0}) == MPI_UNDEFINED);
  MPI_Comm_free(&named);
}

TEST_CASE("the base of a bipartite communicator is its own side") {
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size < 2)
    return;
  int const half = size / 2;
  bool const low = rank < half;
  MPI_Comm side = MPI_COMM_NULL, both = MPI_COMM_NULL, base = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, low ? 0 : 1, rank, &side);
  MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, low ? half : 0, 3, &both);
  CHECK(Comm_base(both, &base) == MPI_SUCCESS);
  int relation = MPI_UNEQUAL, kind = 0;
  CHECK(Seam_Topo_test(both, &kind) == MPI_SUCCESS);
  CHECK(kind == MPI_INTER);
  CHECK(Seam_Topo_test(base, &kind) == MPI_SUCCESS);
  CHECK(kind == MPI_UNDEFINED);
  MPI_Comm_compare(base, side, &relation);
  CHECK(relation == MPI_CONGRUENT);
  // Everybody gets the sum of the other side's ranks.
  int sum = -1, expected = 0;
  for (int other = low ? half : 0; other < (low ? size : half); ++other)
    expected += other;
  CHECK(Seam_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, both) == MPI_SUCCESS);
  CHECK(sum == expected);
  MPI_Comm graph = MPI_COMM_NULL;
  MPI_Comm_set_errhandler(both, MPI_ERRORS_RETURN);
  CHECK_THAT(text_of(Seam_Dist_graph_create_adjacent(both, 0, nullptr, MPI_UNWEIGHTED, 0, nullptr,
                                                     MPI_UNWEIGHTED, MPI_INFO_NULL, 1, &graph)),
             Catch::Contains("graph: a bipartite communicator"));
  MPI_Comm_free(&base);
  MPI_Comm_free(&both);
  MPI_Comm_free(&side);
}

TEST_CASE("sub-communicators keep the coordinates that remain") {
  int rank = 0, size = 0, grid_size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm named = MPI_COMM_NULL, row = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &named);
  std::array order{0, 0}, period{0, 1}, place{0, 0};
  MPI_Dims_create(size, 2, order.data());
  Cart_name(named, 2, COLMAJOR, order.data(), period.data(), &grid_size);
  Cart_coordinates(named, rank, place.data());
  std::array const excluded{1, 0};
  CHECK(Cart_create_sub(named, excluded.data(), &row) == MPI_SUCCESS);
  int row_rank = -1, row_size = -1;
  MPI_Comm_rank(row, &row_rank);
  MPI_Comm_size(row, &row_size);
  CHECK(row_rank == place[1]);
  CHECK(row_size == order[1]);
  MPI_Comm_free(&row);
  MPI_Comm_free(&named);
}

TEST_CASE("parts of a graph are subgraphs in C, too") {
  ring_of_two const graph;
  int const rank = graph.cpp.rank(), size = graph.cpp.size();
  auto const check = [](MPI_Comm comm, std::optional<Communicator> const& expected) {
    CHECK((comm != MPI_COMM_NULL) == expected.has_value());
    if (!expected)
      return;
    CHECK(topology_of(comm) == expected->topology());
    CHECK(mpi::comm_view(comm).rank() == expected->rank());
    MPI_Comm_free(&comm);
  };
  MPI_Comm made = MPI_COMM_NULL;
  CHECK(Seam_Comm_dup(graph.c, &made) == MPI_SUCCESS);
  check(made, graph.cpp.dup());
  int const color = rank == 0 ? MPI_UNDEFINED : rank % 2;
  CHECK(Seam_Comm_split(graph.c, color, -rank, &made) == MPI_SUCCESS);
  check(made, graph.cpp.split(color, -rank));
  int const type = rank == 0 ? MPI_UNDEFINED : MPI_COMM_TYPE_SHARED;
  CHECK(Seam_Comm_split_type(graph.c, type, -rank, MPI_INFO_NULL, &made) == MPI_SUCCESS);
  check(made, graph.cpp.split_type(type, -rank));

  mpi::group all, low;
  MPI_Comm_group(graph.c, all.receive());
  int range[1][3] = {{0, (size - 1) / 2, 1}};
  MPI_Group_range_incl(all.native(), 1, range, low.receive());
  CHECK(Seam_Comm_create(graph.c, low.native(), &made) == MPI_SUCCESS);
  check(made, graph.cpp.create(low.native()));
  bool const is_low = rank <= (size - 1) / 2;
  CHECK(Seam_Comm_create_group(graph.c, low.native(), 3, &made) == MPI_SUCCESS);
  check(made, is_low ? std::optional(graph.cpp.create_group(low.native(), 3)) : std::nullopt);
}

TEST_CASE("some processes of a communicator that seam has not seen can make a group") {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm fresh = MPI_COMM_NULL, alone = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &fresh);
  if (rank == 0) {
    mpi::group all, first;
    MPI_Comm_group(fresh, all.receive());
    MPI_Group_incl(all.native(), 1, &rank, first.receive());
    CHECK(Seam_Comm_create_group(fresh, first.native(), 0, &alone) == MPI_SUCCESS);
    int sum = 0;
    CHECK(Seam_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, alone) == MPI_SUCCESS);
    MPI_Comm_free(&alone);
  }
  MPI_Comm_free(&fresh);
}
