/// Gnuplot, a program that draws plots, as a child of this process.
#pragma once

#include <string>

namespace seam::detail {

/// True if gnuplot is found on PATH and runs. Local.
bool has_gnuplot();

/// Carries out a script, without the user's settings of gnuplot.
/// @throws usage_error  gnuplot does not run, or refuses the script
/// Local.
/// Cost: waits for the child.
void run_gnuplot(std::string const& script);

} // namespace seam::detail
