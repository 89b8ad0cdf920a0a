// Stands in for petsc.cpp where there is no PETSc.
#include "implicit_steps.hpp"

#include <seam/exchange/error.hpp>

namespace diffuse {

std::unique_ptr<implicit_steps> make_implicit_steps(finite_volumes const&,
                                                    seam::MeshField<double> const&, double) {
  throw seam::usage_error("--implicit: seam was built without PETSc (expected a build with it)",
                          true);
}

} // namespace diffuse
