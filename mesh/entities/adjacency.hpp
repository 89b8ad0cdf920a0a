/// Adjacency: for each entity of one kind the entities of another kind that it touches, in
/// compressed rows.
///
///     for (local_id const v : cells2vertices[c])
///       sum += values[v];
///
///     a2ab   0   3   5         row 0: ab2b[0], ab2b[1], ab2b[2]
///     ab2b   7 2 9 | 2 4       row 1: ab2b[3], ab2b[4]
#pragma once

#include <seam/exchange/numbering/ids.hpp>

#include <span>
#include <vector>

namespace seam {

/// Rows of b's, one for each a: row a is ab2b[a2ab[a]] to ab2b[a2ab[a + 1] - 1]. A value.
struct adjacency {
  std::vector<std::int64_t> a2ab = {0}; ///< [num_rows() + 1] ascending from 0
  std::vector<local_id> ab2b;           ///< [a2ab.back()]

  local_id num_rows() const noexcept { return static_cast<local_id>(a2ab.size()) - 1; }

  std::span<local_id const> operator[](local_id row) const noexcept {
    return {ab2b.data() + a2ab[row], static_cast<std::size_t>(a2ab[row + 1] - a2ab[row])};
  }

  /// Ends the row to which targets have been appended.
  void end_row() { a2ab.push_back(static_cast<std::int64_t>(ab2b.size())); }

  friend bool operator==(adjacency const&, adjacency const&) = default;
};

/// The inverse: for each b the a's that have it in their rows, ascending.
/// Local.
adjacency invert(adjacency const& a2b, local_id num_b);

/// The composition: for each a the c's of its b's, each once, ascending.
/// Local.
adjacency compose(adjacency const& a2b, adjacency const& b2c);

/// The neighbors: for each a the other a's that share a b with it, ascending.
/// Local.
adjacency neighbors_through(adjacency const& a2b, adjacency const& b2a);

/// Rows without copies, which can be computed during an exchange of these, and rows with copies.
struct rows_by_reach {
  std::vector<local_id> inner; ///< rows of owned b's only
  std::vector<local_id> rim;   ///< rows with a copy
};

/// Divides rows 0 to num_rows - 1 into rows of owned b's only and rows with a copy.
/// Local.
rows_by_reach split_by_reach(adjacency const& a2b, local_id num_rows, local_id num_owned_b);

} // namespace seam
