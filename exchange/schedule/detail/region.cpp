#include <seam/exchange/schedule/detail/region.hpp>

#include <numeric>

namespace seam {

regions_of_edges::regions_of_edges(std::vector<region> one_each)
    : edges2regions_(one_each.size() + 1), regions_(std::move(one_each)) {
  std::iota(edges2regions_.begin(), edges2regions_.end(), 0);
}

regions_of_edges::regions_of_edges(std::vector<int> edges2regions, std::vector<region> regions)
    : edges2regions_(std::move(edges2regions)), regions_(std::move(regions)) {}

std::span<region const> regions_of_edges::operator[](int edge) const {
  int const first = edges2regions_[edge], last = edges2regions_[edge + 1];
  return std::span(regions_).subspan(first, last - first);
}

std::int64_t regions_of_edges::num_elements(int edge) const {
  std::int64_t sum = 0;
  for (region const& part : (*this)[edge])
    sum += part.num_elements();
  return sum;
}

namespace {

/// Joins the rows of the last level into one where they follow each other without a gap.
void join_rows(block& rows) {
  if (rows.rows[1] == 1 || rows.stride[1] == rows.row_bytes) {
    rows.row_bytes *= rows.rows[1];
    rows.rows = {1, rows.rows[0]};
    rows.stride = {0, rows.stride[0]};
  }
}

} // namespace

block make_block(std::byte* array, std::int64_t element_bytes, region const& where,
                 memory_kind const* memory) {
  block rows{.first = array + where.offset * element_bytes,
             .rows = {where.extent[0], where.extent[1]},
             .stride = {where.stride[0] * element_bytes, where.stride[1] * element_bytes},
             .row_bytes = where.extent[2] * element_bytes,
             .memory = memory};
  join_rows(rows);
  join_rows(rows);
  return rows;
}

} // namespace seam
