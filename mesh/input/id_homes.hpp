/// Homes of ids: each id of the whole domain is sent to a rank that follows from the id alone.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/numbering/ids.hpp>

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace seam::detail {

inline constexpr global_id no_id = std::numeric_limits<global_id>::max();

/// An immutable set: a bit for each id between the least and the largest where most of these are there, a
/// sorted list where they lie far apart. Ids of meshes mostly are dense, and sorting them takes longer
/// than reading them from a file.
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

/// The home rank of an id. Consecutive ids, and ids with a common divisor, are spread over ranks.
int home_of_id(global_id id, int num_ranks) noexcept;

/// The ids of all ranks, each at its home.
/// Memory: about the number of all ids over the number of ranks.
class id_homes {
public:
  /// @param ids  this rank's, in any order
  /// Collective: over `over`, as are all members; it outlives this object.
  id_homes(Communicator const& over, std::span<global_id const> ids);

  /// The least id that was given twice, by one rank or by two; no_id if there is none.
  global_id least_duplicate() const;

  /// The least of all ranks' `ids` that was not given; no_id if there is none.
  /// @param ids  in any order, repeated or not
  global_id least_missing(std::span<global_id const> ids) const;

private:
  Communicator const& over_;
  id_set here_;
};

} // namespace seam::detail
