/// Series of the fields of a mesh: vtkhdf_series(mesh, std::tie(u, v), "flow.vtkhdf").
#pragma once

#include <seam/framework/files/vtkhdf_series.hpp>
#include <seam/framework/meshes/vtkhdf_mesh.hpp>

#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace seam::detail {

using written_mesh_fields = std::function<std::vector<written_mesh_field>()>;

/// @throws usage_error  as write(), or an older file is to be continued: another run may divide the
///         mesh otherwise (on all ranks)
/// Collective: over mesh.base().
std::shared_ptr<series_file> make_series(Mesh const& mesh, written_mesh_fields fields,
                                         std::string const& path, series_options const& options);

template <class... Fields>
std::shared_ptr<series_file> start_series(Mesh const& mesh,
                                          series_request<Fields...> const& wanted) {
  auto const now = [kept = std::tuple<std::remove_const_t<Fields>...>(wanted.fields)] {
    return all_described(kept);
  };
  return make_series(mesh, now, wanted.path, wanted.options);
}

} // namespace seam::detail
