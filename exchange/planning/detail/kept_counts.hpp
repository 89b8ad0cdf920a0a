/// The counts of a v-collective, kept as long as its operation.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>

namespace seam::detail {

/// A copy of the counts that a call was given. A few lie in the object itself, so that a call that
/// is made again and again allocates nothing; copies share the memory of more.
class kept_counts {
public:
  kept_counts() = default;
  explicit kept_counts(std::span<int const> given);

  std::span<int const> span() const noexcept;

private:
  std::array<int, 12> few_{};     ///< enough for the faces of cubes, by twos
  std::shared_ptr<int[]> many_{}; ///< all counts, if they do not fit into `few_`
  std::ptrdiff_t size_ = 0;
};

} // namespace seam::detail
