/// Step kernels: what a kernel reads and writes, as plain values, and what it computes.
#pragma once

#include <seam/exchange/steps/program/not_finite.hpp>
#include <seam/exchange/steps/regions/step_region.hpp>
#include <seam/exchange/steps/values/value.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace seam::detail {

class step_body;
class step_field;
class step_recorder;
class step_space;
struct step_kernel;
using shared_step_space = std::shared_ptr<step_space const>;

/// What a kernel does with a field; traits_of() has what follows from it.
enum class access_role { reads, writes, updates, modifies, modifies_at_offsets, adds, collects };

/// What holds for a role. A new combination of these is a row of the table below, and a function in
/// step_roles.hpp.
struct role_traits {
  char const* name;
  bool reads = false;      ///< values from before the kernel
  bool writes = false;     ///< values
  bool keeps = false;      ///< values that are not written; else each has to be
  bool at_offsets = false; ///< reads, at other places, what the kernel writes
  bool adds = false;       ///< at offsets, in their order
};

/// In the order of access_role.
inline constexpr role_traits all_role_traits[] = {
    {.name = "reads", .reads = true},
    {.name = "writes", .writes = true},
    {.name = "updates", .reads = true, .writes = true},
    {.name = "modifies", .reads = true, .writes = true, .keeps = true},
    {.name = "modifies", .reads = true, .writes = true, .keeps = true, .at_offsets = true},
    {.name = "adds", .reads = true, .writes = true, .keeps = true, .adds = true},
    {.name = "collects", .writes = true, .adds = true}, // from zero
};

constexpr role_traits const& traits_of(access_role role) {
  return all_role_traits[static_cast<int>(role)];
}

constexpr char const* name_of(access_role role) { return traits_of(role).name; }

/// Conditions at the ends of a space, as its fields keep them.
class step_conditions {
public:
  virtual ~step_conditions() = default;
};

/// The places at which a kernel reads or adds, where these are no offsets; as its space keeps them.
class listed_reach {
public:
  virtual ~listed_reach() = default;
};

/// One argument of a kernel that is a field, or some of its components.
struct step_access {
  int field = 0; ///< number in the program
  access_role role = access_role::reads;
  int level = 0;
  int first = 0, count = 1;                        ///< components
  std::vector<std::vector<index3>> offsets = {{}}; ///< [1] of all components, or [count]
  std::int64_t multiplier = 1, divisor = 1;  ///< place read = floor(place * multiplier / divisor)
  std::shared_ptr<listed_reach const> reach; ///< in place of offsets, or null
  int borders = -1; ///< conditions of the kernel's own, numbered in the program; -1: the field's
  bool is_mask = false; ///< read where values are written, not where the kernel is called for them
  unsigned kind = 0;    ///< of the places of the field
  std::int64_t element_bytes = 0; ///< of a value of the field

  bool is_read() const { return traits_of(role).reads; }
  bool is_written() const { return traits_of(role).writes; }
  /// True for new values beside the old ones, which may be in another array.
  bool is_moved() const { return is_read() && is_written() && !traits_of(role).keeps; }
  /// True for values that the kernel changes where they are.
  bool is_modified() const { return traits_of(role).keeps && !traits_of(role).adds; }
  bool is_added() const { return traits_of(role).adds; }
  std::vector<index3> const& offsets_of(int component) const {
    return offsets[offsets.size() == 1 ? 0 : component - first];
  }

  /// The values that kernels at `cells` read by one offset, and the smallest box for all offsets.
  box3 read_at(box3 const& cells, index3 const& offset) const {
    box3 read = cells;
    for (int a = 0; a < 3; ++a) {
      read.lo[a] = place_of(cells.lo[a]) + offset[a];
      read.hi[a] = place_of(cells.hi[a] - 1) + offset[a] + 1;
    }
    return read;
  }
  box3 read_by(box3 const& cells) const {
    index3 least{}, most{};
    bool is_first = true;
    for (auto const& list : offsets)
      for (auto const& offset : list) {
        for (int a = 0; a < 3; ++a) {
          least[a] = is_first ? offset[a] : std::min(least[a], offset[a]);
          most[a] = is_first ? offset[a] : std::max(most[a], offset[a]);
        }
        is_first = false;
      }
    box3 read = read_at(cells, least);
    read.hi = read_at(cells, most).hi;
    return is_first || cells.is_empty() ? box3{} : read;
  }
  bool reads_neighbors() const {
    if (reach)
      return true;
    for (auto const& list : offsets)
      for (auto const& offset : list)
        if (offset != index3{})
          return true;
    return false;
  }

private:
  std::int64_t place_of(std::int64_t place) const {
    return floor_divide(place * multiplier, divisor);
  }
};

/// The memory of one argument while a kernel computes. Strides are in values.
struct bound_access {
  std::byte *read = nullptr, *write = nullptr; ///< values with index 0 of the first component
  index3 stride{};
  std::int64_t component_stride = 0;
  std::int64_t multiplier = 1, divisor = 1;
  index3 kernel_first{}, field_first{}; ///< global indices of the blocks' first values
};

/// Where a kernel writes: at the places where one of its arguments is not zero.
struct step_mask {
  int access = -1; ///< of the kernel, by which it reads the mask; -1: it runs everywhere

  /// In the row of places that `first` lies in, the first index in [from, end) at which the mask is
  /// not zero (is_set), or is zero; or `end`.
  std::int64_t (*find)(bound_access const& mask, index3 const& first, std::int64_t from,
                       std::int64_t end, bool is_set) = nullptr;
};

/// The order in which a kernel that changes values in place takes the layers along an axis.
struct step_order {
  bool is_on = false;
  int axis = 0; ///< as users number it
  bool is_backward = false;
};

/// What a kernel's body has found out about a piece of its region before steps run.
class piece_plan {
public:
  virtual ~piece_plan() = default;

  /// How often the kernel is called for the piece.
  virtual std::int64_t num_calls() const = 0;
};

/// A call of a kernel for a piece of its region, whose regions outlive it: a copy of a list of ids
/// would count its owners once for each tile.
struct step_call {
  step_region const& places;              ///< whose values are made; in indices of the space
  step_region const& computed;            ///< those that are computed; others are copied
  bound_access const* accesses = nullptr; ///< [accesses of the kernel]
  int worker = 0;                         ///< number of the thread
  int pass = 0;
  std::int64_t step = 0; ///< of the program
  bool counts = true;    ///< false: other ranks own the places, and reductions count them there
  piece_plan const* plan = nullptr; ///< what the body's plan() has made for `computed`
};

/// A parameter of a kernel: one of the three.
struct kernel_argument {
  int access = -1; ///< number among the kernel's accesses
  step_value* value = nullptr;
  step_reduction* reduction = nullptr;
};

/// An argument of which tiles copy the values that the kernel does not write.
struct carried_access {
  int access;
  int first, end;     ///< all components of the field, relative to the argument's first
  std::int64_t bytes; ///< of a value
};

/// What a kernel computes, whatever the types of its values.
class step_body {
public:
  step_body() = default;
  step_body(step_body const&) = delete;
  step_body& operator=(step_body const&) = delete;
  virtual ~step_body() = default;

  /// Calls the kernel for a piece of its region, in the order of the pass; once, if it is a kernel on
  /// values alone.
  /// @throws  what the kernel throws; usage_error  in checked mode, for an access that is not declared
  /// Threads: pieces that do not depend on each other may be computed at the same time.
  virtual void compute(step_kernel const& kernel, step_call const& call) const = 0;

  /// What compute() needs to know about a piece, found out once; may be null.
  /// Local.
  virtual std::shared_ptr<piece_plan const> plan(step_kernel const& /*kernel*/,
                                                 step_region const& /*computed*/) const {
    return nullptr;
  }

  /// True if probe() can call the kernel on a recorder.
  virtual bool is_watchable() const { return false; }

  /// Calls the kernel a few times on a recorder, with made-up values.
  /// @throws usage_error  it reads or writes what it does not declare
  virtual void probe(step_kernel const& /*kernel*/, step_recorder& /*recorder*/) const {}
};

/// One kernel.
struct step_kernel {
  std::string name;
  std::vector<step_access> accesses;            ///< in relation to the places that are written
  std::vector<step_access> declared;            ///< in relation to the kernel's own place
  std::vector<int> reads_values, reduces, sets; ///< numbers of values
  std::vector<std::shared_ptr<step_reduction>> reductions; ///< [reduces]
  shared_step_space space;           ///< whose places the kernel computes; null: none
  unsigned kind = 0;                 ///< of these places
  bool writes_several_kinds = false; ///< of fields, some of which have no values at some places
  std::function<box3(box3 const& domain)> where; ///< empty: everywhere
  step_mask mask;
  int num_colors = 1;
  step_order order;
  int num_parts = 1;                 ///< of an ordered kernel's blocks, each of which is a turn
  std::int64_t every = 1, phase = 0; ///< runs in steps phase, phase + every, ...
  bool is_for_callers = false;       ///< of the plan: see runs_in()
  std::vector<kernel_argument> arguments; ///< [parameters]
  std::shared_ptr<step_body const> body;  ///< what the kernel computes
  bool is_on_values = false;              ///< on values alone, at no places
  bool allows_not_finite = false;         ///< values that it writes

  // Of the plan.
  std::vector<carried_access> carried;
  std::shared_ptr<std::vector<step_recorder>> recorders; ///< [threads]; of checked mode, else null
  std::shared_ptr<value_findings> findings;              ///< of checked mode, else null

  /// Offsets to which the kernel adds; the place itself if it adds to none.
  std::vector<index3> added{index3{}};
  /// The places from which the kernel adds, where these are no offsets, or null.
  std::shared_ptr<listed_reach const> sources;

  /// Where it computes, where that is no box and not everywhere, or null; the name of these places.
  std::shared_ptr<listed_reach const> places;
  std::string set_name;
  bool is_for_owners = false; ///< what it reads is known at own places alone, and not to its space

  /// True if it computes in a part of its space alone.
  bool is_restricted() const { return where || places; }

  /// True if the kernel runs in a step. One whose values are for the caller alone runs only in the
  /// last of its steps before `end_of_run`, after which the caller may look.
  bool runs_in(std::int64_t step, std::int64_t end_of_run = 0) const {
    return (step - phase) % every == 0 && (!is_for_callers || step + every >= end_of_run);
  }

  bool adds_to_neighbors() const { return sources || added != std::vector<index3>{index3{}}; }

  /// True if the kernel leaves some values of an array that it writes.
  /// @param components  of the field
  bool is_partial(step_access const& access, int components) const {
    return is_restricted() || mask.access >= 0 || num_colors > 1 || traits_of(access.role).keeps ||
           access.count < components;
  }
};

} // namespace seam::detail
