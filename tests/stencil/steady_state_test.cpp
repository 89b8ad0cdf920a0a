// Once a loop has been set up, sweeps and halos ask for no memory and send what the plan says.
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/communicator/node.hpp>
#include <seam/exchange/communicator/shared_memory.hpp>
#include <seam/stencil/ghosts/halo.hpp>
#include <seam/stencil/roles/iterate.hpp>

#include <support/allocation_counter.hpp>
#include <support/catch.hpp>
#include <support/message_counter.hpp>
#include <support/world.hpp>

#include <set>

using namespace seam;
using namespace seam::detail;
using seam::testing::num_allocations;

namespace {

struct counts {
  long allocations, sends, receives, collectives;
};

/// What happens during `runs` calls of `once`, after a few that do not count.
template <class Once>
counts during(int runs, Once once) {
  for (int r = 0; r < 3; ++r)
    once();
  num_allocations = 0;
  auto const calls = testing::calls_of([&] {
    for (int r = 0; r < runs; ++r)
      once();
  });
  return {num_allocations, calls.sends, calls.receives, calls.collectives};
}

constexpr int runs = 20;

/// Other ranks to which this one sends ghosts.
long num_neighbors(Grid<2> const& grid) {
  std::set<int> others;
  for (edge const& to : grid.graph().topology().destinations())
    if (to.rank != grid.rank())
      others.insert(to.rank);
  return std::ssize(others);
}

} // namespace

TEST_CASE("a sweep allocates nothing and communicates with its neighbors alone") {
  shared_memory_in_scope const off(false);
  Grid<2> grid(testing::world(),
               {.cells = {48, 40}, .periodic = {true, false}, .neighborhood = moore(1)});
  auto u = grid.field<double>("u"), next = grid.field<double>("next");
  u.fill([](position<2> x) { return x[0] * x[1]; });
  u.boundary(dirichlet([](position<2> const& x) { return x[0]; }));
  Iterate loop(grid, u, next);
  REQUIRE(num_allocations > 0); // or else nothing is counted
  auto const found = during(runs, [&] {
    loop.sweep([](auto v, int i, int j) { return 0.5 * (v(i - 1, j - 1) + v(i + 1, j + 1)); });
  });
  CHECK(found.allocations == 0);
  CHECK(found.collectives == 0);
  CHECK(found.sends <= runs * num_neighbors(grid));
  if (grid.size() == 1)
    CHECK(found.sends == 0);
  if (grid.size() > 1)
    CHECK(mpi::allreduce(grid.base().context(), found.sends, MPI_SUM) > 0);
}

TEST_CASE("a chain of sweeps allocates nothing either") {
  Grid<2> grid(testing::world(),
               {.cells = {48, 40}, .periodic = {false, true}, .neighborhood = moore(1)});
  auto u = grid.field<double>("u"), next = grid.field<double>("next");
  u.fill([](position<2> x) { return x[0] * x[1]; });
  u.boundary(neumann(0.5));
  Iterate loop(grid, u, next);
  auto const found = during(runs, [&] {
    loop.sweeps(5, [](auto v, int i, int j) { return 0.5 * (v(i - 1, j - 1) + v(i + 1, j + 1)); });
  });
  CHECK(found.allocations == 0);
  CHECK(found.collectives == 0);
  CHECK(found.sends <= runs * 5 * num_neighbors(grid));
}

TEST_CASE("a halo of several fields sends exactly the messages that it tells") {
  shared_memory_in_scope const off(false);
  Grid<3> grid(testing::world(),
               {.cells = {12, 12, 12}, .periodic = {true, true, true}, .neighborhood = moore(1)});
  auto u = grid.field<double>("u");
  auto v = grid.field<float>("v");
  auto halo = make_halo(u, v);
  auto back = make_reverse_halo(reduction::sum, u, v);
  for (Halo* exchange : {&halo, &back}) {
    auto const found = during(runs, [&] { exchange->run(); });
    CHECK(found.allocations == 0);
    CHECK(found.collectives == 0);
    CHECK(found.sends == runs * exchange->num_messages());
  }
}

TEST_CASE("within a node sweeps and halos allocate nothing and ask nothing of MPI") {
  shared_memory_in_scope const on(true);
  Grid<2> grid(testing::world(),
               {.cells = {48, 40}, .periodic = {true, false}, .neighborhood = moore(1)});
  if (grid.base().node().is_alone())
    return;
  auto u = grid.field<double>("u"), next = grid.field<double>("next");
  auto flags = grid.field<char>("flags");
  u.boundary(dirichlet(0.0));
  auto halo = make_halo(flags);
  auto back = make_reverse_halo(reduction::sum, flags);
  Iterate loop(grid, u, next);
  auto const found = during(runs, [&] {
    loop.sweep([](auto v, int i, int j) { return 0.5 * (v(i - 1, j - 1) + v(i + 1, j + 1)); });
    halo.run();
    back.run();
  });
  CHECK(found.allocations == 0);
  CHECK(found.sends == 0);
  CHECK(found.receives == 0);
  CHECK(found.collectives == 0);
}
