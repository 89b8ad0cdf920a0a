/// Sums of doubles that do not depend on their order, and so not on how many ranks have them.
///
///     double const heat = exact_sum(comm, heat_of_cells);
#pragma once

#include <seam/exchange/mpi/comm.hpp>

#include <span>

namespace seam {

/// The sum of all ranks' values: the same bits however they are divided. What lies more than 120
/// bits below the largest value is cut off; infinite or no number if a value is. Collective: over
/// `over`.
double exact_sum(mpi::comm_view over, std::span<double const> values);

} // namespace seam
