/// Random programs of steps on meshes, and an interpreter of them in one thread that knows nothing of
/// steps: loops over the whole mesh on one rank, one entity after another.
///
/// A program is a list of recipes; what a kernel computes is the same formula for all of its kind.
#pragma once

#include <seam/mesh.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace seam::testing {

enum class recipe_kind { writes, updates, modifies, adds, collects, colors, reduces, takes, lists };
inline constexpr int num_recipe_kinds = 9;

enum class set_kind { all, inner, border, tagged, closure, listed };
inline constexpr int num_set_kinds = 6;

/// One kernel. Fields are numbered; field f lies on dimension f % (dimensions + 1).
struct recipe {
  recipe_kind kind;
  int to = 0, from = 0; ///< fields
  int at = 0;           ///< dimension at which a kernel that adds is called
  bool has_set = false;
  set_kind set = set_kind::all;
  double scale = 0.5, offset = 0.25;
  std::int64_t every = 1, phase = 0;
};

/// A number in (-1, 1): keeps values from growing.
inline double fold(double x) { return x / (1 + std::abs(x)); }

/// A first value for each entity and field.
inline double first_value(int field, global_id id) {
  return fold(static_cast<double>((id * 7919 + field * 104729) % 1009) / 97 - 4);
}

/// The entities that a program lists itself.
inline bool is_listed(global_id id) { return id % 3 != 1; }

/// Lists of a program's own have neighbors by falling ids, without some, and numbers for their entries and
/// for entities.
inline bool is_in_lists(global_id id) { return id % 4 != 1; }
inline double number_of_entry(global_id from, global_id to) {
  return fold(static_cast<double>((from * 31 + to * 17) % 23) / 5 - 2);
}
inline double number_of(global_id id) { return 0.125 * static_cast<double>(id % 7) - 0.5; }

/// The whole mesh on one rank, with the fields of a program.
class serial_mesh_steps {
public:
  /// @param whole  on one rank
  serial_mesh_steps(Mesh whole, int num_fields) : mesh_(std::move(whole)) {
    for (int f = 0; f < num_fields; ++f) {
      fields.emplace_back(entities_of(f).num_local());
      for (local_id e = 0; e < entities_of(f).num_local(); ++e)
        fields.back()[e] = first_value(f, entities_of(f).ids[e]);
    }
  }

  void step(std::vector<recipe> const& program, std::int64_t number) {
    for (recipe const& kernel : program)
      if ((number - kernel.phase) % kernel.every == 0)
        run(kernel);
  }

  int dimension_of(int field) const { return field % (mesh_.num_dimensions() + 1); }
  mesh_entities const& entities_of(int field) const { return mesh_.entities(dimension_of(field)); }

  std::vector<std::vector<double>> fields;
  double total = 0, least = 0; ///< of the last kernel that reduces

private:
  using values = std::vector<double>;

  void run(recipe const& k) {
    values& to = fields[k.to];
    values const old = to;
    int const at = dimension_of(k.to);
    auto const own = [&](local_id e) { return old[e]; };
    switch (k.kind) {
    case recipe_kind::writes:
      for_each(at, k, [&](local_id e) {
        to[e] = fold((at == dimension_of(k.from) ? k.offset * fields[k.from][e] : k.offset) +
                     weighted(k, fields[k.from], at, dimension_of(k.from), e));
      });
      break;
    case recipe_kind::updates:
      for_each(at, k,
               [&](local_id e) { to[e] = fold(k.offset * own(e) + weighted(k, old, at, at, e)); });
      break;
    case recipe_kind::lists:
      for_each(at, k, [&](local_id e) { to[e] = fold(k.offset * own(e) + listed(old, at, e)); });
      break;
    case recipe_kind::modifies:
      for_each(at, k, [&](local_id e) { to[e] = fold(to[e] * k.scale - k.offset); });
      break;
    case recipe_kind::takes:
      for_each(at, k, [&](local_id e) { to[e] = fold(to[e] + total - least); });
      break;
    case recipe_kind::collects: to.assign(to.size(), 0); [[fallthrough]];
    case recipe_kind::adds: add(k); break;
    case recipe_kind::colors: smooth(k); break;
    case recipe_kind::reduces: reduce(k); break;
    }
  }

  double weighted(recipe const& k, values const& of, int at, int around, local_id e) const {
    double sum = 0;
    int n = 0;
    for (local_id const other : mesh_.adjacent(at, around)[e])
      sum += (k.scale + n++) * of[other];
    return sum;
  }

  double listed(values const& of, int at, local_id e) const {
    auto const& ids = mesh_.entities(at).ids;
    auto const around = mesh_.adjacent(at, at)[e];
    double sum = number_of(ids[e]);
    for (std::size_t n = around.size(); n-- > 0;) // adjacent() ascends by ids
      if (is_in_lists(ids[around[n]]))
        sum += number_of_entry(ids[e], ids[around[n]]) * of[around[n]];
    return sum;
  }

  void add(recipe const& k) {
    for_each(k.at, k, [&](local_id source) { // by ascending id
      double const amount =
          fold(k.offset + weighted(k, fields[k.from], k.at, dimension_of(k.from), source));
      int n = 0;
      for (local_id const target : mesh_.adjacent(k.at, dimension_of(k.to))[source])
        fields[k.to][target] += amount / (1 + n++);
    });
  }

  void smooth(recipe const& k) {
    int const at = dimension_of(k.to);
    auto const graph = at == 0 ? entity_graph(mesh_, 0, 1) : dual_graph(mesh_);
    auto const colors = color_graph(mesh_.base(), graph);
    for (int color = 0; color <= *std::ranges::max_element(colors); ++color)
      for (local_id e = 0; e < std::ssize(colors); ++e)
        if (colors[e] == color)
          fields[k.to][e] = fold(k.offset * fields[k.to][e] + weighted(k, fields[k.to], at, at, e));
  }

  void reduce(recipe const& k) {
    int const at = dimension_of(k.from);
    std::vector<double> given;
    for_each(at, k, [&](local_id e) { given.push_back(fields[k.from][e]); });
    total = sum(mesh_.base(), given);
    least = std::numeric_limits<double>::infinity();
    for (double const one : given)
      least = std::min(least, one);
  }

  /// Calls visit for the entities of a recipe's set, found anew from vertices and tags.
  template <class Visit>
  void for_each(int dimension, recipe const& k, Visit const& visit) const {
    for (local_id e = 0; e < mesh_.entities(dimension).num_local(); ++e)
      if (!k.has_set || is_in(k.set, dimension, e))
        visit(e);
  }

  bool is_in(set_kind set, int dimension, local_id e) const {
    switch (set) {
    case set_kind::all: return true;
    case set_kind::inner: return !touches_border(dimension, e, 0);
    case set_kind::border: return touches_border(dimension, e, 0); // of sides
    case set_kind::tagged: return mesh_.entities(dimension).tags[e] == 1;
    case set_kind::closure: return touches_border(dimension, e, 1);
    default: return is_listed(mesh_.entities(dimension).ids[e]);
    }
  }

  /// Whether an entity is a part of a side of one cell, with a tag if that is not 0, or such a side.
  bool touches_border(int dimension, local_id e, std::int32_t tag) const {
    auto const corners = mesh_.entities(dimension).vertices[e];
    auto const is_corner_of = [&](local_id vertex, auto const& all) {
      return std::ranges::find(all, vertex) != all.end();
    };
    for (local_id side = 0; side < mesh_.sides().num_local(); ++side) {
      if (tag != 0 && mesh_.sides().tags[side] != tag)
        continue;
      if (cells_of_side(side) != 1)
        continue;
      auto const of_side = vertices_of(mesh_.num_dimensions() - 1, side);
      bool const is_part =
          dimension == 0
              ? is_corner_of(e, of_side)
              : std::ranges::all_of(corners, [&](local_id v) { return is_corner_of(v, of_side); });
      if (is_part)
        return true;
    }
    return false;
  }

  std::vector<local_id> vertices_of(int dimension, local_id e) const {
    if (dimension == 0)
      return {e};
    auto const all = mesh_.entities(dimension).vertices[e];
    return {all.begin(), all.end()};
  }

  std::ptrdiff_t cells_of_side(local_id side) const {
    int const d = mesh_.num_dimensions();
    std::ptrdiff_t count = 0;
    for (local_id c = 0; c < mesh_.cells().num_local(); ++c)
      count += std::ranges::count(mesh_.adjacent(d, d - 1)[c], side);
    return count;
  }

  Mesh mesh_;
};

} // namespace seam::testing
