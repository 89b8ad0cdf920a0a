// Records of Gmsh's files: of every shape, in every kind of file, and records that are wrong.
#include <mesh/msh_files.hpp>
#include <support/catch.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/mesh/input/gmsh/records.hpp>

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace seam;
using namespace seam::detail;
using namespace seam::testing;
using Catch::Contains;

namespace {

constexpr std::int64_t lines_before = 10;
std::string const bytes_before = "behind here the records begin\n";

/// Records behind some bytes, as a piece that describes them.
struct written_records {
  msh_kind kind;
  msh_run run;
  std::vector<std::int64_t> offsets{}; ///< of each record
  std::string bytes = bytes_before;

  msh_format format() const { return {kind.is_binary, kind.is_4, {}}; }
  msh_piece piece() const {
    msh_piece all{run, {offsets.front(), kind.is_binary ? 0 : lines_before + 1}};
    all.run.count = std::ssize(offsets);
    all.run.first = 100;
    all.run.total = 1000;
    return all;
  }
  msh_place place(std::int64_t record) const {
    return {offsets[record], kind.is_binary ? 0 : lines_before + 1 + record};
  }
};

/// Appends a record of integers, in a binary file of `width` bytes each.
void add(written_records& to, std::vector<std::int64_t> const& numbers, int width) {
  to.offsets.push_back(std::ssize(to.bytes));
  msh_writer out(to.kind);
  out.numbers(numbers, {width});
  to.bytes += out.text;
}

std::vector<std::int64_t> distinct_nodes(std::mt19937_64& random, int count) {
  std::vector<std::int64_t> nodes;
  while (std::ssize(nodes) < count)
    if (std::int64_t const node = 1 + static_cast<std::int64_t>(random() % 1'000'000'000);
        std::ranges::find(nodes, node) == nodes.end())
      nodes.push_back(node);
  return nodes;
}

/// Elements of one shape, each with `num_tags` tags in 2.2.
written_records make_elements(msh_kind kind, shape what, int num_tags,
                              std::vector<std::vector<std::int64_t>>& nodes) {
  std::mt19937_64 random(static_cast<unsigned>(what) + 17);
  int const count = num_vertices_of(what);
  std::int64_t const stride = kind.is_4 ? 8 * (1 + count) : 4 * (1 + num_tags + count);
  written_records all{kind,
                      {.kind = kind.is_4 ? msh_record::element_4 : msh_record::element_2,
                       .dimension = dimensions_of(what),
                       .entity = 23,
                       .type = msh_type_of(what),
                       .num_tags = num_tags,
                       .bytes = stride,
                       .stride = stride}};
  for (int e = 0; e < 5; ++e) {
    nodes.push_back(distinct_nodes(random, count));
    std::vector<std::int64_t> numbers{e + 1};
    if (!kind.is_4 && !kind.is_binary)
      numbers.insert(numbers.end(), {msh_type_of(what), num_tags});
    for (int tag = 0; !kind.is_4 && tag < num_tags; ++tag)
      numbers.push_back(40 + e + 100 * tag);
    numbers.insert(numbers.end(), nodes.back().begin(), nodes.back().end());
    add(all, numbers, kind.is_4 ? 8 : 4);
  }
  return all;
}

/// The error line about a single record; empty if there is none.
template <class Read>
std::string refusal(written_records const& records, Read const& read) {
  write_bytes("records.msh", records.bytes);
  file_window file("records.msh");
  try {
    read(file, records.format(), records.piece());
  } catch (usage_error const& problem) {
    return problem.what();
  }
  return "";
}

auto const read_elements = [](auto& file, auto const& format, auto const& piece) {
  for_each_element(file, format, piece, [](msh_element const&) {});
};
auto const read_nodes = [](auto& file, auto const& format, auto const& piece) {
  for_each_node(file, format, piece, [](msh_node const&) {});
};

/// An element of 2.2's text or, if `is_4`, of 4.1's, with these words.
std::string refusal_of_element(bool is_4, std::string const& words) {
  written_records one{{is_4, false},
                      {.kind = is_4 ? msh_record::element_4 : msh_record::element_2,
                       .type = is_4 ? msh_type_of(shape::triangle) : 0}};
  one.offsets.push_back(std::ssize(one.bytes));
  one.bytes += words + "\n";
  return refusal(one, read_elements);
}

std::string refusal_of_node(std::string const& words) {
  written_records one{{false, false}, {.kind = msh_record::node}};
  one.offsets.push_back(std::ssize(one.bytes));
  one.bytes += words + "\n";
  return refusal(one, read_nodes);
}

} // namespace

TEST_CASE("elements of every shape have their nodes, tags and places in every kind of file") {
  for (msh_kind const kind : all_msh_kinds)
    for (int s = 0; s < num_shapes; ++s)
      for (int const num_tags : {0, 1, 2, 5}) {
        auto const what = static_cast<shape>(s);
        CAPTURE(kind.name(), s, num_tags);
        std::vector<std::vector<std::int64_t>> nodes;
        written_records const records = make_elements(kind, what, num_tags, nodes);
        write_bytes("records.msh", records.bytes);
        file_window file("records.msh");
        std::int64_t next = 0;
        for_each_element(file, records.format(), records.piece(), [&](msh_element const& element) {
          CHECK(element.kind == what);
          CHECK(element.id == next + 1);
          CHECK(std::ranges::equal(element.nodes, nodes[next]));
          CHECK(element.entity == 23);
          CHECK(element.tag == (kind.is_4 || num_tags == 0 ? 0 : 40 + next));
          CHECK(element.at.offset == records.place(next).offset);
          CHECK(element.at.line == records.place(next).line);
          ++next;
        });
        CHECK(next == 5);
      }
}

TEST_CASE("nodes have their numbers, ids and coordinates, bit by bit, with or without parameters") {
  std::vector<std::array<double, 3>> const places{
      {0, -0.0, 1}, {0.1, 1e-300, -1e300}, {1 / 3.0, 5e-324, std::numeric_limits<double>::max()}};
  for (msh_kind const kind : all_msh_kinds)
    for (int parameters = 0; parameters <= (kind.is_4 ? 3 : 0); ++parameters) {
      CAPTURE(kind.name(), parameters);
      std::int64_t const stride = kind.is_4 ? 8 * (3 + parameters) : 28;
      written_records records{kind,
                              {.kind = kind.is_4 ? msh_record::node_place : msh_record::node,
                               .dimension = parameters,
                               .bytes = stride,
                               .stride = stride}};
      for (std::size_t n = 0; n < places.size(); ++n) {
        records.offsets.push_back(std::ssize(records.bytes));
        msh_writer out(kind);
        if (!kind.is_4 && kind.is_binary)
          out.bytes(static_cast<std::int32_t>(7 + n));
        else if (!kind.is_4)
          out.text += std::to_string(7 + n) + " ";
        out.place(places[n]);
        for (int p = 0; p < parameters; ++p)
          kind.is_binary ? out.bytes(0.5) : void(out.text.insert(out.text.size() - 1, " 0.5"));
        records.bytes += out.text;
      }
      write_bytes("records.msh", records.bytes);
      file_window file("records.msh");
      std::size_t next = 0;
      for_each_node(file, records.format(), records.piece(), [&](msh_node const& node) {
        CHECK(node.number == static_cast<std::int64_t>(100 + next));
        CHECK(node.id.has_value() == !kind.is_4);
        CHECK(node.id.value_or(7 + static_cast<std::int64_t>(next)) ==
              7 + static_cast<std::int64_t>(next));
        CHECK(*node.place == places[next]);
        CHECK(std::signbit((*node.place)[1]) == std::signbit(places[next][1]));
        ++next;
      });
      CHECK(next == places.size());
    }
}

TEST_CASE("ids of nodes of 4.1 have no coordinates") {
  for (bool const is_binary : {false, true}) {
    written_records records{{true, is_binary},
                            {.kind = msh_record::node_id, .bytes = 8, .stride = 8}};
    std::vector<std::int64_t> const ids{1, 77, std::numeric_limits<std::int64_t>::max() - 1};
    for (std::int64_t const id : ids)
      add(records, {id}, 8);
    write_bytes("records.msh", records.bytes);
    file_window file("records.msh");
    std::vector<std::int64_t> found;
    for_each_node(file, records.format(), records.piece(), [&](msh_node const& node) {
      CHECK_FALSE(node.place);
      found.push_back(node.id.value());
    });
    CHECK(found == ids);
  }
}

TEST_CASE("a record that is cut anywhere is refused") {
  for (msh_kind const kind : {msh_kind{false, true}, msh_kind{true, true}}) {
    std::vector<std::vector<std::int64_t>> nodes;
    written_records records = make_elements(kind, shape::prism, 2, nodes);
    while (std::ssize(records.bytes) > records.offsets.back()) {
      records.bytes.pop_back();
      CHECK_THAT(refusal(records, read_elements),
                 Contains("the file ends within a record") &&
                     Contains(fmt::format("byte {}", records.offsets.back())));
    }
  }
}

TEST_CASE("words of an element that cannot be are named with their line") {
  std::string const at = "gmsh: records.msh:11: ";
  CHECK(refusal_of_element(false, "1 2 2 5 6 7 8 9").empty());
  CHECK(refusal_of_element(true, "1 7 8 9").empty());
  for (auto const& [is_4, words, expected] :
       {std::tuple(false, "0 2 0 7 8 9", "element 0 (expected 1 to 2^63 - 2)"),
        std::tuple(true, "9223372036854775807 7 8 9", "element 9223372036854775807 (expected 1 to"),
        std::tuple(false, "1 2 0 7 8", "the line ends (expected node)"),
        std::tuple(false, "1 2 0 7 8 9 10", "'10' (expected 3 nodes)"),
        std::tuple(true, "1 7 8 9 10", "'10' (expected 3 nodes)"),
        std::tuple(true, "1 7 8 7", "node 7 twice in an element"),
        std::tuple(true, "1 7 -8 9", "node -8 (expected 1 to 2^63 - 2)"),
        std::tuple(true, "1 7 8.5 9", "'8.5 9' (expected node)"),
        std::tuple(false, "1", "the line ends (expected the element's type)"),
        std::tuple(false, "1 20 0 7 8 9", "element type 20, a triangle of third to fifth order"),
        std::tuple(false, "1 9 0 7 8 9", "the line ends (expected node)"),
        std::tuple(false, "1 2", "the line ends (expected the number of tags)"),
        std::tuple(false, "1 2 -2 7 8 9", "-2 tags (expected at least 0)"),
        std::tuple(false, "1 2 9 5 6 7 8 9", "the line ends (expected a tag)"),
        std::tuple(false, "1 2 1 -5 7 8 9", "physical tag -5 (expected at least 0)"),
        std::tuple(false, "1 2 1 2147483648 7 8 9", "a tag 2147483648 (expected less than 2^31)"),
        std::tuple(false, "", "the line ends (expected element)")}) {
    CAPTURE(words);
    CHECK_THAT(refusal_of_element(is_4, words), Contains(at + expected));
  }
  CHECK_THAT(refusal_of_element(false, "1 2 0 7 8 9" + std::string(5000, ' ')),
             Contains("a line of more than 4096 characters"));
}

TEST_CASE("words of a node that cannot be are named with their line") {
  CHECK(refusal_of_node("1 0 0 0").empty());
  for (auto const& [words, expected] :
       {std::pair("1 0 0", "the line ends (expected three coordinates)"),
        std::pair("1 0 0 0 0", "'0' (expected three coordinates)"),
        std::pair("1 0 0 inf", "coordinate inf (expected a finite number)"),
        std::pair("1 0 -nan 0", "coordinate -nan (expected a finite number)"),
        std::pair("1 0 1e999 0", "'1e999 0' (expected three coordinates)"),
        std::pair("-1 0 0 0", "node -1 (expected 1 to 2^63 - 2)"),
        std::pair("x 0 0 0", "'x 0 0 0' (expected node)")}) {
    CAPTURE(words);
    CHECK_THAT(refusal_of_node(words), Contains(std::string("gmsh: records.msh:11: ") + expected));
  }
}

TEST_CASE("an entity has the first of its physical tags, whatever its orientation") {
  for (int const dimension : {0, 1, 2, 3})
    for (std::vector<int> const& physical :
         {std::vector<int>{}, std::vector<int>{6}, std::vector<int>{-6, 9, -2}}) {
      CAPTURE(dimension, physical.size());
      written_records entities{{true, false}, {.kind = msh_record::entity, .dimension = dimension}};
      entities.offsets.push_back(std::ssize(entities.bytes));
      entities.bytes += "12";
      for (int k = 0; k < (dimension == 0 ? 3 : 6); ++k)
        entities.bytes += " 0.5";
      entities.bytes += fmt::format(" {} {} {}\n", physical.size(), fmt::join(physical, " "),
                                    dimension == 0 ? "" : "2 1 -2");
      write_bytes("records.msh", entities.bytes);
      file_window file("records.msh");
      int num_visits = 0;
      for_each_entity(file, entities.format(), entities.piece(), [&](msh_entity const& entity) {
        CHECK(entity.dimension == dimension);
        CHECK(entity.tag == 12);
        CHECK(entity.physical == (physical.empty() ? 0 : 6));
        ++num_visits;
      });
      CHECK(num_visits == 1);
    }
}
