/// HDF5's reading of files that may be damaged. Its own drivers read zeros beyond the end of a
/// file, so that a damaged length of gigabytes takes as much memory; the driver here fails.
#pragma once

#include <seam/framework/files/hdf5_object.hpp>

namespace seam::detail {

/// Makes H5Fopen(), given these properties of access, open the file for reading only and fail
/// wherever it would read beyond the file's end. The file is not locked.
/// Local.
void read_within_file(hdf5_object const& access);

} // namespace seam::detail
