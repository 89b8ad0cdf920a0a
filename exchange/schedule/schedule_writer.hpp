/// Schedule writers: planners append blocks and wires to a schedule, one after another.
#pragma once

#include <seam/exchange/ground/cache_line.hpp>
#include <seam/exchange/schedule/detail/schedule.hpp>

#include <cstdint>
#include <vector>

namespace seam::detail {

/// Base of the classes that write one schedule. Local.
class schedule_writer {
protected:
  range append_sources(std::vector<block> const& blocks) {
    auto const begin = static_cast<int>(plan_.sources.size());
    plan_.sources.insert(plan_.sources.end(), blocks.begin(), blocks.end());
    return {begin, static_cast<int>(plan_.sources.size())};
  }

  /// Data that arrive for `blocks` replace the old ones, or are combined with them by `how`.
  range append_targets(std::vector<block> const& blocks, combiner const& how = nullptr) {
    auto const begin = static_cast<int>(plan_.targets.size());
    for (block const& where : blocks)
      plan_.targets.push_back({where, how});
    return {begin, static_cast<int>(plan_.targets.size())};
  }

  /// A new wire in the staging buffer, which begins a cache line. [bytes]
  wire_span staged(std::int64_t bytes) {
    wire_span const span{.offset = plan_.staging_bytes, .bytes = bytes, .direct = nullptr};
    plan_.staging_bytes += in_whole_lines(bytes);
    return span;
  }

  /// The blocks' own memory if they are one contiguous block, else a new wire. [bytes]
  wire_span wire_of(std::vector<block> const& blocks, std::int64_t bytes) {
    if (blocks.size() == 1 && blocks[0].is_contiguous())
      return {.offset = 0, .bytes = bytes, .direct = blocks[0].first};
    return staged(bytes);
  }

  schedule plan_{};
};

} // namespace seam::detail
