#include <seam/framework/checkpoint/signals.hpp>

#include <csignal>

#include <array>
#include <atomic>
#include <mutex>

namespace seam::detail {
namespace {

constexpr std::array noted{SIGTERM, SIGUSR1};

std::atomic<int> last_signal = 0;
static_assert(std::atomic<int>::is_always_lock_free, "handlers of signals may not lock");

std::mutex counting;
int num_users = 0;
std::array<struct sigaction, noted.size()> before{};

void note_signal(int signal) { last_signal.store(signal); }

} // namespace

noted_signals::noted_signals() {
  std::lock_guard const alone(counting);
  if (num_users++ > 0)
    return;
  last_signal.store(0);
  struct sigaction action {};
  action.sa_handler = note_signal;
  action.sa_flags = SA_RESTART;
  for (int s = 0; s < std::ssize(noted); ++s)
    ::sigaction(noted[s], &action, &before[s]);
}

noted_signals::~noted_signals() {
  std::lock_guard const alone(counting);
  if (--num_users > 0)
    return;
  for (int s = 0; s < std::ssize(noted); ++s)
    ::sigaction(noted[s], &before[s], nullptr);
}

int noted_signals::last() noexcept { return last_signal.load(); }

} // namespace seam::detail
