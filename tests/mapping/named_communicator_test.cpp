// Namings of real communicators: against MPI's own Cartesian communicators, and as attributes.
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/agreement/new_comm.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/mapping/dims.hpp>
#include <seam/mapping/named_communicator.hpp>

#include <support/catch.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

using namespace seam;
using namespace seam::detail;

namespace {

using vec = std::vector<int>;

std::vector<std::vector<bool>> all_flags(int count) {
  std::vector<std::vector<bool>> all;
  for (int bits = 0; bits < 1 << count; ++bits) {
    std::vector<bool> flags;
    for (int i = 0; i < count; ++i)
      flags.push_back((bits >> i & 1) != 0);
    all.push_back(flags);
  }
  return all;
}

/// MPI's Cartesian communicator of the same grid; empty on ranks beyond it.
mpi::comm mpi_cartesian(CartesianNaming const& naming) {
  mpi::comm cart;
  vec const periods(naming.periodic().begin(), naming.periodic().end());
  mpi::check(MPI_Cart_create(MPI_COMM_WORLD, naming.num_dimensions(), naming.order().data(),
                             periods.data(), 0, cart.receive()),
             "MPI_Cart_create");
  return cart;
}

/// Row-major grids of all processes in one to three dimensions, with every periodicity.
std::vector<CartesianNaming> all_full_grids() {
  int const size = mpi::comm_view(MPI_COMM_WORLD).size();
  std::vector<CartesianNaming> grids;
  for (int d = 1; d <= 3; ++d)
    for (auto const& periodic : all_flags(d))
      grids.emplace_back(size, dims_create(size, vec(d, 0)), periodic);
  return grids;
}

/// Grids with fewer, as many and more points than there are processes.
std::vector<CartesianNaming> grids_of_all_sizes() {
  int const size = mpi::comm_view(MPI_COMM_WORLD).size();
  std::vector<CartesianNaming> grids;
  for (vec const& order :
       std::vector<vec>{{}, {2}, {size}, {2, 2}, {2, 3}, {1, size}, {2, 2, 2}, {3, 1, 3}})
    for (auto const& dimorder : {dimension_order::row_major(), dimension_order::column_major()})
      grids.emplace_back(size, order, std::vector<bool>(order.size(), true), dimorder);
  grids.emplace_back(size, vec{2, 2, 2}, std::vector<bool>(3, false),
                     dimension_order::permutation({1, 2, 0}));
  grids.emplace_back(size, vec{2, 1, 3}, std::vector<bool>(3, false),
                     dimension_order::permutation({2, 0, 1}));
  return grids;
}

vec without(vec const& values, std::vector<bool> const& excluded) {
  vec rest;
  for (int i = 0; i < std::ssize(values); ++i)
    if (!excluded[i])
      rest.push_back(values[i]);
  return rest;
}

} // namespace

TEST_CASE("row-major names are those of MPI's Cartesian communicators") {
  for (auto const& naming : all_full_grids()) {
    auto const cart = mpi_cartesian(naming);
    int const d = naming.num_dimensions();
    for (int rank = 0; rank < naming.num_processes(); ++rank) {
      vec theirs(d);
      REQUIRE(MPI_Cart_coords(cart.native(), rank, d, theirs.data()) == MPI_SUCCESS);
      REQUIRE(naming.coordinates(rank) == theirs);
      for (int i = 0; i < std::ssize(theirs); ++i)
        theirs[i] += naming.periodic()[i] ? 5 * naming.order()[i] * (rank % 2 == 0 ? 1 : -1) : 0;
      int their_rank = MPI_PROC_NULL;
      REQUIRE(MPI_Cart_rank(cart.native(), theirs.data(), &their_rank) == MPI_SUCCESS);
      REQUIRE(naming.rank(theirs) == their_rank);
    }
  }
}

TEST_CASE("shifts along an axis are those of MPI's Cartesian communicators") {
  for (auto const& naming : all_full_grids()) {
    auto const cart = mpi_cartesian(naming);
    int const mine = mpi::comm_view(cart).rank();
    for (int dimension = 0; dimension < naming.num_dimensions(); ++dimension)
      for (int distance = -3; distance <= 3; ++distance) {
        vec relative(naming.order().size(), 0);
        relative[dimension] = distance;
        shift_ranks theirs{};
        REQUIRE(MPI_Cart_shift(cart.native(), dimension, distance, &theirs.in, &theirs.out) ==
                MPI_SUCCESS);
        REQUIRE(naming.relative_shift(mine, relative) == theirs);
      }
  }
}

TEST_CASE("a naming stays with its communicator and is not inherited") {
  auto const comm = mpi::dup(MPI_COMM_WORLD);
  CHECK(naming_of(comm) == nullptr);
  CartesianNaming const first(mpi::comm_view(comm).size(), {2, 2}, {true, true});
  name(comm, first);
  REQUIRE(naming_of(comm) != nullptr);
  CHECK(*naming_of(comm) == first);
  CHECK(naming_of(mpi::dup(comm)) == nullptr);
  CHECK(naming_of(mpi::split(comm, 0, 0)) == nullptr);
  CHECK(naming_of(MPI_COMM_WORLD) == nullptr);
  CHECK(naming_of(MPI_COMM_NULL) == nullptr);
}

TEST_CASE("a new naming replaces the old one") {
  auto const comm = mpi::dup(MPI_COMM_WORLD);
  int const size = mpi::comm_view(comm).size();
  CartesianNaming const second(size, {size}, {true}, dimension_order::column_major());
  name(comm, CartesianNaming(size, {2, 2}, {true, true}));
  name(comm, second);
  CHECK(*naming_of(comm) == second);
  CHECK(check_same_naming(comm) == second);
}

TEST_CASE("a naming for another number of processes is refused") {
  auto const comm = mpi::dup(MPI_COMM_WORLD);
  CartesianNaming const other(mpi::comm_view(comm).size() + 1, {2, 2}, {true, true});
  CHECK_THROWS_AS(name(comm, other), usage_error);
  CHECK_THROWS_AS(name(MPI_COMM_NULL, other), usage_error);
  CHECK(naming_of(comm) == nullptr);
}

TEST_CASE("a communicator that a rank names differently is refused on all ranks") {
  auto const comm = mpi::dup(MPI_COMM_WORLD);
  mpi::comm_view const view = comm;
  int const last = view.size() - 1;
  bool const differs = view.rank() == last && last > 0;
  name(comm, CartesianNaming(view.size(), {2, 3}, {true, differs}));
  if (last == 0) {
    CHECK_NOTHROW(check_same_naming(comm));
    return;
  }
  auto const expected =
      "first on rank " + std::to_string(last) + " of " + std::to_string(view.size());
  for (auto const& call : std::vector<std::function<void()>>{[&] { check_same_naming(comm); },
                                                             [&] {
                                                               make_sub(comm, {true, false});
                                                             }})
    try {
      call();
      FAIL("nothing was refused");
    } catch (usage_error const& refused) {
      CHECK(refused.on_all_ranks());
      CHECK(std::string(refused.what()).find("periodic [1, 1]") != std::string::npos);
      CHECK(std::string(refused.what()).find("periodic [1, 0]") != std::string::npos);
      CHECK(std::string(refused.what()).find(expected) != std::string::npos);
    }
}

TEST_CASE("a communicator without names has no sub-grids") {
  auto const comm = mpi::dup(MPI_COMM_WORLD);
  CHECK_THROWS_AS(check_same_naming(comm), usage_error);
  CHECK_THROWS_AS(make_sub(comm, {true}), usage_error);
}

TEST_CASE("ranks that exclude different dimensions, or too few, are refused") {
  auto const comm = mpi::dup(MPI_COMM_WORLD);
  mpi::comm_view const view = comm;
  name(comm, CartesianNaming(view.size(), {1, view.size()}, {true, true}));
  CHECK_THROWS_AS(make_sub(comm, {true}), usage_error);
  if (view.size() > 1)
    CHECK_THROWS_AS(make_sub(comm, {view.rank() == 0, true}), usage_error);
}

TEST_CASE("processes keep their remaining coordinates in sub-communicators") {
  for (auto const& naming : grids_of_all_sizes()) {
    auto const comm = mpi::dup(MPI_COMM_WORLD);
    int const mine = mpi::comm_view(comm).rank();
    name(comm, naming);
    for (auto const& excluded : all_flags(naming.num_dimensions())) {
      INFO(to_string(naming));
      auto const sub = make_sub(comm, excluded);
      REQUIRE(sub.is_open() == naming.is_named(mine));
      if (!sub.is_open())
        continue;
      mpi::comm_view const view = sub;
      auto const remaining = naming.sub_naming(excluded, view.size());
      REQUIRE(naming_of(sub) == nullptr);
      REQUIRE(remaining.coordinates(view.rank()) == without(naming.coordinates(mine), excluded));
      if (naming.size() <= naming.num_processes())
        REQUIRE(view.size() == remaining.size());
    }
  }
}

TEST_CASE("sub-communicators hold exactly the processes with the same excluded coordinates") {
  for (auto const& naming : grids_of_all_sizes()) {
    auto const comm = mpi::dup(MPI_COMM_WORLD);
    int const mine = mpi::comm_view(comm).rank();
    name(comm, naming);
    for (auto const& excluded : all_flags(naming.num_dimensions())) {
      auto included = excluded;
      included.flip();
      vec expected;
      for (int rank = 0; rank < naming.num_processes() && naming.is_named(mine); ++rank)
        if (naming.is_named(rank) && without(naming.coordinates(rank), included) ==
                                         without(naming.coordinates(mine), included))
          expected.push_back(rank);
      auto const sub = make_sub(comm, excluded);
      REQUIRE((sub.is_open() ? mpi::allgather(sub, mine) : vec{}) == expected);
    }
  }
}
