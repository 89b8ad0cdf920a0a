#include <seam/mesh/entities/adjacency.hpp>

#include <algorithm>

namespace seam {
namespace {

/// Sorts the targets of the last row, keeps each once and ends the row.
void end_sorted_row(adjacency& rows) {
  auto const begin = rows.ab2b.begin() + rows.a2ab.back();
  std::sort(begin, rows.ab2b.end());
  rows.ab2b.erase(std::unique(begin, rows.ab2b.end()), rows.ab2b.end());
  rows.end_row();
}

} // namespace

adjacency invert(adjacency const& a2b, local_id num_b) {
  adjacency b2a;
  b2a.a2ab.assign(std::int64_t{num_b} + 1, 0);
  for (local_id const b : a2b.ab2b)
    ++b2a.a2ab[b + 1];
  for (local_id b = 0; b < num_b; ++b)
    b2a.a2ab[b + 1] += b2a.a2ab[b];
  b2a.ab2b.resize(a2b.ab2b.size());
  auto next = b2a.a2ab;
  for (local_id a = 0; a < a2b.num_rows(); ++a)
    for (local_id const b : a2b[a])
      b2a.ab2b[next[b]++] = a;
  return b2a;
}

adjacency compose(adjacency const& a2b, adjacency const& b2c) {
  adjacency a2c;
  for (local_id a = 0; a < a2b.num_rows(); ++a) {
    for (local_id const b : a2b[a])
      a2c.ab2b.insert(a2c.ab2b.end(), b2c[b].begin(), b2c[b].end());
    end_sorted_row(a2c);
  }
  return a2c;
}

adjacency neighbors_through(adjacency const& a2b, adjacency const& b2a) {
  adjacency a2a;
  for (local_id a = 0; a < a2b.num_rows(); ++a) {
    for (local_id const b : a2b[a])
      for (local_id const other : b2a[b])
        if (other != a)
          a2a.ab2b.push_back(other);
    end_sorted_row(a2a);
  }
  return a2a;
}

rows_by_reach split_by_reach(adjacency const& a2b, local_id num_rows, local_id num_owned_b) {
  rows_by_reach split;
  for (local_id a = 0; a < num_rows; ++a) {
    bool const reaches_copy =
        std::ranges::any_of(a2b[a], [=](local_id b) { return b >= num_owned_b; });
    (reaches_copy ? split.rim : split.inner).push_back(a);
  }
  return split;
}

} // namespace seam
