/// Step spaces: what planners ask about where kernels compute and where values lie, of a grid or of a
/// mesh. They see regions (step_region.hpp) and nothing else: no dimension, no decomposition.
///
///     passes     turn_of, num_passes        which places a rank computes, one pass after another
///     reads      read_by, step_field::needed     what kernels read of an array, of others and own
///     owner      owned, partners            which rank sends which values to which
///     beyond     step_field::beyond, fills  values beyond the ends of the space, and their images
///     layout     step_field::bound, require memory of arrays, and more of it
///     tiles      tiling                     the pieces that threads compute
///
/// What has no answer here is what every space has to say; the others answer for a space without
/// ends, images, restrictions and passes.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/schedule/detail/region.hpp>
#include <seam/exchange/steps/program/step_kernel.hpp>
#include <seam/exchange/steps/regions/step_region.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace seam::detail {

class step_dataflow;
struct step_fill;
struct supply_reader;
struct step_program;

/// The regions that a rank computes. [instances]
using computed_regions = std::vector<step_region>;

/// What one rank reads of a component of an array, or of all.
struct step_needs {
  std::vector<step_region>
      received;       ///< values of other ranks, and other images of own ones: disjoint
  step_region inside; ///< a region of all values that are read, or from which others are filled
  step_region all;    ///< with those beyond the ends of the space
};

/// A region of an array that a rank needs.
struct asked_part {
  int number; ///< of the array and its component, the same on all ranks
  step_field const* field;
  step_region needed;
};

/// A region that one rank needs and one owns.
struct travelling_part {
  int number;
  step_region needed, owned; ///< as the receiver and as the owner know it
};
using ranks2parts = std::map<int, std::vector<travelling_part>>;

/// What leaves this rank and arrives here, in an order that both ends know.
struct step_partners {
  ranks2parts leaving;  ///< by receivers
  ranks2parts arriving; ///< by owners; of this rank itself what it copies
};

/// A piece of a kernel's region that one thread computes. Pieces of one column lie at one place.
struct step_tile {
  int column;
  step_region places;
};

/// The columns that any thread begins, in their order, and those of each thread, which another one
/// begins only if it has nothing else to do.
struct column_shares {
  std::vector<int> in_order;
  std::vector<std::vector<int>> of_threads;
};

/// The tiles of one rank in a flow. Local.
class step_tiling {
public:
  virtual ~step_tiling() = default;

  /// The pieces of what an instance computes.
  virtual std::vector<step_tile> of(int instance) = 0;

  /// The columns of all instances for which of() has been called.
  virtual int num_columns() const = 0;
  virtual column_shares shares() const = 0;
};

/// The choice of tiles.
struct tile_settings {
  bool is_fused = false;   ///< several steps without messages between them
  std::int64_t extent = 0; ///< of tiles of fused steps; 0: chosen
};

/// Values of an array that a rank sets itself, whatever a kernel does: copies, ghosts.
class ghost_work {
public:
  virtual ~ghost_work() = default;
  /// @param time  that conditions on borders get
  virtual void run(double time) const = 0;
  /// True if it sets the same values each time.
  virtual bool is_fixed() const { return false; }
};

/// A piece of a fill.
struct planned_fill {
  std::unique_ptr<ghost_work> work;
  step_region reads, writes; ///< of the array that is filled
  int beside = -1;           ///< another array that it reads, or -1
  step_region read_beside{};
};

/// Pieces that may be filled at the same time, and the regions that they fill.
struct fill_group {
  std::vector<planned_fill> pieces;
  std::vector<step_region> whole;
};

/// What conditions at the ends of a space depend on.
struct read_beyond {
  std::vector<std::shared_ptr<step_field>> fields{};
  bool reads_time = false;
  bool reads_values = false; ///< perhaps any of the program's
  std::int64_t num_seen = 0; ///< values next to an end that they see, beside mirror images
};

/// A space. Immutable.
class step_space {
public:
  /// @param base  all processes that share it
  explicit step_space(Communicator base) : base_(std::move(base)) {}
  step_space(step_space const&) = delete;
  step_space& operator=(step_space const&) = delete;
  virtual ~step_space() = default;

  Communicator const& base() const noexcept { return base_; }
  int rank() const { return base_.rank(); }
  int size() const { return base_.size(); }

  /// The axes of boxes that index; 1 where regions are lists.
  virtual int num_axes() const noexcept = 0;

  /// The values of a kind that this rank owns. Kinds are the space's: a centering, a dimension.
  virtual step_region owned_values(unsigned kind) const = 0;

  /// The passes of a kernel in one step, and the places that `rank` computes in one, which may be
  /// none. The number is the same on all ranks.
  virtual int num_passes(step_kernel const& /*kernel*/) const { return 1; }
  virtual step_region turn_of(step_kernel const& kernel, int rank, int pass) const = 0;

  /// Why steps with a kernel are not fused: "kernel 'k' runs in order along axis 0, ..."; empty if they
  /// may be.
  virtual std::string against_fusion(step_kernel const& /*kernel*/) const { return ""; }

  /// Restrictions of a kernel to places, and its passes, as words of plans.
  virtual std::string restrictions_in_words(step_kernel const& /*kernel*/) const { return ""; }
  virtual std::string passes_in_words(step_kernel const& /*kernel*/) const { return ""; }

  /// Words about a kernel that this rank calls at other places than those of its values, and how often in
  /// all tiles: a line, or nothing.
  virtual std::string calls_in_words(step_kernel const& /*kernel*/, std::int64_t /*calls*/) const {
    return "";
  }

  /// The places of `region` at which a kernel computes values; others keep theirs.
  virtual std::vector<step_region> computed(step_kernel const& /*kernel*/,
                                            step_region const& region) const {
    return {region};
  }

  /// A region of all that an access reads while a kernel computes at `places`.
  virtual step_region read_by(step_kernel const& kernel, step_access const& access,
                              step_region const& places) const = 0;

  /// True if a kernel may change some of a field's values alone, which ranks know of their copies.
  virtual bool knows_changes(step_kernel const& /*kernel*/) const { return false; }

  /// The values of such a kernel's fields that a pass of it may change, copies included.
  virtual step_region changed(step_kernel const& /*kernel*/, int /*pass*/) const { return {}; }

  /// Refuses a kernel that the space does not serve.
  /// @throws usage_error  on this rank
  virtual void check(step_program const& /*program*/, step_kernel const& /*kernel*/) const {}

  /// Why the steps of a flow cannot be run without more messages; empty if they can. Its kernels have
  /// been checked. The same on all ranks.
  virtual std::string against(step_dataflow const& /*flow*/) const { return ""; }

  /// Completes a kernel of a program that has been checked.
  /// @param parts_in_order  0: chosen
  virtual void prepare(step_program const& /*program*/, step_kernel& /*kernel*/,
                       int /*parts_in_order*/) const {}

  /// Divides what ranks need by owners.
  /// @param needed_by  what a rank needs; may be called for those ranks whose regions the space knows
  /// Collective: over base(), if ranks have to ask each other.
  virtual step_partners partners(
      step_dataflow const& flow,
      std::function<std::vector<asked_part>(int rank)> const& needed_by) const = 0;

  /// @param regions  that this rank computes; they outlive the tiling, as `flow` does
  virtual std::unique_ptr<step_tiling> tiling(step_dataflow const& flow,
                                              computed_regions const& regions,
                                              tile_settings const& settings) const = 0;

private:
  Communicator base_;
};

/// The passes of a kernel in one step; 1 of those on values alone. The same on all ranks.
inline int num_passes(step_kernel const& kernel) {
  return kernel.space ? kernel.space->num_passes(kernel) : 1;
}

/// As step_space::against_fusion(), also for kernels on values alone.
inline std::string against_fusion(step_kernel const& kernel) {
  return kernel.space ? kernel.space->against_fusion(kernel) : std::string();
}

/// What has given a component of a field its values; nothing where they are those at first.
struct value_origin {
  bool is_set = false;      ///< a caller has had access to them
  bool is_computed = false; ///< a kernel writes them
};

/// An array of values, or several in turn, of one kind of a space.
class step_field {
public:
  step_field(std::string its_name, int its_components, int its_levels, std::int64_t its_bytes)
      : name(std::move(its_name)),
        components(its_components),
        levels(its_levels),
        element_bytes(its_bytes) {}
  step_field(step_field const&) = delete;
  step_field& operator=(step_field const&) = delete;
  virtual ~step_field() = default;

  std::string name;
  int components, levels;
  std::int64_t element_bytes;                      ///< of a value of one component
  std::vector<std::shared_ptr<std::byte>> buffers; ///< levels, the newest first; spare ones
  bool is_set = false; ///< true if a caller has had access to values, and may have set them
  std::vector<value_origin> origins; ///< [components], or empty if that is not known

  virtual step_space const& over() const noexcept = 0;
  virtual unsigned kind() const noexcept = 0;

  /// The values that this rank stores.
  virtual step_region stored() const = 0;

  /// Stores at least the values of `least`, in at least `num_buffers` buffers. Memory may move; values
  /// stay.
  /// Collective: over the space.
  virtual void require(step_region const& least, int num_buffers) = 0;

  /// Grows when steps have to be planned anew. The same on all ranks.
  virtual int times_changed() const noexcept { return 0; }

  /// Bytes of a buffer.
  virtual std::int64_t num_bytes() const = 0;

  /// What the values that are stored beside owned ones are, in words: "ghosts 1x1 below and ...".
  virtual std::string ghosts_in_words() const { return "copies"; }

  /// What a value lies on.
  virtual char const* place_name() const { return kind() == 0 ? "cell" : "place"; }

  /// Whether buffers of the other may be this one's.
  virtual bool is_like(step_field const& /*other*/) const { return false; }

  /// True if the newest level lies in the caller's memory between runs.
  virtual bool is_lent() const noexcept { return false; }

  /// Brings the newest level back to the caller's memory, if that is where it lies. Other buffers are
  /// spare ones then.
  /// Local.
  virtual void return_to_lender() {}

  /// Tells checked mode that values may have changed.
  virtual void note_change() const {}

  /// What `rank` reads of a component, of which `readers` are a part.
  /// @param component  -1: of all, as the smallest region for each reader
  virtual step_needs needed(step_dataflow const& flow, int rank, computed_regions const& regions,
                            std::vector<supply_reader> const& readers, int component) const = 0;

  /// Those of a kernel's places at which there are values of this field.
  virtual step_region values_at(step_region const& places) const { return places; }

  /// The parts of a region that tasks access apart from each other.
  virtual std::vector<step_region> parts_of(step_region const& region) const { return {region}; }

  /// Where a region of a component lies in a buffer.
  virtual std::vector<region> regions_of(int component, step_region const& part) const = 0;

  /// Where a kernel finds its argument.
  /// @param from, to  buffers that it reads and writes, or null
  virtual bound_access bound(step_kernel const& kernel, step_access const& access,
                             std::shared_ptr<std::byte> const& from,
                             std::shared_ptr<std::byte> const& to) const = 0;

  /// Copies of own values to other images of them in `buffer`, in pieces.
  virtual std::vector<planned_fill> copies(std::shared_ptr<std::byte> const& /*buffer*/,
                                           int /*component*/,
                                           travelling_part const& /*part*/) const {
    return {};
  }

  /// What conditions at the ends of the space depend on.
  /// @param own  of a kernel, in place of the field's; may be null
  virtual read_beyond beyond(step_conditions const* /*own*/) const { return {}; }

  /// Refuses a fill for which there is no condition.
  /// @throws usage_error  on this rank
  virtual void check(step_dataflow const& /*flow*/, step_fill const& /*fill*/, int /*rank*/,
                     computed_regions const& /*regions*/) const {}

  /// The pieces of a fill by this field's conditions, group after group.
  /// @param buffers  [arrays]
  virtual std::vector<fill_group> fills(step_dataflow const& /*flow*/, step_fill const& /*fill*/,
                                        computed_regions const& /*regions*/,
                                        std::vector<std::shared_ptr<std::byte>> const& /*buffers*/,
                                        step_tiling& /*tiles*/) const {
    return {};
  }

  /// Adapts a kernel's own conditions to the memory that the field has now.
  virtual void adapt(step_conditions& /*own*/) const {}
};

} // namespace seam::detail
