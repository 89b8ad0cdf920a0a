/// Boundary files: a boundary condition for each side of the domain, in lines of text.
///
///     # side  condition  value             x is the grid's last axis, y the one before it
///     x-      dirichlet  1.0               the solution is 1 on the left side
///     y+      neumann    0                 it does not change across the upper side
///     x+      dirichlet  along y 0 1 0.5   from 0 below over 1 in the middle to 0.5 above
#pragma once

#include <seam/grid.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace jacobi {

/// A function on a side: a constant, or samples evenly spaced from 0 to 1 along an axis and linear
/// between them.
class profile {
public:
  /// @param samples  [at least 1], in the order of the coordinate on `axis`
  profile(int axis, std::vector<double> samples)
      : axis_(axis), samples_(std::make_shared<std::vector<double> const>(std::move(samples))) {}

  /// The value at a point of the unit square or cube.
  template <std::size_t D>
  double operator()(std::array<double, D> const& point) const {
    return at(point[axis_]);
  }

private:
  double at(double coordinate) const;

  int axis_;
  std::shared_ptr<std::vector<double> const> samples_; ///< shared, so that copies allocate nothing
};

/// The boundary condition on one side of the domain.
struct boundary_side {
  int axis; ///< axis of the grid
  seam::side end;
  bool is_dirichlet; ///< the profile gives the values, else the slopes along the outward normal
  profile values;

  template <int D>
  void apply_to(seam::Field<double, D>& field) const {
    if (is_dirichlet)
      field.boundary(axis, end, seam::dirichlet(values));
    else
      field.boundary(axis, end, seam::neumann(values));
  }
};

/// Parses the text of a boundary file, which must describe each of the 2 num_axes sides once.
///
/// @param name  name of the file for error lines: "name:line:column: ..."
/// @throws seam::usage_error  a line is malformed, a side is missing or given twice, or none has a
///         dirichlet condition, without which there is no unique solution
/// Local.
std::vector<boundary_side> parse_boundary(std::string_view text, std::string const& name,
                                          int num_axes);

/// Reads and parses a boundary file; returns no sides if `path` is empty.
/// @throws seam::usage_error  as parse_boundary(), or the file cannot be read (on all ranks)
/// Collective: over `over`.
std::vector<boundary_side> read_boundary(seam::mpi::comm_view over, std::string const& path,
                                         int num_axes);

} // namespace jacobi
