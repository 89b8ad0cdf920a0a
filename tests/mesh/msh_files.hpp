/// Files of Gmsh's formats, as text in memory: written here without any of the readers' code.
#pragma once

#include <seam/mesh/shapes/shape.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace seam::testing {

struct msh_kind {
  bool is_4, is_binary;

  std::string name() const {
    return fmt::format("{}-{}.msh", is_4 ? "4.1" : "2.2", is_binary ? "binary" : "text");
  }
};

inline constexpr msh_kind all_msh_kinds[] = {
    {false, false}, {false, true}, {true, false}, {true, true}};

struct sample_element {
  shape kind{};
  std::int64_t id = 0;
  int entity = 0, physical = 0;
  std::vector<std::int64_t> nodes{};
};

struct sample_mesh {
  std::vector<std::int64_t> node_ids;
  std::vector<std::array<double, 3>> places;
  std::vector<sample_element> elements;
};

/// Gmsh's number for a shape.
inline int msh_type_of(shape kind) {
  constexpr int types[] = {15, 1, 2, 3, 4, 7, 6, 5};
  return types[static_cast<int>(kind)];
}

/// A box of n x n x n bricks, layer by layer made of hexahedra, tetrahedra, prisms and of pyramids
/// on a node in the middle; its floor has physical tag 5, an edge 6 and a corner 7, and there are
/// lines without a tag.
inline sample_mesh make_sample(int n) {
  sample_mesh mesh;
  std::int64_t const row = n + 1;
  auto const id_of = [&](std::int64_t x, std::int64_t y, std::int64_t z) {
    return 3 * (x + row * (y + row * z)) + 2;
  };
  for (int z = 0; z <= n; ++z)
    for (int y = 0; y <= n; ++y)
      for (int x = 0; x <= n; ++x) {
        mesh.node_ids.push_back(id_of(x, y, z));
        mesh.places.push_back({x / double(n), y * y / 7.0, z + 0.1 * x});
      }
  std::reverse(mesh.node_ids.begin(), mesh.node_ids.end());
  std::reverse(mesh.places.begin(), mesh.places.end());
  std::int64_t id = 1;
  auto const add = [&](shape kind, int entity, int physical, std::vector<std::int64_t> nodes) {
    mesh.elements.push_back({kind, id++, entity, physical, std::move(nodes)});
  };
  add(shape::point, 1, 7, {id_of(0, 0, 0)});
  for (int x = 0; x < n; ++x)
    add(shape::line, 2, 6, {id_of(x, 0, 0), id_of(x + 1, 0, 0)});
  for (int x = 0; x < n; ++x)
    add(shape::line, 3, 0, {id_of(x, n, 0), id_of(x + 1, n, 0)});
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x)
      add(shape::quadrilateral, 1, 5,
          {id_of(x, y, 0), id_of(x + 1, y, 0), id_of(x + 1, y + 1, 0), id_of(x, y + 1, 0)});
  id += 100;
  for (int z = 0; z < n; ++z)
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x) {
        std::int64_t const c[] = {id_of(x, y, z),
                                  id_of(x + 1, y, z),
                                  id_of(x + 1, y + 1, z),
                                  id_of(x, y + 1, z),
                                  id_of(x, y, z + 1),
                                  id_of(x + 1, y, z + 1),
                                  id_of(x + 1, y + 1, z + 1),
                                  id_of(x, y + 1, z + 1)};
        if (z % 4 == 0)
          add(shape::hexahedron, 1, 11, std::vector<std::int64_t>(c, c + 8));
        if (z % 4 == 1)
          for (auto const& [a, b] : {std::pair{1, 2}, {2, 3}, {3, 7}, {7, 4}, {4, 5}, {5, 1}})
            add(shape::tetrahedron, 2, 12, {c[0], c[a], c[b], c[6]});
        if (z % 4 == 2) {
          add(shape::prism, 3, 0, {c[0], c[1], c[2], c[4], c[5], c[6]});
          add(shape::prism, 3, 0, {c[0], c[2], c[3], c[4], c[6], c[7]});
        }
        if (z % 4 == 3)
          add(shape::pyramid, 4, 13, {c[0], c[1], c[2], c[3], c[6]});
      }
  return mesh;
}

/// Appends to a file: text as it is, numbers as their bytes.
class msh_writer {
public:
  explicit msh_writer(msh_kind kind) : kind_(kind) {}

  std::string text;

  void line(std::string const& words) { text += words + '\n'; }

  /// A line of numbers, or each of them in as many bytes as `widths` says.
  void numbers(std::vector<std::int64_t> const& values, std::vector<int> const& widths) {
    if (!kind_.is_binary)
      return line(fmt::format("{}", fmt::join(values, " ")));
    for (std::size_t k = 0; k < values.size(); ++k)
      widths[std::min(k, widths.size() - 1)] == 4 ? bytes(static_cast<std::int32_t>(values[k]))
                                                  : bytes(values[k]);
  }
  template <class T>
  void bytes(T value) {
    auto const* const begin = reinterpret_cast<char const*>(&value);
    text.append(begin, begin + sizeof(T));
  }
  void place(std::array<double, 3> const& at) {
    if (!kind_.is_binary)
      return line(fmt::format("{} {} {}", at[0], at[1], at[2]));
    for (double const value : at)
      bytes(value);
  }
  void end_of_data() { text += kind_.is_binary ? "\n" : ""; }

private:
  msh_kind kind_;
};

/// Elements that follow each other on the same entity and are of the same shape: where they begin.
inline std::vector<std::size_t> blocks_of(sample_mesh const& mesh) {
  std::vector<std::size_t> begins;
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    auto const key = [&](std::size_t k) {
      return std::pair(mesh.elements[k].kind, mesh.elements[k].entity);
    };
    if (e == 0 || key(e) != key(e - 1))
      begins.push_back(e);
  }
  begins.push_back(mesh.elements.size());
  return begins;
}

inline void write_entities(msh_writer& out, msh_kind kind, sample_mesh const& mesh) {
  std::array<std::vector<std::pair<int, int>>, 4> entities; // tag, physical
  for (sample_element const& element : mesh.elements) {
    auto& list = entities[dimensions_of(element.kind)];
    if (std::find(list.begin(), list.end(), std::pair(element.entity, element.physical)) ==
        list.end())
      list.emplace_back(element.entity, element.physical);
  }
  out.line("$Entities");
  std::vector<std::int64_t> counts;
  for (auto const& list : entities)
    counts.push_back(std::ssize(list));
  out.numbers(counts, {8});
  for (std::size_t d = 0; d < 4; ++d)
    for (auto const& [tag, physical] : entities[d]) {
      int const num_reals = d == 0 ? 3 : 6;
      if (kind.is_binary) {
        out.bytes(std::int32_t{tag});
        for (int k = 0; k < num_reals; ++k)
          out.bytes(0.5 * k);
        out.bytes(std::int64_t{physical == 0 ? 0 : 1});
        if (physical != 0)
          out.bytes(std::int32_t{-physical});
        if (d > 0) {
          out.bytes(std::int64_t{2});
          out.bytes(std::int32_t{1});
          out.bytes(std::int32_t{-2});
        }
      } else {
        std::string words = fmt::format("{}", tag);
        for (int k = 0; k < num_reals; ++k)
          words += fmt::format(" {}", 0.5 * k);
        words += physical == 0 ? " 0" : fmt::format(" 1 {}", -physical);
        out.line(words + (d > 0 ? " 2 1 -2 " : " "));
      }
    }
  out.end_of_data();
  out.line("$EndEntities");
}

inline void write_nodes(msh_writer& out, msh_kind kind, sample_mesh const& mesh) {
  std::int64_t const total = std::ssize(mesh.node_ids);
  out.line("$Nodes");
  if (!kind.is_4) {
    out.line(std::to_string(total));
    for (std::size_t n = 0; n < mesh.node_ids.size(); ++n) {
      if (!kind.is_binary)
        out.text += fmt::format("{} ", mesh.node_ids[n]);
      else
        out.bytes(static_cast<std::int32_t>(mesh.node_ids[n]));
      out.place(mesh.places[n]);
    }
  } else {
    std::int64_t const first = total / 3;
    std::vector<std::int64_t> const begins{0, first, first, total}; // the second has none
    out.numbers({3, total, 1, 1000000}, {8});
    for (std::size_t b = 0; b < 3; ++b) {
      out.numbers({1, std::int64_t(b) + 1, b == 2, begins[b + 1] - begins[b]}, {4, 4, 4, 8});
      for (auto n = static_cast<std::size_t>(begins[b]); std::int64_t(n) < begins[b + 1]; ++n)
        out.numbers({mesh.node_ids[n]}, {8});
      for (auto n = static_cast<std::size_t>(begins[b]); std::int64_t(n) < begins[b + 1]; ++n) {
        out.place(mesh.places[n]);
        if (b == 2 && kind.is_binary)
          out.bytes(0.25);
        else if (b == 2)
          out.text.insert(out.text.size() - 1, " 0.25");
      }
    }
  }
  out.end_of_data();
  out.line("$EndNodes");
}

inline void write_elements(msh_writer& out, msh_kind kind, sample_mesh const& mesh) {
  auto const blocks = blocks_of(mesh);
  out.line("$Elements");
  auto const total = std::ssize(mesh.elements);
  if (kind.is_4)
    out.numbers({std::ssize(blocks) - 1, total, 1, 1000000}, {8});
  else
    out.line(std::to_string(total));
  for (std::size_t b = 0; b + 1 < blocks.size(); ++b) {
    std::size_t const begin = blocks[b], end = blocks[b + 1];
    auto const count = static_cast<std::int64_t>(end - begin);
    auto const type = msh_type_of(mesh.elements[begin].kind);
    bool const is_together = b % 2 == 0; // else each is announced, as Gmsh does
    if (kind.is_4)
      out.numbers({dimensions_of(mesh.elements[begin].kind), mesh.elements[begin].entity, type,
                   count},
                  {4, 4, 4, 8});
    else if (kind.is_binary && is_together)
      out.numbers({type, count, 2}, {4});
    for (std::size_t e = begin; e < end; ++e) {
      sample_element const& element = mesh.elements[e];
      std::vector<std::int64_t> record{element.id};
      if (!kind.is_4 && !kind.is_binary)
        record.insert(record.end(), {type, 2});
      else if (!kind.is_4 && !is_together)
        out.numbers({type, 1, 2}, {4});
      if (!kind.is_4)
        record.insert(record.end(), {element.physical, element.entity});
      record.insert(record.end(), element.nodes.begin(), element.nodes.end());
      out.numbers(record, {kind.is_4 ? 8 : 4});
    }
  }
  out.end_of_data();
  out.line("$EndElements");
}

/// The file of that kind, with a section before the nodes that no reader knows.
inline std::string msh_text(sample_mesh const& mesh, msh_kind kind) {
  msh_writer out(kind);
  out.line("$MeshFormat");
  out.line(fmt::format("{} {} 8", kind.is_4 ? "4.1" : "2.2", int(kind.is_binary)));
  if (kind.is_binary) {
    out.bytes(std::int32_t{1});
    out.text += '\n';
  }
  out.line("$EndMeshFormat");
  out.text += "$PhysicalNames\n2\n2 5 \"floor\"\n3 11 \"the $body\"\n$EndPhysicalNames\n";
  if (kind.is_4)
    write_entities(out, kind, mesh);
  write_nodes(out, kind, mesh);
  write_elements(out, kind, mesh);
  return out.text;
}

inline void write_bytes(std::string const& path, std::string const& bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), std::ssize(bytes));
}

} // namespace seam::testing
