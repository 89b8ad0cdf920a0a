// Reductions of elements that reach beyond their extents stay in memory of their own.
#include <seam/exchange/collectives/reduce.hpp>
#include <seam/exchange/mpi/detail/handle.hpp>

#include <support/catch.hpp>
#include <support/guarded_memory.hpp>
#include <support/world.hpp>

#include <vector>

using namespace seam;
using namespace seam::detail;

namespace {

constexpr int rows = 3, columns = 4;

/// Adds columns of matrices, one beside the other, whose addresses are in row `RowOfAddress`.
template <int RowOfAddress>
void add_columns(void* from, void* into, int* count, MPI_Datatype*) {
  for (int column = 0; column < *count; ++column)
    for (int row = -RowOfAddress; row < rows - RowOfAddress; ++row)
      static_cast<double*>(into)[row * columns + column] +=
          static_cast<double*>(from)[row * columns + column];
}

/// A column of a matrix; the next one begins one entry further on.
mpi::datatype make_column(int row_of_address) {
  mpi::datatype entries, placed, column;
  MPI_Type_vector(rows, 1, columns, MPI_DOUBLE, entries.receive());
  int const one = 1;
  MPI_Aint const first = -row_of_address * columns * MPI_Aint{sizeof(double)};
  MPI_Datatype const of = entries.native();
  MPI_Type_create_struct(1, &one, &first, &of, placed.receive());
  MPI_Type_create_resized(placed.native(), 0, sizeof(double), column.receive());
  MPI_Datatype native = column.native();
  MPI_Type_commit(&native);
  return column;
}

/// Reduces the first two columns of each rank's matrix.
template <int RowOfAddress>
void reduce_columns(Communicator const& over, bool in_place) {
  mpi::datatype const column = make_column(RowOfAddress);
  MPI_Op add = MPI_OP_NULL;
  MPI_Op_create(add_columns<RowOfAddress>, 1, &add);
  auto const rank = static_cast<double>(over.rank());
  std::vector<double> own(rows * columns, rank + 1), sum(own.size(), rank + 1), expected(sum);
  double total = 0;
  for (edge const& source : over.topology().sources())
    total += source.rank + 1;
  for (std::size_t row = 0; row < rows; ++row)
    expected[row * columns] = expected[row * columns + 1] = total;
  auto const at = [](std::vector<double>& matrix) { return &matrix[RowOfAddress * columns]; };
  elements const into{at(sum), 2, column.native()};
  run(over, allreduce(in_place ? elements{MPI_IN_PLACE} : elements{at(own), 2, column.native()},
                      into, add));
  CHECK(sum == expected);
  MPI_Op_free(&add);
}

} // namespace

TEST_CASE("elements that reach beyond their extents are reduced in memory of their own") {
  auto const world = testing::world();
  int const rank = world.rank(), size = world.size();
  int const next = (rank + 1) % size, before = (rank + size - 1) % size;
  long const overruns = testing::num_overruns;
  for (auto const reduce_with : {reduce_columns<0>, reduce_columns<1>, reduce_columns<2>})
    for (bool in_place : {true, false}) {
      Communicator const graph =
          make_graph(world, Topology::graph({{before}, {rank}}, {{next}, {rank}}));
      reduce_with(graph, in_place);
    }
  CHECK(testing::num_overruns == overruns);
}

TEST_CASE("elements without an extent are refused") {
  auto const world = testing::world();
  Communicator const own = make_graph(world, Topology::graph({{world.rank()}}, {{world.rank()}}));
  mpi::datatype flat;
  MPI_Type_create_resized(MPI_DOUBLE, 0, 0, flat.receive());
  MPI_Datatype flat_type = flat.native();
  MPI_Type_commit(&flat_type);
  MPI_Op add = MPI_OP_NULL;
  MPI_Op_create(add_columns<0>, 1, &add);
  std::vector<double> send(1), receive(1);
  CHECK_THROWS_WITH(prepare(own, allreduce(elements{send.data(), 1, flat.native()},
                                           elements{receive.data(), 1, flat.native()}, add)),
                    Catch::Contains("extent 0 (expected more than 0)"));
  MPI_Op_free(&add);
}
