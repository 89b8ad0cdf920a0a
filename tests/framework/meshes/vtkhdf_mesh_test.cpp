// Meshes with fields, written by all ranks and read again by all, by some and by one: what comes
// back is the same by ids. Then files in which one thing is wrong.
#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/framework/meshes/vtkhdf_mesh.hpp>
#include <seam/framework/meshes/vtkhdf_mesh_input.hpp>
#include <seam/mesh/fields/mesh_halo.hpp>
#include <seam/mesh/graphs/partition_mesh.hpp>
#include <seam/mesh/input/box_mesh.hpp>
#include <seam/mesh/space/mesh_set.hpp>

#include <framework/meshes/mesh_files.hpp>
#include <mesh/meshes.hpp>
#include <support/catch.hpp>
#include <support/full_disk.hpp>
#include <support/memory_in_use.hpp>
#include <support/world.hpp>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>

namespace seam::testing {
namespace {

using Catch::Contains;

/// What each field holds for an entity of that id.
double value_of(global_id id, int component) { return std::sin(double(id)) + component; }

/// A mesh with its cells in no order of rank, and fields on it, as a file.
Mesh write_sample(Communicator const& over, shape kind, std::string const& path) {
  Mesh mesh(over, box_mesh(over, kind, {4, 3, 2}));
  mesh = mesh.migrated(partition(mesh, over.size(), partition_method::hilbert));
  int const d = mesh.num_dimensions();
  MeshField<double> u(mesh, "u", d);
  MeshField<std::int32_t> marks(mesh, "marks", d, 2);
  MeshField<double> flow(mesh, "flow", 0, 3);
  for (local_id c = 0; c < mesh.cells().num_owned; ++c) {
    u(c) = value_of(mesh.cells().ids[std::size_t(c)], 0);
    for (int k = 0; k < 2; ++k)
      marks(c, k) = static_cast<int>(2 * mesh.cells().ids[std::size_t(c)]) + k;
  }
  for (local_id v = 0; v < mesh.vertices().num_owned; ++v)
    for (int k = 0; k < 3; ++k)
      flow(v, k) = value_of(mesh.vertices().ids[std::size_t(v)], k);
  make_halo(flow).run();
  write(mesh, std::tie(u, marks, flow), path);
  return mesh;
}

/// Reads the file on `over` and compares with what write_sample() wrote.
void check_sample(Communicator const& over, Mesh const& expected, std::string const& path) {
  mesh_file const found = read_vtkhdf(over, path);
  Mesh const mesh(over, found.mesh);
  CHECK(mesh.problem().empty());
  for (int d : {0, expected.num_dimensions()})
    CHECK(mesh.entities(d).num_global == expected.entities(d).num_global);
  REQUIRE(found.on_cells.size() == 2);
  REQUIRE(found.on_vertices.size() == 1);
  auto const &marks = found.on_cells[0], &u = found.on_cells[1], &flow = found.on_vertices[0];
  CHECK((marks.name == "marks" && u.name == "u" && flow.name == "flow"));
  CHECK((marks.num_components == 2 && u.num_components == 1 && flow.num_components == 3));
  for (std::size_t c = 0; c < found.mesh.cells.ids.size(); ++c) {
    REQUIRE(u.values[c] == value_of(found.mesh.cells.ids[c], 0));
    for (std::size_t k = 0; k < 2; ++k)
      REQUIRE(marks.values[2 * c + k] == double(2 * found.mesh.cells.ids[c]) + double(k));
  }
  for (std::size_t v = 0; v < found.mesh.vertex_ids.size(); ++v)
    for (int k = 0; k < 3; ++k)
      REQUIRE(flow.values[3 * v + std::size_t(k)] == value_of(found.mesh.vertex_ids[v], k));
}

/// All elements of the boundary by the ids of their vertices, with their tags, on all ranks.
std::map<std::vector<global_id>, std::int32_t> boundary_of(mpi::comm_view over,
                                                           mesh_input const& mesh) {
  std::vector<std::int64_t> words;
  element_list const& all = mesh.boundary;
  for (std::size_t e = 0; e < all.ids.size(); ++e) {
    auto const begin = all.vertices.begin();
    std::vector<global_id> corners(begin + all.elements2vertices[e],
                                   begin + all.elements2vertices[e + 1]);
    std::ranges::sort(corners);
    words.insert(words.end(), {std::ssize(corners), all.tags[e]});
    words.insert(words.end(), corners.begin(), corners.end());
  }
  std::vector<int> firsts{0};
  for (int const count : mpi::allgather(over, int(words.size())))
    firsts.push_back(firsts.back() + count);
  auto gathered = mpi::gather(over, words, firsts, 0);
  gathered.resize(std::size_t(firsts.back()));
  mpi::bcast(over, std::span(gathered), 0);
  std::map<std::vector<global_id>, std::int32_t> found;
  for (auto word = gathered.begin(); word != gathered.end(); word += 2 + word[0])
    CHECK(found.try_emplace({word + 2, word + 2 + word[0]}, int(word[1])).second);
  return found;
}

/// The sum of all owned cells' centers, each times its id: changes with any place or corner.
std::array<double, 3> fingerprint(Mesh const& mesh) {
  std::array<double, 3> sum{};
  for (local_id c = 0; c < mesh.cells().num_owned; ++c) {
    auto const center = mesh.center(mesh.num_dimensions(), c);
    for (std::size_t a = 0; a < 3; ++a)
      sum[a] += center[a] * double(mesh.cells().ids[std::size_t(c)] % 13 + 1);
  }
  mpi::allreduce(mesh.base().context(), std::span<double>(sum), MPI_SUM);
  return sum;
}

std::string refusal(Communicator const& over, std::string const& path) {
  std::string line = "nothing was thrown";
  try {
    read_vtkhdf(over, path);
  } catch (usage_error const& problem) {
    line = problem.what();
    CHECK(problem.on_all_ranks());
  }
  require_same(over, "error line", line);
  mpi::barrier(over);
  return line;
}

} // namespace

TEST_CASE("what is written comes back on any number of ranks") {
  Communicator const all = world();
  for (shape const kind : {shape::line, shape::triangle, shape::quadrilateral, shape::tetrahedron,
                           shape::pyramid, shape::prism, shape::hexahedron}) {
    Mesh const written = write_sample(all, kind, "sample.vtkhdf");
    check_sample(all, written, "sample.vtkhdf");
    auto const found = fingerprint(Mesh(all, read_vtkhdf(all, "sample.vtkhdf").mesh));
    auto const expected = fingerprint(written);
    for (std::size_t a = 0; a < 3; ++a)
      CHECK(found[a] == Approx(expected[a]).epsilon(1e-12));
    for (int const count : {1, (all.size() + 1) / 2}) {
      auto const some = all.split(all.rank() < count ? 0 : MPI_UNDEFINED, all.rank());
      if (some)
        check_sample(*some, written, "sample.vtkhdf");
    }
    mpi::barrier(all);
  }
}

TEST_CASE("the tagged boundary comes back on any number of ranks") {
  Communicator const all = world();
  for (int kind = 0; kind < num_kinds; ++kind) {
    mesh_input input = mesh_of_kind(all, kind);
    if (kind == 3 && all.rank() == 0) { // an edge and a corner as well
      auto const begin = input.cells.vertices.begin();
      input.boundary.shapes.insert(input.boundary.shapes.end(), {shape::line, shape::point});
      input.boundary.vertices.insert(input.boundary.vertices.end(), {begin[0], begin[1], begin[2]});
      auto& ends = input.boundary.elements2vertices;
      if (ends.empty())
        ends.push_back(0);
      ends.insert(ends.end(), {ends.back() + 2, ends.back() + 3});
      input.boundary.ids.insert(input.boundary.ids.end(), {1'000'001, 1'000'002});
      input.boundary.tags.insert(input.boundary.tags.end(), {-7, 8});
    }
    Mesh const mesh = scattered(Mesh(all, input), 5);
    auto const expected = boundary_of(all.context(), mesh.share());
    MeshField<double> u(mesh, "u", mesh.num_dimensions());
    for (local_id c = 0; c < mesh.cells().num_owned; ++c)
      u(c) = value_of(mesh.cells().ids[std::size_t(c)], 0);
    write(mesh, u, "boundary.vtkhdf");
    for (int const count : {all.size(), 1, (all.size() + 1) / 2}) {
      auto const some = all.split(all.rank() < count ? 0 : MPI_UNDEFINED, all.rank());
      if (!some)
        continue;
      mesh_file const found = read_vtkhdf(*some, "boundary.vtkhdf");
      CHECK(boundary_of(some->context(), found.mesh) == expected);
      Mesh const again(*some, found.mesh);
      CHECK(boundary_of(some->context(), again.share()) == expected);
      for (std::size_t c = 0; c < found.mesh.cells.ids.size(); ++c)
        REQUIRE(found.on_cells.front().values[c] == value_of(found.mesh.cells.ids[c], 0));
    }
    mpi::barrier(all);
  }
}

TEST_CASE("names of groups come back on any number of ranks") {
  Communicator const all = world();
  auto input = box_mesh(all, shape::triangle, {4, 3, 1});
  input.groups.push_back({2, 7, "the  air, 20 C"});
  Mesh const mesh = scattered(Mesh(all, input), 5);
  write(mesh, "groups.vtkhdf");
  Mesh const again(all, read_vtkhdf(all, "groups.vtkhdf").mesh);
  CHECK(std::ranges::equal(again.groups(), mesh.groups()));
  CHECK(again.border("y1").num_global == 4);
  CHECK(again.tag("the  air, 20 C", cells) == 7);
}

TEST_CASE("more names of groups come back than an attribute of a file holds") {
  Communicator const all = world();
  auto input = box_mesh(all, shape::triangle, {4, 3, 1});
  for (int tag = 100; tag < 1600; ++tag)
    input.groups.push_back({1, tag, std::string(90, 'x') + std::to_string(tag)});
  Mesh const mesh(all, input);
  write(mesh, "many-groups.vtkhdf");
  Mesh const again(all, read_vtkhdf(all, "many-groups.vtkhdf").mesh);
  CHECK(std::ranges::equal(again.groups(), mesh.groups()));
}

TEST_CASE("what VTK itself would not write is refused, with the place") {
  Communicator const all = world();
  write_sample(all, shape::tetrahedron, "whole.vtkhdf");
  auto const refused = [&](std::function<void(hdf5_editor&)> const& edit) {
    if (all.rank() == 0) {
      std::filesystem::copy_file("whole.vtkhdf", "fault.vtkhdf",
                                 std::filesystem::copy_options::overwrite_existing);
      hdf5_editor editor("fault.vtkhdf");
      edit(editor);
    }
    mpi::barrier(all);
    return refusal(all, "fault.vtkhdf");
  };
  using editor = hdf5_editor;
  auto const set = [&](char const* name, std::int64_t at, double value) {
    return refused([&](editor& file) { file.set(name, at, value); });
  };
  CHECK_THAT(set("Types", 3, 24), Contains("Types[3]: cell type 24 (expected one with straight"));
  CHECK_THAT(set("Offsets", 2, 9), Contains("Offsets["));
  CHECK_THAT(set("Connectivity", 5, -1), Contains("Connectivity[5]: point -1 (expected 0 to "));
  CHECK_THAT(set("Connectivity", 5, 1e9), Contains("Connectivity[5]: point 1000000000 (expected"));
  CHECK_THAT(set("Points", 7, std::nan("")), Contains("Points[2]: coordinate nan (expected a fi"));
  CHECK_THAT(set("NumberOfCells", 0, 1e12),
             Contains("NumberOfCells[0]: 1000000000000 (expected 0"));
  CHECK_THAT(set("NumberOfCells", 0, -1), Contains("NumberOfCells[0]: -1 (expected 0 to 248, as"));
  CHECK_THAT(set("NumberOfPoints", 0, 3),
             Contains(all.size() == 1 ? "the pieces have 3 points" : "t"));
  CHECK_THAT(set("CellData/cell_ids", 4, -5), Contains("CellData/cell_ids[4]: -5 (expected 0 to"));
  CHECK_THAT(refused([](editor& file) {
               file.set("CellData/cell_ids", 4, file.get("CellData/cell_ids", 90));
             }),
             Contains("CellData/cell_ids[4]:") && Contains("is there twice"));
  CHECK_THAT(refused([](editor& file) {
               file.set("PointData/vertex_ids", 1, file.get("PointData/vertex_ids", 0));
             }),
             Contains("PointData/vertex_ids[1]: vertex") &&
                 Contains("is in another place than in [0]"));
  for (char const* const name : {"Types", "Offsets", "Connectivity", "Points", "NumberOfCells"})
    CHECK_THAT(refused([&](editor& file) { file.remove(name); }),
               Contains(std::string("there is no array ") + name));
  CHECK_THAT(refused([](editor& file) { file.shorten("CellData/u"); }),
             Contains("CellData/u has 247 x 1 numbers (expected 248 x 1)"));
  CHECK_THAT(refused([](editor& file) { file.make_huge("Points"); }),
             Contains("Points has 1000000000000 x 3 numbers (expected at most"));
  CHECK_THAT(refused([](editor& file) { file.make_large("Points"); }),
             Contains("Points has 1000000 x 3 numbers (expected at most"));
  CHECK_THAT(refused([](editor& file) { file.make_huge_chunk("Types"); }),
             Contains("Types is divided into chunks of 268435456 numbers (expected at most"));
  CHECK_THAT(refused([](editor& file) { file.set_type("ImageData"); }),
             Contains("type 'ImageData' (expected UnstructuredGrid)"));
}

TEST_CASE("the type of the data may be text of any form, but not missing") {
  Communicator const all = world();
  Mesh const mesh = write_sample(all, shape::prism, "typed.vtkhdf");
  auto const edit = [&](auto const& change) {
    mpi::barrier(all);
    if (all.rank() == 0) {
      hdf5_editor file("typed.vtkhdf");
      change(file);
    }
    mpi::barrier(all);
  };
  edit([](hdf5_editor& file) { file.set_type("UnstructuredGrid", true); });
  check_sample(all, mesh, "typed.vtkhdf");
  edit([](hdf5_editor& file) { file.set_type("ImageData", true); });
  CHECK_THAT(refusal(all, "typed.vtkhdf"), Contains("type 'ImageData' (expected Unstr"));
  edit([](hdf5_editor& file) { file.remove_type(); });
  CHECK_THAT(refusal(all, "typed.vtkhdf"),
             Contains("has no text as attribute Type (expected UnstructuredGrid)"));
}

TEST_CASE("pieces without the ids of their points are noted as not joined") {
  Communicator const all = world();
  write_sample(all, shape::tetrahedron, "pieces.vtkhdf");
  CHECK(read_vtkhdf(all, "pieces.vtkhdf").mesh.notes.empty());
  mpi::barrier(all);
  if (all.rank() == 0)
    hdf5_editor("pieces.vtkhdf").remove("PointData/vertex_ids");
  mpi::barrier(all);
  auto const notes = read_vtkhdf(all, "pieces.vtkhdf").mesh.notes;
  REQUIRE(notes.size() == (all.size() > 1 ? 1 : 0));
  if (all.size() > 1)
    CHECK_THAT(notes[0], Contains(std::to_string(all.size()) + " pieces without PointData/vertex"));
}

TEST_CASE("files that are none are refused by all ranks") {
  Communicator const all = world();
  CHECK_THAT(refusal(all, "nowhere.vtkhdf"), Contains("'nowhere.vtkhdf': No such file"));
  CHECK_THAT(refusal(all, "."), Contains("'.': this is a directory"));
  write_sample(all, shape::triangle, "cut.vtkhdf");
  if (all.rank() == 0)
    std::filesystem::resize_file("cut.vtkhdf", std::filesystem::file_size("cut.vtkhdf") / 2);
  mpi::barrier(all);
  CHECK_THAT(refusal(all, "cut.vtkhdf"), Contains("cannot read 'cut.vtkhdf': H5Fopen"));
  if (all.rank() == 0)
    std::filesystem::resize_file("cut.vtkhdf", 3);
  mpi::barrier(all);
  CHECK_THAT(refusal(all, "cut.vtkhdf"), Contains("cannot read 'cut.vtkhdf': H5Fopen"));
}

TEST_CASE("fields of other meshes, of sides and with names of the file's own are refused") {
  Communicator const all = world();
  Mesh const mesh(all, box_mesh(all, shape::triangle, {3, 3, 1}));
  Mesh const other(all, box_mesh(all, shape::triangle, {3, 3, 1}));
  MeshField<double> const u(other, "u", 2), sides(mesh, "s", 1), tags(mesh, "tags", 2);
  CHECK_THROWS_WITH(write(mesh, u, "no.vtkhdf"), Contains("field 'u' belongs to another mesh"));
  CHECK_THROWS_WITH(write(mesh, sides, "no.vtkhdf"),
                    Contains("field 's' is on entities of dimension 1 (expected vertices, 0, or "));
  CHECK_THROWS_WITH(write(mesh, tags, "no.vtkhdf"),
                    Contains("a field is named 'tags'") && Contains("has the tags of cells"));
  CHECK(!std::filesystem::exists("no.vtkhdf"));
}

TEST_CASE("a mesh for which there is no room is refused before and when it is written") {
  Communicator const all = world();
  Mesh const mesh(all, box_mesh(all, shape::triangle, {16, 16, 1}));
  MeshField<double> const u(mesh, "u", 2);
  {
    file_size_limit const limit(8192);
    CHECK_THROWS_WITH(require_room(mesh, std::tie(u), "full.vtkhdf"),
                      Contains("'full.vtkhdf': ") && Contains("File too large"));
    CHECK_THROWS_WITH(write(mesh, u, "full.vtkhdf"),
                      Contains("'full.vtkhdf'") && Contains("File too large"));
  }
  CHECK(!std::filesystem::exists("full.vtkhdf"));
  CHECK_NOTHROW(require_room(mesh, std::tie(u), "full.vtkhdf"));
  CHECK(!std::filesystem::exists("full.vtkhdf"));
}

TEST_CASE("no rank holds the whole mesh that it reads a share of") {
  Communicator const all = world();
  write(Mesh(all, box_mesh(all, shape::tetrahedron, {20, 20, 20})), "large.vtkhdf");
  memory_in_use const memory;
  auto const found = read_vtkhdf(all, "large.vtkhdf");
  auto const most = memory.peak();
  auto const bytes = 32 * std::ssize(found.mesh.vertex_ids) +
                     53 * std::ssize(found.mesh.cells.ids) +
                     45 * std::ssize(found.mesh.boundary.ids);
  CAPTURE(most, bytes);
  CHECK(most <= 3 * mpi::allreduce(all, bytes, MPI_SUM) / all.size() + (1 << 18));
}

} // namespace seam::testing
