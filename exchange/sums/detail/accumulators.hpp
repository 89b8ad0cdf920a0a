/// Accumulators gather values one by one, are merged among threads and combined among ranks as
/// integers, without rounding. Each has
///
///     void add(value)                  adds one more value
///     void merge(another)              adds the values of another accumulator
///     num_words, write_to, read_from   its state as integers, which all ranks combine by `op()`
///     result()                         the sum, minimum, maximum or norm
#pragma once

#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/sums/detail/exact_accumulator.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace seam::detail {

/// Numbers that sum(), minimum(), norm() and their like take: integers, float and double.
template <class T>
concept number =
    (std::integral<T> && sizeof(T) <= 8) || std::same_as<T, float> || std::same_as<T, double>;

/// The exact sum of integers, in 128 bits.
class integer_total {
public:
  static constexpr int num_words = 3;

  template <std::integral T>
  void add(T value) noexcept {
    sum_ += value;
  }
  void merge(integer_total const& other) noexcept { sum_ += other.sum_; }

  /// Writes two digits of 32 bits, and the bits above them.
  void write_to(std::int64_t* words) const noexcept;
  void read_from(std::int64_t const* words) noexcept;

  /// @throws usage_error  the sum is beyond the type, on all ranks
  std::int64_t as_signed() const;
  std::uint64_t as_unsigned() const;

private:
  __extension__ typedef __int128 wide;
  wide sum_ = 0;
};

/// The sum of values of T.
template <class T>
class total_of {
public:
  using value_type = T;
  static constexpr int num_words = integer_total::num_words;
  static constexpr char const* name = "sum";
  static MPI_Op op() { return MPI_SUM; }

  void add(T value) noexcept { sum_.add(value); }
  void merge(total_of const& other) noexcept { sum_.merge(other.sum_); }
  void write_to(std::int64_t* words) noexcept { sum_.write_to(words); }
  void read_from(std::int64_t const* words) noexcept { sum_.read_from(words); }
  auto result() const {
    if constexpr (std::is_signed_v<T> || std::same_as<T, bool>)
      return sum_.as_signed();
    else
      return sum_.as_unsigned();
  }

private:
  integer_total sum_;
};

/// The base of sums of floating-point numbers.
class exact_total {
public:
  static constexpr int num_words = exact_accumulator::num_words;
  static MPI_Op op() { return MPI_SUM; }

  void merge(exact_total const& other) noexcept { sum_.merge(other.sum_); }
  void write_to(std::int64_t* words) noexcept { std::ranges::copy(sum_.words(), words); }
  void read_from(std::int64_t const* words) noexcept {
    std::copy_n(words, num_words, sum_.words().begin());
  }

protected:
  exact_accumulator sum_;
};

template <std::floating_point T>
class total_of<T> : public exact_total {
public:
  using value_type = T;
  static constexpr char const* name = "sum";
  void add(T value) noexcept { sum_.add(static_cast<double>(value)); }
  double result() const noexcept { return sum_.value(); }
};

/// The 2-norm of values of T.
template <class T>
class norm_of : public exact_total {
public:
  using value_type = T;
  static constexpr char const* name = "norm";
  void add(T value) noexcept {
    sum_.add_product(static_cast<double>(value), static_cast<double>(value));
  }
  double result() const noexcept { return sum_.root(); }
};

/// The sum of products of two values of T.
template <class T>
class products_of : public exact_total {
public:
  using value_type = T;
  static constexpr char const* name = "dot";
  void add(T a, T b) noexcept { sum_.add_product(static_cast<double>(a), static_cast<double>(b)); }
  double result() const noexcept { return sum_.value(); }
};

/// An integer for each number, in the order of the numbers: -0.0 comes before 0.0, and NaN lies at
/// either end. Without a branch, so that loops take several numbers at once.
template <class T>
constexpr std::int64_t key_of(T value) noexcept {
  constexpr auto greatest = std::numeric_limits<std::int64_t>::max();
  if constexpr (std::floating_point<T>) {
    auto const bits = std::bit_cast<std::int64_t>(static_cast<double>(value));
    return bits ^ (bits >> 63 & greatest);
  } else if constexpr (std::is_signed_v<T>)
    return value;
  else
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(value) ^ std::uint64_t{1} << 63);
}

template <class T>
constexpr T value_of_key(std::int64_t key) noexcept {
  constexpr auto greatest = std::numeric_limits<std::int64_t>::max();
  if constexpr (std::floating_point<T>)
    return static_cast<T>(std::bit_cast<double>(key ^ (key >> 63 & greatest)));
  else if constexpr (std::is_signed_v<T>)
    return static_cast<T>(key);
  else
    return static_cast<T>(static_cast<std::uint64_t>(key) ^ std::uint64_t{1} << 63);
}

/// The key of the least or largest value.
///
/// Keys of floating-point numbers are moved by a constant so that the infinity at which an extreme
/// begins has the outermost key: NaNs beyond it wrap around, and lie with those of the other sign
/// behind the other infinity, where they win.
class extreme_key {
public:
  static constexpr int num_words = 1;

  void write_to(std::int64_t* words) const noexcept { *words = key_; }
  void read_from(std::int64_t const* words) noexcept { key_ = *words; }

protected:
  explicit extreme_key(std::int64_t key) : key_(key) {}

  /// The key of `value`, moved so that that of `first` becomes `outermost`.
  template <class T>
  static constexpr std::int64_t moved_key(T value, T first, std::int64_t outermost) noexcept {
    if constexpr (std::floating_point<T>)
      return static_cast<std::int64_t>(static_cast<std::uint64_t>(key_of(value)) -
                                       static_cast<std::uint64_t>(key_of(first)) +
                                       static_cast<std::uint64_t>(outermost));
    else
      return key_of(value);
  }

  /// The inverse.
  template <class T>
  static constexpr T value_of_moved(std::int64_t key, T first, std::int64_t outermost) noexcept {
    if constexpr (std::floating_point<T>)
      return value_of_key<T>(static_cast<std::int64_t>(static_cast<std::uint64_t>(key) -
                                                       static_cast<std::uint64_t>(outermost) +
                                                       static_cast<std::uint64_t>(key_of(first))));
    else
      return value_of_key<T>(key);
  }

  std::int64_t key_;
};

/// The largest value of T. Its limits are those of numeric_limits, or infinite.
template <class T>
class largest_of : public extreme_key {
public:
  using value_type = T;
  static constexpr char const* name = "maximum";
  static MPI_Op op() { return MPI_MAX; }

  largest_of() : largest_of(least_value()) {}
  void add(T value) noexcept { key_ = std::max(key_, moved_key(value, least_value(), outermost)); }
  void merge(largest_of const& other) noexcept { key_ = std::max(key_, other.key_); }
  T result() const noexcept {
    if constexpr (std::floating_point<T>)
      if (key_ > moved_key(-least_value(), least_value(), outermost))
        return std::numeric_limits<T>::quiet_NaN();
    return value_of_moved(key_, least_value(), outermost);
  }

protected:
  explicit largest_of(T at_least) : extreme_key(moved_key(at_least, least_value(), outermost)) {}

private:
  static constexpr auto outermost = std::numeric_limits<std::int64_t>::min();
  static constexpr T least_value() {
    using limits = std::numeric_limits<T>;
    return limits::has_infinity ? static_cast<T>(-limits::infinity()) : limits::lowest();
  }
};

/// The least value of T.
template <class T>
class least_of : public extreme_key {
public:
  using value_type = T;
  static constexpr char const* name = "minimum";
  static MPI_Op op() { return MPI_MIN; }

  least_of() : extreme_key(moved_key(largest_value(), largest_value(), outermost)) {}
  void add(T value) noexcept {
    key_ = std::min(key_, moved_key(value, largest_value(), outermost));
  }
  void merge(least_of const& other) noexcept { key_ = std::min(key_, other.key_); }
  T result() const noexcept {
    if constexpr (std::floating_point<T>)
      if (key_ < moved_key(-largest_value(), largest_value(), outermost))
        return std::numeric_limits<T>::quiet_NaN();
    return value_of_moved(key_, largest_value(), outermost);
  }

private:
  static constexpr auto outermost = std::numeric_limits<std::int64_t>::max();
  static constexpr T largest_value() {
    using limits = std::numeric_limits<T>;
    return limits::has_infinity ? limits::infinity() : limits::max();
  }
};

/// A type that holds the absolute value of every T.
template <class T>
using size_type_of =
    typename std::conditional_t<std::integral<T> && !std::same_as<T, bool>, std::make_unsigned<T>,
                                std::type_identity<T>>::type;

/// The largest absolute value of values of T.
template <class T>
class largest_size_of : public largest_of<size_type_of<T>> {
public:
  static constexpr char const* name = "maximum_norm";
  using value_type = T;
  using size_type = size_type_of<T>;

  largest_size_of() : largest_of<size_type>(size_type{}) {}
  void add(T value) noexcept { largest_of<size_type>::add(size_of(value)); }

private:
  static size_type size_of(T value) noexcept {
    if constexpr (std::floating_point<T>)
      return std::abs(value);
    else if constexpr (std::is_signed_v<T>)
      return value < 0 ? static_cast<size_type>(0 - static_cast<size_type>(value))
                       : static_cast<size_type>(value);
    else
      return value;
  }
};

/// For example "sum of integers".
template <class Accumulator>
std::string in_words() {
  return std::string(Accumulator::name) + " of " +
         (std::integral<typename Accumulator::value_type> ? "integers" : "floating-point numbers");
}

/// Throws usage_error on all ranks if their reductions differ.
/// Collective: over `over`.
/// @param own  this rank's reductions: "sum of integers"
void require_same_reduction(mpi::comm_view over, std::string const& own);

/// Combines the accumulators of all ranks: to a result, or a tuple of several.
/// Collective: over `over`.
template <class First, class... More>
auto over_all_ranks(mpi::comm_view over, First first, More... more) {
  constexpr int num_words = (First::num_words + ... + More::num_words);
  call_scope const here(First::name);
  if (checks_are_on())
    require_same_reduction(over, (in_words<First>() + ... + (", " + in_words<More>())));
  std::array<std::int64_t, num_words> words;
  auto const with_each = [&](auto const& visit) {
    std::int64_t* at = words.data();
    auto const visit_next = [&](auto& accumulator) {
      visit(accumulator, at);
      at += accumulator.num_words;
    };
    visit_next(first), (visit_next(more), ...);
  };
  with_each([](auto& accumulator, std::int64_t* at) { accumulator.write_to(at); });
  mpi::allreduce(over, std::span<std::int64_t>(words), First::op());
  with_each([](auto& accumulator, std::int64_t* at) { accumulator.read_from(at); });
  if constexpr (sizeof...(More) == 0)
    return first.result();
  else
    return std::tuple(first.result(), more.result()...);
}

/// Merges num_parts accumulators, each filled by add_part(p, accumulator).
///
/// @param in_parallel  calls a function of every part p from 0 to num_parts - 1
/// Local.
template <class Accumulator, class InParallel, class AddPart>
Accumulator accumulate_parts(int num_parts, InParallel const& in_parallel,
                             AddPart const& add_part) {
  std::vector<Accumulator> parts(num_parts);
  in_parallel([&, first = parts.data()](int p) {
    Accumulator own; // in memory that no other thread touches
    add_part(p, own);
    first[p] = own;
  });
  Accumulator all;
  for (Accumulator const& part : parts)
    all.merge(part);
  return all;
}

} // namespace seam::detail
