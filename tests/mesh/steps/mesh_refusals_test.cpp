// What steps on meshes refuse: one line, the same on all ranks.
#include <support/airfoil_mesh.hpp>
#include <support/catch.hpp>
#include <support/refusal.hpp>
#include <support/world.hpp>

#include <mesh/meshes.hpp>

#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/partition.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <vector>

using namespace seam;
using namespace seam::testing;

namespace {

using Catch::Contains;

Mesh small_mesh(Communicator const& over) { return Mesh(over, airfoil_mesh(over, 8, 12)); }

/// The cells around each own one, by ascending ids.
adjacency own_rows(Mesh const& mesh) {
  adjacency rows;
  for (local_id c = 0; c < mesh.cells().num_owned; ++c) {
    auto const around = mesh.adjacent(2, 2)[c];
    rows.ab2b.insert(rows.ab2b.end(), around.begin(), around.end());
    rows.end_row();
  }
  return rows;
}

/// The line about a program that is declared and run.
template <class Declare>
std::string refused(Mesh const& mesh, Declare const& declare) {
  return refusal_of([&] {
    Steps step(mesh);
    declare(step);
    step.run(1);
  });
}

} // namespace

TEST_CASE("sets of nothing are refused on all ranks, as are those of others' entities") {
  Mesh const mesh = small_mesh(world());
  CHECK_THAT(refusal_of([&] { static_cast<void>(mesh.border(9)); }),
             Contains("mesh: a set of border 9 sides, of which there are none"));
  CHECK_THAT(refusal_of([&] { static_cast<void>(mesh.tagged(cells, 5)); }),
             Contains("mesh: a set of tagged 5 cells, of which there are none"));
  CHECK_THAT(refusal_of([&] { static_cast<void>(mesh.border("wall")); }),
             Contains("mesh: group 'wall'"));
  CHECK_THAT(refusal_of([&] { static_cast<void>(mesh.closure(7)); }), Contains("border 7"));
  CHECK_THAT(refusal_of([&] { static_cast<void>(mesh.inner(cells)); }),
             Contains("mesh: inner cells (expected sides, or parts of them)"));
  std::vector<local_id> const beyond{mesh.cells().num_owned};
  CHECK_THAT(refusal_of([&] { static_cast<void>(mesh.listed(cells, beyond)); }),
             Contains("mesh: entity") && Contains("in a list of cells (expected own ones"));
}

TEST_CASE("fields and sets of another mesh are refused, and fields of other parts") {
  Mesh const mesh = small_mesh(world()), other = small_mesh(world());
  auto u = mesh.field<double>("u", cells), v = other.field<double>("v", cells);
  auto w = mesh.field<double>("w", sides);
  auto const copies = SEAM_KERNEL(auto to, auto from) { to = from(); };
  CHECK_THAT(refused(mesh, [&](auto& step) { step.each("k", writes(u), reads(v), copies); }),
             Contains("kernel 'k': field 'v' belongs to another mesh"));
  CHECK_THAT(refused(mesh,
                     [&](auto& step) {
                       step.each(
                           "k", other.inner(sides), writes(w), SEAM_KERNEL(auto to) { to = 1; });
                     }),
             Contains("kernel 'k' at inner sides of another mesh"));
  CHECK_THAT(refused(mesh, [&](auto& step) { step.each("k", writes(u), reads(w), copies); }),
             Contains("kernel 'k' at cells reads 'w' of sides at their own place") &&
                 Contains("as in reads(w, sides)"));
  CHECK_THAT(refused(mesh,
                     [&](auto& step) {
                       step.each(
                           "k", writes(u), reads(w, vertices),
                           SEAM_KERNEL(auto to, auto from) { to = from(0); });
                     }),
             Contains("reads 'w' of sides around them as of vertices (expected sides)"));
  CHECK_THAT(refused(mesh,
                     [&](auto& step) {
                       step.each(
                           "k", writes(u), writes(w), SEAM_KERNEL(auto a, auto b) {
                             a = 1;
                             b = 1;
                           });
                     }),
             Contains("kernel 'k' writes 'w' of sides (expected cells, as the other fields"));
  CHECK_THAT(refused(mesh,
                     [&](auto& step) {
                       step.each(
                           "k", mesh.border(), writes(u), SEAM_KERNEL(auto a) { a = 1; });
                     }),
             Contains("kernel 'k' at border sides writes fields of cells"));
  CHECK_THAT(refused(mesh,
                     [&](auto& step) {
                       step.each(
                           "k", reads(w, sides), adds(u, cells),
                           SEAM_KERNEL(auto, auto to) { to(0) += 1; });
                     }),
             Contains("kernel 'k' adds at no entity of its own"));
}

TEST_CASE("kernels that change what they read need updates() or colors") {
  Mesh const mesh = small_mesh(world());
  auto u = mesh.field<double>("u", cells);
  CHECK_THAT(refused(mesh,
                     [&](auto& step) {
                       step.each(
                           "k", mesh.inner(sides), reads(u, cells), adds(u, cells),
                           SEAM_KERNEL(auto from, auto to) { to(0) += from(1); });
                     }),
             Contains("kernel 'k' reads and adds 'u'"));
  CHECK_THAT(refused(mesh,
                     [&](auto& step) {
                       step.each(
                           "k", modifies(u, cells), SEAM_KERNEL(auto a) { a = a(0); });
                     }),
             Contains("kernel 'k' modifies 'u' in place and reads its neighbors") &&
                 Contains("in_colors()"));
  CHECK_THAT(refused(mesh,
                     [&](auto& step) {
                       step.each(
                               "k", modifies(u), SEAM_KERNEL(auto a) { a += 1; })
                           .in_colors();
                     }),
             Contains("kernel 'k' in colors (expected modifies() of a field whose neighbors"));
}

TEST_CASE("lists and numbers that do not fit are refused, and lists that depend on ranks") {
  Mesh const mesh = small_mesh(world());
  auto u = mesh.field<double>("u", cells);
  auto const first_of = SEAM_KERNEL(auto a) { a = a.count() > 0 ? a(0) : a(); };
  adjacency short_list;
  CHECK_THAT(refused(mesh, [&](auto& step) { step.each("k", updates(u, short_list), first_of); }),
             Contains("kernel 'k': a list of 'u' with 0 rows"));
  adjacency list;
  for (local_id c = 0; c < mesh.cells().num_owned; ++c) {
    auto const around = mesh.adjacent(2, 2)[c];
    list.ab2b.insert(list.ab2b.end(), around.begin(), around.end());
    std::sort(list.ab2b.begin() + list.a2ab.back(), list.ab2b.end());
    list.end_row();
  }
  std::string const line =
      refused(mesh, [&](auto& step) { step.each("k", updates(u, list), first_of); });
  if (world().size() > 1)
    CHECK_THAT(line, Contains("in the order of local numbers, which depends on ranks"));
  else
    CHECK(line == "nothing was thrown");
  list.ab2b.front() = mesh.cells().num_local();
  CHECK_THAT(refused(mesh, [&](auto& step) { step.each("k", updates(u, list), first_of); }),
             Contains("has entity") && Contains("expected local cells"));
  std::vector<double> const numbers(3);
  CHECK_THAT(refused(mesh,
                     [&](auto& step) {
                       step.each(
                           "k", writes(u), reads(numbers),
                           SEAM_KERNEL(auto a, auto n) { a = n(); });
                     }),
             Contains("kernel 'k' reads 3 numbers (expected"));
  std::vector<double> const of_cells(mesh.cells().num_owned);
  CHECK_THAT(
      refused(mesh,
              [&](auto& step) {
                step.each(
                    "k", writes(u), reads(of_cells), SEAM_KERNEL(auto a, auto n) { a = n(0); });
              }),
      Contains("kernel 'k' reads number 0 of entity") && Contains("expected its own, as n()"));
  adjacency around = own_rows(mesh);
  std::vector<double> const of_entries(around.ab2b.size());
  CHECK_THAT(refused(mesh,
                     [&](auto& step) {
                       step.each(
                           "k", updates(u, around), reads(of_entries),
                           SEAM_KERNEL(auto a, auto n) { a = n(); });
                     }),
             Contains("kernel 'k' reads a number of entity") && Contains("as n(k))"));
  CHECK_THAT(refused(mesh,
                     [&](auto& step) {
                       step.each(
                           "k", updates(u, around), reads(of_entries),
                           SEAM_KERNEL(auto a, auto n) { a = n(a.count()); });
                     }),
             Contains("kernel 'k' reads number"));
  around.ab2b.pop_back();
  CHECK_THAT(refused(mesh, [&](auto& step) { step.each("k", updates(u, around), first_of); }),
             Contains("kernel 'k': a list of 'u' whose rows begin at 0 and end at"));
}

TEST_CASE(
    "lists in the order of falling ids are taken on any ranks, however few entities they have") {
  Mesh const mesh(world(), box_mesh(world(), shape::quadrilateral, {8, 1, 1}));
  auto u = mesh.field<double>("u", cells);
  u.fill([](auto x) { return x[0]; });
  adjacency list;
  auto const& ids = mesh.cells().ids;
  for (local_id c = 0; c < mesh.cells().num_owned; ++c) {
    auto const around = mesh.adjacent(2, 2)[c];
    list.ab2b.insert(list.ab2b.end(), around.begin(), around.end());
    std::sort(list.ab2b.begin() + list.a2ab.back(), list.ab2b.end(),
              [&](local_id a, local_id b) { return ids[a] > ids[b]; });
    list.end_row();
  }
  Steps step(mesh);
  step.each(
      "k", updates(u, list), SEAM_KERNEL(auto a) { a = a(0); });
  step.run(1);
  for (local_id c = 0; c < mesh.cells().num_owned; ++c)
    CHECK(u(c) == (ids[c] == 7 ? 6.5 : static_cast<double>(ids[c]) + 1.5) / 8);
}

TEST_CASE(
    "kernels are tried when steps are planned: reads beyond lists, values that are left out") {
  Mesh const mesh = small_mesh(world());
  auto u = mesh.field<double>("u", cells), q = mesh.field<double>("q", cells, 2);
  auto w = mesh.field<double>("w", sides);
  CHECK_THAT(refused(mesh,
                     [&](auto& step) {
                       step.each(
                           "k", mesh.inner(sides), reads(u, cells), writes(w),
                           SEAM_KERNEL(auto from, auto to) { to = from(2); });
                     }),
             Contains("kernel 'k' reads 'u' at neighbor 2 of entity") &&
                 Contains("of the sides, which has 2 (expected 0 to 1)"));
  CHECK_THAT(refused(mesh,
                     [&](auto& step) {
                       step.each(
                           "k", mesh.border(), adds(u, cells),
                           SEAM_KERNEL(auto to) { to(1) += 1; });
                     }),
             Contains("kernel 'k' adds to 'u' at neighbor 1"));
  CHECK_THAT(refused(mesh,
                     [&](auto& step) {
                       step.each(
                           "k", reads(u, cells), writes(w),
                           SEAM_KERNEL(auto from, auto to) { to = from(); });
                     }),
             Contains("kernel 'k' reads 'u' of cells at its own place among the sides"));
  CHECK_THAT(refused(mesh,
                     [&](auto& step) {
                       step.each(
                           "k", writes(q), SEAM_KERNEL(auto to) { to[1] = 1; });
                     }),
             Contains("kernel 'k' leaves 'q' without a value at entity"));
  CHECK_THAT(refused(mesh,
                     [&](auto& step) {
                       step.each(
                           "k", writes(q), SEAM_KERNEL(auto to) {
                             to[0] = 1;
                             to[2] = 1;
                           });
                     }),
             Contains("kernel 'k' writes component 2 of 'q' (expected 0 to 1)"));
}

TEST_CASE("meshes whose ghost cells do not suffice are refused, and fields that have migrated") {
  Mesh const mesh = small_mesh(world());
  auto u = mesh.field<double>("u", cells);
  Steps step(mesh);
  step.each(
      "k", modifies(u), SEAM_KERNEL(auto a) { a += 1; });
  step.run(1);
  for (local_id c = 0; c < mesh.cells().num_owned; ++c)
    CHECK(u(c) == 1);
  if (world().size() == 1)
    return;
  Mesh const by_sides = mesh.with_ghosts({.depth = 1, .through = 1});
  auto at = by_sides.field<double>("at", vertices);
  auto of = by_sides.field<double>("of", cells);
  CHECK_THAT(
      refused(by_sides,
              [&](auto& program) {
                program.each(
                    "k", reads(of, cells), writes(at),
                    SEAM_KERNEL(auto from, auto to) { to = from(0); });
              }),
      Contains("kernel 'k' reads 'of' of cells around vertices, of a mesh with 1 layer of ghost "
               "cells through sides (expected at least 1, through vertices)"));
  // A vertex has cells of other ranks around it that share no side with an own one.
  CHECK_THAT(
      refused(by_sides,
              [&](auto& program) {
                program.each(
                    "k", by_sides.all(cells), adds(at, vertices), reads(of),
                    SEAM_KERNEL(auto to, auto from) { to(0) += from(); });
              }),
      Contains("kernel 'k' adds 'at' of vertices around cells, of a mesh with 1 layer of ghost "
               "cells through sides (expected at least 1, through vertices)"));
  Mesh const bare = mesh.with_ghosts({.depth = 0});
  CHECK_THAT(refusal_of([&] { static_cast<void>(bare.inner(sides)); }),
             Contains("mesh without ghost cells"));
  Mesh const moved = migrate(mesh, random_ranks(mesh, world().size(), 1), u);
  CHECK_THAT(refusal_of([&] { step.run(1); }), Contains("kernel 'k': field 'u' has migrated"));
}

TEST_CASE("programs that differ between ranks are refused on all of them, in the same line") {
  auto const over = world();
  if (over.size() == 1)
    return;
  bool const is_other = over.rank() == over.size() - 1;
  Mesh const mesh(over, airfoil_mesh(over, 8, 12), {.depth = 3});
  auto u = mesh.field<double>("u", cells), v = mesh.field<double>("v", cells);
  auto const keep = SEAM_KERNEL(auto a) { a = a(); };
  auto const inner = mesh.inner(vertices), all = mesh.all(vertices);
  auto at = mesh.field<double>("at", vertices);
  using program = Steps<on_mesh>;
  struct misuse {
    char const* expected;
    std::function<void(program&)> declare;
  };
  std::vector<misuse> const table{
      {"kernel 'b' in each() (expected the same on all ranks: kernel 'a' in each()",
       [&](program& step) { step.each(is_other ? "b" : "a", updates(u), keep); }},
      {"expected the same on all ranks",
       [&](program& step) { step.each("k", updates(is_other ? u : v), keep); }},
      {"modifies(u)",
       [&](program& step) {
         is_other ? step.each("k", modifies(u), keep) : step.each("k", updates(u), keep);
       }},
      {"inner vertices",
       [&](program& step) { step.each("k", is_other ? inner : all, modifies(at), keep); }},
      {"every 2 1",
       [&](program& step) { step.each("k", modifies(u), keep).every(is_other ? 2 : 3, 1); }},
      {"colors 2",
       [&](program& step) {
         auto options = step.each("k", modifies(u, cells), keep);
         if (is_other)
           options.in_colors();
       }},
      {"fused 2",
       [&](program& step) {
         step.each("k", updates(u, cells), keep);
         step.fuse(is_other ? 2 : 3);
       }},
      {"kernel 'more' in each()",
       [&](program& step) {
         step.each("k", modifies(u), keep);
         if (is_other)
           step.each("more", modifies(u), keep);
       }},
      {"kernel 'k' every 0 steps",
       [&](program& step) { step.each("k", modifies(u), keep).every(0); }},
      {"kernel 'k' every 2 steps from step 2 on",
       [&](program& step) { step.each("k", modifies(u), keep).every(2, 2); }},
      {"no kernel", [](program&) {}},
      {"-1 runs after 0", [&](program& step) {
         step.each("k", modifies(u), keep);
         step.run(-1);
       }}};
  for (auto const& [expected, declare] : table) {
    std::string const line = refused(mesh, declare);
    CHECK_THAT(line, Contains(expected) && !Contains("\n"));
    std::string first = line;
    mpi::bcast(over.context(), first, 0);
    CHECK(line == first);
  }
}

TEST_CASE("a kernel on a mesh that reads what it has updated in place is refused") {
  Mesh const mesh = small_mesh(world());
  auto u = mesh.field<double>("u", cells), v = mesh.field<double>("v", cells);
  u.fill(1.0);
  auto const twice = [](auto a, auto b) {
    a = 2 * a();
    b = a();
  };
  auto const line = refused(mesh, [&](auto& step) { step.each(updates(u), writes(v), twice); });
  CHECK_THAT(line, Contains("reads 'u' after it has written it") && !Contains("\n"));
  auto two = mesh.field<double>("two", cells, 2);
  CHECK_THAT(refused(mesh,
                     [&](auto& step) {
                       step.each(updates(two), [](auto a) {
                         a[0] = a[1]();
                         a[1] = a[0]();
                       });
                     }),
             Contains("reads 'two' after it has written it"));
  Steps beside(mesh);
  beside.each(updates(u, cells), writes(v), twice);
  beside.run();
  CHECK(maximum(v) == 1.0);
  Steps in_place(mesh);
  in_place.each(modifies(u), writes(v), twice);
  in_place.run();
  CHECK(maximum(v) == 4.0);
}

TEST_CASE("checked mode tells which kernel makes a value that is not finite, and where first") {
  checks_in_scope const checks(true);
  Mesh const mesh = small_mesh(world());
  auto u = mesh.field<double>("u", cells), v = mesh.field<double>("v", cells);
  auto const run = [&](bool allows) {
    u.fill(1.0);
    Value<double> factor("factor", 2);
    Steps step(mesh);
    auto options = step.each(
        "divide", updates(u), with(factor), SEAM_KERNEL(auto a, double by, entity_place here) {
          a = here.id() == 30 || here.id() == 41 ? by / (a() - 1) : a() + 0.5;
        });
    if (allows)
      options.allow_not_finite();
    step.each(
        "spread", writes(v), reads(u, cells), SEAM_KERNEL(auto to, auto from) { to = from(0); });
    step.run(2);
  };
  CHECK_THAT(refusal_of([&] { run(false); }),
             Contains("kernel 'divide' has made field 'u' not finite at step 0, entity (30): inf"));
  CHECK(refusal_of([&] { run(true); }) == "nothing was thrown");
}

TEST_CASE(
    "plans of a mesh in words have names of groups, and how often kernels that add are called") {
  mesh_input input = airfoil_mesh(world(), 8, 12);
  input.groups.push_back({1, 1, "wall"});
  Mesh const mesh(world(), input);
  auto u = mesh.field<double>("u", cells), r = mesh.field<double>("r", cells);
  auto v = mesh.field<double>("v", vertices);
  Steps step(mesh);
  constexpr int places_of_tile = 40;
  step.machine().settings().tile_extent = places_of_tile;
  step.each(
      "flux", mesh.inner(sides), reads(u, cells), collects(r, cells),
      SEAM_KERNEL(auto from, auto to) { to(0) += from(1); });
  step.each(
      "wall", mesh.border("wall"), reads(u, cells), adds(r, cells),
      SEAM_KERNEL(auto from, auto to) { to(0) += from(0); });
  step.each(
      "fix", mesh.closure("wall"), writes(v), SEAM_KERNEL(auto to) { to = 1; });
  std::string const text = step.explain();
  auto const wall = mesh.border(1).num_global;
  CHECK_THAT(text, Contains("kernel 'flux' reads(u of neighbors) collects(r of neighbors), at") &&
                       Contains("inner sides") && Contains("field u: copies") &&
                       Contains(fmt::format("at {} border 'wall' sides", wall)) &&
                       Contains("closure of border 'wall': vertices"));
  auto const& sides2cells = mesh.adjacent(1, 2);
  auto const inner = mesh.inner(sides);
  int num_calls = 0, num_sides = 0, num_copies = 0;
  for (local_id side = 0; side < mesh.sides().num_local(); ++side) {
    std::set<local_id> tiles;
    for (local_id const cell : sides2cells[side])
      if (inner.contains(side) && mesh.cells().is_owned(cell))
        tiles.insert(cell / places_of_tile);
    num_calls += static_cast<int>(tiles.size());
    num_sides += tiles.empty() ? 0 : 1;
    num_copies += tiles.empty() || mesh.sides().is_owned(side) ? 0 : 1;
  }
  CHECK_THAT(text, Contains(fmt::format(
                       "kernel 'flux' adds tile by tile of its cells: rank {} calls it {} "
                       "times at {} sides ({:.1f} % more), of which {} are copies\n",
                       world().rank(), num_calls, num_sides,
                       100.0 * (num_calls - num_sides) / num_sides, num_copies)));
}
