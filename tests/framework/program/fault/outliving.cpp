// Objects that outlive their Runtime: they end in silence, and to use one is an error of one line.
// The argument says which one is used; without it none is.
#include <seam/exchange/collectives/barrier.hpp>
#include <seam/exchange/collectives/reduce.hpp>
#include <seam/exchange/halo/exchange.hpp>
#include <seam/exchange/partitioned/reductions.hpp>
#include <seam/exchange/point_to_point/window.hpp>
#include <seam/exchange/sparse/sparse_exchange.hpp>
#include <seam/framework/files/vtkhdf.hpp>
#include <seam/framework/program/runtime.hpp>
#include <seam/mesh/fields/mesh_halo.hpp>
#include <seam/mesh/input/box_mesh.hpp>
#include <seam/stencil/ghosts/halo.hpp>
#include <seam/stencil/ghosts/partitioned_halo.hpp>
#include <seam/stencil/roles/iterate.hpp>

#include <cstdio>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace {

using namespace seam;
using namespace seam::detail;

/// One of each kind, made and used while the Runtime lives.
struct objects {
  explicit objects(Runtime& runtime)
      : world(runtime.world().dup()),
        grid(world, {.cells = {16 * world.size(), 16}, .periodic = {true, true}}),
        u(grid.field<double>("u")),
        next(grid.field<double>("next")),
        halo(make_halo(u)),
        parts(make_partitioned_halo(u)),
        loop(grid, u, next),
        mesh(world, box_mesh(world, shape::hexahedron, {4, 4, 4})),
        m(mesh, "m", 0),
        mesh_halo(make_halo(m)),
        sum(prepare(world,
                    allreduce(std::span<int const>(&one, 1), std::span(&all, 1), std::plus<>()))),
        sparse(world),
        pieces(pallreduce_init(world, in_partitions(in, 2), in_partitions(out, 2), MPI_SUM)) {
    halo.run();
    parts.start();
    parts.ready(u.owned());
    parts.wait();
    loop.sweeps(2, [](auto const& at, int i, int j) { return at(i - 1, j) + at(i, j + 1); });
    mesh_halo.run();
    sum.run();
    seam::run(world, barrier());
    sparse.exchange();
    while (sparse.receive()) {
    }
    pieces.start();
    pieces.ready_range(0, 1);
    pieces.wait();
    seam::run(grid.graph(),
              allreduce(std::span<int const>(&one, 1), std::span(&all, 1), std::plus<>()));
    started.emplace(start(world, barrier()));
  }

  int one = 1, all = 0;
  std::vector<int> in = std::vector<int>(4), out = in;
  Communicator world;
  Grid<2> grid;
  Field<double, 2> u, next;
  Halo halo;
  PartitionedHalo<2> parts;
  Iterate<double, 2> loop;
  Mesh mesh;
  MeshField<double> m;
  MeshHalo mesh_halo;
  operation sum;
  SparseExchange sparse;
  partitioned_operation pieces;
  std::optional<in_flight> started;
};

void use(std::string const& what, objects& late) {
  std::map<std::string, std::function<void()>> const uses{
      {"field", [&] { late.u.view()(0, 0) = 1; }},
      {"fill", [&] { late.u.fill(1.0); }},
      {"mesh-field", [&] { late.m.values()[0] = 1; }},
      {"halo", [&] { late.halo.run(); }},
      {"mesh-halo", [&] { late.mesh_halo.run(); }},
      {"partitioned-halo", [&] { late.parts.start(); }},
      {"sweep", [&] { late.loop.sweep([](auto const& at, int i, int j) { return at(i, j); }); }},
      {"make-halo", [&] { make_halo(late.u); }},
      {"operation", [&] { late.sum.run(); }},
      {"collective", [&] { seam::run(late.world, barrier()); }},
      {"sparse", [&] { late.sparse.exchange(); }},
      {"partitioned", [&] { late.pieces.start(); }},
      {"split", [&] { late.world.split(0, 0); }},
      {"write", [&] { write(late.grid, late.u, "late.vtkhdf"); }},
  };
  uses.at(what)();
}

} // namespace

int main(int argc, char** argv) {
  std::optional<objects> late;
  {
    Runtime runtime(argc, argv);
    late.emplace(runtime);
  }
  if (argc > 1)
    use(argv[1], *late);
  late.reset();
  std::printf("the end\n");
}
