/// vec: a few numbers that are added and scaled together, such as a velocity or the state of a gas.
///
///     vec<4> const f = 0.5 * (a + b) - speed * (b - a);
///     double const change = dot(f, f);
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

namespace seam {

/// N numbers. A plain value, zero at first; it can be the value of a field. Operators are always inlined,
/// and have no loops: compilers keep numbers in registers whose indices they know from the beginning.
template <int N>
struct vec {
  std::array<double, N> values{};

  static constexpr int size() noexcept { return N; }
  constexpr double& operator[](int i) noexcept { return values[static_cast<std::size_t>(i)]; }
  constexpr double operator[](int i) const noexcept { return values[static_cast<std::size_t>(i)]; }

  [[gnu::always_inline]] constexpr vec& operator+=(vec const& other) noexcept {
    return add(other, std::make_index_sequence<N>{});
  }
  [[gnu::always_inline]] constexpr vec& operator-=(vec const& other) noexcept {
    return subtract(other, std::make_index_sequence<N>{});
  }
  [[gnu::always_inline]] constexpr vec& operator*=(double factor) noexcept {
    return scale(factor, std::make_index_sequence<N>{});
  }
  [[gnu::always_inline]] constexpr vec& operator/=(double divisor) noexcept {
    return divide(divisor, std::make_index_sequence<N>{});
  }

  [[gnu::always_inline]] friend constexpr vec operator+(vec a, vec const& b) noexcept {
    return a += b;
  }
  [[gnu::always_inline]] friend constexpr vec operator-(vec a, vec const& b) noexcept {
    return a -= b;
  }
  [[gnu::always_inline]] friend constexpr vec operator-(vec a) noexcept { return a *= -1; }
  [[gnu::always_inline]] friend constexpr vec operator*(double factor, vec a) noexcept {
    return a *= factor;
  }
  [[gnu::always_inline]] friend constexpr vec operator*(vec a, double factor) noexcept {
    return a *= factor;
  }
  [[gnu::always_inline]] friend constexpr vec operator/(vec a, double divisor) noexcept {
    return a /= divisor;
  }
  friend constexpr bool operator==(vec const&, vec const&) = default;

private:
  template <std::size_t... I>
  [[gnu::always_inline]] constexpr vec& add(vec const& other, std::index_sequence<I...>) noexcept {
    ((values[I] += other.values[I]), ...);
    return *this;
  }
  template <std::size_t... I>
  [[gnu::always_inline]] constexpr vec& subtract(vec const& other,
                                                 std::index_sequence<I...>) noexcept {
    ((values[I] -= other.values[I]), ...);
    return *this;
  }
  template <std::size_t... I>
  [[gnu::always_inline]] constexpr vec& scale(double factor, std::index_sequence<I...>) noexcept {
    ((values[I] *= factor), ...);
    return *this;
  }
  template <std::size_t... I>
  [[gnu::always_inline]] constexpr vec& divide(double divisor, std::index_sequence<I...>) noexcept {
    ((values[I] /= divisor), ...);
    return *this;
  }
};

template <int N>
[[gnu::always_inline]] constexpr double dot(vec<N> const& a, vec<N> const& b) noexcept {
  double sum = 0;
  for (int i = 0; i < N; ++i)
    sum += a[i] * b[i];
  return sum;
}

template <int N>
[[gnu::always_inline]] inline double length(vec<N> const& a) noexcept {
  return std::sqrt(dot(a, a));
}

[[gnu::always_inline]] constexpr vec<3> cross(vec<3> const& a, vec<3> const& b) noexcept {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

} // namespace seam
