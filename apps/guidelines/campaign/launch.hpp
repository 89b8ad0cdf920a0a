/// The runs of a campaign: those that are not done are made, one after the other.
#pragma once

#include "campaign/folder.hpp"

namespace guidelines {

/// Makes all runs whose results are not there, or submits the job scripts if the environment says
/// so. Prints a line with the time left after each run. A run that fails or takes too long is left
/// as it is, with a line that says so, and the next begins.
///
/// @return  the number of runs that are still not done
int make_runs(campaign_folder const& made, path const& program);

} // namespace guidelines
