/// Steps in time for ParaView: one VTKHDF file with the fields of a grid or, with
/// <seam/mesh_files.hpp>, of a mesh at several times.
///
///     vtkhdf_series series(grid, std::tie(u, v), "flow.vtkhdf", {.expected_steps = 101});
///     series.append(0);                                 // u and v as they are now
///     while (...) {
///       ...
///       series.append(time);
///     }
///     series.finish();
///
/// Between two calls the file at `path` is whole, and has all steps that were appended; so it is if
/// the run is killed, also while it appends: then the last step may be missing. After an error the
/// file has the steps before.
///
/// The format is VTKHDF 2.0, which ParaView 5.12 and VTK 9.3 read, if there are two steps at least.
/// Older ones read numbered files (file_series.hpp). Values lie as in the files of write(): those of
/// a grid at the points of an image, where values on faces or corners become values of the cells on
/// whose low sides they lie; those of a mesh on cells or vertices. What a mesh consists of is stored
/// once for all steps.
#pragma once

#include <seam/framework/files/vtkhdf.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace seam {

/// Options of a series, the same on all ranks.
struct series_options {
  /// Steps that the file has space for at first; with more it is copied to one of twice the size.
  std::int64_t expected_steps = 16;

  /// Continues an older file of a grid after its steps with times below this; without it an older
  /// file is replaced.
  std::optional<double> continue_at = {};
};

namespace detail {

struct series_file;

/// The arguments for a series, besides its grid or mesh.
template <class... Fields>
struct series_request {
  std::tuple<Fields&...> const& fields;
  std::string const& path;
  series_options const& options;
};

template <int D>
using written_fields = std::function<std::vector<written_field<D>>()>;

template <int D>
std::shared_ptr<series_file> make_series(Grid<D> const& grid, written_fields<D> fields,
                                         std::string const& path, series_options const& options);

template <int D, class... Fields>
std::shared_ptr<series_file> start_series(Grid<D> const& grid,
                                          series_request<Fields...> const& wanted) {
  auto const now = [kept = std::tuple<std::remove_const_t<Fields>...>(wanted.fields)] {
    std::vector<written_field<D>> all;
    std::apply([&](auto const&... field) { (append_written(all, field), ...); }, kept);
    return all;
  };
  return make_series<D>(grid, now, wanted.path, wanted.options);
}

} // namespace detail

/// A file of steps. Copies are the same file.
/// Threads: one at a time.
class vtkhdf_series {
public:
  /// Lays the file out, which the first append() puts in its place.
  ///
  /// @param domain  the Grid, or the Mesh, of all fields
  /// @param fields  std::tie(u, v, ...), as for write(); this object keeps them
  /// @throws usage_error  as write(), `expected_steps` is below 1, or the older file that is to be
  ///         continued has other fields or is one of a mesh (on all ranks)
  /// Collective: over the grid, or mesh.base(), which outlives this object.
  template <class Domain, class... Fields>
  vtkhdf_series(Domain const& domain, std::tuple<Fields&...> const& fields, std::string const& path,
                series_options const& options = {})
      : file_(start_series(domain, detail::series_request<Fields...>{fields, path, options})) {}

  /// Appends the present values of the fields as a step.
  /// @param time  a finite number above that of the step before, the same on all ranks
  /// @throws usage_error  it is not, or the step cannot be written (on all ranks)
  /// Collective: over the grid or mesh.
  /// Cost: each rank writes its own values, and waits for the disk.
  void append(double time);

  /// Gives back the space for steps that did not come. Without it the file is as good, but longer.
  /// @throws usage_error  the file cannot be written (on all ranks)
  /// Collective: over the grid or mesh.
  /// Cost: copies the file if there is such space.
  void finish();

  /// The number of steps in the file.
  /// Local.
  std::int64_t num_steps() const noexcept;

private:
  std::shared_ptr<detail::series_file> file_;
};

} // namespace seam
