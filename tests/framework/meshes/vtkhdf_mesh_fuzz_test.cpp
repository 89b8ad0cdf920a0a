// Damaged VTKHDF files: numbers in their arrays, whole arrays, the end cut off. Reading ends with a
// mesh or with one line on all ranks, and takes no memory that the file does not account for.
#include <seam/framework/meshes/vtkhdf_mesh.hpp>
#include <seam/framework/meshes/vtkhdf_mesh_input.hpp>
#include <seam/mesh/input/box_mesh.hpp>

#include <framework/meshes/mesh_files.hpp>
#include <support/damaged_files.hpp>
#include <support/files.hpp>

#include <sys/resource.h>

#include <string_view>

namespace seam::testing {
namespace {

namespace fs = std::filesystem;

constexpr char const* all_arrays[] = {"NumberOfPoints",
                                      "NumberOfCells",
                                      "NumberOfConnectivityIds",
                                      "Points",
                                      "Connectivity",
                                      "Offsets",
                                      "Types",
                                      "CellData/tags",
                                      "PointData/vertex_ids",
                                      "CellData/cell_ids",
                                      "CellData/u"};

/// Breaks one thing in the file.
void damage(mutator& random, std::string const& path) {
  if (random.below(20) == 0)
    return fs::resize_file(path, random.below(fs::file_size(path)));
  hdf5_editor file(path);
  for (std::size_t left = 1 + random.below(3); left > 0; --left) {
    std::string const name = all_arrays[random.below(std::size(all_arrays))];
    constexpr std::int64_t huge = 1'000'000;
    if (!file.has(name) || file.size(name) == 0 || file.size(name) > huge)
      continue;
    std::int64_t const at = static_cast<std::int64_t>(random.below(std::size_t(file.size(name))));
    switch (random.below(8)) {
    case 0: file.remove(name); break;
    case 1: file.shorten(name); break;
    case 2: file.make_huge(name); break;
    case 3: file.set(name, at, std::nan("")); break;
    case 4: file.set(name, at, double(random.extreme())); break;
    default: file.set(name, at, file.get(name, at) + double(random.below(5)) - 2); break;
    }
  }
}

} // namespace

TEST_CASE("a damaged file gives a mesh or one line") {
  Communicator const all = world();
  Mesh const mesh(all, box_mesh(all, shape::tetrahedron, {2, 2, 2}));
  write(mesh, MeshField<double>(mesh, "u", 3), "whole.vtkhdf");
  auto const make = [](std::uint64_t seed) {
    fs::copy_file("whole.vtkhdf", "damaged.vtkhdf", fs::copy_options::overwrite_existing);
    mutator random(seed);
    damage(random, "damaged.vtkhdf");
  };
  auto const read = [&] {
    mesh_file const found = read_vtkhdf(all, "damaged.vtkhdf");
    CHECK(found.mesh.coordinates.size() == 3 * found.mesh.vertex_ids.size());
    for (mesh_values const& field : found.on_cells)
      CHECK(std::ssize(field.values) ==
            field.num_components * std::int64_t{found.mesh.cells.num_elements()});
  };
  read_damaged("damaged.vtkhdf", make, read, 0);
}

TEST_CASE("a length of gigabytes in a small file takes no memory") {
  Communicator const all = world();
  Mesh const mesh(all, box_mesh(all, shape::triangle, {2, 2, 1}));
  write(mesh, "whole.vtkhdf");
  std::string const whole = content_of("whole.vtkhdf");
  constexpr std::string_view heap = "HEAP"; // of names; its length follows
  int num_refused = 0;
  for (auto at = whole.find(heap); at != whole.npos; at = whole.find(heap, at + 1)) {
    std::string damaged = whole;
    damaged[at + 8 + 3] = '\x70'; // 1.8 GB
    mpi::barrier(all);
    if (all.rank() == 0)
      put("damaged.vtkhdf", damaged);
    mpi::barrier(all);
    rusage before{}, after{};
    ::getrusage(RUSAGE_SELF, &before);
    num_refused += outcome_of([&] { read_vtkhdf(all, "damaged.vtkhdf"); }).empty() ? 0 : 1;
    ::getrusage(RUSAGE_SELF, &after);
    CHECK(after.ru_maxrss - before.ru_maxrss < 100'000); // KB
  }
  CHECK(num_refused > 0);
}

} // namespace seam::testing
