#include <seam/framework/files/vtkhdf_series.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>
#include <seam/framework/files/hdf5_file.hpp>
#include <seam/framework/files/image_values.hpp>
#include <seam/framework/files/steps_file.hpp>

#include <fmt/format.h>

#include <utility>

namespace seam {
namespace detail {

namespace {

template <int D>
steps_layout layout_of(vtk_image const& image, std::span<written_field<D> const> fields) {
  steps_layout layout;
  for (auto const& field : fields) {
    layout.arrays.push_back({"PointData/" + field.name, field.format, array_extents(image), true});
    layout.numbers.push_back({.name = "PointDataOffsets/" + field.name, .stride = 1});
  }
  layout.constant_bytes = bytes_of_description(std::ssize(fields));
  layout.describe = [image](hdf5_id group) {
    describe_image(group, image, 2);
    create_group(group, "PointData");
  };
  layout.write_constants = [](std::string const&) {};
  return layout;
}

} // namespace

void check_series_options(mpi::comm_view over, series_options const& options) {
  require_same(over, "vtkhdf: series",
               fmt::format("{} steps, from {}", options.expected_steps,
                           options.continue_at ? fmt::format("{}", *options.continue_at) : "none"));
  if (options.expected_steps < 1)
    throw usage_error(fmt::format("vtkhdf: {} expected steps (expected at least 1)",
                                  options.expected_steps),
                      true);
}

template <int D>
std::shared_ptr<series_file> make_series(Grid<D> const& grid, written_fields<D> fields,
                                         std::string const& path, series_options const& options) {
  call_scope const here("vtkhdf_series", *grid.base().calls());
  mpi::comm_view const over = grid.base().context();
  check_series_options(over, options);
  auto const first = fields();
  require_same(over, "vtkhdf: fields", in_words<D>(first));
  collectively(over, [&] { check_written_fields<D>(grid, first); });
  auto const image = image_of(grid);
  auto write = [over, image, fields = std::move(fields)](
                   std::string const& place, std::int64_t num_places, std::int64_t step) {
    write_image_values<D>(over, place, image, fields(), {num_places, step});
  };
  return std::shared_ptr<series_file>(
      new series_file{steps_file(over, path, layout_of<D>(image, first), options.expected_steps,
                                 options.continue_at),
                      std::move(write)});
}

template std::shared_ptr<series_file> make_series(Grid<1> const&, written_fields<1>,
                                                  std::string const&, series_options const&);
template std::shared_ptr<series_file> make_series(Grid<2> const&, written_fields<2>,
                                                  std::string const&, series_options const&);
template std::shared_ptr<series_file> make_series(Grid<3> const&, written_fields<3>,
                                                  std::string const&, series_options const&);

} // namespace detail

void vtkhdf_series::append(double time) {
  detail::call_scope const here("vtkhdf_series::append");
  file_->steps.append(time, file_->write);
}

void vtkhdf_series::finish() {
  detail::call_scope const here("vtkhdf_series::finish");
  file_->steps.finish();
}

std::int64_t vtkhdf_series::num_steps() const noexcept { return file_->steps.num_steps(); }

} // namespace seam
