/// Matrix rows: a sparse matrix that is divided over ranks by rows.
///
///     |  2 -1       |   rank 0: rows2entries 0 2 5, columns 0 1  1 0 2, values 2 -1  2 -1 -1
///     | -1  2 -1    |
///     +-------------+
///     |    -1  2 -1 |   rank 1: rows2entries 0 3 5, columns 2 1 3  3 2, values 2 -1 -1  2 -1
///     |       -1  2 |
#pragma once

#include <cstdint>
#include <vector>

namespace seam {

/// The rows of one rank. Rows and columns are numbered rank by rank. A value.
struct matrix_rows {
  std::vector<std::int64_t> rows2entries{0}; ///< [num_rows() + 1] ascending from 0
  std::vector<std::int64_t> columns; ///< [entries] global; values of equal columns are added
  std::vector<double> values;        ///< [entries]

  std::int64_t num_rows() const noexcept { return std::ssize(rows2entries) - 1; }

  void add(std::int64_t column, double value) {
    columns.push_back(column);
    values.push_back(value);
  }
  void end_row() { rows2entries.push_back(std::ssize(columns)); }
};

/// Diffusion between cells or vertices: matrix u = volumes f + sources stands for
/// -div(conductivity grad u) = f. The first entry of a row is its diagonal.
struct diffusion_system {
  matrix_rows matrix;
  std::vector<double> volumes; ///< [matrix.num_rows()] volume of the row; 0: its value is given
  std::vector<double> sources; ///< [matrix.num_rows()] inflow from given values and slopes
};

/// Adds `factor` times the row's volume to each diagonal; the factor 1 / time step gives the matrix
/// of an implicit step.
/// Local.
inline matrix_rows with_volumes(diffusion_system const& system, double factor) {
  matrix_rows shifted = system.matrix;
  for (std::int64_t row = 0; row < std::ssize(system.volumes); ++row)
    shifted.values[shifted.rows2entries[row]] += factor * system.volumes[row];
  return shifted;
}

} // namespace seam
