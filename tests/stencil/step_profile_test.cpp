// Profiles of steps: what is counted is what has been run.
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/steps/run/step_observer.hpp>
#include <seam/exchange/steps/run/step_profile.hpp>
#include <seam/stencil/roles/steps.hpp>

#include <support/catch.hpp>
#include <support/world.hpp>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>

using namespace seam;

namespace {

/// Profiles in a scope.
struct profiled {
  profiled() { profile_steps(true); }
  profiled(profiled const&) = delete;
  profiled& operator=(profiled const&) = delete;
  ~profiled() { profile_steps(false); }
};

detail::observed_work work_of(std::string const& name) {
  auto const& all = detail::profiled_work().all();
  auto const found =
      std::ranges::find(all, name, &std::pair<std::string, detail::observed_work>::first);
  return found == all.end() ? detail::observed_work{} : found->second;
}

std::int64_t of_all_ranks(std::int64_t own) {
  return mpi::allreduce(testing::all_ranks(), own, MPI_SUM);
}

} // namespace

TEST_CASE("a profile counts calls, cells, bytes and messages of the runs that it is on for") {
  Grid<2> const grid(testing::world(), {.cells = {26, 22}, .periodic = {true, true}});
  auto u = grid.field<double>("u"), v = grid.field<double>("v");
  auto n = grid.field<std::int16_t>("n");
  u.fill(0.0);
  v.fill(0.0);
  n.fill(std::int16_t{0});
  Value<double> most("most"), copy("copy", 0.0);
  Steps step(grid);
  step.each("profiled spread", updates(u, star(1)), reads(n),
            [](auto c, auto k) { c = 0.25 * (c(1, 0) + c(-1, 0) + c(0, 1) + c(0, -1)) + k(); });
  step.each("profiled limit", maximum(most), reads(u), [](auto into, auto c) { into(c()); });
  step.once("profiled copy", sets(copy), with(most), [](double& to, double from) { to = from; });
  step.each("profiled now and then", modifies(v), [](auto c) { c += 1.0; })
      .every(3)
      .where(box<2>{{0, 0}, {2, 5}});
  step.run(2); // not profiled
  auto const before = work_of("messages");
  {
    profiled const on;
    step.run(7);
    CHECK(work_of("'profiled spread'").calls == 7);
    step.run(1); // steps live on
  }
  step.run(2);
  CHECK(work_of("'profiled spread'").calls == 8);
  CHECK(work_of("'profiled copy'").calls == 8);
  CHECK(work_of("'profiled now and then'").calls == 3); // steps 3, 6, 9
  CHECK(of_all_ranks(work_of("'profiled spread'").cells) == 8 * 26 * 22);
  CHECK(of_all_ranks(work_of("'profiled spread'").bytes) == 8 * 26 * 22 * (8 + 8 + 2));
  CHECK(of_all_ranks(work_of("'profiled now and then'").cells) == 3 * 10);
  CHECK(of_all_ranks(work_of("'profiled limit'").bytes) == 8 * 26 * 22 * 8);
  CHECK((work_of("messages").calls > before.calls) == (grid.size() > 1));
  CHECK(work_of("'profiled spread'").seconds > 0);
  std::string const table = step_profile(testing::all_ranks());
  bool const is_root = testing::all_ranks().rank() == 0;
  CHECK(table.empty() != is_root);
  if (is_root) {
    CHECK_THAT(table, Catch::Contains("profile of steps on ") &&
                          Catch::Contains("all   'profiled spread'") &&
                          Catch::Contains("all   waits") && Catch::Contains("of a copy"));
    CHECK((table.find("\n1     'profiled spread'") != std::string::npos) == (grid.size() > 1));
  }
}

TEST_CASE(
    "fused steps, steps in colors, in order and under masks are profiled, and exceptions pass") {
  Grid<2> const grid(testing::world(), {.cells = {26, 22}, .processes = {1, 0}});
  auto u = grid.field<double>("u"), w = grid.field<double>("w");
  auto mask = grid.field<int>("mask");
  mask.fill([](auto x) { return x[0] < 0.5 ? 1 : 0; });
  u.boundary(dirichlet(1.0));
  w.boundary(outside(0.0));
  profiled const on;
  for (int const fused : {1, 4}) {
    Steps step(grid);
    step.fuse(fused);
    step.each("p fused", updates(u, star(1)), [](auto c) { c = 0.5 * (c(1, 0) + c(0, -1)); })
        .where(mask);
    step.each("p colors", modifies(u, star(1)), [](auto c) { c = 0.5 * c() + 0.1 * c(1, 0); })
        .in_colors(2);
    step.each("p order", modifies(w, line(0, -1, 0)), [](auto c) { c = c(-1, 0) + 1; }).in_order(0);
    step.run(8);
  }
  CHECK(work_of("'p fused'").calls == 16);
  CHECK(work_of("'p colors'").calls == 32); // passes
  CHECK(work_of("'p order'").calls == 16);
  CHECK(of_all_ranks(work_of("'p order'").cells) >= 16 * 26 * 22);
  Steps thrower(grid);
  thrower.each("p throws", modifies(w), [](auto c) {
    if (c() > 1.0)
      throw std::runtime_error("from a kernel");
    c = c();
  });
  CHECK_THROWS_WITH(thrower.run(), "from a kernel");
  CHECK(work_of("'p throws'").calls == 1);
}

TEST_CASE("a field that no kernel writes travels once in a run") {
  Grid<2> const grid(testing::world(), {.cells = {26, 22}, .periodic = {true, true}});
  auto u = grid.field<double>("u"), k = grid.field<double>("k");
  u.fill(0.0);
  k.fill(0.0);
  Steps step(grid);
  step.each("constant", updates(u, star(1)), reads(k, star(1)), [](auto c, auto by) {
    c = c(1, 0) + c(-1, 0) + c(0, 1) + c(0, -1) + by(1, 0) + by(-1, 0) + by(0, 1) + by(0, -1);
  });
  auto const bytes_of = [&](std::int64_t count) {
    auto const before = work_of("messages").bytes;
    profiled const on;
    step.run(count);
    return work_of("messages").bytes - before;
  };
  std::int64_t const both = bytes_of(1);
  CHECK((both > 0) == (grid.size() > 1));
  for (std::int64_t const count : {1, 3, 4, 9, 12})
    CHECK(bytes_of(count) == both / 2 * (count + 1));
}
