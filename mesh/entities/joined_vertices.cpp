#include <seam/mesh/entities/joined_vertices.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/numbering/rendezvous.hpp>
#include <seam/mesh/entities/vertex_places.hpp>
#include <seam/mesh/input/elements.hpp>
#include <seam/mesh/input/id_homes.hpp>
#include <seam/mesh/shapes/shape.hpp>

#include <fmt/format.h>

#include <cstdlib>
#include <map>
#include <set>
#include <tuple>

namespace seam::detail {
namespace {

constexpr int most_steps = 100; ///< of a period, between vertices that are one

/// A pair of joined vertices, from one of them: place(vertex) = place(other) + apart.
struct join {
  global_id vertex, other;
  vertex_image apart;
};

/// The least vertex that a vertex is joined to, and the image of it that the vertex is.
struct label {
  global_id root = 0;
  vertex_image image{};
  std::uint8_t partners = 0; ///< bit 2k: joined to a vertex one period k further, 2k + 1: before
};

/// A label for a vertex.
struct proposal {
  global_id vertex;
  label to;
};

std::vector<int> hashed_homes(std::span<global_id const> ids, int size) {
  std::vector<int> homes;
  for (global_id const id : ids)
    homes.push_back(home_of_id(id, size));
  return homes;
}

/// The pairs of this rank with the vectors between them.
/// Collective: over `over`.
std::vector<displacement> displacements_of(Communicator const& over, mesh_input const& input) {
  std::vector<global_id> ids;
  for (auto const& [vertex, other] : input.joined) {
    ids.push_back(vertex);
    ids.push_back(other);
  }
  global_id largest = 0;
  for (global_id const id : input.vertex_ids)
    largest = std::max(largest, id);
  largest = mpi::allreduce(over.context(), largest, MPI_MAX);
  auto const places = find_places(over, ids, input, largest, "a pair of joined vertices");
  std::vector<displacement> all;
  for (std::size_t k = 0; k < input.joined.size(); ++k) {
    auto const [vertex, other] = input.joined[k];
    vector3 by{};
    for (std::size_t axis = 0; axis < 3; ++axis)
      by[axis] = places[6 * k + axis] - places[6 * k + 3 + axis];
    all.push_back({by, vertex, other});
  }
  return all;
}

/// The labels of joined vertices, each at its vertex's home.
class label_homes {
public:
  /// Collective: over `over`, as all members.
  label_homes(Communicator const& over, std::span<displacement const> pairs,
              std::span<vector3 const> periods)
      : over_(over) {
    std::vector<join> joins;
    std::vector<global_id> ids;
    for (displacement const& pair : pairs) {
      vertex_image const apart = nearest_image(pair.by, periods);
      joins.push_back({pair.vertex, pair.other, apart});
      joins.push_back({pair.other, pair.vertex, vertex_image{} - apart});
      ids.push_back(pair.vertex);
      ids.push_back(pair.other);
    }
    joins_ = send_records<join>(over, joins, hashed_homes(ids, over.size())).records;
    std::ranges::sort(joins_, {}, [](join const& each) {
      return std::tuple(each.vertex, each.other, each.apart);
    });
    for (join const& each : joins_)
      labels_[each.vertex] = {each.vertex, {}};
    for (join const& each : joins_)
      changed_.insert(each.vertex);
    while (mpi::allreduce(over.context(), changed_.empty() ? 0 : 1, MPI_MAX) != 0)
      propagate();
    find_partners();
  }

  /// The labels of any vertices. [ids.size()]
  std::vector<label> labels_of(std::span<global_id const> ids) const {
    return ask<label, global_id>(
        over_, ids, hashed_homes(ids, over_.size()), [&](received<global_id> const& asked) {
          std::vector<label> answers;
          for (global_id const id : asked.records) {
            auto const found = labels_.find(id);
            answers.push_back(found == labels_.end() ? label{.root = id} : found->second);
          }
          return answers;
        });
  }

private:
  /// Passes the labels that have changed on along the joins.
  void propagate() {
    std::vector<proposal> proposals;
    std::vector<global_id> receivers;
    for (join const& each : joins_)
      if (changed_.contains(each.vertex)) {
        label const& of = labels_.at(each.vertex);
        proposals.push_back({each.other, {of.root, of.image - each.apart}});
        receivers.push_back(each.other);
      }
    changed_.clear();
    auto const met =
        send_records<proposal>(over_, proposals, hashed_homes(receivers, over_.size())).records;
    collectively(over_.context(), [&] {
      for (proposal const& proposed : met)
        consider(proposed);
    });
  }

  void consider(proposal const& proposed) {
    for (std::int8_t const step : proposed.to.image.steps)
      if (std::abs(step) > most_steps)
        refuse(fmt::format("mesh: vertices {} and {} are joined over {} periods (expected at most "
                           "{})",
                           proposed.vertex, proposed.to.root, int{step}, most_steps));
    label& own = labels_.at(proposed.vertex);
    if (proposed.to.root < own.root) {
      own = proposed.to;
      changed_.insert(proposed.vertex);
    } else if (proposed.to.root == own.root && proposed.to.image != own.image) {
      refuse(fmt::format("mesh: vertex {} is joined to vertex {} by different translations "
                         "(expected one)",
                         proposed.vertex, own.root));
    }
  }

  /// Finds which vertices of a class lie one period apart, at the home of its least vertex.
  void find_partners() {
    std::vector<proposal> own;
    std::vector<global_id> roots;
    for (auto const& [vertex, of] : labels_) {
      own.push_back({vertex, of});
      roots.push_back(of.root);
    }
    auto const masks = ask<std::uint8_t, proposal>(
        over_, own, hashed_homes(roots, over_.size()), [&](received<proposal> const& met) {
          std::set<std::pair<global_id, vertex_image>> known;
          for (proposal const& each : met.records)
            known.emplace(each.to.root, each.to.image);
          std::vector<std::uint8_t> answers;
          for (proposal const& each : met.records)
            answers.push_back(mask_of(known, each.to));
          return answers;
        });
    auto mask = masks.begin();
    for (auto& [vertex, of] : labels_)
      of.partners = *mask++;
  }

  static std::uint8_t mask_of(std::set<std::pair<global_id, vertex_image>> const& known,
                              label const& of) {
    std::uint8_t mask = 0;
    for (int bit = 0; bit < 6; ++bit) {
      vertex_image moved = of.image;
      moved.steps[bit / 2] =
          static_cast<std::int8_t>(moved.steps[bit / 2] + (bit % 2 == 0 ? 1 : -1));
      if (known.contains({of.root, moved}))
        mask = static_cast<std::uint8_t>(mask | 1U << unsigned(bit));
    }
    return mask;
  }

  Communicator const& over_;
  std::vector<join> joins_; ///< of the vertices whose home this rank is, by vertex
  std::map<global_id, label> labels_;
  std::set<global_id> changed_;
};

/// Replaces the cells' vertices. Returns the partners of each corner. [cells.vertices.size()]
std::vector<std::uint8_t> join_corners(element_list& cells, std::span<global_id const> ids,
                                       std::span<label const> labels) {
  std::vector<std::uint8_t> partners;
  for (global_id& vertex : cells.vertices) {
    label const& of = labels[std::ranges::lower_bound(ids, vertex) - ids.begin()];
    vertex = of.root;
    cells.images.push_back(of.image);
    partners.push_back(of.partners);
  }
  for (local_id c = 0; c < cells.num_elements(); ++c) {
    auto const corners = vertices_of(cells, c);
    for (std::size_t k = 1; k < corners.size(); ++k)
      if (std::ranges::count(corners.first(k), corners[k]) > 0)
        refuse(fmt::format("mesh: cell {} has vertex {} twice when vertices are joined (expected "
                           "periods of at least three cells)",
                           cells.ids[c], corners[k]));
  }
  return partners;
}

/// A side of a cell whose vertices all have partners beyond one border.
struct joined_side {
  entity_key key;
  global_id cell;

  auto operator<=>(joined_side const&) const = default;
};

/// @param partners  [cells.vertices.size()]
std::vector<joined_side> joined_sides(element_list const& cells,
                                      std::span<std::uint8_t const> partners) {
  std::vector<joined_side> found;
  for (local_id c = 0; c < cells.num_elements(); ++c)
    for (shape_part const& side : parts_of(cells.shapes[c], dimensions_of(cells.shapes[c]) - 1)) {
      std::array<global_id, 4> vertices{};
      unsigned common = 0xff;
      auto const positions = side.positions();
      for (std::size_t k = 0; k < positions.size(); ++k) {
        auto const at = cells.elements2vertices[c] + positions[k];
        vertices[k] = cells.vertices[at];
        common &= partners[at];
      }
      if (common != 0)
        found.push_back({key_of(std::span(vertices).first(positions.size())), cells.ids[c]});
    }
  return found;
}

/// Refuses a side whose vertices are all joined, but to those of no other side.
/// Collective: over `over`.
void check_sides_meet(Communicator const& over, std::span<joined_side const> own) {
  std::vector<global_id> first;
  for (joined_side const& side : own)
    first.push_back(side.key[0]);
  auto met = send_records<joined_side>(over, own, hashed_homes(first, over.size())).records;
  collectively(over.context(), [&] {
    std::ranges::sort(met);
    for (std::size_t k = 0; k < met.size(); ++k) {
      bool const has_other = (k > 0 && met[k - 1].key == met[k].key) ||
                             (k + 1 < met.size() && met[k + 1].key == met[k].key);
      if (!has_other)
        refuse(fmt::format("mesh: a side of cell {} with vertex {} is joined to the vertices of no "
                           "other side (expected borders whose sides match)",
                           met[k].cell, met[k].key[0]));
    }
  });
}

/// Leaves out the vertices that are another one now.
void drop_joined_vertices(mesh_input& from, std::span<global_id const> ids,
                          std::span<label const> labels) {
  std::int64_t kept = 0;
  for (std::int64_t v = 0; v < std::ssize(from.vertex_ids); ++v) {
    global_id const id = from.vertex_ids[v];
    if (labels[std::ranges::lower_bound(ids, id) - ids.begin()].root != id)
      continue;
    from.vertex_ids[kept] = id;
    std::copy_n(from.coordinates.begin() + 3 * v, 3, from.coordinates.begin() + 3 * kept);
    ++kept;
  }
  from.vertex_ids.resize(kept);
  from.coordinates.resize(3 * kept);
}

} // namespace

std::optional<mesh_input> join_vertices(Communicator const& over, mesh_input const& input) {
  if (mpi::allreduce(over.context(), input.joined.empty() ? 0 : 1, MPI_MAX) == 0)
    return std::nullopt;
  mesh_input made = input;
  auto const pairs = displacements_of(over, input);
  made.joined.clear();
  made.periods = find_periods(over, pairs);
  label_homes const homes(over, pairs, made.periods);
  std::vector<global_id> ids = made.vertex_ids;
  for (element_list const* list : {&made.cells, &made.boundary})
    ids.insert(ids.end(), list->vertices.begin(), list->vertices.end());
  keep_distinct(ids);
  auto const labels = homes.labels_of(ids);
  auto const partners =
      collectively(over.context(), [&] { return join_corners(made.cells, ids, labels); });
  check_sides_meet(over, joined_sides(made.cells, partners));
  for (global_id& vertex : made.boundary.vertices)
    vertex = labels[std::ranges::lower_bound(ids, vertex) - ids.begin()].root;
  drop_joined_vertices(made, ids, labels);
  return made;
}

} // namespace seam::detail
