#include <seam/framework/meshes/read_mesh.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>
#include <seam/framework/meshes/vtkhdf_mesh_input.hpp>
#include <seam/mesh/input/gmsh.hpp>

#include <fmt/format.h>

#include <cstdio>

namespace seam {
using namespace detail;

namespace {

mesh_input read_by_suffix(Communicator const& over, std::string const& path) {
  if (path.ends_with(".msh"))
    return read_gmsh(over, path);
  if (path.ends_with(".vtkhdf") || path.ends_with(".hdf"))
    return read_vtkhdf(over, path).mesh;
  throw usage_error(fmt::format("input: the suffix of '{}' (expected .msh, .vtkhdf or .hdf)", path),
                    true);
}

} // namespace

mesh_input read_mesh(Communicator const& over, std::string const& path) {
  detail::call_scope const here("read_mesh");
  mesh_input found = read_by_suffix(over, path);
  if (over.rank() == 0)
    for (std::string const& note : found.notes)
      fmt::print(stderr, "{}\n", note);
  return found;
}

} // namespace seam
