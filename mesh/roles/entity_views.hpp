/// Entity views: how a kernel of steps on a mesh reads and writes fields, from its own entity.
///
///     u()        u(k)           the value there, and at the k-th of u.count() entities around it
///     q[2]()     q[2](k)        of a component
///     u = value                 writes, updates: the new value;  modifies: also u += value
///     r(k) += value             adds, collects: to the k-th entity around it
///     f.outward(k)              of sides around a cell: 1 if its normal points out of the cell, else -1
///     m(value)                  minimum, maximum, sum: contributes a value
///
/// Reads give values, not references; those of updates are the old ones, whatever has been written.
#pragma once

#include <seam/mesh/entities/mesh.hpp>
#include <seam/mesh/roles/entity_watch.hpp>

#include <Kokkos_Macros.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <type_traits>

namespace seam {
namespace detail {

/// Values of a field as kernels find them: a row for each entity.
template <class T>
struct entity_values {
  T* first = nullptr;
  int stride = 1;

  KOKKOS_FORCEINLINE_FUNCTION T& of(local_id entity) const {
    return first[std::int64_t{entity} * stride];
  }
};

/// The place at which a kernel is called, and the entities around it that a role names.
struct entity_position {
  Mesh const* mesh = nullptr;
  local_id place = 0;
  std::span<local_id const> around{};
};

/// 1 or -1, as outward() of geometry.hpp.
inline double outward_from(entity_position const& cell, int k) {
  return cell.mesh->first_cell(cell.around[k]) == cell.mesh->cells().ids[cell.place] ? 1 : -1;
}

} // namespace detail

/// Reads a field.
/// @tparam Around  reads other entities than its own, too
template <class T, bool Around, class Watch = detail::unwatched_entity>
class entity_reader {
public:
  entity_reader(detail::entity_values<T const> values, detail::entity_position const& at,
                Watch watch = {})
      : values_(values), at_(at), watch_(watch) {}

  /// Large values are not copied: nothing writes to a field that a kernel reads.
  using value = std::conditional_t<(sizeof(T) > 16), T const&, T>;

  /// The value at the kernel's own entity.
  KOKKOS_FORCEINLINE_FUNCTION value operator()() const {
    if constexpr (Watch::is_on) {
      watch_.watch->note_own(watch_.access, watch_.component, watch_.num_components);
      watch_.watch->note_read_value(detail::not_finite_in(values_.of(at_.place)));
    }
    return values_.of(at_.place);
  }

  /// The value at the k-th entity around it.
  KOKKOS_FORCEINLINE_FUNCTION value operator()(int k) const {
    static_assert(Around, "a kernel reads a field at entities around its own, which its role does "
                          "not name: write reads(q, cells), or give a list");
    if constexpr (Watch::is_on) {
      watch_.watch->note_around(watch_.access, watch_.component, watch_.num_components, k, count());
      watch_.watch->note_read_value(detail::not_finite_in(values_.of(at_.around[k])));
    }
    return values_.of(at_.around[k]);
  }

  /// The number of entities around the kernel's own.
  KOKKOS_FORCEINLINE_FUNCTION int count() const { return static_cast<int>(at_.around.size()); }

  double outward(int k) const { return detail::outward_from(at_, k); }

  KOKKOS_FORCEINLINE_FUNCTION entity_reader operator[](int component) const {
    entity_reader other = *this;
    other.values_.first += component;
    if constexpr (Watch::is_on)
      other.watch_.component = component;
    return other;
  }

  template <class V>
  void operator=(V const& /*value*/) const {
    static_assert(sizeof(V) == 0, "a kernel gives a value to what it only reads(): declare the "
                                  "argument by writes(), updates() or modifies()");
  }

protected:
  detail::entity_values<T const> values_;
  detail::entity_position at_;
  [[no_unique_address]] Watch watch_;
};

/// Writes the value at the kernel's own entity.
template <class T, class Watch = detail::unwatched_entity>
class entity_writer {
public:
  explicit entity_writer(T* to, Watch watch = {}) : to_(to), watch_(watch) {}
  entity_writer(entity_writer const&) = default;

  KOKKOS_FORCEINLINE_FUNCTION entity_writer const& operator=(T const& value) const {
    if constexpr (Watch::is_on) {
      if (!watch_.watch->note_write(watch_.access, watch_.component, watch_.num_components))
        return *this;
      watch_.watch->note_made_value(watch_.access, watch_.component, detail::not_finite_in(value));
    }
    *to_ = value;
    return *this;
  }
  entity_writer& operator=(entity_writer const&) = delete;

  KOKKOS_FORCEINLINE_FUNCTION entity_writer operator[](int component) const {
    auto watch = watch_;
    if constexpr (Watch::is_on)
      watch.component = component;
    return entity_writer(to_ + component, watch);
  }

  template <class... Which>
  T operator()(Which... /*which*/) const {
    static_assert(sizeof...(Which) > 1,
                  "a kernel reads what it only writes(): declare the argument "
                  "by updates() or modifies()");
    return {};
  }

private:
  T* to_;
  [[no_unique_address]] Watch watch_;
};

/// Reads a field, and writes the value at the kernel's own entity: beside the old one, or in its place.
template <class T, bool Around, class Watch = detail::unwatched_entity>
class entity_updater : public entity_reader<T, Around, Watch> {
public:
  using base = entity_reader<T, Around, Watch>;

  entity_updater(base const& old, T* to) : base(old), to_(to) {}
  entity_updater(entity_updater const&) = default;

  KOKKOS_FORCEINLINE_FUNCTION T operator()() const { return base::operator()(); }
  KOKKOS_FORCEINLINE_FUNCTION T operator()(int k) const { return base::operator()(k); }

  KOKKOS_FORCEINLINE_FUNCTION entity_updater const& operator=(T const& value) const {
    entity_writer<T, Watch>(to_, this->watch_) = value;
    return *this;
  }
  entity_updater& operator=(entity_updater const&) = delete;

  KOKKOS_FORCEINLINE_FUNCTION entity_updater operator[](int component) const {
    return {base::operator[](component), to_ + component};
  }

  template <class V>
  KOKKOS_FORCEINLINE_FUNCTION entity_updater const& operator+=(V const& value) const {
    return *this = static_cast<T>((*this)() + value);
  }
  template <class V>
  KOKKOS_FORCEINLINE_FUNCTION entity_updater const& operator-=(V const& value) const {
    return *this = static_cast<T>((*this)() - value);
  }

private:
  T* to_;
};

/// Adds to values around the kernel's own entity.
template <class T, class Watch = detail::unwatched_entity>
class entity_adder {
public:
  /// A value to which the kernel adds; one of another tile is lost.
  class target {
  public:
    target(T* to, bool is_here) : to_(to), is_here_(is_here) {}
    template <class V>
    KOKKOS_FORCEINLINE_FUNCTION void operator+=(V const& value) const {
      if (is_here_)
        *to_ = static_cast<T>(*to_ + value);
    }
    template <class V>
    KOKKOS_FORCEINLINE_FUNCTION void operator-=(V const& value) const {
      if (is_here_)
        *to_ = static_cast<T>(*to_ - value);
    }

  private:
    T* to_;
    bool is_here_;
  };

  /// @param first, count  entities of the tile; additions to other targets are lost
  entity_adder(detail::entity_values<T> values, std::span<local_id const> targets, local_id first,
               std::uint32_t count, Watch watch = {})
      : values_(values), targets_(targets), first_(first), count_(count), watch_(watch) {}

  KOKKOS_FORCEINLINE_FUNCTION target operator()(int k) const {
    if constexpr (Watch::is_on) {
      watch_.watch->note_around(watch_.access, watch_.component, watch_.num_components, k, count());
      if (watch_.watch->is_probe())
        return target(nullptr, false);
    }
    local_id const entity = targets_[k];
    return target(&values_.of(entity), static_cast<std::uint32_t>(entity - first_) < count_);
  }
  KOKKOS_FORCEINLINE_FUNCTION int count() const { return static_cast<int>(targets_.size()); }

  KOKKOS_FORCEINLINE_FUNCTION entity_adder operator[](int component) const {
    entity_adder other = *this;
    other.values_.first += component;
    if constexpr (Watch::is_on)
      other.watch_.component = component;
    return other;
  }

private:
  detail::entity_values<T> values_;
  std::span<local_id const> targets_;
  local_id first_;
  std::uint32_t count_;
  [[no_unique_address]] Watch watch_;
};

/// Reads numbers that the kernel got as a std::vector: at its own entity, or of the k-th entry of the
/// list by which it has neighbors.
template <class T, class Watch = detail::unwatched_entity>
class entity_table {
public:
  /// @param own  null: the numbers are of entries
  entity_table(T const* own, std::span<T const> entries, Watch watch = {})
      : own_(own), entries_(entries), watch_(watch) {}

  KOKKOS_FORCEINLINE_FUNCTION T operator()() const {
    if constexpr (Watch::is_on)
      watch_.watch->note_own_number(own_ != nullptr);
    return *own_;
  }
  KOKKOS_FORCEINLINE_FUNCTION T operator()(int k) const {
    if constexpr (Watch::is_on)
      watch_.watch->note_number(k, count());
    return entries_[k];
  }
  KOKKOS_FORCEINLINE_FUNCTION int count() const { return static_cast<int>(entries_.size()); }

private:
  T const* own_;
  std::span<T const> entries_;
  [[no_unique_address]] Watch watch_;
};

/// The entity at which a kernel is called: its last parameter, if it wants it.
class entity_place {
public:
  entity_place(Mesh const& mesh, int dimension, local_id entity)
      : mesh_(&mesh), dimension_(dimension), entity_(entity) {}

  global_id id() const { return mesh_->entities(dimension_).ids[entity_]; }
  std::int32_t tag() const { return mesh_->entities(dimension_).tags[entity_]; }
  std::array<double, 3> center() const { return mesh_->center(dimension_, entity_); } ///< [length]

private:
  Mesh const* mesh_;
  int dimension_;
  local_id entity_;
};

/// The flow into an entity from its neighbors: the sum of k(n) * (u(n) - u()).
/// @param k  of the entries of u's list, as mesh_fluxes::conductances
template <class Conductances, class Values>
KOKKOS_FORCEINLINE_FUNCTION auto inflow(Conductances const& k, Values const& u) {
  decltype(k(0) * (u(0) - u())) sum{};
  for (int n = 0; n < u.count(); ++n)
    sum += k(n) * (u(n) - u());
  return sum;
}

} // namespace seam
