/// Tags of persistent operations: each operation has its own in the context of its communicator
/// as long as it exists, in whatever order operations are started.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>

#include <memory>

namespace seam::detail {

/// Tags that no other operation gets while `hold` or a copy of it lives.
struct operation_tags {
  int first;
  std::shared_ptr<void const> hold;
};

/// Draws `count` successive tags for one more operation on `over`.
///
/// @param count  the same on all ranks
/// @throws usage_error  operations that live have too many; the same on all ranks
/// Collective: over `over`, in the order of its operations.
/// Cost: no message until all tags have been drawn once, then one reduction or some.
operation_tags draw_operation_tags(Communicator const& over, int count);

} // namespace seam::detail
