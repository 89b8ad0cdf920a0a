/// Outputs of a program that computes a field on a mesh: run_outputs(wanted, u, last).
#pragma once

#include <seam/framework/meshes/mesh_picture.hpp>
#include <seam/framework/meshes/mesh_series.hpp>
#include <seam/framework/meshes/vtkhdf_mesh.hpp>
#include <seam/framework/solve/outputs.hpp>

#include <string>
#include <tuple>

namespace seam::detail {

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
          nullptr};
}

} // namespace seam::detail
