#include <seam/exchange/transport/node/call_messages.hpp>

#include <seam/exchange/ground/cache_line.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/transport/matching_lengths.hpp>
#include <seam/exchange/transport/node/thresholds.hpp>

#include <fmt/format.h>

#include <utility>

namespace seam::detail {

std::vector<call_place> places_in_link(std::span<std::int64_t const> lengths, call_room room) {
  std::int64_t next_line = 0, next_byte = 0;
  std::vector<call_place> places;
  for (std::int64_t const bytes : lengths) {
    call_place& place = places.emplace_back();
    std::int64_t const lines = lines_of(bytes);
    if (bytes == 0)
      continue; // is sent by MPI
    if (bytes <= longest_in_lines && next_line + lines <= room.lines)
      place = {call_place::part::lines, std::exchange(next_line, next_line + lines)};
    else if (bytes <= longest_packed && next_byte + bytes <= room.slot_bytes)
      place = {call_place::part::slot, std::exchange(next_byte, next_byte + in_whole_lines(bytes))};
  }
  return places;
}

std::uint64_t check_of(std::span<std::int64_t const> lengths) {
  length_check check;
  for (std::int64_t const bytes : lengths)
    check.add(bytes);
  return check.value();
}

void refuse_lengths(int peer, int rank) {
  refuse(MPI_ERR_TRUNCATE,
         fmt::format("exchange: rank {} sends messages of other lengths to rank {} than are "
                     "expected there (expected the same at both ends)",
                     peer, rank));
}

} // namespace seam::detail
