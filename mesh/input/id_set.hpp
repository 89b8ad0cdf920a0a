/// Sets of ids: a bit for each id between the least and the largest where most of these are there, a
/// sorted list where they lie far apart. Ids of meshes mostly are dense, and sorting them takes longer
/// than reading them from a file.
#pragma once

#include <seam/exchange/numbering/ids.hpp>

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace seam::detail {

inline constexpr global_id no_id = std::numeric_limits<global_id>::max();

/// An immutable set.
/// Memory: at most that of the ids it is made from. [bytes]
class id_set {
public:
  /// @param ids  at least 0, in any order, repeated or not
  explicit id_set(std::span<global_id const> ids);

  bool contains(global_id id) const noexcept;

  /// All ids, ascending.
  std::vector<global_id> list() const;

  /// The least id that was given more than once; no_id if there is none.
  global_id least_duplicate() const noexcept { return least_duplicate_; }

private:
  void mark(std::span<global_id const> ids);

  global_id first_ = 0;              ///< of the first bit
  std::vector<std::uint64_t> words_; ///< of bits, or empty
  std::vector<global_id> sorted_;    ///< or empty
  global_id least_duplicate_ = no_id;
};

} // namespace seam::detail
