#include <seam/exchange/partitioned/overlap.hpp>

#include <seam/exchange/ground/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace seam::detail {
namespace {

/// A row of bytes of the k-th buffer that is read, or of the k-th that is written.
struct touched_row {
  std::byte const *begin, *end;
  int buffer;
  bool is_written;
};

void add_rows(block const& source, int buffer, bool is_written, std::vector<touched_row>& rows) {
  for (std::int64_t outer = 0; outer < source.rows[0]; ++outer)
    for (std::int64_t inner = 0; inner < source.rows[1]; ++inner) {
      std::byte const* const begin =
          source.first + outer * source.stride[0] + inner * source.stride[1];
      rows.push_back({begin, begin + source.row_bytes, buffer, is_written});
    }
}

void add_rows(std::span<partitioned_buffer const> buffers, bool are_written,
              std::vector<touched_row>& rows) {
  for (int k = 0; k < std::ssize(buffers); ++k)
    if (buffers[k].num_elements() > 0)
      for (block const& source : blocks_of(buffers[k].all()))
        add_rows(source, k, are_written, rows);
}

std::string words_of(touched_row const& row) {
  return fmt::format("buffer {} of those that it {}", row.buffer,
                     row.is_written ? "receives into" : "sends");
}

} // namespace

void check_apart(char const* call, std::span<partitioned_buffer const> read,
                 std::span<partitioned_buffer const> written) {
  std::vector<touched_row> rows;
  add_rows(written, true, rows);
  add_rows(read, false, rows);
  std::ranges::sort(rows, {}, &touched_row::begin);
  touched_row const *last = nullptr, *last_written = nullptr; // the ends reach farthest so far
  for (touched_row const& row : rows) {
    touched_row const* const other = row.is_written ? last : last_written;
    if (other != nullptr && row.begin < other->end)
      refuse(MPI_ERR_BUFFER, fmt::format("{}: {} bytes of {} are in {} (expected memory apart)",
                                         call, std::min(row.end, other->end) - row.begin,
                                         words_of(row), words_of(*other)));
    if (last == nullptr || row.end > last->end)
      last = &row;
    if (row.is_written && (last_written == nullptr || row.end > last_written->end))
      last_written = &row;
  }
}

} // namespace seam::detail
