/// The words by which the report of a stall says what other processes do.
#pragma once

#include <seam/exchange/waiting/watch_messages.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace seam::detail {

/// A process that has been asked, and its answer if it has come.
struct asked_rank {
  int rank;
  std::optional<watch_answer> answer;
};

/// The fewest calls that one of `others` is known to have made; `number`, the number of the awaited
/// call, if none has made fewer.
std::int64_t fewest_calls(std::span<asked_rank const> others, std::int64_t number);

/// Names those of `others` that have made the fewest calls, and those that have not answered:
/// "rank 2 has not made it, it computes and called allreduce last, 12 s ago". If all have made as
/// many, those that are in no call or in another one: "all have made as many calls, it or another:
/// rank 1 waits in sum".
///
/// @param call    in which the process waits
/// @param number  of the call in its record
std::string words_of_missing(std::span<asked_rank const> others, std::string_view call,
                             std::int64_t number);

/// Names the ranks at the other end of a message, and what they do:
/// ", which needs rank 3: it waits in barrier".
std::string words_of_peers(std::span<asked_rank const> peers);

} // namespace seam::detail
