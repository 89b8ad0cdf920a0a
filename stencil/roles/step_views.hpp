/// Step views: how a kernel of steps reads and writes its fields, by offsets from its own place.
///
///     u()  u(0, 1)          the value at the place, at an offset       reads, updates, modifies
///     f[2](0, 1)            of a component
///     u = value             writes, updates: the new value;  modifies: also u += value
///     r(0, -1) += value     adds: to the value at an offset
///     m(value)              minimum, maximum, sum: contributes a value
///
/// A view is a bare pointer, and the address of strides that its row keeps: the compiler takes apart
/// what it copies for each cell. Reads give old values, whatever the kernel has written; a kernel that
/// reads what it has updated in place is refused.
#pragma once

#include <seam/exchange/steps/program/step_recorder.hpp>
#include <seam/exchange/steps/regions/box.hpp>
#include <seam/exchange/steps/roles/value_roles.hpp>
#include <seam/stencil/fields/grid.hpp>
#include <seam/stencil/space/centering.hpp>

#include <Kokkos_Macros.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace seam {
namespace detail {

/// Views that note nothing.
template <int D>
struct unwatched {
  static constexpr bool is_on = false;
};

/// Views that note each access of one argument on a recorder.
template <int D>
struct watched {
  static constexpr bool is_on = true;
  step_recorder* recorder = nullptr;
  int access = 0, component = 0;
};

/// A made-up value of T.
template <class T>
T sample_value(int sample) {
  if constexpr (requires { static_cast<T>(0.0); })
    return static_cast<T>(sample == 1 ? 0.0 : sample == 2 ? 1.0 : 0.5);
  else
    return T{};
}

template <int D>
using row_strides = std::array<std::int64_t, static_cast<std::size_t>(D)>; ///< last: components

/// The distance in memory to an offset.
template <int D, std::integral... Offset>
KOKKOS_FORCEINLINE_FUNCTION std::int64_t distance_to(row_strides<D> const& stride,
                                                     Offset... offsets) {
  static_assert(sizeof...(Offset) == D || sizeof...(Offset) == 0,
                "offsets have an entry for each axis of the grid");
  if constexpr (sizeof...(Offset) == 0) {
    return 0;
  } else {
    cell_index<D> const by{static_cast<std::int64_t>(offsets)...};
    std::int64_t sum = by[D - 1];
    for (int a = 0; a + 1 < D; ++a)
      sum += by[a] * stride[a];
    return sum;
  }
}

template <int D, std::integral... Offset>
cell_index<D> offset_of(Offset... offsets) {
  if constexpr (sizeof...(Offset) == 0)
    return {};
  else
    return {static_cast<std::int64_t>(offsets)...};
}

/// Notes a read at an offset from the place `at`. The value, or a made-up one.
template <class T, int D>
[[gnu::noinline, gnu::cold]] T read_watched(watched<D> const& watch, T const* at,
                                            row_strides<D> stride, cell_index<D> const& offset) {
  watch.recorder->note_read(watch.access, watch.component, padded(offset));
  if (watch.recorder->is_probe)
    return sample_value<T>(watch.recorder->sample);
  stride[D - 1] = 1;
  for (int a = 0; a < D; ++a)
    at += offset[a] * stride[a];
  return *at;
}

/// Notes a write at an offset. True if the value is to be written.
template <int D>
bool note_write(watched<D> const& watch, cell_index<D> const& offset = {}) {
  watch.recorder->note_write(watch.access, watch.component, padded(offset));
  return !watch.recorder->is_probe;
}

} // namespace detail

/// Reads a field around the place of the kernel.
template <class T, int D, class Watch = detail::unwatched<D>>
class reader {
public:
  reader(T const* at, detail::row_strides<D> const& stride, Watch watch = {})
      : at_(at), stride_(&stride), watch_(watch) {}

  /// The value at an offset from the place; at the place itself.
  template <std::integral... Offset>
  KOKKOS_FORCEINLINE_FUNCTION T operator()(Offset... offsets) const {
    if constexpr (Watch::is_on)
      return detail::read_watched<T, D>(watch_, at_, *stride_, detail::offset_of<D>(offsets...));
    else
      return at_[detail::distance_to<D>(*stride_, offsets...)];
  }

  /// A component, counted from the first one of the argument.
  KOKKOS_FORCEINLINE_FUNCTION reader operator[](int component) const {
    reader other = *this;
    if constexpr (Watch::is_on)
      other.watch_.component = component;
    other.at_ += component * (*stride_)[D - 1];
    return other;
  }

  template <class V>
  void operator=(V const& /*value*/) const {
    static_assert(sizeof(V) == 0, "a kernel gives a value to what it only reads(): declare the "
                                  "argument by writes(), updates() or modifies()");
  }

protected:
  T const* at_;
  detail::row_strides<D> const* stride_;
  [[no_unique_address]] Watch watch_;
};

/// Writes the value at the place of the kernel.
template <class T, int D, class Watch = detail::unwatched<D>>
class writer {
public:
  writer(T* at, detail::row_strides<D> const& stride, Watch watch = {})
      : to_(at), stride_(&stride), watch_(watch) {}
  writer(writer const&) = default;

  KOKKOS_FORCEINLINE_FUNCTION writer const& operator=(T value) const {
    put(value);
    return *this;
  }
  writer& operator=(writer const&) = delete;

  KOKKOS_FORCEINLINE_FUNCTION writer operator[](int component) const {
    auto watch = watch_;
    if constexpr (Watch::is_on)
      watch.component = component;
    return {to_ + component * (*stride_)[D - 1], *stride_, watch};
  }

  template <std::integral... Offset>
  T operator()(Offset... /*offsets*/) const {
    static_assert(sizeof...(Offset) > D, "a kernel reads what it only writes(): declare the "
                                         "argument by updates() or modifies()");
    return {};
  }

private:
  KOKKOS_FORCEINLINE_FUNCTION void put(T value) const {
    if constexpr (Watch::is_on)
      if (!detail::note_write<D>(watch_))
        return;
    *to_ = value;
  }

  T* to_;
  detail::row_strides<D> const* stride_;
  [[no_unique_address]] Watch watch_;
};

/// Reads old values around the place, and writes the new one there.
template <class T, int D, class Watch = detail::unwatched<D>>
class updater : public reader<T, D, Watch> {
public:
  updater(T const* from, T* to, detail::row_strides<D> const& stride, Watch watch = {})
      : reader<T, D, Watch>(from, stride, watch), to_(to) {}
  updater(updater const&) = default;

  KOKKOS_FORCEINLINE_FUNCTION updater const& operator=(T value) const {
    if constexpr (Watch::is_on)
      if (!detail::note_write<D>(this->watch_))
        return *this;
    *to_ = value;
    return *this;
  }
  updater& operator=(updater const&) = delete;

  KOKKOS_FORCEINLINE_FUNCTION updater operator[](int component) const {
    auto watch = this->watch_;
    if constexpr (Watch::is_on)
      watch.component = component;
    auto const by = component * (*this->stride_)[D - 1];
    return {this->at_ + by, to_ + by, *this->stride_, watch};
  }

  KOKKOS_FORCEINLINE_FUNCTION updater const& operator+=(T value) const {
    return *this = static_cast<T>((*this)() + value);
  }

private:
  T* to_;
};

/// Adds to values around the place.
template <class T, int D, class Watch = detail::unwatched<D>>
class adder {
public:
  /// A value to which the kernel adds.
  class target {
  public:
    target(T* to, Watch watch, cell_index<D> const& offset)
        : to_(to), watch_(watch), offset_(offset) {}
    KOKKOS_FORCEINLINE_FUNCTION void operator+=(T value) const {
      if constexpr (Watch::is_on)
        if (!detail::note_write<D>(watch_, offset_))
          return;
      if (to_ != nullptr)
        *to_ = static_cast<T>(*to_ + value);
    }
    KOKKOS_FORCEINLINE_FUNCTION void operator-=(T value) const { *this += static_cast<T>(-value); }

  private:
    T* to_;
    [[no_unique_address]] Watch watch_;
    cell_index<D> offset_;
  };

  /// @param to  the value at `wanted`, the only offset at which something is added now
  adder(T* to, cell_index<D> const& wanted, detail::row_strides<D> const& stride, Watch watch = {})
      : to_(to), wanted_(wanted), stride_(&stride), watch_(watch) {}

  template <std::integral... Offset>
  KOKKOS_FORCEINLINE_FUNCTION target operator()(Offset... offsets) const {
    cell_index<D> const offset = detail::offset_of<D>(offsets...);
    return {offset == wanted_ ? to_ : nullptr, watch_, offset};
  }
  KOKKOS_FORCEINLINE_FUNCTION adder operator[](int component) const {
    adder other = *this;
    if constexpr (Watch::is_on)
      other.watch_.component = component;
    other.to_ += component * (*stride_)[D - 1];
    return other;
  }
  KOKKOS_FORCEINLINE_FUNCTION void operator+=(T value) const { (*this)() += value; }

private:
  T* to_;
  cell_index<D> wanted_;
  detail::row_strides<D> const* stride_;
  [[no_unique_address]] Watch watch_;
};

/// Contributes to a value that knows where it is.
template <class Accumulator, int D>
class located_contributor {
public:
  located_contributor(Accumulator& into, cell_index<D> const& at) : into_(&into), at_(at) {}

  KOKKOS_FORCEINLINE_FUNCTION void operator()(typename Accumulator::value_type value) const {
    into_->add(value, detail::padded(at_));
  }

private:
  Accumulator* into_;
  cell_index<D> at_;
};

/// The place of a kernel: its last parameter, if it wants it.
template <int D>
struct place {
  cell_index<D> index; ///< in the whole domain; along periodic axes from 0 on
  cell_geometry<D> const* geometry;
  centering on;

  /// Where it lies. [unit of length]
  position<D> position_in_space() const { return geometry->place(index, on); }

  /// Refused: a parameter after those of the roles is taken for a field.
  template <class... Offset>
  auto operator()(Offset... /*offsets*/) const {
    static_assert(sizeof...(Offset) > D, "a kernel has a parameter more than roles, which is its "
                                         "place and no field: declare a role for it");
    return 0;
  }
  template <class V>
    requires std::is_arithmetic_v<V>
  void operator=(V /*value*/) const {
    static_assert(sizeof(V) == 0,
                  "a kernel has a parameter more than roles, which is its place and "
                  "no field: declare a role for it");
  }
};

namespace detail {

template <class View>
inline constexpr bool is_view_of_value = false;
template <class T, int D, class Watch>
inline constexpr bool is_view_of_value<reader<T, D, Watch>> = true;
template <class T, int D, class Watch>
inline constexpr bool is_view_of_value<updater<T, D, Watch>> = true;

template <class A, class B>
concept one_is_a_view = is_view_of_value<A> || is_view_of_value<B>;

template <class A>
constexpr double refuse_view_as_value() {
  static_assert(sizeof(A) == 0,
                "a kernel computes with a field where it means its value: write u() "
                "for the value at the place, u(1, 0) for one at an offset");
  return 0;
}

} // namespace detail

/// Refused: arithmetic with a field, u + 1 in place of u() + 1.
template <class A, class B>
  requires detail::one_is_a_view<A, B>
auto operator+(A const&, B const&) {
  return detail::refuse_view_as_value<A>();
}
template <class A, class B>
  requires detail::one_is_a_view<A, B>
auto operator-(A const&, B const&) {
  return detail::refuse_view_as_value<A>();
}
template <class A, class B>
  requires detail::one_is_a_view<A, B>
auto operator*(A const&, B const&) {
  return detail::refuse_view_as_value<A>();
}
template <class A, class B>
  requires detail::one_is_a_view<A, B>
auto operator/(A const&, B const&) {
  return detail::refuse_view_as_value<A>();
}

} // namespace seam
