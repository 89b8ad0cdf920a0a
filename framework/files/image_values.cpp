#include <seam/framework/files/image_values.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/communicator/endpoints.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/framework/files/field_names.hpp>
#include <seam/framework/files/hdf5_file.hpp>

#include <fmt/format.h>
#include <hdf5.h>

namespace seam::detail {
namespace {

template <int D>
std::vector<std::int64_t> sizes_of(cell_index<D> const& given, std::int64_t missing) {
  auto const all = on_three_axes(given, missing);
  return {all.begin(), all.end()};
}

void put_vector(hid_t group, char const* name, std::array<double, 3> const& slowest_first) {
  auto const [z, y, x] = slowest_first;
  put_numbers(group, name, std::array{x, y, z});
}

/// The index of the last point on an axis.
int last_of(std::int64_t points) { return mpi::narrow(points - 1, "vtkhdf: extent of the grid"); }

/// Puts the axis of steps before the three others, if there is one.
std::vector<std::int64_t> with_step(step_place const& where, std::int64_t index,
                                    std::vector<std::int64_t> axes) {
  if (where.num_places > 0)
    axes.insert(axes.begin(), index);
  return axes;
}

/// Writes this rank's cells to their points, moved by `shift`.
/// Collective: over the grid.
template <int D>
void write_block(hid_t dataset, vtk_image const& image, written_field<D> const& field,
                 cell_index<3> const& shift, step_place const& where, hid_t transfer) {
  box<D> const owned = field.grid.owned();
  auto const count = sizes_of<D>(owned.extents(), 1);
  auto start = sizes_of<D>(owned.lo, 0);
  for (int a = 0; a < 3; ++a)
    start[a] += shift[a];
  auto const memory = make_selection(sizes_of<D>(field.stored.extents(), 1),
                                     sizes_of<D>(field.ghosts.below, 0), count);
  auto const file = make_selection(array_extents(image, where.num_places),
                                   with_step(where, where.step, start), with_step(where, 1, count));
  check_hdf5(H5Dwrite(dataset, type_of(field.format), memory, file, transfer, field.data),
             "H5Dwrite");
}

/// Writes the values of `fields` where ranks are endpoints, one rank after the other, since HDF5
/// takes calls of one thread at a time, and knows processes alone. Collective: over `over`.
template <int D>
void write_values_in_turn(mpi::comm_view over, std::string const& path, vtk_image const& image,
                          std::span<written_field<D> const> fields, step_place const& where) {
  auto const write_own = [&] {
    hdf5_turn const turn;
    auto file = open_alone(path);
    for (auto const& field : fields) {
      auto const dataset = open_dataset(file, "/VTKHDF/PointData/" + field.name);
      for_each_cell(box<3>{{}, image.copies}, [&](cell_index<3> const& shift) {
        write_block(dataset, image, field, shift, where, H5P_DEFAULT);
      });
    }
    file.close("H5Fclose");
  };
  for (int rank = 0; rank < over.size(); ++rank)
    collectively(over, [&] {
      if (rank == over.rank())
        write_own();
    });
}

} // namespace

std::vector<std::int64_t> array_extents(vtk_image const& image, std::int64_t num_places) {
  return with_step({num_places, 0}, num_places, {image.points.begin(), image.points.end()});
}

void describe_image(hid_t group, vtk_image const& image, int major) {
  std::array const version{major, 0};
  std::array const extent{0, last_of(image.points[2]), 0, last_of(image.points[1]),
                          0, last_of(image.points[0])};
  std::array const direction{1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
  put_numbers(group, "Version", version);
  put_text(group, "Type", "ImageData");
  put_numbers(group, "WholeExtent", extent);
  put_vector(group, "Origin", image.origin);
  put_vector(group, "Spacing", image.spacing);
  put_numbers(group, "Direction", direction);
}

// After each step all ranks agree, so that none begins the next alone.
template <int D>
void write_image_values(mpi::comm_view over, std::string const& path, vtk_image const& image,
                        std::span<written_field<D> const> fields, step_place const& where) {
  if (is_of_endpoints(over))
    return write_values_in_turn(over, path, image, fields, where);
  quiet_hdf5 const quiet;
  auto file = collectively(over, [&] { return open_on_all(over, path); });
  for (auto const& field : fields) {
    auto const dataset =
        collectively(over, [&] { return open_dataset(file, "/VTKHDF/PointData/" + field.name); });
    for_each_cell(box<3>{{}, image.copies}, [&](cell_index<3> const& shift) {
      collectively(over, [&] {
        write_block(dataset, image, field, shift, where, collective_transfer());
      });
    });
  }
  collectively(over, [&] { file.close("H5Fclose"); });
}

template <int D>
std::int64_t value_bytes(vtk_image const& image, std::span<written_field<D> const> fields) {
  std::int64_t bytes = 0;
  for (auto const& field : fields)
    bytes += image.num_points() * field.format.bytes;
  return bytes;
}

template <int D>
void check_written_fields(Grid<D> const& grid, std::span<written_field<D> const> fields) {
  std::vector<std::string> names;
  for (auto const& field : fields) {
    if (!(field.grid == grid))
      refuse(fmt::format("vtkhdf: field '{}' belongs to another grid", field.name));
    names.push_back(field.name);
  }
  check_field_names(names);
}

template <int D>
std::string in_words(std::span<written_field<D> const> fields) {
  std::string words;
  for (auto const& field : fields)
    words += fmt::format("{}{}{}{} ", field.name, field.format.is_floating ? ":float" : ":int",
                         field.format.is_signed ? "" : "-unsigned", 8 * field.format.bytes);
  return words;
}

#define SEAM_INSTANTIATE(D)                                                                        \
  template void write_image_values(mpi::comm_view, std::string const&, vtk_image const&,           \
                                   std::span<written_field<D> const>, step_place const&);          \
  template std::int64_t value_bytes(vtk_image const&, std::span<written_field<D> const>);          \
  template void check_written_fields(Grid<D> const&, std::span<written_field<D> const>);           \
  template std::string in_words(std::span<written_field<D> const>)
SEAM_INSTANTIATE(1);
SEAM_INSTANTIATE(2);
SEAM_INSTANTIATE(3);
#undef SEAM_INSTANTIATE

} // namespace seam::detail
