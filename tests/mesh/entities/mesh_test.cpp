// Meshes: what ranks know of them, and that it fits together.
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/mesh/entities/mesh.hpp>
#include <seam/mesh/entities/mesh_parts.hpp>
#include <seam/mesh/shapes/shape.hpp>

#include <mesh/meshes.hpp>
#include <support/catch.hpp>
#include <support/world.hpp>

#include <cmath>
#include <limits>

using namespace seam;
using namespace seam::detail;
using namespace seam::testing;

namespace {

using vec = std::array<double, 3>;

vec minus(vec const& a, vec const& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
vec cross(vec const& a, vec const& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
double dot(vec const& a, vec const& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

vec place_of(Mesh const& mesh, local_id vertex) {
  auto const x = mesh.coordinates().subspan(3 * std::size_t(vertex), 3);
  return {x[0], x[1], x[2]};
}

/// Of a cell of three dimensions: the sum of the pyramids from a corner to triangles of its faces.
double volume_of(Mesh const& mesh, local_id cell) {
  auto const corners = mesh.cells().vertices[cell];
  vec const origin = mesh.center(3, cell);
  double volume = 0;
  for (shape_part const& face : parts_of(mesh.cells().shapes[std::size_t(cell)], 2)) {
    auto const at = face.positions();
    vec const first = minus(place_of(mesh, corners[at[0]]), origin);
    for (std::size_t k = 2; k < at.size(); ++k)
      volume += dot(first, cross(minus(place_of(mesh, corners[at[k - 1]]), origin),
                                 minus(place_of(mesh, corners[at[k]]), origin))) /
                6;
  }
  return volume;
}

/// Of a polygon in a plane of constant z, above 0 if its vertices go around it counterclockwise.
double signed_area_of(Mesh const& mesh, local_id cell) {
  auto const corners = mesh.cells().vertices[cell];
  vec const origin = place_of(mesh, corners[0]);
  double area = 0;
  for (std::size_t k = 2; k < corners.size(); ++k)
    area += cross(minus(place_of(mesh, corners[k - 1]), origin),
                  minus(place_of(mesh, corners[k]), origin))[2] /
            2;
  return area;
}

/// Lists the vertices of each second cell the other way round.
mesh_input half_turned(mesh_input input) {
  element_list& cells = input.cells;
  for (std::size_t c = 0; c < cells.ids.size(); c += 2) {
    auto const begin = cells.vertices.begin() + cells.elements2vertices[c],
               end = cells.vertices.begin() + cells.elements2vertices[c + 1];
    switch (cells.shapes[c]) {
    case shape::hexahedron:
    case shape::prism: std::rotate(begin, begin + (end - begin) / 2, end); break;
    case shape::pyramid: std::reverse(begin, end - 1); break;
    case shape::tetrahedron: std::swap(begin[0], begin[3]); break;
    default: std::reverse(begin, end);
    }
  }
  return input;
}

/// n x 3 squares whose last column has the first one's vertices at its right side.
mesh_input ring_of_squares(Communicator const& over, std::int64_t n) {
  mesh_input input = box_mesh(over, shape::quadrilateral, {n, 3, 1});
  auto const is_last = [&](global_id vertex) { return vertex % (n + 1) == n; };
  mesh_input const box = input;
  input.vertex_ids = {};
  input.coordinates = {};
  input.boundary = {};
  for (std::size_t v = 0; v < box.vertex_ids.size(); ++v)
    if (!is_last(box.vertex_ids[v])) {
      input.vertex_ids.push_back(box.vertex_ids[v]);
      input.coordinates.insert(input.coordinates.end(), &box.coordinates[3 * v],
                               &box.coordinates[3 * v] + 3);
    }
  for (global_id& vertex : input.cells.vertices)
    vertex -= is_last(vertex) ? n : 0;
  return input;
}

/// Rolls the plane up along x, so that places at 0 and 1 meet.
mesh_input rolled_up(mesh_input input) {
  for (std::size_t v = 0; v < input.vertex_ids.size(); ++v) {
    double const angle = 2 * std::acos(-1) * input.coordinates[3 * v];
    input.coordinates[3 * v] = std::cos(angle);
    input.coordinates[3 * v + 2] = std::sin(angle);
  }
  return input;
}

std::string refusal_of(Communicator const& over, mesh_input const& input,
                       ghost_layers ghosts = {}) {
  try {
    Mesh const mesh(over, input, ghosts);
  } catch (usage_error const& error) {
    return error.on_all_ranks() ? error.what() : "not on all ranks";
  }
  return "";
}

} // namespace

TEST_CASE("meshes of all kinds are valid, however they are scattered") {
  Communicator const all = world();
  for (int kind = 0; kind < num_kinds; ++kind) {
    CAPTURE(kind);
    Mesh const mesh(all, mesh_of_kind(all, kind));
    CHECK(mesh.problem().empty());
    CHECK(scattered(mesh, unsigned(kind)).problem().empty());
  }
}

TEST_CASE("entities of a box are counted as Euler says") {
  Communicator const all = world();
  for (int kind = 0; kind < num_kinds; ++kind) {
    Mesh const mesh(all, mesh_of_kind(all, kind), {.depth = 0});
    std::int64_t sum = 0;
    for (int d = 0; d <= mesh.num_dimensions(); ++d)
      sum += (d % 2 == 0 ? 1 : -1) * mesh.entities(d).num_global;
    CHECK(sum == 1);
  }
  Mesh const bricks(all, box_mesh(all, shape::hexahedron, {3, 4, 5}));
  CHECK(bricks.cells().num_global == 60);
  CHECK(bricks.entities(2).num_global == 4 * 20 + 5 * 15 + 6 * 12);
  CHECK(bricks.vertices().num_global == 4 * 5 * 6);
}

TEST_CASE("ids, tags and places do not depend on ranks") {
  Communicator const all = world(), self = alone();
  for (int kind = 0; kind < num_kinds; ++kind) {
    CAPTURE(kind);
    Mesh const serial(self, mesh_of_kind(self, kind));
    Mesh const mesh(all, mesh_of_kind(all, kind));
    CHECK(is_part_of(mesh, serial));
    CHECK(is_part_of(scattered(mesh, 5), serial));
    for (int d = 0; d <= mesh.num_dimensions(); ++d)
      CHECK(mesh.entities(d).num_global == serial.entities(d).num_local());
  }
}

TEST_CASE("cells fill the box, and their faces look outwards") {
  Communicator const all = world();
  for (int kind = 3; kind < num_kinds; ++kind) {
    Mesh const mesh(all, mesh_of_kind(all, kind));
    if (mesh.num_dimensions() != 3)
      continue;
    double volume = 0;
    for (local_id c = 0; c < mesh.cells().num_owned; ++c) {
      REQUIRE(volume_of(mesh, c) > 0);
      volume += volume_of(mesh, c);
    }
    CHECK(mpi::allreduce(all.view(), volume, MPI_SUM) == Approx(1));
  }
}

TEST_CASE("ends of a box are tagged") {
  Communicator const all = world();
  Mesh const mesh(all, box_mesh(all, shape::tetrahedron, {2, 3, 4}, {2, 3, 4}));
  std::array<std::int64_t, 7> counts{};
  for (local_id f = 0; f < mesh.sides().num_owned; ++f) {
    auto const tag = mesh.sides().tags[std::size_t(f)];
    ++counts[std::size_t(tag)];
    auto const center = mesh.center(2, f);
    if (tag != 0) {
      auto const axis = std::size_t(tag - 1) / 2;
      REQUIRE(center[axis] == (tag % 2 == 1 ? 0 : 2.0 + double(axis)));
    }
  }
  mpi::allreduce(all.view(), std::span<std::int64_t>(counts), MPI_SUM);
  CHECK(std::vector(counts.begin() + 1, counts.end()) ==
        std::vector<std::int64_t>{24, 24, 16, 16, 12, 12});
}

TEST_CASE("adjacency is that of the vertices that entities have") {
  Communicator const all = world();
  for (int kind : {0, 1, 3, 7, 8}) {
    Mesh const mesh = scattered(Mesh(all, mesh_of_kind(all, kind)), 3);
    int const last = mesh.num_dimensions();
    for (int from = 0; from <= last; ++from)
      for (int to = 0; to <= last; ++to) {
        if (from == to)
          continue;
        adjacency const& rows = mesh.adjacent(from, to);
        REQUIRE(rows.num_rows() == mesh.entities(from).num_local());
        for (local_id a = 0; a < rows.num_rows(); ++a) {
          auto own = corners_of(mesh, from, a);
          std::ranges::sort(own);
          std::set<local_id> expected;
          for (local_id b = 0; b < mesh.entities(to).num_local(); ++b) {
            auto other = corners_of(mesh, to, b);
            std::ranges::sort(other);
            if (from < to ? std::ranges::includes(other, own) : std::ranges::includes(own, other))
              expected.insert(b);
          }
          REQUIRE(std::set<local_id>(rows[a].begin(), rows[a].end()) == expected);
          REQUIRE(rows[a].size() == expected.size());
        }
      }
  }
}

TEST_CASE("cells next to each other share a side, vertices an edge") {
  Communicator const self = alone();
  Mesh const mesh(self, box_mesh(self, shape::quadrilateral, {4, 3, 1}));
  auto const row = mesh.adjacent(2, 2)[5];
  CHECK(std::vector(row.begin(), row.end()) == std::vector<local_id>{1, 4, 6, 9});
  auto const corner = mesh.adjacent(0, 0)[0];
  CHECK(std::vector(corner.begin(), corner.end()) == std::vector<local_id>{1, 5});
}

TEST_CASE("ghost layers are those of a search through the whole mesh") {
  Communicator const all = world(), self = alone();
  for (int kind : {0, 2, 3, 8}) {
    Mesh const serial(self, mesh_of_kind(self, kind));
    Mesh const mesh = scattered(Mesh(all, mesh_of_kind(all, kind)), 11);
    for (int through = 0; through < mesh.num_dimensions(); ++through)
      for (int depth = 0; depth <= 3; ++depth) {
        CAPTURE(kind, through, depth);
        Mesh const layered = mesh.with_ghosts({.depth = depth, .through = through});
        REQUIRE(layered.problem().empty());
        std::set<global_id> reached(mesh.cells().ids.begin(),
                                    mesh.cells().ids.begin() + mesh.cells().num_owned);
        auto const next = neighbors_through(serial.adjacent(serial.num_dimensions(), through),
                                            serial.adjacent(through, serial.num_dimensions()));
        for (int layer = 0; layer < depth; ++layer)
          for (global_id const id : std::set(reached)) {
            auto const& ids = serial.cells().ids;
            auto const cell = std::ranges::lower_bound(ids, id) - ids.begin();
            for (local_id const other : next[local_id(cell)])
              reached.insert(ids[std::size_t(other)]);
          }
        std::set<global_id> const found(layered.cells().ids.begin(), layered.cells().ids.end());
        REQUIRE(found == reached);
      }
  }
}

TEST_CASE("what does not fit together is found, and named on all ranks") {
  Communicator const all = world();
  mesh_input const input = box_mesh(all, shape::tetrahedron, {3, 2, 2});
  auto const parts = detail::assemble(all, input, {});
  REQUIRE(detail::find_problem(all, parts).empty());
  bool const is_last = all.rank() == all.size() - 1;
  auto const problem_after = [&](auto const& spoil) {
    auto spoiled = parts;
    if (is_last)
      spoil(spoiled);
    return detail::find_problem(all, spoiled);
  };
  using parts_type = detail::mesh_parts;
  CHECK_FALSE(problem_after([](parts_type& p) {
                std::swap(p.entities[3].ids[0], p.entities[3].ids[1]);
              }).empty());
  CHECK_FALSE(problem_after([](parts_type& p) {
                std::swap(p.cells2parts[1].ab2b[0], p.cells2parts[1].ab2b[1]);
              }).empty());
  CHECK_FALSE(problem_after([](parts_type& p) { p.entities[0].owners[0] = 100; }).empty());
  CHECK_FALSE(problem_after([](parts_type& p) { p.entities[2].num_global += 1; }).empty());
  if (all.size() == 1)
    return;
  CHECK_FALSE(problem_after([](parts_type& p) { p.entities[1].tags.back() += 1; }).empty());
  CHECK_FALSE(problem_after([](parts_type& p) { p.coordinates.back() += 1; }).empty());
  CHECK_FALSE(problem_after([](parts_type& p) {
                p.entities[0].owners.back() = 0;
                p.entities[0].owners.front() = 0;
              }).empty());
  auto unknown = parts;
  for (auto& kind : unknown.entities)
    kind.copies = {};
  CHECK_FALSE(detail::find_problem(all, unknown).empty());
  auto renamed = parts; // every rank by itself
  for (global_id& id : renamed.entities[2].ids)
    id = id * all.size() + all.rank();
  CHECK_FALSE(detail::find_problem(all, renamed).empty());
  auto unwanted = parts;
  unwanted.ghosts.depth = 0;
  CHECK(detail::find_problem(all, unwanted).find("ghost cells") != std::string::npos);
}

TEST_CASE("what no mesh can be made of is refused by all ranks") {
  Communicator const all = world();
  mesh_input const good = box_mesh(all, shape::triangle, {all.size(), 2, 1});
  bool const is_last = all.rank() == all.size() - 1;
  auto const refused = [&](auto const& spoil, char const* line) {
    mesh_input bad = good;
    if (is_last)
      spoil(bad);
    auto const found = refusal_of(all, bad);
    CAPTURE(found);
    CHECK(found.find(line) != std::string::npos);
  };
  refused([](mesh_input& m) { m.cells.ids[1] = m.cells.ids[0]; }, "is given twice");
  refused([](mesh_input& m) { m.vertex_ids[0] = m.vertex_ids[1]; }, "is given twice");
  refused([](mesh_input& m) { m.vertex_ids[0] += 1000000; }, "expected one that is given with");
  refused([](mesh_input& m) { m.cells.vertices[0] = m.cells.vertices[1]; }, "expected distinct");
  refused([](mesh_input& m) { m.cells.vertices[0] = -4; }, "with id -4");
  refused([](mesh_input& m) { m.cells.shapes[0] = shape::quadrilateral; }, "expected 4 for its");
  refused([](mesh_input& m) { m.cells.shapes[0] = shape::tetrahedron; }, "has 3 dimensions");
  refused([](mesh_input& m) { m.coordinates[0] = std::nan(""); }, "expected a finite one");
  refused([](mesh_input& m) { m.coordinates.pop_back(); }, "expected 3 for each");
  refused([](mesh_input& m) { m.cells.tags.pop_back(); }, "expected one of each");
  refused([](mesh_input& m) { m.cells.elements2vertices[1] = 99999; }, "ascending rows");
  refused([](mesh_input& m) { m.boundary.vertices[0] += 1000000; }, "part of a cell");
  CHECK(refusal_of(all, good, {.depth = -1}).find("-1 ghost layers") != std::string::npos);
  CHECK(refusal_of(all, good, {.through = 2}).find("dimension 2") != std::string::npos);
}

TEST_CASE("a cell that is given twice, by two ranks or one, is refused") {
  Communicator const all = world();
  for (int kind = 0; kind < num_kinds; ++kind)
    for (bool const is_flat : {true, false}) {
      CAPTURE(kind, is_flat);
      mesh_input const once = mesh_of_kind(all, kind);
      mesh_input twice = is_flat ? once : rolled_up(once);
      bool const is_giver = all.rank() == 0;
      std::vector<global_id> first(8, -1); // of rank 0, with its number of vertices in front
      if (is_giver)
        std::copy_n(once.cells.vertices.begin(), once.cells.elements2vertices[1], first.begin());
      std::int64_t count = is_giver ? once.cells.elements2vertices[1] : 0;
      mpi::bcast(all.context(), std::span(&count, 1), 0);
      mpi::bcast(all.context(), std::span<global_id>(first), 0);
      auto what = is_giver ? once.cells.shapes[0] : shape::point;
      mpi::bcast(all.context(), std::span(reinterpret_cast<std::uint8_t*>(&what), 1), 0);
      if (all.rank() == all.size() - 1) {
        if (twice.cells.elements2vertices.empty())
          twice.cells.elements2vertices.push_back(0);
        twice.cells.shapes.push_back(what);
        twice.cells.vertices.insert(twice.cells.vertices.end(), first.begin(),
                                    first.begin() + count);
        twice.cells.elements2vertices.push_back(std::ssize(twice.cells.vertices));
        twice.cells.ids.push_back(999'999);
        twice.cells.tags.push_back(0);
      }
      CHECK_THAT(refusal_of(all, twice, {.depth = kind % 2}),
                 Catch::Contains("and 999999 have the same vertices"));
    }
}

TEST_CASE("cells that list their vertices the other way round are turned over") {
  Communicator const all = world();
  for (int kind = 0; kind < num_kinds; ++kind) {
    CAPTURE(kind);
    mesh_input const input = mesh_of_kind(all, kind);
    Mesh const mesh(all, half_turned(input)), plain(all, input);
    CHECK(mesh.problem().empty());
    for (local_id c = 0; c < mesh.cells().num_local(); ++c) {
      auto turned = corners_of(mesh, mesh.num_dimensions(), c),
           given = corners_of(plain, mesh.num_dimensions(), c);
      std::ranges::sort(turned);
      std::ranges::sort(given);
      REQUIRE(turned == given);
      auto const corners = mesh.cells().vertices[c];
      if (mesh.num_dimensions() == 1)
        REQUIRE(place_of(mesh, corners[0])[0] < place_of(mesh, corners[1])[0]);
      else
        REQUIRE((mesh.num_dimensions() == 2 ? signed_area_of(mesh, c) : volume_of(mesh, c)) > 0);
    }
  }
}

TEST_CASE("a ring is refused if its cells are folded back onto each other") {
  Communicator const all = world();
  mesh_input const ring = ring_of_squares(all, 7);
  CHECK(refusal_of(all, rolled_up(ring)).empty());
  for (int const depth : {0, 1}) {
    auto const line = refusal_of(all, ring, {.depth = depth});
    CAPTURE(line);
    CHECK_THAT(line, Catch::Contains("mesh: cells ") && Catch::Contains(" overlap"));
  }
}

TEST_CASE("cells that a move of vertices turns inside out are a problem") {
  Communicator const all = world();
  auto parts = detail::assemble(all, box_mesh(all, shape::prism, {2, 2, 3}), {});
  for (std::size_t k = 0; k < parts.coordinates.size(); k += 3)
    parts.coordinates[k] *= -1;
  CHECK_THAT(detail::find_problem(all, parts), Catch::Contains("is turned inside out"));
}

TEST_CASE("flat cells are neither turned nor overlapping, wherever rounding puts them") {
  Communicator const all = world();
  mesh_input input = box_mesh(all, shape::tetrahedron, {2, 2, 2});
  for (std::size_t k = 2; k < input.coordinates.size(); k += 3)
    input.coordinates[k] = 0.1 * input.coordinates[k - 1] + 0.3 * input.coordinates[k - 2];
  CHECK(refusal_of(all, input).empty());
}

TEST_CASE("a box that no machine has memory for is refused by all ranks before it is made") {
  Communicator const all = world();
  constexpr std::int64_t many = 100'000, most = std::numeric_limits<std::int64_t>::max();
  auto const refused = [&](shape of, std::array<std::int64_t, 3> bricks) {
    CHECK_THROWS_WITH(box_mesh(all, of, bricks),
                      Catch::StartsWith("box mesh: ") && Catch::Contains("bytes of memory on one"));
  };
  for (shape const of : {shape::tetrahedron, shape::hexahedron, shape::prism, shape::pyramid})
    refused(of, {many, many, many});
  refused(shape::triangle, {most, 2, 1});
  refused(shape::hexahedron, {most, most, most});
}
