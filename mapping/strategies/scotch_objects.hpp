/// Scotch's objects, and what mappings by Scotch and by PT-Scotch set up alike.
#pragma once

#include <seam/exchange/ground/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdio> // which scotch.h needs
#include <numeric>
#include <span>
#include <vector>

#include <scotch.h>

namespace seam::detail {

/// The share by which a part may differ from its size before sizes are made exact. Scotch finds a
/// smaller volume between parts that need not be exact.
inline constexpr double imbalance = 0.02;

inline void check_scotch(int outcome, char const* call) {
  if (outcome != 0)
    refuse(fmt::format("mapping: {} failed", call));
}

/// An object of Scotch, which ends with this one.
template <class Object, auto init, auto exit>
class scotch_object {
public:
  template <class... Arguments>
  explicit scotch_object(Arguments... arguments) {
    check_scotch(init(&object_, arguments...), "an initialization of Scotch");
  }
  scotch_object(scotch_object const&) = delete;
  scotch_object& operator=(scotch_object const&) = delete;
  ~scotch_object() { exit(&object_); }
  Object* get() { return &object_; }

private:
  Object object_{};
};
using scotch_graph = scotch_object<SCOTCH_Graph, SCOTCH_graphInit, SCOTCH_graphExit>;
using scotch_strategy = scotch_object<SCOTCH_Strat, SCOTCH_stratInit, SCOTCH_stratExit>;
using scotch_architecture = scotch_object<SCOTCH_Arch, SCOTCH_archInit, SCOTCH_archExit>;

/// Makes the results of Scotch the same every time: one thread and its own random generator.
class scotch_context
    : public scotch_object<SCOTCH_Context, SCOTCH_contextInit, SCOTCH_contextExit> {
public:
  scotch_context() {
    if (SCOTCH_numSizeof() != static_cast<int>(sizeof(SCOTCH_Num)))
      refuse("mapping: Scotch's library and its header disagree on the size of a number");
    check_scotch(SCOTCH_contextOptionSetNum(get(), SCOTCH_OPTIONNUMDETERMINISTIC, 1),
                 "SCOTCH_contextOptionSetNum");
    check_scotch(SCOTCH_contextThreadSpawn(get(), 1, nullptr), "SCOTCH_contextThreadSpawn");
    check_scotch(SCOTCH_contextRandomClone(get()), "SCOTCH_contextRandomClone");
    SCOTCH_contextRandomSeed(get(), 1);
    SCOTCH_contextRandomReset(get());
  }
};

/// Weights as Scotch takes them: at least 1, and scaled down where `sum`, the sum of all of them,
/// is too large for its numbers.
inline std::vector<SCOTCH_Num> scaled(std::span<std::int64_t const> weights, double sum) {
  constexpr double most = 1 << 29;
  double const unit = std::max(1.0, sum / most);
  std::vector<SCOTCH_Num> numbers;
  for (auto const weight : weights)
    numbers.push_back(std::max(1, static_cast<SCOTCH_Num>(static_cast<double>(weight) / unit)));
  return numbers;
}

inline double sum_of(std::span<std::int64_t const> weights) {
  return std::accumulate(weights.begin(), weights.end(), 0.0);
}

/// Builds processors of these sizes, all at the same distance from each other.
inline void build_flat(scotch_architecture& onto, std::span<int const> sizes) {
  check_scotch(SCOTCH_archCmpltw(onto.get(), static_cast<int>(sizes.size()), sizes.data()),
               "SCOTCH_archCmpltw");
}

} // namespace seam::detail
