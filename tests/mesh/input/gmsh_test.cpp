// Gmsh's files, written here from a mesh that is known: what each rank reads, what it takes in
// memory, and what the line says where a file is wrong.
#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/mesh/input/gmsh.hpp>

#include <mesh/msh_files.hpp>
#include <support/catch.hpp>
#include <support/memory_in_use.hpp>
#include <support/world.hpp>

#include <fmt/ranges.h>

using namespace seam;
using namespace seam::detail;
using namespace seam::testing;

namespace {

using Catch::Contains;

/// Makes a file that all ranks see. Collective.
void provide(Communicator const& over, std::string const& path, std::string const& bytes) {
  if (over.rank() == 0)
    write_bytes(path, bytes);
  mpi::barrier(over);
}

/// The share of `total` things of a rank: from its number to that of the next.
std::int64_t begin_of(int rank, std::int64_t total, int size) {
  return total / size * rank + std::min<std::int64_t>(rank, total % size);
}

void add(element_list& to, sample_element const& element) {
  if (to.elements2vertices.empty())
    to.elements2vertices.push_back(0);
  to.shapes.push_back(element.kind);
  to.vertices.insert(to.vertices.end(), element.nodes.begin(), element.nodes.end());
  to.elements2vertices.push_back(std::ssize(to.vertices));
  to.ids.push_back(element.id);
  to.tags.push_back(element.physical);
}

/// Elements of one dimension after the other from the highest, each in the order of the file.
mesh_input expected_share(sample_mesh const& whole, int rank, int size) {
  mesh_input share;
  share.num_dimensions = 3;
  auto const num_nodes = std::ssize(whole.node_ids), num_elements = std::ssize(whole.elements);
  for (auto n = begin_of(rank, num_nodes, size); n < begin_of(rank + 1, num_nodes, size); ++n) {
    share.vertex_ids.push_back(whole.node_ids[std::size_t(n)]);
    for (double const value : whole.places[std::size_t(n)])
      share.coordinates.push_back(value);
  }
  for (int d = 3; d >= 0; --d)
    for (auto e = begin_of(rank, num_elements, size); e < begin_of(rank + 1, num_elements, size);
         ++e) {
      sample_element const& element = whole.elements[std::size_t(e)];
      if (dimensions_of(element.kind) == d && (d == 3 || element.physical != 0))
        add(d == 3 ? share.cells : share.boundary, element);
    }
  return share;
}

void check_same(element_list const& found, element_list const& expected) {
  CHECK(found.shapes == expected.shapes);
  CHECK(found.vertices == expected.vertices);
  CHECK(found.ids == expected.ids);
  CHECK(found.tags == expected.tags);
  if (!expected.ids.empty())
    CHECK(found.elements2vertices == expected.elements2vertices);
}

/// The line of the error that reading the file throws, which must be the same on all ranks.
std::string refusal(Communicator const& over, std::string const& path) {
  std::string line = "nothing was thrown";
  try {
    read_gmsh(over, path);
  } catch (usage_error const& problem) {
    line = problem.what();
    CHECK(problem.on_all_ranks());
  }
  require_same(over, "error line", line);
  return line;
}

/// The one place where `what` stands, counted from 1.
std::int64_t line_with(std::string const& text, std::string const& what) {
  auto const at = text.find(what);
  REQUIRE(at != text.npos);
  return 1 + std::count(text.begin(), text.begin() + std::ptrdiff_t(at), '\n');
}

struct fault {
  std::string from, to, line; ///< {0} in `line` is the number of the line with `from`, {1} the next
};

/// Each fault alone in a text is refused with its line.
void check_faults(Communicator const& over, sample_mesh const& mesh, msh_kind kind,
                  std::vector<fault> const& faults) {
  std::string const whole = msh_text(mesh, kind);
  for (fault const& tried : faults) {
    std::string text = whole;
    auto const at = text.find(tried.from);
    REQUIRE(at != text.npos);
    text.replace(at, tried.from.size(), tried.to);
    provide(over, "fault.msh", text);
    std::int64_t const line = line_with(whole, tried.from) + (tried.from.front() == '\n' ? 1 : 0);
    CHECK_THAT(refusal(over, "fault.msh"),
               Contains("gmsh: fault.msh:" +
                        fmt::format(fmt::runtime(tried.line), line, line + 1, line + 2, line + 3)));
    mpi::barrier(over);
  }
}

} // namespace

TEST_CASE("every kind of file gives the same mesh, shared evenly in the order of the file") {
  Communicator const all = world();
  for (int const n : {1, 2, 5})
    for (msh_kind const kind : all_msh_kinds) {
      INFO(n << ' ' << kind.name());
      sample_mesh const whole = make_sample(n);
      provide(all, kind.name(), msh_text(whole, kind));
      mesh_input const found = read_gmsh(all, kind.name());
      mesh_input const expected = expected_share(whole, all.rank(), all.size());
      CHECK(found.num_dimensions == 3);
      CHECK(found.vertex_ids == expected.vertex_ids);
      CHECK(found.coordinates == expected.coordinates);
      check_same(found.cells, expected.cells);
      check_same(found.boundary, expected.boundary);
      mpi::barrier(all);
    }
}

TEST_CASE("texts may come from elsewhere: other ends of lines, blanks, sections, no last newline") {
  Communicator const all = world();
  sample_mesh const whole = make_sample(3);
  for (bool const is_4 : {false, true}) {
    std::string text = msh_text(whole, {is_4, false});
    text.insert(text.find("$Nodes"), "$Comments\n  $ is no section here: \n\n$EndComments\n\n");
    text += "$NodeData\n1\n\"$T\"\n$EndNodeData\n";
    for (std::size_t at = 0; (at = text.find('\n', at)) != text.npos; at += 3)
      text.replace(at, 1, " \r\n");
    text.resize(text.size() - 3);
    provide(all, "elsewhere.msh", text);
    auto const found = read_gmsh(all, "elsewhere.msh");
    auto const expected = expected_share(whole, all.rank(), all.size());
    CHECK(found.vertex_ids == expected.vertex_ids);
    CHECK(found.cells.vertices == expected.cells.vertices);
    mpi::barrier(all);
  }
}

TEST_CASE("a surface alone makes a mesh of two dimensions, with its tagged lines as boundary") {
  Communicator const all = world();
  sample_mesh whole = make_sample(4);
  std::erase_if(whole.elements,
                [](sample_element const& element) { return dimensions_of(element.kind) == 3; });
  for (msh_kind const kind : all_msh_kinds) {
    provide(all, "surface.msh", msh_text(whole, kind));
    auto const found = read_gmsh(all, "surface.msh");
    CHECK(found.num_dimensions == 2);
    CHECK(mpi::allreduce(all, std::int64_t{found.cells.num_elements()}, MPI_SUM) == 16);
    CHECK(mpi::allreduce(all, std::int64_t{found.boundary.num_elements()}, MPI_SUM) == 5);
    mpi::barrier(all);
  }
}

TEST_CASE("no rank holds more than three times its share and a constant") {
  Communicator const all = world();
  constexpr int n = 22;
  constexpr std::int64_t constant = 1 << 17; // 64 KiB of the file at a time, messages
  sample_mesh const whole = make_sample(n);
  auto const share_of_mesh = [](mesh_input const& mesh) {
    std::size_t bytes = 32 * mesh.vertex_ids.size();
    for (element_list const* list : {&mesh.cells, &mesh.boundary})
      bytes += 21 * list->ids.size() + 8 * list->vertices.size();
    return static_cast<std::int64_t>(bytes);
  };
  for (msh_kind const kind : all_msh_kinds) {
    INFO(kind.name());
    provide(all, kind.name(), msh_text(whole, kind));
    memory_in_use const memory;
    mesh_input const found = read_gmsh(all, kind.name());
    std::int64_t const most = memory.peak();
    auto const total = mpi::allreduce(all, share_of_mesh(found), MPI_SUM);
    CHECK(most <= 3 * total / all.size() + constant);
    mpi::barrier(all);
  }
}

TEST_CASE("what is wrong in a text of 2.2 is told with its line") {
  check_faults(
      world(), make_sample(2), {false, false},
      {
          {"$MeshFormat", "$Mesh", "{0}: '$Mesh' (expected $MeshFormat)"},
          {"2.2 0 8", "2.3 0 8", "{0}: format 2.3 (expected 2 to 2.2, 4 or 4.1)"},
          {"2.2 0 8", "2.2 0 4", "{0}: numbers of 4 bytes (expected 8)"},
          {"2.2 0 8", "2.2 2 8", "{0}: '2.2 2 8' (expected a version, 0 or 1, and 8)"},
          {"\n$EndPhysicalNames\n", "\n", "{0}: '$Nodes' within another section"},
          {"$Nodes\n27", "$Nodes\n1000000000000", "{1}: 1000000000000 nodes (expected 0 to "},
          {"$Nodes\n27", "$Nodes\n-1", "{1}: -1 nodes (expected 0 to "},
          {"$Nodes\n27", "$Nodes\nmany", "{1}: 'many' (expected the number of nodes)"},
          {"\n2 0 0 0\n$EndNodes", "\n2 0 0 0\n1 1 1 1\n$EndNodes",
           "{1}: '1 1 1 1' (expected $EndNodes after 27 nodes)"},
          {"\n2 0 0 0\n$EndNodes", "\n$EndNodes",
           "{1}: '$Elements' (expected $EndNodes after 27 nodes)"},
          {"\n77 0.5 ", "\n-77 0.5 ", "{0}: node -77 (expected 1 to 2^63 - 2)"},
          {"\n77 0.5 ", "\n7x 0.5 ", "{0}: '7x 0.5 0.5714285714285714 2.1' (expected node)"},
          {"\n77 0.5 ", "\n77 nan ", "{0}: coordinate nan (expected a finite number)"},
          {"\n77 0.5 0.5714285714285714", "\n77 ", "{0}: the line ends (expected three coordi"},
          {"\n77 0.5 ", "\n77 1 0.5 ", "{0}: '2.1' (expected three coordinates)"},
          {"80 1 0.5714285714285714 2.2\n77 ", "80 1 0.5714285714285714 2.2\n80 ",
           "{1}: node 80 for the second time (expected it once, as at line {0})"},
          {"\n2 1 2 6 2 2 5", "\n2 29 2 6 2 2 5",
           "{0}: element type 29, a tetrahedron of third to fifth order (expected one of first "},
          {"\n2 1 2 6 2 2 5", "\n2 99 2 6 2 2 5",
           "{0}: element type 99, of which nothing is known"},
          {"\n2 1 2 6 2 2 5", "\n2 1 2 6 2 2 4",
           "{0}: an element with node 4 (expected nodes that $Nodes has)"},
          {"\n2 1 2 6 2 2 5\n3 ", "\n3 1 2 6 2 2 5\n3 ",
           "{1}: element 3 for the second time (expected it once, as at line {0})"},
          {"\n2 1 2 6 2 2 5", "\n2 1 2 6 2 5 5",
           "{0}: node 5 twice in an element (expected different ones)"},
          {"\n2 1 2 6 2 2 5", "\n2 1 2 -6 2 2 5", "{0}: physical tag -6 (expected at least 0)"},
          {"\n2 1 2 6 2 2 5", "\n2 1 2 -9223372036854775808 2 2 5",
           "{0}: a tag -9223372036854775808 (expected "},
          {"\n2 1 2 6 2 2 5", "\n2 1 -1 6 2 2 5", "{0}: -1 tags (expected at least 0)"},
          {"\n2 1 2 6 2 2 5", "\n2 1 2 6 2 2 5 8", "{0}: '8' (expected 2 nodes)"},
          {"$Elements\n", "$Elements\n0\n$EndElements\n$Elements\n",
           "{3}: a second section $Elements (expected one)"},
          {"$EndElements\n", "", "{0}: the file ends within $Elements (expected $EndElements)"},
          {"$Elements\n", "$Other\n", ""},
          {"$EndElements\n", "$End\n", "{0}: '$End' (expected $EndElements after "},
      });
}

TEST_CASE("what is wrong in a text of 4.1 is told with its line") {
  check_faults(
      world(), make_sample(2), {true, false},
      {
          {"$Entities\n1 2 1 2", "$Entities\n1 2 1 3", ""},
          {"$Entities\n1 2 1 2", "$Entities\n1 2 1", "{1}: '1 2 1' (expected the 4 numbers"},
          {"$Entities\n1 2 1 2", "$Entities\n1 2 -1 2", "{1}: -1 entities (expected 0 to "},
          {"$Entities\n", "$PartitionedEntities\n", "{0}: $PartitionedEntities: the mesh is "},
          {"$Nodes\n3 27", "$Nodes\n4 27", ""},
          {"$Nodes\n3 27", "$Nodes\n2 27", ""},
          {"$Nodes\n3 27", "$Nodes\n3 99999999999", "{1}: 99999999999 nodes (expected 0 to "},
          {"$Nodes\n3 27", "$Nodes\n-3 27", "{1}: -3 blocks (expected at least 0)"},
          {"\n1 1 0 9\n", "\n1 1 0 28\n", "{0}: a block of 28 nodes (expected 0 to 27, as $Nodes"},
          {"\n1 1 0 9\n", "\n5 1 0 9\n", "{0}: a block of dimension 5, entity 1, parametric 0"},
          {"$Elements\n6 37 1 1000000\n0 1 15 1", "$Elements\n6 37 1 1000000\n0 1 26 1",
           "{2}: element type 26, a line of third to fifth order"},
          {"$Elements\n6 37 1 1000000\n0 1 15 1", "$Elements\n6 37 1 1000000\n2 1 15 1",
           "{2}: elements of type 15 on entity 1 of dimension 2 (expected 0)"},
          {"$Elements\n6 37 1 1000000\n0 1 15 1", "$Elements\n6 37 1 1000000\n0 1 15 200",
           "{2}: a block of 200 elements (expected 0 to "},
      });
}

TEST_CASE("a binary file is refused with the byte where it is wrong") {
  Communicator const all = world();
  for (bool const is_4 : {false, true}) {
    std::string const whole = msh_text(make_sample(2), {is_4, true});
    auto const refuse = [&](std::string const& bytes) {
      provide(all, "fault.msh", bytes);
      auto line = refusal(all, "fault.msh");
      mpi::barrier(all);
      return line;
    };
    std::string other = whole;
    std::reverse(other.begin() + 20, other.begin() + 24);
    CHECK_THAT(refuse(other), Contains("fault.msh:3: binary numbers in the order of another"));

    auto const nodes = whole.find("$Nodes\n") + 7;
    CHECK_THAT(refuse(whole.substr(0, nodes + 200)), Contains("fault.msh: byte "));

    std::string many = whole;
    if (is_4)
      many[nodes + 8 + 5] = '\1';
    else
      many.replace(nodes, 2, "1000000000000");
    CHECK_THAT(refuse(many),
               Contains(fmt::format("byte {}: {} nodes (expected 0 to ", nodes,
                                    is_4 ? 27 + (std::int64_t{1} << 40) : 1000000000000)));

    // The second node's number becomes the first's.
    std::string twice = whole;
    std::size_t const first = nodes + (is_4 ? 32 + 20 : 3), step = is_4 ? 8 : 28;
    std::copy_n(whole.begin() + std::ptrdiff_t(first), 4,
                twice.begin() + std::ptrdiff_t(first + step));
    CHECK_THAT(refuse(twice), Contains(fmt::format("byte {}: node 80 for the second time (expected "
                                                   "it once, as at byte {})",
                                                   first + step, first)));
  }
}

TEST_CASE("files that cannot be read at all are refused by all ranks") {
  Communicator const all = world();
  CHECK_THAT(refusal(all, "nowhere.msh"), Contains("'nowhere.msh': No such file"));
  CHECK_THAT(refusal(all, "."), Contains("'.': this is a directory"));
  CHECK_THAT(refusal(all, "/dev/null"), Contains("'/dev/null': this is no regular file"));
  provide(all, "empty.msh", "");
  CHECK_THAT(refusal(all, "empty.msh"), Contains("empty.msh:1: nothing (expected $MeshFormat)"));
  provide(all, "points.msh",
          "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n1 0 0 0\n$EndNodes\n"
          "$Elements\n1\n1 15 0 1\n$EndElements\n");
  CHECK_THAT(refusal(all, "points.msh"), Contains("no lines, surfaces or volumes"));
}
