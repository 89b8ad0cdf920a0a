/// HDF5 files with their groups, data sets and attributes, as VTKHDF needs them. All functions
/// throw an error that names HDF5's call and cause.
#pragma once

#include <seam/exchange/mpi/comm.hpp>
#include <seam/framework/files/detail/number_format.hpp>
#include <seam/framework/files/hdf5_object.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace seam::detail {

using hdf5_id = hdf5_object::id_type;

/// Numbers for each axis, slowest first. [at most 4]
using hdf5_extents = std::span<std::int64_t const>;

/// HDF5's predefined type for the format, which is not closed.
/// Local.
hdf5_id type_of(number_format const& format);

hdf5_object make_space(hdf5_extents extents);

/// Selects the box of `count` elements that begins at `start` in an array of `extents`.
/// Local.
hdf5_object make_selection(hdf5_extents extents, hdf5_extents start, hdf5_extents count);

/// Writes an attribute of `group`.
/// Local.
void put_numbers(hdf5_id group, char const* name, std::span<int const> values);
void put_numbers(hdf5_id group, char const* name, std::span<double const> values);
void put_number(hdf5_id group, char const* name, std::int64_t value);
void put_text(hdf5_id group, char const* name, std::string_view text);

hdf5_object create_group(hdf5_id parent, char const* name);

/// Creates a group with its links in its header, so that HDF5 writes a change of them at once.
/// Local.
hdf5_object create_compact_group(hdf5_id parent, char const* name);

/// Creates a group that no link leads to yet.
/// Local.
hdf5_object create_unlinked_group(hdf5_id file);

/// Creates another link to the object `name` of `from`, with the same name in `to`.
/// Local.
void link_member(hdf5_id from, hdf5_id to, std::string const& name);

/// Lets the link `name` of a compact group lead to `object`, and no longer to what it led to.
/// Local.
void replace_link(hdf5_id group, char const* name, hdf5_id object);

hdf5_object open_group(hdf5_id parent, char const* name);

bool has_member(hdf5_id group, std::string const& name);

/// Allocates a data set in the file without writing values. HDF5 stores no time, so that equal
/// values make equal files.
/// Local.
hdf5_object create_dataset(hdf5_id group, std::string const& name, number_format const& format,
                           hdf5_extents extents);

/// Creates a data set with values. Those of int64 have rows of `width` numbers, 0: they are a list.
/// Local.
void put_list(hdf5_id group, std::string const& name, std::span<std::int64_t const> values,
              std::int64_t width = 0);
void put_list(hdf5_id group, std::string const& name, std::span<double const> values);

/// Returns all numbers of a data set of one axis.
/// Local.
std::vector<double> read_list(hdf5_id dataset);

/// Returns the lengths of a data set's axes.
/// Local.
std::vector<std::int64_t> extents_of(hdf5_id dataset);

/// True if the numbers of a data set are stored in this format.
/// Local.
bool has_format(hdf5_id dataset, number_format const& format);

/// Returns where in the file the values of a data set lie that was created by create_dataset().
/// [bytes]
/// Local.
std::int64_t place_in_file(hdf5_id dataset);

/// @param path  from the file's root or from `parent`
hdf5_object open_dataset(hdf5_id parent, std::string const& path);

/// Creates a file, which replaces one of that name. It is not locked, since some file systems have
/// no locks and no other program uses the file.
/// Local.
hdf5_object create_file(std::string const& path);

/// Opens the file on all ranks to be written.
/// Collective: over `over`.
hdf5_object open_on_all(mpi::comm_view over, std::string const& path);

/// Opens an existing file only for the calling rank. Local.
hdf5_object open_alone(std::string const& path);

/// Writes all that HDF5 holds back of `file`.
/// Local.
void flush_file(hdf5_id file);

/// Writes this rank's box, which may be empty, from contiguous memory.
/// Collective: over the ranks that opened the file.
void write_box(hdf5_id dataset, number_format const& format, hdf5_extents extents,
               hdf5_extents start, hdf5_extents count, void const* values);

/// Properties of transfers that all ranks make together.
/// Local.
hdf5_object collective_transfer();

} // namespace seam::detail
