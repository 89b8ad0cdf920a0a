/// The ids that a file has for vertices and cells that are numbered anew.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/numbering/ids.hpp>

#include <span>
#include <vector>

namespace seam::detail {

/// A numbering from 0 on: each rank knows the old ids of as many new ones as others, in their order.
class old_ids {
public:
  old_ids() = default;

  /// @param ids, old  [entities of this rank] the new id of each, and the old one
  /// Collective: over `over`.
  old_ids(Communicator const& over, std::span<global_id const> ids, std::span<global_id const> old);

  /// The old ids of any new ones. [ids.size()]
  /// Collective: over the same ranks.
  std::vector<global_id> of(Communicator const& over, std::span<global_id const> ids) const;

private:
  std::int64_t total_ = 0;
  std::vector<global_id> here_; ///< of this rank's share of the new ids
};

struct file_numbers {
  old_ids vertices, cells;
};

} // namespace seam::detail
