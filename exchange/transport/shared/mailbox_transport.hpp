/// The transport of blocking calls inside a node: through mailboxes, without MPI.
#pragma once

#include <seam/exchange/schedule/detail/schedule.hpp>
#include <seam/exchange/transport/mixed/mixed.hpp>
#include <seam/exchange/transport/shared/mailboxes.hpp>
#include <seam/exchange/transport/transport.hpp>

#include <memory>

namespace seam {

/// Which steps of a schedule go through mailboxes, and what carries them.
struct mailbox_steps {
  step_choice chosen;
  transport_maker make; ///< of these; its transports are started one after another
};

/// Chooses those of `steps` for which `all` has a mailbox, and room in it. All processes start what
/// they make of this in the same order, each start after the one before is complete.
///
/// @param context  lets the MPI library make progress during long waits
/// Local.
mailbox_steps through_mailboxes(mpi::comm_view context, std::shared_ptr<mailboxes> const& all,
                                schedule const& steps);

} // namespace seam
