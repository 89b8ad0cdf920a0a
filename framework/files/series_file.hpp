/// The file of a vtkhdf_series, and how the present values of its fields are written as a step.
#pragma once

#include <seam/exchange/mpi/comm.hpp>
#include <seam/framework/files/steps_file.hpp>
#include <seam/framework/files/vtkhdf_series.hpp>

namespace seam::detail {

struct series_file {
  steps_file steps;
  steps_file::writer write;
};

/// @throws usage_error  options differ between ranks, or there are no steps to expect (on all ranks)
/// Collective: over `over`.
void check_series_options(mpi::comm_view over, series_options const& options);

} // namespace seam::detail
