/// The values of a grid's fields in the arrays of a VTKHDF file, with or without an axis of steps.
#pragma once

#include <seam/framework/files/hdf5_object.hpp>
#include <seam/framework/files/vtk_image.hpp>
#include <seam/framework/files/vtkhdf.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace seam::detail {

/// For how many steps in time the arrays of a file have space, and which step is meant. Arrays
/// without steps are as these first values say.
struct step_place {
  std::int64_t num_places = 0; ///< 0: the arrays have no axis of steps
  std::int64_t step = 0;
};

/// The extents of an image's array, slowest axis first.
/// @param num_places  of steps, as above
/// Local.
std::vector<std::int64_t> array_extents(vtk_image const& image, std::int64_t num_places = 0);

/// Writes the attributes of an image into the group VTKHDF.
/// @param major  of the format's version: 2 if there are steps, else 1
/// Local.
void describe_image(hdf5_object::id_type group, vtk_image const& image, int major);

/// Writes all owned values of `fields` into the arrays of the file at `path`, which are there.
/// @throws usage_error  HDF5 cannot write (on all ranks)
/// Collective: over `over`, the ranks of the fields' grid.
template <int D>
void write_image_values(mpi::comm_view over, std::string const& path, vtk_image const& image,
                        std::span<written_field<D> const> fields, step_place const& where = {});

/// The number of bytes that the arrays of `fields` need for one step.
/// Local.
template <int D>
std::int64_t value_bytes(vtk_image const& image, std::span<written_field<D> const> fields);

/// Checks that all fields belong to `grid` and have different names that files can hold.
/// @throws usage_error  one does not
/// Local.
template <int D>
void check_written_fields(Grid<D> const& grid, std::span<written_field<D> const> fields);

/// The fields' names and formats, for comparisons between ranks.
/// Local.
template <int D>
std::string in_words(std::span<written_field<D> const> fields);

/// Bytes of a file's description, at most.
/// Local.
constexpr std::int64_t bytes_of_description(std::int64_t num_fields) {
  return 4096 + 1024 * num_fields;
}

} // namespace seam::detail
