// Blocks of random datatypes against the bytes that MPI packs.
#include <seam/exchange/mpi/detail/handle.hpp>
#include <seam/exchange/schedule/detail/datatype_blocks.hpp>
#include <seam/exchange/schedule/pack.hpp>

#include <support/catch.hpp>

#include <array>
#include <numeric>
#include <random>
#include <vector>

using namespace seam;
using namespace seam::detail;

namespace {

int below(std::mt19937& random, int end) {
  return std::uniform_int_distribution(0, end - 1)(random);
}

/// The part of an array that a random one of six processes has, in a random distribution.
mpi::datatype dealt_out(MPI_Datatype part, std::mt19937& random) {
  constexpr std::array all{MPI_DISTRIBUTE_NONE, MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC};
  std::array const sizes{5, 4};
  std::array const how{all[1 + static_cast<std::size_t>(below(random, 2))], all[below(random, 3)]};
  bool const is_cut = how[1] != MPI_DISTRIBUTE_NONE;
  std::array const places{is_cut ? 3 : 6, is_cut ? 2 : 1};
  std::array const lengths{how[0] == MPI_DISTRIBUTE_CYCLIC ? 1 + below(random, 2)
                                                           : MPI_DISTRIBUTE_DFLT_DARG,
                           MPI_DISTRIBUTE_DFLT_DARG};
  mpi::datatype type;
  MPI_Type_create_darray(6, below(random, 6), 2, sizes.data(), how.data(), lengths.data(),
                         places.data(), below(random, 2) == 0 ? MPI_ORDER_C : MPI_ORDER_FORTRAN,
                         part, type.receive());
  return type;
}

/// A datatype of a random constructor around another one, with extents of some elements.
mpi::datatype wrap(MPI_Datatype part, std::mt19937& random) {
  mpi::datatype type;
  MPI_Aint lower = 0, extent = 0;
  MPI_Type_get_extent(part, &lower, &extent);
  std::array const lengths{1 + below(random, 2), below(random, 3), 1};
  std::array const places{0, 4, 9};
  std::array const byte_places{MPI_Aint{0}, 5 * extent, 8 * extent};
  std::array const types{part, part, part};
  switch (below(random, 10)) {
  case 0: MPI_Type_contiguous(1 + below(random, 3), part, type.receive()); break;
  case 1: MPI_Type_vector(3, 2, 3 + below(random, 2), part, type.receive()); break;
  case 2: MPI_Type_create_hvector(2, 1, 4 * extent, part, type.receive()); break;
  case 3: MPI_Type_indexed(3, lengths.data(), places.data(), part, type.receive()); break;
  case 4:
    MPI_Type_create_hindexed(3, lengths.data(), byte_places.data(), part, type.receive());
    break;
  case 5: MPI_Type_create_indexed_block(3, 2, places.data(), part, type.receive()); break;
  case 6:
    MPI_Type_create_struct(3, lengths.data(), byte_places.data(), types.data(), type.receive());
    break;
  case 7: {
    std::array const sizes{3, 4}, extents{2, 2}, starts{1, 1};
    MPI_Type_create_subarray(2, sizes.data(), extents.data(), starts.data(),
                             below(random, 2) == 0 ? MPI_ORDER_C : MPI_ORDER_FORTRAN, part,
                             type.receive());
    break;
  }
  case 8: return dealt_out(part, random);
  default: MPI_Type_create_resized(part, 0, 2 * extent, type.receive());
  }
  return type;
}

std::vector<std::byte> packed_by_mpi(elements const& packed) {
  int size = 0, end = 0;
  MPI_Pack_size(static_cast<int>(packed.count), packed.type, MPI_COMM_SELF, &size);
  std::vector<std::byte> wire(static_cast<std::size_t>(size) +
                              1); // MPI wants an address for no bytes
  MPI_Pack(packed.data, static_cast<int>(packed.count), packed.type, wire.data(), size, &end,
           MPI_COMM_SELF);
  wire.resize(end);
  return wire;
}

std::vector<std::byte> packed_by_blocks(elements const& packed) {
  std::vector<std::byte> wire(wire_bytes(packed));
  std::byte* end = wire.data();
  for (block const& source : blocks_of(packed))
    end = pack(source, end);
  CHECK(end == wire.data() + wire.size());
  return wire;
}

} // namespace

TEST_CASE("blocks hold the bytes that MPI packs, in their order") {
  std::mt19937 random(11);
  std::vector<int> memory(40000);
  std::iota(memory.begin(), memory.end(), 0);
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<mpi::datatype> nested;
    MPI_Datatype type = below(random, 2) == 0 ? MPI_INT : MPI_SHORT;
    for (int depth = below(random, 4); depth > 0; --depth) {
      nested.push_back(wrap(type, random));
      type = nested.back().native();
    }
    MPI_Type_commit(&type);
    elements const packed{memory.data(), 1 + below(random, 3), type};
    CHECK(packed_by_blocks(packed) == packed_by_mpi(packed));
  }
}

TEST_CASE("regular datatypes are one block") {
  mpi::datatype column, plane;
  MPI_Type_vector(3, 1, 4, MPI_DOUBLE, column.receive());
  std::array const sizes{5, 6, 7}, extents{2, 3, 4}, starts{1, 1, 1};
  MPI_Type_create_subarray(3, sizes.data(), extents.data(), starts.data(), MPI_ORDER_C, MPI_DOUBLE,
                           plane.receive());
  std::vector<double> memory(210);
  CHECK(blocks_of({memory.data(), 1, column.native()}).size() == 1);
  CHECK(blocks_of({memory.data(), 1, plane.native()}).size() == 1);
  CHECK(blocks_of({memory.data(), 12, MPI_DOUBLE}).size() == 1);
  CHECK(blocks_of({memory.data(), 0, MPI_DOUBLE}).empty());
  CHECK(is_dense(MPI_DOUBLE));
  CHECK_FALSE(is_dense(column.native()));
}

TEST_CASE("lists of blocks are cut until they pair up") {
  std::vector<double> memory(100);
  mpi::datatype column;
  MPI_Type_vector(4, 3, 10, MPI_DOUBLE, column.receive());
  auto from = blocks_of({memory.data(), 1, column.native()});
  auto into = blocks_of({memory.data() + 60, 12, MPI_DOUBLE});
  match(from, into);
  REQUIRE(from.size() == into.size());
  std::int64_t sum = 0;
  for (std::size_t b = 0; b < from.size(); ++b) {
    CHECK(from[b].bytes() == into[b].bytes());
    sum += from[b].bytes();
  }
  CHECK(sum == 12 * std::int64_t{sizeof(double)});
  auto same = blocks_of({memory.data(), 5, MPI_DOUBLE}), again = same;
  match(same, again);
  CHECK(same.empty());
}
