#include <seam/exchange/communicator/explanations.hpp>

#include <seam/exchange/schedule/detail/schedule.hpp>

#include <fmt/format.h>

#include <atomic>
#include <mutex>
#include <set>
#include <utility>

namespace seam {
using namespace detail;

namespace {

struct listening {
  std::mutex mutex;
  std::atomic<bool> is_on = false; ///< read without the mutex where time matters
  std::function<void(std::string const&)> listener;
  std::set<std::string> texts; ///< that the listener has got
};

char const* plural(std::int64_t count) { return count == 1 ? "" : "s"; }

/// The loads of all destinations, in words.
std::string in_words(mpi::comm_view over, std::string const& what,
                     std::map<int, outgoing_load> const& peers2loads) {
  constexpr int most_lines = 26;
  std::int64_t bytes = 0;
  for (auto const& [peer, load] : peers2loads)
    bytes += load.bytes;
  std::string text =
      fmt::format("{} among {} rank{}, of which rank {} sends {} bytes to {} other{}\n", what,
                  over.size(), plural(over.size()), over.rank(), bytes, peers2loads.size(),
                  plural(std::ssize(peers2loads)));
  int lines = 0;
  for (auto const& [peer, load] : peers2loads) {
    if (lines++ == most_lines)
      return text + "  ...\n";
    text += fmt::format("  rank {}: {} bytes, {}\n", peer, load.bytes, load.how);
  }
  return text;
}

std::map<int, outgoing_load> loads_of(schedule const& steps,
                                      std::span<std::string_view const> carriers) {
  std::map<int, outgoing_load> peers2loads;
  std::map<int, std::map<std::string_view, int>> peers2messages;
  for (int s = 0; s < std::ssize(steps.sends); ++s) {
    send_step const& step = steps.sends[s];
    peers2loads[step.peer].bytes += step.wire.bytes;
    ++peers2messages[step.peer][carriers.empty() ? "MPI" : carriers[s]];
  }
  for (auto& [peer, load] : peers2loads)
    for (auto const& [carrier, messages] : peers2messages[peer])
      load.how += fmt::format("{}{} message{} by {}", load.how.empty() ? "" : ", ", messages,
                              plural(messages), carrier);
  return peers2loads;
}

listening& listening_of_process() {
  static listening all;
  return all;
}

} // namespace

void explain_to(std::function<void(std::string const&)> listener) {
  std::scoped_lock const lock(listening_of_process().mutex);
  listening_of_process().is_on = listener != nullptr;
  listening_of_process().listener = std::move(listener);
  listening_of_process().texts.clear();
}

bool explanations_are_on() { return listening_of_process().is_on; }

void explain(mpi::comm_view over, std::function<std::string()> const& make_text) {
  if (!explanations_are_on() || over.rank() != 0)
    return;
  std::string const text = make_text();
  listening& all = listening_of_process();
  std::scoped_lock const lock(all.mutex);
  if (all.listener != nullptr && all.texts.insert(text).second)
    all.listener(text);
}

void explain_loads(mpi::comm_view over, std::string const& what,
                   std::function<std::map<int, outgoing_load>()> const& make_loads) {
  explain(over, [&] { return in_words(over, what, make_loads()); });
}

void explain_schedule(mpi::comm_view over, std::string const& what, schedule const& steps,
                      std::span<std::string_view const> carriers) {
  explain_loads(over, what, [&] { return loads_of(steps, carriers); });
}

} // namespace seam
