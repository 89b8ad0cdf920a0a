// Gmsh's files as other programs and older versions write them: each gives the mesh of a plain file.
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/mesh/entities/mesh.hpp>
#include <seam/mesh/input/gmsh.hpp>

#include <mesh/msh_files.hpp>
#include <support/catch.hpp>
#include <support/world.hpp>

#include <fmt/ranges.h>

#include <numeric>
#include <regex>
#include <set>

using namespace seam;
using namespace seam::testing;
using Catch::Contains;

namespace {

/// Reads a file that rank 0 has made. Collective.
mesh_input read(Communicator const& over, std::string const& bytes) {
  mpi::barrier(over);
  if (over.rank() == 0)
    write_bytes("variant.msh", bytes);
  mpi::barrier(over);
  return read_gmsh(over, "variant.msh");
}

void check_same(mesh_input const& found, mesh_input const& expected) {
  CHECK(found.num_dimensions == expected.num_dimensions);
  CHECK(found.vertex_ids == expected.vertex_ids);
  CHECK(found.coordinates == expected.coordinates);
  for (auto const list : {&mesh_input::cells, &mesh_input::boundary}) {
    CHECK((found.*list).shapes == (expected.*list).shapes);
    CHECK((found.*list).vertices == (expected.*list).vertices);
    CHECK((found.*list).ids == (expected.*list).ids);
    CHECK((found.*list).tags == (expected.*list).tags);
  }
}

std::string replaced(std::string text, std::string const& from, std::string const& to) {
  auto const at = text.find(from);
  REQUIRE(at != text.npos);
  return text.replace(at, from.size(), to);
}

/// Ids and tags of all ranks' elements.
std::set<std::pair<std::int64_t, std::int64_t>> ids_and_tags(Communicator const& over,
                                                             element_list const& of) {
  constexpr std::int64_t most = 100; // ids in these tests
  std::vector<std::int64_t> tags(most, -1);
  for (std::size_t e = 0; e < of.ids.size(); ++e)
    tags[std::size_t(of.ids[e])] = of.tags[e];
  mpi::allreduce(over, std::span<std::int64_t>(tags), MPI_MAX);
  std::set<std::pair<std::int64_t, std::int64_t>> all;
  for (std::int64_t id = 0; id < most; ++id)
    if (tags[std::size_t(id)] >= 0)
      all.emplace(id, tags[std::size_t(id)]);
  return all;
}

std::string const square_nodes = "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n$EndNodes\n";
std::string const head_of_2 = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n";

/// A file of format 4.0: entities with six bounds, tags before dimensions, nodes with their places.
std::string msh_text_of_4_0(sample_mesh const& mesh, bool is_binary) {
  msh_kind const kind{true, is_binary};
  msh_writer out(kind);
  out.line("$MeshFormat");
  out.line(fmt::format("4 {} 8", int(is_binary)));
  if (is_binary) {
    out.bytes(std::int32_t{1});
    out.text += '\n';
  }
  out.line("$EndMeshFormat");
  std::array<std::set<std::pair<int, int>>, 4> entities; // tag, physical
  for (sample_element const& element : mesh.elements)
    entities[std::size_t(dimensions_of(element.kind))].emplace(element.entity, element.physical);
  out.line("$Entities");
  out.numbers({std::ssize(entities[0]), std::ssize(entities[1]), std::ssize(entities[2]),
               std::ssize(entities[3])},
              {8});
  for (std::size_t d = 0; d < 4; ++d)
    for (auto const& [tag, physical] : entities[d]) {
      std::vector<std::int64_t> const groups(physical == 0 ? 0 : 1, physical);
      if (!is_binary) {
        out.line(fmt::format("{} 0 0 0 1 1 1 {} {}{}", tag, groups.size(), fmt::join(groups, " "),
                             d > 0 ? " 0" : ""));
        continue;
      }
      out.bytes(std::int32_t{tag});
      for (int k = 0; k < 6; ++k)
        out.bytes(0.5 * k);
      out.bytes(std::int64_t(groups.size()));
      for (auto const group : groups)
        out.bytes(static_cast<std::int32_t>(group));
      if (d > 0)
        out.bytes(std::int64_t{0});
    }
  out.end_of_data();
  out.line("$EndEntities");
  out.line("$Nodes");
  std::int64_t const total = std::ssize(mesh.node_ids), first = total / 3;
  out.numbers({2, total}, {8});
  for (bool const is_parametric : {false, true}) {
    std::int64_t const begin = is_parametric ? first : 0, end = is_parametric ? total : first;
    out.numbers({7, 2, is_parametric, end - begin}, {4, 4, 4, 8});
    for (auto n = std::size_t(begin); std::int64_t(n) < end; ++n) {
      if (is_binary)
        out.bytes(static_cast<std::int32_t>(mesh.node_ids[n]));
      else
        out.text += fmt::format("{} ", mesh.node_ids[n]);
      out.place(mesh.places[n]);
      for (int parameter = 0; is_parametric && parameter < 2; ++parameter)
        is_binary ? out.bytes(0.25) : void(out.text.insert(out.text.size() - 1, " 0.25"));
    }
  }
  out.end_of_data();
  out.line("$EndNodes");
  auto const blocks = blocks_of(mesh);
  out.line("$Elements");
  out.numbers({std::ssize(blocks) - 1, std::ssize(mesh.elements)}, {8});
  for (std::size_t b = 0; b + 1 < blocks.size(); ++b) {
    sample_element const& head = mesh.elements[blocks[b]];
    out.numbers({head.entity, dimensions_of(head.kind), msh_type_of(head.kind),
                 std::int64_t(blocks[b + 1] - blocks[b])},
                {4, 4, 4, 8});
    for (std::size_t e = blocks[b]; e < blocks[b + 1]; ++e) {
      std::vector<std::int64_t> record{mesh.elements[e].id};
      record.insert(record.end(), mesh.elements[e].nodes.begin(), mesh.elements[e].nodes.end());
      out.numbers(record, {4});
    }
  }
  out.end_of_data();
  out.line("$EndElements");
  return out.text;
}

} // namespace

TEST_CASE("files of 2.0, 2.1 and 4.0 give the meshes of 2.2 and 4.1") {
  Communicator const all = world();
  for (int const n : {2, 3}) {
    sample_mesh const sample = make_sample(n);
    std::string const text_2 = msh_text(sample, {false, false});
    mesh_input const of_2 = read(all, text_2), of_4 = read(all, msh_text(sample, {true, false}));
    for (std::string const version : {"2", "2.0", "2.1"})
      check_same(read(all, replaced(text_2, "2.2 0 8", version + " 0 8")), of_2);
    for (bool const is_binary : {false, true}) {
      CAPTURE(n, is_binary);
      check_same(read(all, msh_text_of_4_0(sample, is_binary)), of_4);
    }
  }
}

TEST_CASE("numbers may have plus signs, and blank lines lie anywhere between records") {
  Communicator const all = world();
  for (bool const is_4 : {false, true}) {
    std::string const text = msh_text(make_sample(3), {is_4, false});
    mesh_input const plain = read(all, text);
    auto const nodes = text.find("$Nodes"), rest = text.find("$EndNodes");
    std::regex const number("(^|[ \n])([0-9])"), end("\n");
    check_same(read(all, text.substr(0, nodes) +
                             std::regex_replace(text.substr(nodes, rest - nodes), number, "$1+$2") +
                             text.substr(rest)),
               plain);
    auto const body = text.find("$EndMeshFormat");
    for (std::string const blanks : {"\n\n", "\n\r\n \t\n"})
      check_same(read(all,
                      text.substr(0, body) + std::regex_replace(text.substr(body), end, blanks)),
                 plain);
  }
  std::string const spaced =
      head_of_2 + square_nodes + "\n\n$Elements\n2\n\n1 2 0 1 2 3\n\n\n2 2 0 ";
  CHECK_THROWS_WITH(read(all, spaced + "1 3\n$EndElements\n"),
                    Contains("variant.msh:19: the line ends (expected node)"));
}

TEST_CASE("nodes with parameters, $ParametricNodes, are read without them") {
  Communicator const all = world();
  std::string const elements = "$Elements\n2\n1 2 2 1 1 1 2 3\n2 2 2 1 1 1 3 4\n$EndElements\n";
  mesh_input const plain = read(all, head_of_2 + square_nodes + elements);
  check_same(read(all, head_of_2 +
                           "$ParametricNodes\n4\n1 0 0 0 0 1\n2 1 0 0 1 2 0.5\n"
                           "3 1 1 0 2 1 0.5 0.25\n4 0 1 0\n$EndParametricNodes\n" +
                           elements),
             plain);
  CHECK_THROWS_WITH(
      read(all, head_of_2 + "$ParametricNodes\n1\n1 0 0 0 x\n$EndParametricNodes\n" + elements),
      Contains("variant.msh:6: 'x' (expected a parametric coordinate)"));
  CHECK_THROWS_WITH(read(all, head_of_2 + "$ParametricNodes\n0\n$EndNodes\n" + elements),
                    Contains("'$EndNodes' (expected $EndParametricNodes after 0 nodes)"));
}

namespace {

/// The section of a binary file whose nodes lie on points, curves, surfaces and in volumes.
std::string binary_nodes_with_parameters(sample_mesh const& mesh) {
  msh_writer out({false, true});
  out.line("$ParametricNodes");
  out.line(std::to_string(mesh.node_ids.size()));
  for (std::size_t n = 0; n < mesh.node_ids.size(); ++n) {
    auto const dimension = static_cast<std::int32_t>(n / 5 % 4);
    out.bytes(static_cast<std::int32_t>(mesh.node_ids[n]));
    out.place(mesh.places[n]);
    out.bytes(dimension);
    out.bytes(std::int32_t{1}); // tag of the entity
    for (int k = 0; k < dimension % 3; ++k)
      out.bytes(0.5);
  }
  out.end_of_data();
  out.line("$EndParametricNodes");
  return out.text;
}

} // namespace

TEST_CASE("nodes with parameters in a binary file are read without them") {
  Communicator const all = world();
  for (int const n : {1, 4}) {
    sample_mesh const sample = make_sample(n);
    std::string const text = msh_text(sample, {false, true});
    auto const begin = text.find("$Nodes"), end = text.find("$Elements");
    std::string const before = text.substr(0, begin), behind = text.substr(end);
    std::string const nodes = binary_nodes_with_parameters(sample);
    check_same(read(all, before + nodes + behind), read(all, text));
    CHECK_THROWS_WITH(read(all, before + nodes.substr(0, nodes.size() / 2)),
                      Contains("bytes follow") || Contains("the file ends"));
    std::string wrong = nodes;
    wrong[nodes.find('\n', nodes.find('\n') + 1) + 1 + 28] = 4;
    CHECK_THROWS_WITH(read(all, before + wrong + behind),
                      Contains("a node on an entity of dimension 4 (expected 0 to 3)"));
  }
}

TEST_CASE("an element of format 2 that stands once for each of its groups counts for the first") {
  Communicator const all = world();
  mesh_input const found = read(all, head_of_2 + square_nodes +
                                         "$Elements\n10\n"
                                         "1 1 2 5 1 1 2\n2 1 2 6 1 2 1\n3 1 2 5 3 3 4\n"
                                         "4 2 2 9 1 1 2 3\n5 2 2 8 1 3 1 2\n6 2 2 9 1 2 3 1\n"
                                         "7 2 2 8 2 1 3 4\n8 15 2 3 1 1\n9 15 2 4 1 1\n"
                                         "10 1 2 6 3 3 4\n$EndElements\n");
  using list = std::set<std::pair<std::int64_t, std::int64_t>>;
  CHECK(ids_and_tags(all, found.cells) == list{{4, 9}, {6, 9}, {7, 8}});
  CHECK(ids_and_tags(all, found.boundary) == list{{1, 5}, {3, 5}, {8, 3}});
  CHECK_THROWS_WITH(Mesh(all, found), Contains("cells 4 and 6 have the same vertices"));
}

TEST_CASE("a mesh whose every element is in two groups has each once") {
  Communicator const all = world();
  sample_mesh const once = make_sample(2);
  sample_mesh twice = once;
  for (sample_element const& element : once.elements)
    if (element.physical != 0) {
      twice.elements.push_back(element);
      twice.elements.back().physical += 50;
      twice.elements.back().id += 100000;
    }
  for (bool const is_binary : {false, true}) {
    mesh_input const expected = read(all, msh_text(once, {false, is_binary})),
                     found = read(all, msh_text(twice, {false, is_binary}));
    for (auto const list : {&mesh_input::cells, &mesh_input::boundary}) {
      CHECK(mpi::allreduce(all, std::int64_t{(found.*list).num_elements()}, MPI_SUM) ==
            mpi::allreduce(all, std::int64_t{(expected.*list).num_elements()}, MPI_SUM));
      for (auto const tag : (found.*list).tags)
        CHECK(tag < 50);
    }
  }
}

TEST_CASE("elements of second order are read as straight ones, which is noted") {
  Communicator const all = world();
  std::string const nodes = replaced(square_nodes, "4\n1 0", "9\n1 0");
  std::string const between =
      "5 0.5 0 0\n6 1 0.5 0\n7 0.5 1 0\n8 0 0.5 0\n9 0.5 0.5 0\n$EndNodes\n";
  std::string const mesh_of_2 = head_of_2 + replaced(nodes, "$EndNodes\n", between) +
                                "$Elements\n4\n1 8 2 5 1 1 2 5\n2 9 2 1 1 1 2 3 5 6 9\n"
                                "3 9 2 1 1 1 3 4 9 7 8\n4 15 2 4 1 3\n$EndElements\n";
  mesh_input const found = read(all, mesh_of_2);
  REQUIRE(found.notes.size() == 1);
  CHECK_THAT(found.notes[0], Contains("gmsh: variant.msh: 3 elements of second order are read as"));
  Mesh const mesh(all, found);
  CHECK(mesh.problem().empty());
  CHECK(mesh.cells().num_global == 2);
  CHECK(mesh.vertices().num_global == 4);
  CHECK_THROWS_WITH(read(all, replaced(mesh_of_2, "5 6 9\n", "5 6\n")),
                    Contains("the line ends (expected node)"));
  for (bool const is_4 : {false, true}) {
    for (int const type : {8, 12, 19}) {
      CAPTURE(is_4, type);
      // Blocks of one element on nodes 1, 2, ...; the kind is in the type alone.
      constexpr int num_nodes[] = {3, 6, 9, 10, 27, 18, 14, 0, 8, 20, 15, 13};
      constexpr int dimensions[] = {1, 2, 2, 3, 3, 3, 3, 0, 2, 3, 3, 3};
      int const count = num_nodes[type - 8];
      msh_writer file({is_4, true});
      file.line(fmt::format("$MeshFormat\n{} 1 8", is_4 ? "4.1" : "2.2"));
      file.bytes(std::int32_t{1});
      file.line("\n$EndMeshFormat\n$Nodes");
      if (is_4) {
        file.numbers({1, count, 1, count}, {8});
        file.numbers({3, 1, 0, count}, {4, 4, 4, 8});
        for (int n = 1; n <= count; ++n)
          file.numbers({n}, {8});
      } else {
        file.line(std::to_string(count));
      }
      for (int n = 1; n <= count; ++n) {
        if (!is_4)
          file.numbers({n}, {4});
        file.place({double(n), double(n * n), double(n * n * n)});
      }
      file.line("\n$EndNodes\n$Elements");
      std::vector<std::int64_t> record(std::size_t(count) + 1, 1);
      std::iota(record.begin() + 1, record.end(), 1);
      if (is_4) {
        file.numbers({1, 1, 1, 1}, {8});
        file.numbers({dimensions[type - 8], 1, type, 1}, {4, 4, 4, 8});
        file.numbers(record, {8});
      } else {
        file.line("1");
        file.numbers({type, 1, 0}, {4});
        file.numbers(record, {4});
      }
      file.line("\n$EndElements");
      mesh_input const one = read(all, file.text);
      CHECK(one.notes.size() == 1);
      CHECK(one.num_dimensions == dimensions[type - 8]);
      CHECK(mpi::allreduce(all, std::int64_t{one.cells.num_elements()}, MPI_SUM) == 1);
      for (std::size_t k = 0; k < one.cells.vertices.size(); ++k)
        CHECK(one.cells.vertices[k] == std::int64_t(k) + 1);
    }
  }
}

TEST_CASE("$Periodic joins nodes, whose pairs the ranks share") {
  Communicator const all = world();
  auto const section = [](msh_kind kind) {
    msh_writer out({kind.is_4, kind.is_4 && kind.is_binary}); // in format 2 it is text in any file
    out.line("$Periodic");
    out.numbers({2}, {8});
    for (std::int64_t const link : {0, 1}) {
      out.numbers({link, 2, 1}, {4});
      if (kind.is_4)
        out.numbers({0}, {8});
      else if (link == 0)
        out.line("Affine 1 0 0 1 0 1 0 0 0 0 1 0 0 0 0 1");
      out.numbers({link + 1}, {8});
      for (std::int64_t pair = 0; pair <= link; ++pair)
        out.numbers({5 + 3 * pair, 2 + link}, {8});
    }
    out.end_of_data();
    return out.text + "$EndPeriodic\n";
  };
  for (msh_kind const kind : all_msh_kinds) {
    CAPTURE(kind.name());
    std::string const plain = msh_text(make_sample(3), kind);
    CHECK(read(all, plain).joined.empty());
    auto const found = read(all, plain + section(kind));
    CHECK(found.notes.empty());
    std::vector<std::int64_t> pairs(100, 0);
    for (auto const& [vertex, other] : found.joined)
      ++pairs[std::size_t(10 * vertex + other)];
    CHECK(std::ssize(found.joined) <= 1 + 3 / all.size());
    mpi::allreduce(all.context(), std::span<std::int64_t>(pairs), MPI_SUM);
    for (std::int64_t k = 0; k < 100; ++k)
      CHECK(pairs[std::size_t(k)] == (k == 52 || k == 53 || k == 83 ? 1 : 0));
  }
}

TEST_CASE("$Periodic of a wrong form is refused, and noted where it cannot be read") {
  Communicator const all = world();
  std::string const plain = msh_text(make_sample(3), {false, false});
  auto const refusal = [&](std::string const& lines) {
    try {
      read(all, plain + "$Periodic\n" + lines + "$EndPeriodic\n");
    } catch (usage_error const& problem) {
      return std::string(problem.what());
    }
    return std::string();
  };
  CHECK_THAT(refusal("many\n"), Contains("'many' (expected the number of periodic entities)"));
  CHECK_THAT(refusal("1\n1 2\n"), Contains("'1 2' (expected a dimension, an entity and"));
  CHECK_THAT(refusal("1\n1 2 1\n1\n5\n"), Contains("'5' (expected two nodes that are one)"));
  CHECK_THAT(refusal("1\n1 2 1\n1\n5 0\n"), Contains("nodes 5 and 0 (expected two from 1 on)"));
  CHECK_THAT(refusal("1\n1 2 1\n2\n5 2\n"), Contains("(expected two nodes that are one)"));
  auto const noted = read(all, msh_text_of_4_0(make_sample(3), true) + "$Periodic\n$EndPeriodic\n");
  REQUIRE(noted.notes.size() == 1);
  CHECK_THAT(noted.notes[0], Contains("$Periodic is not read in a binary file of format 4.0"));
}

TEST_CASE("groups have names, in each format") {
  Communicator const all = world();
  std::string const names =
      "$PhysicalNames\n3\n2 5 \"the floor\"\n1 6 \"a=b\"\n3 13 \"\"\n$EndPhysicalNames\n";
  std::vector<mesh_group> const expected{{2, 5, "the floor"}, {1, 6, "a=b"}, {3, 13, ""}};
  for (msh_kind const kind : all_msh_kinds) {
    CAPTURE(kind.name());
    auto const text = msh_text(make_sample(3), kind);
    CHECK(read(all, text).groups == std::vector<mesh_group>{{2, 5, "floor"}, {3, 11, "the $body"}});
    CHECK(read(all, text + names).groups == expected);
    CHECK(read(all, replaced(text, "$Nodes", names + "$Nodes")).groups == expected);
  }
  std::string const plain = msh_text(make_sample(3), {true, false});
  for (std::string const wrong : {"2 5 floor", "4 5 \"floor\"", "2 \"floor\"", "2 5"})
    CHECK_THROWS_WITH(
        read(all, plain + "$PhysicalNames\n1\n" + wrong + "\n$EndPhysicalNames\n"),
        Contains("'" + wrong + "' (expected a dimension, a tag and a name in quotes)"));
}
