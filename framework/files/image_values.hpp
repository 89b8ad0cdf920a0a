/// The values of a grid's fields in the arrays of a VTKHDF file, with or without an axis of steps. To
/// VTK the cells are points of an image in three dimensions, for the reasons in vtkhdf.hpp.
#pragma once

#include <seam/framework/files/hdf5_object.hpp>
#include <seam/framework/files/vtkhdf.hpp>
#include <seam/stencil/fields/grid.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace seam::detail {

/// A box of evenly spaced points; every list has the slowest axis first, which is VTK's z.
struct vtk_image {
  std::array<std::int64_t, 3> points; ///< at least 2 on each axis
  std::array<std::int64_t, 3> copies; ///< points of a cell on an axis: 2 if it is alone, else 1
  std::array<double, 3> origin;       ///< the first point [unit of length]
  std::array<double, 3> spacing;      ///< distance of neighbors [unit of length]

  std::int64_t num_points() const { return points[0] * points[1] * points[2]; }
};

/// Extends `given` to three axes, slowest first, with `missing` on those that a grid does not have.
template <class T, std::size_t D>
std::array<T, 3> on_three_axes(std::array<T, D> const& given, T missing) {
  std::array<T, 3> all;
  all.fill(missing);
  std::copy(given.begin(), given.end(), all.end() - D);
  return all;
}

/// Makes the image of `grid` from the centers of its cells; on an axis with one cell, and on a
/// missing one, from the two faces of the cell. On a missing axis a cell is as wide as on the last.
/// Local.
template <int D>
vtk_image image_of(Grid<D> const& grid) {
  vtk_image image{.points = on_three_axes(grid.cells(), std::int64_t{1}),
                  .copies = {1, 1, 1},
                  .origin = on_three_axes(grid.geometry().lower, 0.0),
                  .spacing = on_three_axes(grid.spacing(), grid.spacing().back())};
  for (int a = 0; a < 3; ++a) {
    if (image.points[a] == 1)
      image.points[a] = image.copies[a] = 2;
    else
      image.origin[a] += 0.5 * image.spacing[a];
  }
  return image;
}

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
