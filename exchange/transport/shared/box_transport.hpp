/// The transport of blocking calls inside a node: through boxes, without MPI.
#pragma once

#include <seam/exchange/schedule/detail/schedule.hpp>
#include <seam/exchange/transport/mixed/mixed.hpp>
#include <seam/exchange/transport/shared/boxes.hpp>
#include <seam/exchange/transport/transport.hpp>

#include <memory>

namespace seam {

/// Which steps of a schedule go through boxes, and what carries them.
struct boxed_steps {
  step_choice chosen;
  transport_maker make; ///< of these; its transports are started one after another
};

/// Chooses those of `steps` for which `all` has a box, and room in it. All processes start what
/// they make of this in the same order, each start after the one before is complete.
///
/// @param context  lets the MPI library make progress during long waits
/// Local.
boxed_steps through_boxes(mpi::comm_view context, std::shared_ptr<boxes> const& all,
                          schedule const& steps);

} // namespace seam
