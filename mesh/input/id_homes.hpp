/// Homes of ids: each id of the whole domain is sent to a rank that follows from the id alone.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/numbering/ids.hpp>
#include <seam/mesh/input/id_set.hpp>

#include <span>

namespace seam::detail {

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
