/// The rival: the field in one data set of a file of HDF5, written by all ranks together.
#pragma once

#include <seam/grid.hpp>

#include <string>

namespace bench {

/// Writes the owned values of a field, closes the file and flushes it to the disk on every rank.
/// Collective: over the grid.
void write_plainly(seam::Field<double, 3> const& field, std::string const& path);

} // namespace bench
