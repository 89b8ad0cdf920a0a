/// The transport of blocking calls inside a node: through mailboxes, without MPI.
#pragma once

#include <seam/exchange/schedule/detail/schedule.hpp>
#include <seam/exchange/transport/mixed/mixed.hpp>
#include <seam/exchange/transport/shared/mailboxes.hpp>
#include <seam/exchange/transport/transport.hpp>

#include <memory>

namespace seam {

/// The steps of a schedule that use mailboxes, and the maker of their transport.
struct mailbox_steps {
  step_choice chosen;
  transport_maker make; ///< for these steps; its transports are started one after another
};

/// Chooses the steps whose messages fit into the mailboxes `all`. All processes start the
/// transports made by the result in the same order, each start after the one before is complete.
///
/// @param context  lets the MPI library make progress during long waits
/// Local.
mailbox_steps through_mailboxes(mpi::comm_view context, std::shared_ptr<mailboxes> const& all,
                                schedule const& steps);

} // namespace seam
