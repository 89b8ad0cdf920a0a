/// Rows of entities: what a kernel at an entity reads around it, and from where others add to an entity.
#pragma once

#include <seam/exchange/steps/program/step_kernel.hpp>
#include <seam/exchange/steps/regions/step_region.hpp>
#include <seam/mesh/space/mesh_set.hpp>

#include <map>
#include <memory>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace seam::detail {

/// Values for regions, found again by the ids of the region.
template <class T>
class by_region {
public:
  /// The value of a region; make() makes it the first time.
  template <class Make>
  T const& of(step_region const& places, Make const& make) {
    auto const ids = places.ids();
    auto const [first, end] = kept_.equal_range({ids.front(), ids.back(), ids.size()});
    for (auto at = first; at != end; ++at)
      if (at->second.first == places)
        return at->second.second;
    std::tuple const key{ids.front(), ids.back(), ids.size()};
    return kept_.emplace(key, std::pair(places, make()))->second.second;
  }

private:
  std::multimap<std::tuple<local_id, local_id, std::size_t>, std::pair<step_region, T>> kept_;
};

/// Rows as kernels find them: entries alone, if all rows have the same width.
struct row_list {
  local_id const* entries = nullptr;
  std::int64_t const* begins = nullptr; ///< [rows + 1], or null
  int width = 0;                        ///< of all rows, where these have no begins

  std::span<local_id const> operator[](std::int64_t row) const {
    if (begins == nullptr)
      return {entries + row * width, static_cast<std::size_t>(width)};
    return {entries + begins[row], static_cast<std::size_t>(begins[row + 1] - begins[row])};
  }
};

/// @param rows  outlive the list
row_list list_of_rows(adjacency const& rows);

/// For each entity of one dimension some of another: those of a mesh's adjacency, or a list of the
/// user's own. Regions are found once, and colors by the space; steps are planned by one thread.
class entity_rows final : public listed_reach {
public:
  /// The adjacency of a mesh, which it keeps.
  entity_rows(Mesh const& mesh, int its_from, int its_to);

  /// A list of the user's own.
  entity_rows(adjacency list, int its_from, int its_to);

  /// All entities in the rows of some places; with the places where both are of one dimension.
  step_region joined(step_region const& places) const;

  adjacency const& rows() const noexcept { return *rows_; }
  row_list const& list() const noexcept { return list_; }
  bool is_list() const noexcept { return !mesh_; }

  int const from, to; ///< dimensions

  /// Places of each color, after the space has found them.
  mutable std::vector<step_region> colors;

private:
  std::shared_ptr<Mesh const> mesh_;
  adjacency own_;
  adjacency const* rows_;
  row_list list_;
  mutable by_region<step_region> joined_;
};

/// Entities to which a kernel adds, in rows: those of a tile are `count` from `first` on.
struct target_list {
  row_list rows;
  local_id first = 0;
  std::uint32_t count = 0;
};

/// Where a tile of a kernel that adds calls it, and what it adds to there.
struct source_plan final : piece_plan {
  std::int64_t num_calls() const override { return std::ssize(sources); }

  id_list sources; ///< by ascending global id
  adjacency rows;  ///< [sources]; if is_part, of those entities that are not in the tile -1
  bool is_part = false;
  target_list targets; ///< of rows
};

/// The entities of a set from which a kernel adds to those of one dimension around them.
class entity_sources final : public listed_reach {
public:
  /// @param from_sources  the rows of a source, by which it knows its targets
  entity_sources(mesh_set const& at, std::shared_ptr<entity_rows const> from_sources);

  /// Own entities to which something is added.
  step_region const& targets() const noexcept { return targets_; }

  /// All sources of some targets.
  step_region of(step_region const& targets) const;

  /// The sources of some targets in the order in which they add.
  std::shared_ptr<source_plan const> plan(step_region const& targets) const;

  std::shared_ptr<entity_rows const> const from_sources;

private:
  std::shared_ptr<source_plan const> made_plan(step_region const& targets) const;

  std::span<global_id const> source_ids_;
  adjacency targets2sources_;
  step_region targets_;
  mutable by_region<step_region> sources_;
  mutable by_region<std::shared_ptr<source_plan const>> plans_;
};

/// The places at which a kernel computes, where these are not all.
class chosen_places final : public listed_reach {
public:
  explicit chosen_places(mesh_set const& set);

  step_region all; ///< copies, too
};

/// The entities of each color, copies included, of the graph of entities of which one is in the other's row. It
/// depends on ids alone. As many colors on all ranks, at least two.
/// Collective: over mesh.base().
std::vector<step_region> find_colors(Mesh const& mesh, entity_rows const& rows);

} // namespace seam::detail
