/// A program of steps on all parts of a mesh in which each value matters.
#pragma once

#include <seam/mesh.hpp>

#include <cmath>
#include <vector>

namespace seam::testing {

/// Keeps numbers from growing, and from coming to rest: what differs a little differs a lot later.
inline double stirred(double x) { return 5.3 * x - std::floor(5.3 * x); }
inline double first_value(global_id id) {
  return stirred(0.37 * static_cast<double>(id % 101) - 11);
}

/// Fields on all parts of a mesh, and a program of their kernels.
struct stirring_program {
  stirring_program(Mesh const& mesh, bool has_colors)
      : of_vertices(mesh.field<double>("of vertices", vertices)),
        of_sides(mesh.field<double>("of sides", sides)),
        of_cells(mesh.field<double>("of cells", cells)),
        step(mesh) {
    auto const mixes = SEAM_KERNEL(auto to, auto from) {
      double sum = 0.5 * to();
      for (int k = 0; k < from.count(); ++k)
        sum += (1 + 0.25 * k) * from(k);
      to = stirred(sum);
    };
    step.each("sides", modifies(of_sides), reads(of_cells, cells), mixes);
    if (has_colors)
      step.each(
              "smooth", modifies(of_vertices, vertices),
              SEAM_KERNEL(auto to) {
                double sum = to();
                for (int k = 0; k < to.count(); ++k)
                  sum += (1 + 0.5 * k) * to(k);
                to = stirred(sum);
              })
          .in_colors();
    else
      step.each("vertices", updates(of_vertices), reads(of_sides, sides), mixes);
    step.each(
        "flux", mesh.inner(sides), reads(of_vertices, vertices), adds(of_cells, cells),
        SEAM_KERNEL(auto v, auto c) {
          c(0) += stirred(v(0) + 0.7 * v(1));
          c(1) -= stirred(v(0) - 0.3 * v(1));
        });
    step.each(
        "cells", updates(of_cells, cells), SEAM_KERNEL(auto c) {
          double sum = c();
          for (int k = 0; k < c.count(); ++k)
            sum -= 0.3 * (1 + k) * c(k);
          c = stirred(sum);
        });
  }

  std::vector<MeshField<double>> fields() const { return {of_vertices, of_sides, of_cells}; }

  MeshField<double> of_vertices, of_sides, of_cells;
  Steps<on_mesh> step;
};

} // namespace seam::testing
