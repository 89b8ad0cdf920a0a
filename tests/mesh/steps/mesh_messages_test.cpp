// Messages of steps on meshes: a copy travels once for each value that its owner gives it, if some kernel
// reads it before the next.
#include <support/airfoil_mesh.hpp>
#include <support/catch.hpp>
#include <support/world.hpp>

#include <mesh/meshes.hpp>

#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/steps/run/step_observer.hpp>
#include <seam/exchange/steps/run/step_profile.hpp>
#include <seam/mesh.hpp>
#include <seam/mesh/space/mesh_space.hpp>

#include <algorithm>
#include <vector>

using namespace seam;
using namespace seam::testing;

namespace {

std::int64_t of_all_ranks(std::int64_t own) { return mpi::allreduce(all_ranks(), own, MPI_SUM); }

detail::observed_work messages_so_far() {
  for (auto const& [name, work] : detail::profiled_work().all())
    if (name == "messages")
      return work;
  return {};
}

struct traffic {
  std::int64_t messages, bytes; ///< of all ranks
};

/// What is sent by runs of some numbers of steps.
traffic sent_by(Steps<on_mesh>& steps, std::vector<std::int64_t> const& runs) {
  auto const before = messages_so_far();
  profile_steps(true);
  for (std::int64_t const count : runs)
    steps.run(count);
  profile_steps(false);
  auto const after = messages_so_far();
  return {of_all_ranks(after.calls - before.calls), of_all_ranks(after.bytes - before.bytes)};
}

/// Copies that own entities have around them, and those of them for which is_counted(copy, entities).
template <class IsCounted>
std::int64_t num_copies(Mesh const& mesh, int dimension, IsCounted const& is_counted) {
  auto const& all = mesh.entities(dimension);
  std::vector<std::vector<local_id>> readers(all.num_local());
  for (local_id e = 0; e < all.num_owned; ++e)
    for (local_id const other : mesh.adjacent(dimension, dimension)[e])
      readers[other].push_back(e);
  std::int64_t count = 0;
  for (local_id e = all.num_owned; e < all.num_local(); ++e)
    count += !readers[e].empty() && is_counted(e, readers[e]) ? 1 : 0;
  return of_all_ranks(count);
}

std::int64_t num_copies(Mesh const& mesh, int dimension) {
  return num_copies(mesh, dimension, [](auto, auto const&) { return true; });
}

/// Pairs of ranks between which copies of cells travel.
std::int64_t num_pairs(Mesh const& mesh) {
  std::vector<int> owners;
  for (local_id c = 0; c < mesh.cells().num_owned; ++c)
    for (local_id const other : mesh.adjacent(2, 2)[c])
      if (!mesh.cells().is_owned(other))
        owners.push_back(mesh.cells().owners[other]);
  std::ranges::sort(owners);
  return of_all_ranks(std::unique(owners.begin(), owners.end()) - owners.begin());
}

constexpr std::int64_t bytes = sizeof(double);

} // namespace

TEST_CASE("a field that no kernel writes travels once in a run, with others") {
  Mesh const mesh = scattered(Mesh(world(), airfoil_mesh(world(), 8, 12)), 5);
  auto u = mesh.field<double>("u", cells), k = mesh.field<double>("k", cells);
  k.fill(0.125);
  Steps step(mesh);
  step.each(
      "mean", updates(u, cells), reads(k, cells),
      SEAM_KERNEL(auto u, auto k) { u = u() + k(0) * (u(0) - u()); });
  std::int64_t const copies = num_copies(mesh, 2), pairs = num_pairs(mesh);
  for (std::vector<std::int64_t> const& runs :
       std::vector<std::vector<std::int64_t>>{{1}, {4}, {13}, {1, 1, 1}, {23, 9}, {13}}) {
    std::int64_t num_steps = 0;
    for (std::int64_t const count : runs)
      num_steps += count;
    auto const sent = sent_by(step, runs);
    CHECK(sent.bytes == bytes * copies * (num_steps + std::ssize(runs)));
    CHECK(sent.messages == pairs * num_steps);
  }
}

TEST_CASE("values that are changed between runs travel") {
  Mesh const mesh(world(), airfoil_mesh(world(), 8, 12));
  auto u = mesh.field<double>("u", cells), k = mesh.field<double>("k", cells);
  Steps step(mesh);
  step.each(
      "take", writes(u), reads(k, cells), SEAM_KERNEL(auto u, auto k) { u = k(0); });
  double* const kept = k.values().data();
  for (double const value : {1.5, 2.5, 3.5}) {
    std::fill_n(kept, mesh.cells().num_owned, value);
    step.run(6);
    for (local_id c = 0; c < mesh.cells().num_owned; ++c)
      REQUIRE(u(c) == value);
  }
}

TEST_CASE("messages of a color bring what other colors have changed since, and no more") {
  Mesh const mesh = scattered(Mesh(world(), airfoil_mesh(world(), 8, 12)), 4);
  auto u = mesh.field<double>("u", cells);
  Steps step(mesh);
  step.each(
          "smooth", modifies(u, cells),
          SEAM_KERNEL(auto u) {
            if (u.count() > 0)
              u = 0.5 * (u() + u(0));
          })
      .in_colors();
  step.plan();
  auto const& colors = detail::space_of(mesh)->rows(2, 2)->colors;
  std::vector<int> color_of(mesh.cells().num_local());
  for (int color = 0; color < std::ssize(colors); ++color)
    for (local_id const e : colors[color].ids())
      color_of[e] = color;
  std::int64_t const copies = num_copies(mesh, 2);
  auto const is_read_twice = [&](local_id copy, std::vector<local_id> const& readers) {
    auto const by_later = [&](local_id reader) { return color_of[reader] > color_of[copy]; };
    return std::ranges::any_of(readers, by_later) && !std::ranges::all_of(readers, by_later);
  };
  std::int64_t const twice = num_copies(mesh, 2, is_read_twice);
  if (world().size() > 1)
    CHECK(twice > 0);
  // The first step also brings values from before.
  for (std::vector<std::int64_t> const& runs :
       std::vector<std::vector<std::int64_t>>{{1}, {4}, {3}, {17}, {2, 9}}) {
    std::int64_t num_steps = 0;
    for (std::int64_t const count : runs)
      num_steps += count;
    CHECK(sent_by(step, runs).bytes == bytes * (copies * num_steps + twice * std::ssize(runs)));
  }
}

TEST_CASE("of a field that kernels change on a border its copies there travel") {
  Mesh const mesh = scattered(Mesh(world(), airfoil_mesh(world(), 8, 12)), 3);
  auto v = mesh.field<double>("v", vertices), w = mesh.field<double>("w", vertices);
  auto const wall = mesh.closure(1);
  Steps step(mesh);
  step.each(
      "wall", wall, modifies(v), SEAM_KERNEL(auto v) { v = v() + 1; });
  step.each(
      "use", writes(w), reads(v, vertices), SEAM_KERNEL(auto w, auto v) {
        double sum = 0;
        for (int k = 0; k < v.count(); ++k)
          sum += v(k);
        w = sum;
      });
  std::int64_t const copies = num_copies(mesh, 0);
  std::int64_t const on_wall =
      num_copies(mesh, 0, [&](local_id copy, auto const&) { return wall.contains(copy); });
  for (std::int64_t const count : {1, 4, 5, 11})
    CHECK(sent_by(step, {count}).bytes == bytes * (copies + (count - 1) * on_wall));
  for (local_id e = 0; e < mesh.vertices().num_owned; ++e) {
    double expected = 0;
    for (local_id const other : mesh.adjacent(0, 0)[e])
      expected += wall.contains(other) ? 21 : 0;
    CHECK(w(e) == expected);
  }
}

TEST_CASE("fused steps bring a field that no kernel writes once in a run") {
  Mesh const mesh(world(), airfoil_mesh(world(), 8, 12), {.depth = 2});
  auto u = mesh.field<double>("u", cells), k = mesh.field<double>("k", cells);
  k.fill(0.125);
  Steps step(mesh);
  step.each(
      "mean", updates(u, cells), reads(k, cells),
      SEAM_KERNEL(auto u, auto k) { u = u() + k(0) * (u(0) - u()); });
  step.fuse(2);
  auto const once = sent_by(step, {2}).bytes, twice = sent_by(step, {4}).bytes,
             often = sent_by(step, {10}).bytes;
  CHECK(often - twice == 3 * (twice - once)); // of u alone
  CHECK(2 * (twice - once) == once);
}
