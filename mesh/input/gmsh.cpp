#include <seam/mesh/input/gmsh.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/numbering/shares.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>
#include <seam/mesh/input/elements.hpp>
#include <seam/mesh/input/gmsh/element_types.hpp>
#include <seam/mesh/input/gmsh/records.hpp>
#include <seam/mesh/input/gmsh/survey.hpp>
#include <seam/mesh/input/id_homes.hpp>
#include <seam/mesh/partition/migrate.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <tuple>

namespace seam {
using namespace detail;

namespace {

using namespace detail;

/// The file, and the pieces that this rank reads of it.
struct reading {
  Communicator const& over;
  std::unique_ptr<file_window> file;
  msh_format format;
  std::vector<msh_piece> pieces;
  msh_place periodic, names; ///< of sections; 0: the file has none

  mpi::comm_view all() const { return over.context(); }

  /// Calls `read` for each piece of a section.
  template <class F>
  void for_each_piece(msh_section section, F const& read) const {
    for (msh_piece const& piece : pieces)
      if (section_of(piece.run.kind) == section)
        read(*file, format, piece);
  }

private:
  static msh_section section_of(msh_record kind) {
    switch (kind) {
    case msh_record::entity: return msh_section::entities;
    case msh_record::node:
    case msh_record::node_id:
    case msh_record::node_place: return msh_section::nodes;
    case msh_record::element_2:
    case msh_record::element_4: break;
    }
    return msh_section::elements;
  }
};

reading open_msh(Communicator const& over, std::string const& path) {
  mpi::comm_view const all = over.context();
  auto file = collectively(all, [&] { return std::make_unique<file_window>(path); });
  require_same(all, fmt::format("gmsh: bytes of '{}'", path), std::to_string(file->size()));
  auto const format = collectively(all, [&] { return read_msh_format(*file); });
  auto found = survey_msh(over, *file, format);
  return {over, std::move(file), format, std::move(found.pieces), found.periodic, found.names};
}

/// The entities that have a physical tag, sorted by dimension and tag, on all ranks.
class tagged_entities {
public:
  /// Collective.
  explicit tagged_entities(reading const& from) {
    std::vector<msh_entity> own = collectively(from.all(), [&] { return read_own(from); });
    std::vector<int> const to_first(own.size(), 0);
    all_ = migrate<msh_entity>(from.over, own, to_first);
    auto count = std::ssize(all_);
    mpi::bcast(from.all(), std::span(&count, 1), 0);
    all_.resize(count);
    mpi::bcast(
        from.all(),
        std::span(reinterpret_cast<std::byte*>(all_.data()), all_.size() * sizeof(msh_entity)), 0);
    std::ranges::sort(all_, {}, &key);
  }

  /// The physical tag of an entity, 0 if it has none.
  std::int32_t physical_tag_of(int dimension, std::int32_t tag) const {
    auto const wanted = std::pair(dimension, tag);
    auto const found = std::ranges::lower_bound(all_, wanted, {}, &key);
    return found != all_.end() && key(*found) == wanted ? found->physical : 0;
  }

private:
  static std::pair<int, std::int32_t> key(msh_entity const& of) { return {of.dimension, of.tag}; }
  static std::vector<msh_entity> read_own(reading const& from) {
    std::vector<msh_entity> own;
    from.for_each_piece(msh_section::entities, [&](auto& file, auto const& format, auto& piece) {
      for_each_entity(file, format, piece, [&](msh_entity const& entity) {
        if (entity.physical != 0)
          own.push_back(entity);
      });
    });
    return own;
  }

  std::vector<msh_entity> all_;
};

/// Reads this rank's vertices. A piece holds ids, coordinates or both.
void read_vertices(reading const& from, mesh_input& into) {
  std::optional<std::int64_t> first;
  from.for_each_piece(msh_section::nodes, [&](auto&, auto const&, msh_piece const& piece) {
    if (!first) {
      int const rank = from.all().rank(), size = from.all().size();
      first = begin_of_share(rank, piece.run.total, size);
      auto const count = begin_of_share(rank + 1, piece.run.total, size) - *first;
      into.vertex_ids.resize(count);
      into.coordinates.resize(3 * count);
    }
  });
  from.for_each_piece(msh_section::nodes, [&](auto& file, auto const& format, auto& piece) {
    for_each_node(file, format, piece, [&](msh_node const& node) {
      auto const number = node.number - *first;
      if (node.id)
        into.vertex_ids[number] = *node.id;
      if (node.place)
        std::ranges::copy(*node.place, into.coordinates.begin() + 3 * number);
    });
  });
}

/// Elements by their dimension.
struct read_elements_result {
  std::array<element_list, 4> of_dimension;
  std::int64_t num_second_order = 0;
};

/// Reserves memory for elements whose type is known before they are read.
void reserve_elements(reading const& from, read_elements_result& all) {
  std::array<std::int64_t, 4> elements{}, vertices{};
  from.for_each_piece(msh_section::elements, [&](auto&, auto const&, msh_piece const& piece) {
    if (auto const type = find_msh_type(piece.run.type)) {
      elements[dimensions_of(type->kind)] += piece.run.count;
      vertices[dimensions_of(type->kind)] += piece.run.count * num_vertices_of(type->kind);
    }
  });
  for (int d = 0; d < 4; ++d)
    reserve(all.of_dimension[d], elements[d], vertices[d]);
}

read_elements_result read_elements(reading const& from, tagged_entities const& entities) {
  read_elements_result all;
  reserve_elements(from, all);
  from.for_each_piece(msh_section::elements, [&](auto& file, auto const& format, auto& piece) {
    int const dimension = piece.run.dimension;
    std::int32_t const tag = entities.physical_tag_of(dimension, piece.run.entity);
    for_each_element(file, format, piece, [&](msh_element const& element) {
      append(all.of_dimension[dimensions_of(element.kind)], element.kind, element.id,
             format.is_4 ? tag : element.tag, element.nodes);
      all.num_second_order += element.is_second_order ? 1 : 0;
    });
  });
  return all;
}

/// Appends the tagged elements of a list to another.
void append_tagged(element_list& to, element_list const& from) {
  for (local_id e = 0; e < from.num_elements(); ++e)
    if (from.tags[e] != 0)
      append(to, from, e);
}

/// Moves elements of the highest dimension on any rank to the cells, tagged elements of lower
/// dimensions to the boundary. Collective.
void sort_elements(reading const& from, std::array<element_list, 4> read, mesh_input& into) {
  int highest = 0;
  for (int d = 1; d < 4; ++d)
    if (!read[d].ids.empty())
      highest = d;
  into.num_dimensions = mpi::allreduce(from.all(), highest, MPI_MAX);
  if (into.num_dimensions == 0)
    throw usage_error(fmt::format("gmsh: {}: no lines, surfaces or volumes (expected elements that "
                                  "are more than points)",
                                  from.file->path()),
                      true);
  for (int d = into.num_dimensions - 1; d >= 0; --d)
    append_tagged(into.boundary, std::exchange(read[d], {}));
  into.cells = std::move(read[into.num_dimensions]);
}

bool can_read_periodic(msh_format const& format) { return !(format.is_4_0 && format.is_binary); }

/// Reads the names of groups, and this rank's pairs of nodes that are one.
/// Collective.
void read_named_sections(reading const& from, mesh_input& into) {
  collectively(from.all(), [&] {
    if (from.names.offset > 0)
      into.groups = read_group_names(*from.file, from.names);
    if (from.periodic.offset > 0 && can_read_periodic(from.format))
      into.joined = read_joined_nodes(*from.file, from.format, from.periodic, from.all().rank(),
                                      from.all().size());
  });
}

/// Notes what of the file the mesh does not have. Collective.
void add_notes(reading const& from, std::int64_t num_second_order, mesh_input& to) {
  num_second_order = mpi::allreduce(from.all(), num_second_order, MPI_SUM);
  auto const add = [&](std::string const& line) {
    to.notes.push_back(fmt::format("gmsh: {}: {}", from.file->path(), line));
  };
  if (num_second_order > 0)
    add(fmt::format("{} elements of second order are read as ones with straight sides, without "
                    "the nodes between their corners",
                    num_second_order));
  if (from.periodic.offset > 0 && !can_read_periodic(from.format))
    add("$Periodic is not read in a binary file of format 4.0: nodes that it joins stay apart");
}

/// The first places in the file, over all ranks, of records that an error line names.
class first_places {
public:
  void add(msh_place const& at) {
    if (found_.size() < 2)
      found_.push_back(at);
  }

  /// The first place behind byte `after`, over all ranks. Collective.
  msh_place least(mpi::comm_view all, std::int64_t after = -1) const {
    std::array<std::int64_t, 2> least{no_id, no_id};
    for (msh_place const& at : found_)
      if (at.offset > after && at.offset < least[0])
        least = {at.offset, at.line};
    mpi::allreduce(all, std::span<std::int64_t>(least), MPI_MIN);
    return {least[0], least[1]};
  }

private:
  std::vector<msh_place> found_;
};

/// Throws an error on all ranks that names the second place of `id`. Collective.
[[noreturn]] void refuse_twice(reading const& from, first_places const& places,
                               std::string_view what, global_id id) {
  msh_place const first = places.least(from.all());
  msh_place const second = places.least(from.all(), first.offset);
  bool const is_text = first.line > 0;
  refuse_msh(*from.file, second,
             fmt::format("{} {} for the second time (expected it once, as at {} {})", what, id,
                         is_text ? "line" : "byte", is_text ? first.line : first.offset),
             true);
}

/// Calls `visit` for each element that this rank reads.
template <class F>
void visit_elements(reading const& from, F const& visit) {
  from.for_each_piece(msh_section::elements, [&](auto& file, auto const& format, auto& piece) {
    for_each_element(file, format, piece, visit);
  });
}

[[noreturn]] void refuse_node_twice(reading const& from, global_id id) {
  first_places places;
  from.for_each_piece(msh_section::nodes, [&](auto& file, auto const& format, auto& piece) {
    for_each_node(file, format, piece, [&](msh_node const& node) {
      if (node.id == id)
        places.add(node.at);
    });
  });
  refuse_twice(from, places, "node", id);
}

void check_ids(reading const& from, element_list const& list, bool are_cells, int num_dimensions) {
  global_id const twice = id_homes(from.over, list.ids).least_duplicate();
  if (twice == no_id)
    return;
  first_places places;
  visit_elements(from, [&](msh_element const& element) {
    if (element.id == twice && (dimensions_of(element.kind) == num_dimensions) == are_cells)
      places.add(element.at);
  });
  refuse_twice(from, places, "element", twice);
}

[[noreturn]] void refuse_missing(reading const& from, global_id node) {
  first_places places;
  visit_elements(from, [&](msh_element const& element) {
    if (std::ranges::find(element.nodes, node) != element.nodes.end())
      places.add(element.at);
  });
  refuse_msh(*from.file, places.least(from.all()),
             fmt::format("an element with node {} (expected nodes that $Nodes has)", node), true);
}

/// Checks over all ranks that numbers are distinct and that nodes of elements exist. Collective.
void check_whole(reading const& from, mesh_input const& mesh) {
  check_ids(from, mesh.cells, true, mesh.num_dimensions);
  check_ids(from, mesh.boundary, false, mesh.num_dimensions);
  id_homes const nodes(from.over, mesh.vertex_ids);
  if (global_id const twice = nodes.least_duplicate(); twice != no_id)
    refuse_node_twice(from, twice);
  for (element_list const* list : {&mesh.cells, &mesh.boundary})
    if (global_id const missing = nodes.least_missing(list->vertices); missing != no_id)
      refuse_missing(from, missing);
}

} // namespace

mesh_input read_gmsh(Communicator const& over, std::string const& path) {
  detail::call_scope const here("read_gmsh");
  reading const from = open_msh(over, path);
  tagged_entities const entities(from);
  mesh_input mesh;
  collectively(from.all(), [&] { read_vertices(from, mesh); });
  auto elements = collectively(from.all(), [&] { return read_elements(from, entities); });
  sort_elements(from, std::move(elements.of_dimension), mesh);
  read_named_sections(from, mesh);
  check_whole(from, mesh);
  if (!from.format.is_4)
    for (element_list* const list : {&mesh.cells, &mesh.boundary})
      drop_repeated_elements(over, *list);
  add_notes(from, elements.num_second_order, mesh);
  return mesh;
}

} // namespace seam
