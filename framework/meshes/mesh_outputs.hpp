/// Outputs of a program that computes a field on a mesh: run_outputs(wanted, u, last).
#pragma once

#include <seam/framework/meshes/mesh_picture.hpp>
#include <seam/framework/meshes/mesh_series.hpp>
#include <seam/framework/meshes/vtkhdf_mesh.hpp>
#include <seam/framework/solve/outputs.hpp>

#include <array>
#include <cmath>
#include <string>
#include <tuple>
#include <type_traits>

namespace seam::detail {

template <class T>
std::string first_not_finite(MeshField<T> const& field) {
  auto const find = [&](local_id e, double value, std::string& found) {
    if (found.empty() && !std::isfinite(value))
      found = words_of_value(field.name(), value, std::array{field.entities().ids[e]});
  };
  std::string found;
  for (local_id e = 0; e < field.entities().num_owned; ++e)
    for (int component = 0; component < field.num_components(); ++component)
      if constexpr (std::is_floating_point_v<T>)
        find(e, field(e, component), found);
      else if constexpr (!std::is_arithmetic_v<T>)
        for (double const value : doubles_in(field(e, component)))
          find(e, value, found);
  return found;
}

/// Copies of a field are the same field, which the functions keep.
template <class T>
shown_field make_shown(field_to_show<MeshField<T>> const& shown) {
  MeshField<T> const& field = shown.field;
  return {field.mesh().base().context(),
          [field](std::string const& path) { write_png(field, path); },
          [field](std::string const& path) { write(field.mesh(), field, path); },
          [field](animation& to) { seam::add_frame(to, field); },
          [field](std::string const& path, series_options const& options) {
            return vtkhdf_series(field.mesh(), std::tie(field), path, options);
          },
          nullptr,
          [field] { return first_not_finite(field); }};
}

} // namespace seam::detail
