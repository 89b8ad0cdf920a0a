#include <seam/exchange/waiting/stall_words.hpp>

#include <seam/exchange/waiting/detail/call_scope.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace seam::detail {
namespace {

constexpr char const* silent = "does not answer";

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
  if (answer.is_in_call() && awaited == answer.call.data())
    return fmt::format("rank {} has not come as far in it, where it {}", rank,
                       answer.state == process_state::waits ? "waits" : "computes");
  return fmt::format("rank {} has not made it, it {}", rank, words_of_state(answer));
}

/// What ranks do that have made as many calls as the one that waits in `awaited`. Those that are
/// not in it may have made another call in its place.
std::string words_of_ranks_elsewhere(std::vector<asked_rank> const& others,
                                     std::string_view awaited) {
  std::vector<std::string> all;
  for (auto const& [rank, answer] : others)
    if (!answer->is_in_call() || awaited != answer->call.data())
      all.push_back(fmt::format("rank {} {}", rank, words_of_state(*answer)));
  if (all.empty())
    return "all have made it";
  return fmt::format("all have made as many calls, it or another: {}", list_of(all));
}

} // namespace

void watch_answer::set_call(char const* name) {
  if (name != nullptr)
    std::string_view(name).substr(0, call.size() - 1).copy(call.data(), call.size() - 1);
}

void long_wait::take(int from, watch_answer const& answer) {
  auto const found = std::ranges::lower_bound(others, from, {}, &asked_rank::rank);
  if (found != others.end() && found->rank == from)
    found->answer = answer;
}

bool long_wait::has_lower_reporter() const {
  return std::ranges::any_of(others, [this](asked_rank const& other) {
    return other.rank < rank && other.answer && other.answer->waits_there != 0;
  });
}

bool long_wait::is_hopeless() const {
  return !is_of_peers(id) && std::ranges::any_of(others, [this](asked_rank const& other) {
    return other.answer && other.answer->state == process_state::has_left &&
           other.answer->count < number;
  });
}

bool long_wait::is_shared_by_all() const {
  return !others.empty() && std::ranges::all_of(others, [this](asked_rank const& other) {
    return other.answer && other.answer->is_in_call() && other.answer->count >= number &&
           call == other.answer->call.data();
  });
}

std::string long_wait::line() const {
  auto text =
      fmt::format("seam: rank {} has waited for {:.3g} s in {}", rank, waited.count(), call);
  if (!others.empty() && is_of_peers(id))
    text += fmt::format(", {}", needed_ranks());
  else if (!others.empty())
    text += fmt::format(", a call of {} ranks: {}", others.size() + 1, missing_ranks());
  if (!missing.empty())
    text += fmt::format("{} {}", others.empty() ? ":" : ";", missing);
  return text;
}

std::string long_wait::missing_ranks() const {
  std::int64_t fewest = number;
  for (auto const& [other, answer] : others)
    fewest = answer ? std::min(fewest, answer->count) : fewest;
  std::vector<std::string> all;
  for (auto const& [other, answer] : others)
    if (!answer)
      all.push_back(fmt::format("rank {} {}", other, silent));
    else if (answer->count < number && answer->count == fewest)
      all.push_back(words_of_late(other, *answer, call));
  return all.empty() ? words_of_ranks_elsewhere(others, call) : list_of(all);
}

std::string long_wait::needed_ranks() const {
  bool const is_one = others.size() == 1;
  std::vector<std::string> all;
  for (auto const& [other, answer] : others)
    all.push_back(fmt::format("{} {}", is_one ? "it" : fmt::format("rank {}", other),
                              answer ? words_of_state(*answer) : silent));
  return fmt::format("which needs {}: {}",
                     is_one ? fmt::format("rank {}", others.front().rank)
                            : fmt::format("one of {} ranks", all.size()),
                     list_of(all));
}

} // namespace seam::detail
