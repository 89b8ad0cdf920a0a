#include "late_messages.hpp"

#include <mpi.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <vector>

namespace mesh_bench {
namespace {

using clock = std::chrono::steady_clock;

struct held_message {
  int index;
  MPI_Status status;
  clock::time_point due;
};

std::mutex mutex;
clock::duration delay{}, total{};
clock::time_point last_due{};
std::map<MPI_Request const*, std::vector<held_message>> held_of; ///< by arrays of requests

void hold(std::vector<held_message>& held, int index, MPI_Status const& status) {
  auto const now = clock::now(), due = now + delay;
  total += due - std::max(now, last_due);
  last_due = due;
  held.push_back({index, status, due});
}

/// Moves what is due to the caller, and returns how many they are.
int hand_over(std::vector<held_message>& held, int* indices, MPI_Status* statuses) {
  auto const now = clock::now();
  auto const later = std::stable_partition(
      held.begin(), held.end(), [now](held_message const& message) { return message.due <= now; });
  auto const count = static_cast<int>(later - held.begin());
  for (int k = 0; k < count; ++k) {
    indices[k] = held[k].index;
    statuses[k] = held[k].status;
  }
  held.erase(held.begin(), later);
  return count;
}

int test_some_later(int count, MPI_Request requests[], int* num_reported, int indices[],
                    MPI_Status statuses[]) {
  std::scoped_lock const lock(mutex);
  auto& held = held_of[requests];
  int num_seen = 0;
  if (int const code = PMPI_Testsome(count, requests, &num_seen, indices, statuses);
      code != MPI_SUCCESS) {
    *num_reported = num_seen;
    return code;
  }
  if (num_seen == MPI_UNDEFINED && held.empty()) {
    *num_reported = MPI_UNDEFINED;
    return MPI_SUCCESS;
  }
  for (int k = 0; k < num_seen; ++k) // MPI_UNDEFINED is negative
    hold(held, indices[k], statuses[k]);
  *num_reported = hand_over(held, indices, statuses);
  return MPI_SUCCESS;
}

} // namespace

late_messages::late_messages(duration wanted) noexcept {
  std::scoped_lock const lock(mutex);
  delay = wanted;
}
late_messages::~late_messages() {
  std::scoped_lock const lock(mutex);
  delay = {};
}
late_messages::duration late_messages::held() noexcept {
  std::scoped_lock const lock(mutex);
  return total;
}

} // namespace mesh_bench

/// Takes the place of the library's, as MPI's profiling interface allows. With statuses alone.
extern "C" int MPI_Testsome(int count, MPI_Request requests[], int* num_complete, int indices[],
                            MPI_Status statuses[]) {
  if (statuses == MPI_STATUSES_IGNORE)
    return PMPI_Testsome(count, requests, num_complete, indices, statuses);
  return mesh_bench::test_some_later(count, requests, num_complete, indices, statuses);
}
