/// Located extremes: the least or largest of what kernels contribute, and the lowest index of a place
/// that contributes it.
#pragma once

#include <seam/exchange/mpi/detail/located_key.hpp>
#include <seam/exchange/steps/regions/three_axes.hpp>
#include <seam/exchange/sums/detail/accumulators.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

namespace seam::detail {

/// As Extreme, least_of or largest_of, which has its own order of keys, and where.
/// @tparam Result  {value, index}
template <class Extreme, class Result>
class located_extreme {
public:
  using value_type = typename Extreme::value_type;
  static constexpr bool is_located = true;
  static constexpr int num_words = 4;
  static constexpr char const* name = Extreme::name;
  static MPI_Op op() { return least_located(); }
  static MPI_Datatype type() { return located_type(); }

  void add(value_type value, index3 const& index) noexcept {
    Extreme one;
    one.add(value);
    std::int64_t key = 0;
    one.write_to(&key);
    merge_key({is_least ? clipped(key) : ~clipped(key), index[0], index[1], index[2]});
  }
  void merge(located_extreme const& other) noexcept { merge_key(other.least_); }
  void write_to(std::int64_t* words) const noexcept { std::ranges::copy(least_, words); }
  void read_from(std::int64_t const* words) noexcept {
    std::copy_n(words, num_words, least_.begin());
  }

  /// The value and its index; -1 on each axis if nothing was contributed.
  Result result() const noexcept {
    Extreme one;
    if (least_ == nothing)
      return Result::at(one.result(), {-1, -1, -1});
    std::int64_t const key = is_least ? least_[0] : ~least_[0];
    one.read_from(&key);
    return Result::at(one.result(), {least_[1], least_[2], least_[3]});
  }

private:
  static constexpr bool is_least = std::same_as<Extreme, least_of<value_type>>;
  static constexpr std::int64_t greatest = std::numeric_limits<std::int64_t>::max();
  static constexpr located_key nothing{greatest, greatest, greatest, greatest};

  /// The key; that of one NaN for all.
  static std::int64_t clipped(std::int64_t key) {
    Extreme one;
    one.read_from(&key);
    if (one.result() == one.result())
      return key;
    return is_least ? std::numeric_limits<std::int64_t>::min() : greatest;
  }

  void merge_key(located_key const& other) noexcept { least_ = std::min(least_, other); }

  located_key least_ = nothing;
};

} // namespace seam::detail
