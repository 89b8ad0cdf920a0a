/// Mesh spaces: what steps ask about the entities of a mesh, and fields on them, as tests need it.
///
/// Regions are lists of local numbers: own entities, then copies. A rank computes at its own entities
/// only; what a kernel reads beyond them are copies, whose owners send them. No rank knows what others
/// need, so each asks the owners once for each plan.
#pragma once

#include <seam/exchange/communicator/shared_memory.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/numbering/order.hpp>
#include <seam/exchange/numbering/rendezvous.hpp>
#include <seam/exchange/steps/flow/step_dataflow.hpp>
#include <seam/exchange/steps/program/step_space.hpp>
#include <seam/exchange/steps/run/parallel.hpp>
#include <seam/mesh/entities/mesh.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace seam::testing {

using detail::id_list;
using detail::list_of;
using detail::step_region;

/// For each place the entities that a kernel there reads or adds to, or that add to it.
class entity_rows final : public detail::listed_reach {
public:
  explicit entity_rows(adjacency its_rows) : rows(std::move(its_rows)) {}

  adjacency const rows;

  static adjacency const& of(std::shared_ptr<detail::listed_reach const> const& reach) {
    return static_cast<entity_rows const&>(*reach).rows;
  }
};

/// All entities in the rows of some places.
inline step_region joined(adjacency const& rows, step_region const& places) {
  id_list all;
  for (local_id const place : places.ids())
    all.insert(all.end(), rows[place].begin(), rows[place].end());
  detail::keep_distinct(all);
  return list_of(std::move(all));
}

/// Tiles: runs of own entities, those with copies on other ranks first.
class mesh_tiling final : public detail::step_tiling {
public:
  /// @param flow, regions  outlive this
  mesh_tiling(Mesh const& mesh, local_id places_of_tile, detail::step_dataflow const& flow,
              detail::computed_regions const& regions)
      : flow_(flow), regions_(regions) {
    shares_.of_threads.resize(detail::num_loop_threads());
    for (int dimension = 0; dimension <= mesh.num_dimensions(); ++dimension)
      add_tiles(mesh.entities(dimension), places_of_tile);
  }

  std::vector<detail::step_tile> of(int instance) override {
    std::vector<detail::step_tile> pieces;
    auto const& [first_column, tiles] = kinds_[flow_.kernel_of(instance).kind];
    for (int t = 0; t < std::ssize(tiles); ++t)
      if (auto piece = intersection(regions_[instance], tiles[t]); !piece.is_empty())
        pieces.push_back({first_column + t, std::move(piece)});
    return pieces;
  }
  int num_columns() const override { return num_columns_; }
  detail::column_shares shares() const override { return shares_; }

private:
  struct tiles_of_kind {
    int first_column;
    std::vector<step_region> tiles;
  };

  void add_tiles(mesh_entities const& of, local_id places_of_tile) {
    tiles_of_kind made{num_columns_, {}};
    auto const& copied = of.copies.ranks2entities.ab2b;
    id_list rim_ids = copied;
    detail::keep_distinct(rim_ids);
    step_region const rim = list_of(std::move(rim_ids));
    int const num_tiles = (of.num_owned + places_of_tile - 1) / places_of_tile;
    for (int t = 0; t < num_tiles; ++t) {
      local_id const first = t * places_of_tile,
                     end = std::min<local_id>(of.num_owned, first + places_of_tile);
      id_list ids(end - first);
      std::iota(ids.begin(), ids.end(), first);
      made.tiles.push_back(list_of(std::move(ids)));
      int const share = t * detail::num_loop_threads() / num_tiles;
      (meets(rim, made.tiles.back()) ? shares_.in_order : shares_.of_threads[share])
          .push_back(num_columns_++);
    }
    kinds_.push_back(std::move(made));
  }

  detail::step_dataflow const& flow_;
  detail::computed_regions const& regions_;
  std::vector<tiles_of_kind> kinds_; ///< [dimensions]
  detail::column_shares shares_;
  int num_columns_ = 0;
};

/// The entities of a mesh; their kinds are dimensions.
class mesh_space final : public detail::step_space {
public:
  /// @param places_of_tile  that a thread computes at a time
  mesh_space(Mesh mesh, local_id places_of_tile)
      : step_space(mesh.base().base()), mesh_(std::move(mesh)), places_of_tile_(places_of_tile) {
    for (int dimension = 0; dimension <= mesh_.num_dimensions(); ++dimension) {
      id_list ids(mesh_.entities(dimension).num_owned);
      std::iota(ids.begin(), ids.end(), 0);
      owned_.push_back(list_of(std::move(ids)));
    }
  }

  Mesh const& mesh() const noexcept { return mesh_; }

  int num_axes() const noexcept override { return 1; }
  step_region owned_values(unsigned kind) const override { return owned_[kind]; }

  int num_passes(detail::step_kernel const& /*kernel*/) const override { return 1; }

  /// All own entities, or those to which the kernel adds something.
  step_region turn_of(detail::step_kernel const& kernel, int rank, int /*pass*/) const override {
    SEAM_ASSERT(rank == this->rank(), "a rank knows its own entities only");
    if (!kernel.sources)
      return owned_[kernel.kind];
    id_list targets;
    for (local_id const place : owned_[kernel.kind].ids())
      if (!entity_rows::of(kernel.sources)[place].empty())
        targets.push_back(place);
    return list_of(std::move(targets));
  }

  std::string against_fusion(detail::step_kernel const& kernel) const override {
    return fmt::format(
        "kernel '{}' computes at entities of a mesh, whose copies only messages renew "
        "(expected no fusion)",
        kernel.name);
  }
  std::string restrictions_in_words(detail::step_kernel const& kernel) const override {
    return fmt::format(", at entities of dimension {}", kernel.kind);
  }
  std::string passes_in_words(detail::step_kernel const& /*kernel*/) const override { return ""; }

  std::vector<step_region> computed(detail::step_kernel const& /*kernel*/,
                                    step_region const& region) const override {
    return {region};
  }

  step_region read_by(detail::step_kernel const& kernel, detail::step_access const& access,
                      step_region const& places) const override {
    if (access.is_added() || places.is_empty())
      return places;
    step_region const from =
        kernel.sources ? joined(entity_rows::of(kernel.sources), places) : places;
    return access.reach ? joined(entity_rows::of(access.reach), from) : from;
  }

  void check(detail::step_program const& program,
             detail::step_kernel const& kernel) const override {
    if (kernel.where || kernel.mask.access >= 0 || kernel.num_colors > 1 || kernel.order.is_on)
      refuse(fmt::format("steps: kernel '{}' in a box, by a mask, in colors or in order (expected "
                         "none of these on a mesh)",
                         kernel.name));
    for (detail::step_access const& access : kernel.accesses) {
      auto const& field = *program.fields[access.field];
      if (&field.over() != this)
        refuse(fmt::format("steps: kernel '{}': field '{}' belongs to another mesh (expected the "
                           "steps' own)",
                           kernel.name, field.name));
      if (access.is_written() && field.kind() != kernel.kind)
        refuse(fmt::format("steps: kernel '{}' {} '{}', of dimension {} (expected {}, as of the "
                           "other fields that it writes)",
                           kernel.name, name_of(access.role), field.name, field.kind(),
                           kernel.kind));
      if ((access.reach || kernel.sources) && mesh_.ghosts().depth == 0 && size() > 1)
        refuse(fmt::format("steps: kernel '{}' reads neighbors of '{}' (expected a mesh with a "
                           "layer of ghost cells)",
                           kernel.name, field.name));
    }
  }

  void prepare(detail::step_program const& /*program*/, detail::step_kernel& /*kernel*/,
               int /*parts_in_order*/) const override {}

  /// Sends the ids of the copies that this rank needs to their owners.
  /// Collective: over base().
  detail::step_partners partners(
      detail::step_dataflow const& /*flow*/,
      std::function<std::vector<detail::asked_part>(int rank)> const& needed_by) const override {
    struct question {
      int number;
      unsigned kind;
      global_id id;
    };
    detail::step_partners made;
    std::vector<question> questions;
    std::vector<int> owners;
    for (auto const& [number, field, needed] : needed_by(rank())) {
      auto const& entities = mesh_.entities(static_cast<int>(field->kind()));
      std::map<int, id_list> owners2ids;
      for (local_id const id : needed.ids()) {
        owners2ids[entities.owners[id]].push_back(id);
        questions.push_back({number, field->kind(), entities.ids[id]});
        owners.push_back(entities.owners[id]);
      }
      for (auto& [owner, ids] : owners2ids)
        made.arriving[owner].push_back({number, list_of(std::move(ids)), {}});
    }
    auto const asked = detail::send_records<question>(base(), questions, owners);
    for (std::size_t first = 0, end = 0; first < asked.records.size(); first = end) {
      auto const& [number, kind, id] = asked.records[first];
      int const sender = asked.senders[first];
      id_list ids;
      for (; end < asked.records.size() && asked.senders[end] == sender &&
             asked.records[end].number == number;
           ++end)
        ids.push_back(own_with(kind, asked.records[end].id));
      made.leaving[sender].push_back({number, {}, list_of(std::move(ids))});
    }
    return made;
  }

  std::unique_ptr<detail::step_tiling> tiling(
      detail::step_dataflow const& flow, detail::computed_regions const& regions,
      detail::tile_settings const& /*settings*/) const override {
    return std::make_unique<mesh_tiling>(mesh_, places_of_tile_, flow, regions);
  }

private:
  /// The own entity of an id.
  local_id own_with(unsigned kind, global_id id) const {
    auto const& entities = mesh_.entities(static_cast<int>(kind));
    auto const end = entities.ids.begin() + entities.num_owned;
    auto const found = std::lower_bound(entities.ids.begin(), end, id);
    SEAM_ASSERT(found != end && *found == id, "an owner lacks an entity");
    return static_cast<local_id>(found - entities.ids.begin());
  }

  Mesh mesh_;
  local_id places_of_tile_;
  std::vector<step_region> owned_; ///< [dimensions]
};

/// Values of T, one for each entity of a dimension. Owned ones are the caller's between runs.
template <class T>
class mesh_values final : public detail::step_field {
public:
  /// T{} everywhere.
  /// Collective: over the mesh.
  mesh_values(std::shared_ptr<mesh_space const> over, std::string its_name, mesh_part part)
      : step_field(std::move(its_name), 1, 1, sizeof(T)),
        space_(std::move(over)),
        kind_(space_->mesh().dimension_of(part)) {
    buffers.push_back(new_buffer());
    is_set = true;
  }

  mesh_entities const& entities() const { return space_->mesh().entities(kind_); }
  T& operator()(local_id entity) { return reinterpret_cast<T*>(buffers.front().get())[entity]; }

  detail::step_space const& over() const noexcept override { return *space_; }
  std::shared_ptr<mesh_space const> const& shared_space() const noexcept { return space_; }
  unsigned kind() const noexcept override { return static_cast<unsigned>(kind_); }

  step_region stored() const override {
    id_list ids(entities().num_local());
    std::iota(ids.begin(), ids.end(), 0);
    return list_of(std::move(ids));
  }
  void require(step_region const& least, int num_buffers) override {
    SEAM_ASSERT(holds(stored(), least), "a kernel reads an entity that no copy is of");
    while (std::ssize(buffers) < num_buffers)
      buffers.push_back(new_buffer());
  }
  int times_changed() const noexcept override { return 0; }
  std::int64_t num_bytes() const override { return entities().num_local() * element_bytes; }
  std::string ghosts_in_words() const override { return "copies"; }
  bool is_like(step_field const& other) const override {
    auto const* const field = dynamic_cast<mesh_values const*>(&other);
    return field != nullptr && field->space_ == space_ && field->kind_ == kind_;
  }

  detail::step_needs needed(detail::step_dataflow const& flow, int /*rank*/,
                            detail::computed_regions const& regions,
                            std::vector<detail::supply_reader> const& readers,
                            int /*component*/) const override {
    step_region all = list_of({});
    for (detail::supply_reader const& reader : readers) {
      auto const& kernel = flow.kernel_of(reader.instance);
      auto const& access = kernel.accesses[reader.access];
      step_region const& region = regions[reader.instance];
      if (access.is_written())
        all = hull(all, region);
      if (reader.part == detail::values_read::all)
        all = hull(all, kernel.space->read_by(kernel, access, region));
    }
    id_list copies;
    for (local_id const id : all.ids())
      if (!entities().is_owned(id))
        copies.push_back(id);
    detail::step_needs made{{}, all, all};
    if (!copies.empty())
      made.received.push_back(list_of(std::move(copies)));
    return made;
  }

  std::vector<region> regions_of(int /*component*/, step_region const& part) const override {
    std::vector<region> runs;
    for (local_id const id : part.ids())
      if (!runs.empty() && runs.back().offset + runs.back().extent[2] == id)
        ++runs.back().extent[2];
      else
        runs.push_back({.offset = id});
    return runs;
  }
  detail::bound_access bound(detail::step_kernel const& /*kernel*/,
                             detail::step_access const& /*access*/,
                             std::shared_ptr<std::byte> const& from,
                             std::shared_ptr<std::byte> const& to) const override {
    detail::bound_access made;
    made.read = from.get();
    made.write = to.get();
    return made;
  }
  std::vector<detail::planned_fill> copies(std::shared_ptr<std::byte> const& /*buffer*/,
                                           int /*component*/,
                                           detail::travelling_part const& /*part*/) const override {
    return {}; // an entity has no other images
  }

private:
  std::shared_ptr<std::byte> new_buffer() const {
    auto const memory = detail::allocate_bytes(space_->base(), num_bytes());
    std::uninitialized_fill_n(reinterpret_cast<T*>(memory.get()), entities().num_local(), T{});
    return memory;
  }

  std::shared_ptr<mesh_space const> space_;
  int kind_;
};

} // namespace seam::testing
