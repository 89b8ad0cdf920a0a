#include <seam/exchange/waiting/stall_words.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace seam::detail {
namespace {

constexpr char const* silent = "does not answer, it computes or is in a call of the MPI library";

/// "a; b; c; and 12 other ranks"
std::string list_of(std::vector<std::string> const& all) {
  constexpr std::ptrdiff_t most = 8;
  std::string text;
  for (std::ptrdiff_t k = 0; k < std::min(most, std::ssize(all)); ++k)
    text += fmt::format("{}{}", k == 0 ? "" : "; ", all[k]);
  if (std::ssize(all) > most)
    text += fmt::format("; and {} other ranks", std::ssize(all) - most);
  return text;
}

std::string words_of_state(watch_answer const& answer) {
  std::string_view const call = answer.call.data();
  switch (answer.state) {
  case process_state::has_left: return "has left";
  case process_state::waits: return fmt::format("waits in {}", call);
  case process_state::is_in_call: return fmt::format("is in {}", call);
  case process_state::computes: break;
  }
  if (call.empty())
    return "computes and has made no call so far";
  return fmt::format("computes and called {} last, {:.3g} s ago", call, answer.since);
}

/// What a process does that has made fewer calls than the one that waits in `awaited`.
std::string words_of_late(int rank, watch_answer const& answer, std::string_view awaited) {
  bool const waits = answer.state == process_state::waits;
  bool const is_in_call = waits || answer.state == process_state::is_in_call;
  if (is_in_call && awaited == answer.call.data())
    return fmt::format("rank {} has not come as far in it, where it {}", rank,
                       waits ? "waits" : "computes");
  return fmt::format("rank {} has not made it, it {}", rank, words_of_state(answer));
}

/// What ranks do that have made as many calls as the one that waits in `awaited`. Those that are
/// not in it may have made another call in its place.
std::string words_of_ranks_elsewhere(std::span<asked_rank const> others, std::string_view awaited) {
  std::vector<std::string> all;
  for (auto const& [rank, answer] : others) {
    bool const is_in_call =
        answer->state == process_state::waits || answer->state == process_state::is_in_call;
    if (!is_in_call || awaited != answer->call.data())
      all.push_back(fmt::format("rank {} {}", rank, words_of_state(*answer)));
  }
  if (all.empty())
    return "all have made it";
  return fmt::format("all have made as many calls, it or another: {}", list_of(all));
}

} // namespace

std::int64_t fewest_calls(std::span<asked_rank const> others, std::int64_t number) {
  std::int64_t fewest = number;
  for (auto const& [rank, answer] : others)
    if (answer)
      fewest = std::min(fewest, answer->count);
  return fewest;
}

std::string words_of_missing(std::span<asked_rank const> others, std::string_view call,
                             std::int64_t number) {
  std::int64_t const fewest = fewest_calls(others, number);
  std::vector<std::string> all;
  for (auto const& [rank, answer] : others)
    if (!answer)
      all.push_back(fmt::format("rank {} {}", rank, silent));
    else if (answer->count < number && answer->count == fewest)
      all.push_back(words_of_late(rank, *answer, call));
  return all.empty() ? words_of_ranks_elsewhere(others, call) : list_of(all);
}

std::string words_of_peers(std::span<asked_rank const> peers) {
  bool const is_one = peers.size() == 1;
  std::vector<std::string> all;
  for (auto const& [rank, answer] : peers)
    all.push_back(fmt::format("{} {}", is_one ? "it" : fmt::format("rank {}", rank),
                              answer ? words_of_state(*answer) : silent));
  return fmt::format(", which needs {}: {}",
                     is_one ? fmt::format("rank {}", peers.front().rank)
                            : fmt::format("one of {} ranks", all.size()),
                     list_of(all));
}

} // namespace seam::detail
