/// Matrix rows: a sparse matrix that is divided over ranks by rows, as solvers take it.
#pragma once

#include <cstdint>
#include <vector>

namespace seam {

/// The rows that one rank gives. They are numbered rank by rank, and so are columns. A value.
struct matrix_rows {
  std::vector<std::int64_t> rows2entries{0}; ///< [num_rows() + 1] ascending from 0
  std::vector<std::int64_t> columns;         ///< [entries] global; those that are alike add up
  std::vector<double> values;                ///< [entries]

  std::int64_t num_rows() const noexcept { return std::ssize(rows2entries) - 1; }

  void add(std::int64_t column, double value) {
    columns.push_back(column);
    values.push_back(value);
  }
  void end_row() { rows2entries.push_back(std::ssize(columns)); }
};

/// Diffusion between cells or vertices: the balance of row i is matrix u = volumes f + sources for
/// -div(conductivity grad u) = f. The first entry of a row is its diagonal.
struct diffusion_system {
  matrix_rows matrix;
  std::vector<double> volumes; ///< [matrix.num_rows()] what a row stands for; 0: its value is given
  std::vector<double> sources; ///< [matrix.num_rows()] what flows in from given values and slopes
};

/// The matrix with `factor` times the row's volume added to each diagonal: with 1 / time step what
/// an implicit step solves. Local.
inline matrix_rows with_volumes(diffusion_system const& system, double factor) {
  matrix_rows shifted = system.matrix;
  for (std::size_t row = 0; row < system.volumes.size(); ++row)
    shifted.values[static_cast<std::size_t>(shifted.rows2entries[row])] +=
        factor * system.volumes[row];
  return shifted;
}

} // namespace seam
