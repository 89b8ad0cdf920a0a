// Waits for and tests requests of partitioned.h, and MPI's own requests beside them in an array.
#include <seam/framework/c/partitioned_request.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/waiting/detail/patience.hpp>

#include <fmt/format.h>

#include <utility>
#include <vector>

namespace {

using namespace seam;
using detail::c_request;
using detail::code_of_current_exception;
using detail::find_request;
using detail::guarded;
using detail::require_address;
using detail::set_status;

constexpr c_request const* no_request = nullptr;

bool is_complete(c_request& request) { return !request.is_active || request.test(); }

/// Reports the completion of the request of `handle` in `status`. It is inactive from now on; one
/// that is not persistent is freed.
void report_completion(c_request& request, MPIX_Request& handle, MPI_Status* status) {
  set_status(request.is_active.exchange(false) ? &request : nullptr, status);
  if (!request.is_persistent())
    detail::remove_request(handle);
}

MPI_Status* status_of(MPI_Status* statuses, int k) {
  return statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : statuses + k;
}

void set_error(MPI_Status* status, int code) {
  if (status != MPI_STATUS_IGNORE)
    status->MPI_ERROR = code;
}

/// A request of seam in an array, and its progress.
struct partitioned_entry {
  c_request* request;
  MPIX_Request* handle;
  int at; ///< in the array
  bool is_complete = false;
  int code = MPI_SUCCESS;

  /// Tests the request again unless it is complete, or has failed.
  void look() {
    try {
      is_complete = is_complete || ::is_complete(*request);
    } catch (...) {
      code = code_of_current_exception();
    }
  }
  bool has_failed() const noexcept { return code != MPI_SUCCESS; }
};

/// The requests of an array, partitioned ones and MPI's own apart.
class mixture {
public:
  mixture(int count, MPIX_Request* requests) : requests_(requests) {
    std::swap(memory_, spare());
    memory_.partitioned.clear();
    memory_.natives.clear();
    memory_.native_places.clear();
    for (int k = 0; k < count; ++k)
      if (c_request* const found = find_request(requests[k])) {
        memory_.partitioned.push_back({found, &requests[k], k});
      } else if (requests[k] != MPI_REQUEST_NULL) {
        memory_.natives.push_back(requests[k]);
        memory_.native_places.push_back(k);
      }
    memory_.native_statuses.resize(memory_.natives.size());
    memory_.native_indices.resize(memory_.natives.size());
  }
  mixture(mixture const&) = delete;
  mixture& operator=(mixture const&) = delete;
  ~mixture() { std::swap(memory_, spare()); }

  std::vector<partitioned_entry>& partitioned() { return memory_.partitioned; }

  /// The active partitioned requests; removes the inactive ones.
  std::vector<partitioned_entry>& active_partitioned() {
    std::erase_if(memory_.partitioned,
                  [](partitioned_entry const& entry) { return !entry.request->is_active; });
    return memory_.partitioned;
  }

  bool has_natives() const { return !memory_.natives.empty(); }
  int num_natives() const { return static_cast<int>(memory_.natives.size()); }
  int native_place(int k) const { return memory_.native_places[k]; }
  MPI_Status const& native_status(int k) const { return memory_.native_statuses[k]; }
  int native_index(int k) const { return memory_.native_indices[k]; }

  /// Call MPI_Testall, MPI_Testany and MPI_Testsome on MPI's own requests.
  int test_all(bool& done) {
    int flag = 0;
    int const code =
        MPI_Testall(num_natives(), memory_.natives.data(), &flag, memory_.native_statuses.data());
    put_back();
    done = flag != 0;
    return code;
  }
  int test_any(int& index, bool& done, MPI_Status* status) {
    int flag = 0;
    int const code = MPI_Testany(num_natives(), memory_.natives.data(), &index, &flag, status);
    put_back();
    done = flag != 0;
    return code;
  }
  int test_some(int& num_found) {
    int const code = MPI_Testsome(num_natives(), memory_.natives.data(), &num_found,
                                  memory_.native_indices.data(), memory_.native_statuses.data());
    put_back();
    return code;
  }

private:
  /// Memory that each thread keeps from call to call, so that these allocate nothing.
  struct memory {
    std::vector<partitioned_entry> partitioned;
    std::vector<MPI_Request> natives;
    std::vector<int> native_places; ///< in the array
    std::vector<MPI_Status> native_statuses;
    std::vector<int> native_indices;
  };

  static memory& spare() {
    thread_local memory kept;
    return kept;
  }

  void put_back() {
    for (int k = 0; k < num_natives(); ++k)
      requests_[memory_.native_places[k]] = memory_.natives[k];
  }

  MPIX_Request* requests_;
  memory memory_;
};

/// Runs body(mixture) on the requests of a call. Returns its result, or the code of an error.
template <class Body>
int with_mixture(char const* call, int count, MPIX_Request* requests, Body body) {
  int result = MPI_SUCCESS;
  int const code = guarded(no_request, [&] {
    if (count < 0)
      refuse(MPI_ERR_COUNT, fmt::format("{}: {} requests (expected 0 or more)", call, count));
    if (count > 0)
      require_address(call, requests, "requests");
    mixture all(count, requests);
    result = body(all);
  });
  return code != MPI_SUCCESS ? code : result;
}

/// Writes the status of a request that is complete, has failed, or is pending; calls the error
/// handler of a request that has failed.
void report(partitioned_entry const& entry, MPI_Status* status) {
  if (entry.is_complete)
    return report_completion(*entry.request, *entry.handle, status);
  set_status(nullptr, status);
  set_error(status, entry.has_failed() ? entry.code : MPI_ERR_PENDING);
  if (entry.has_failed())
    entry.request->comm.call_error_handler(entry.code);
}

/// The progress of a call on all requests.
struct progress_of_all {
  bool are_partitioned_complete = false, are_natives_complete = false, have_failed = false;
};

/// Tests all partitioned requests, and MPI's own unless `partitioned_first` is set and partitioned
/// ones are incomplete.
void look_at_all(mixture& all, bool partitioned_first, progress_of_all& now) {
  now.are_partitioned_complete = true;
  for (partitioned_entry& entry : all.partitioned()) {
    entry.look();
    now.are_partitioned_complete = now.are_partitioned_complete && entry.is_complete;
    now.have_failed = now.have_failed || entry.has_failed();
  }
  if (!all.has_natives())
    now.are_natives_complete = true;
  if (!now.are_natives_complete && (!partitioned_first || now.are_partitioned_complete) &&
      all.test_all(now.are_natives_complete) != MPI_SUCCESS)
    now.have_failed = true;
}

/// Writes the statuses of a call on all requests that ends. Returns its error code.
int report_all(mixture& all, int count, progress_of_all const& now, MPI_Status* statuses) {
  if (statuses != MPI_STATUSES_IGNORE) {
    for (int k = 0; k < count; ++k)
      set_status(nullptr, statuses + k);
    for (int k = 0; k < all.num_natives(); ++k) {
      statuses[all.native_place(k)] = all.native_status(k);
      if (!now.have_failed)
        set_error(statuses + all.native_place(k), MPI_SUCCESS);
      else if (!now.are_natives_complete)
        set_error(statuses + all.native_place(k), MPI_ERR_PENDING);
    }
  }
  for (partitioned_entry const& entry : all.partitioned())
    report(entry, status_of(statuses, entry.at));
  return now.have_failed ? MPI_ERR_IN_STATUS : MPI_SUCCESS;
}

/// The result of a call on any request.
struct found_any {
  bool is_there = false, are_none_active = false;
  int index = MPI_UNDEFINED, code = MPI_SUCCESS;
};

found_any look_for_any(mixture& all, MPI_Status* status) {
  auto& partitioned = all.active_partitioned();
  for (partitioned_entry& entry : partitioned) {
    entry.look();
    if (!entry.is_complete && !entry.has_failed())
      continue;
    report(entry, status);
    return {true, false, entry.at, entry.code};
  }
  found_any found{.are_none_active = partitioned.empty()};
  if (!all.has_natives())
    return found;
  int index = MPI_UNDEFINED;
  bool done = false;
  found.code = all.test_any(index, done, status);
  found.are_none_active = found.are_none_active && done && index == MPI_UNDEFINED;
  if (index != MPI_UNDEFINED && (done || found.code != MPI_SUCCESS)) {
    found.is_there = true;
    found.index = all.native_place(index);
  }
  found.is_there = found.is_there || found.code != MPI_SUCCESS;
  return found;
}

/// The result of a call on some requests: their number, or MPI_UNDEFINED if none is active.
struct found_some {
  int count = 0, code = MPI_SUCCESS;
};

found_some look_for_some(mixture& all, int* indices, MPI_Status* statuses) {
  found_some found;
  auto& partitioned = all.active_partitioned();
  for (partitioned_entry& entry : partitioned) {
    entry.look();
    if (!entry.is_complete && !entry.has_failed())
      continue;
    if (entry.has_failed())
      found.code = MPI_ERR_IN_STATUS;
    indices[found.count] = entry.at;
    report(entry, status_of(statuses, found.count++));
  }
  int num_natives = MPI_UNDEFINED;
  if (all.has_natives())
    if (int const code = all.test_some(num_natives); code != MPI_SUCCESS)
      found.code = code;
  if (num_natives == MPI_UNDEFINED)
    return partitioned.empty() ? found_some{MPI_UNDEFINED, found.code} : found;
  for (int k = 0; k < num_natives; ++k) {
    indices[found.count] = all.native_place(all.native_index(k));
    if (statuses != MPI_STATUSES_IGNORE)
      statuses[found.count] = all.native_status(k);
    ++found.count;
  }
  return found;
}

int complete_some(char const* call, bool waits, int count, MPIX_Request* requests,
                  int* num_complete, int* indices, MPI_Status* statuses) {
  return with_mixture(call, count, requests, [&](mixture& all) {
    require_address(call, num_complete, "a number");
    if (count > 0)
      require_address(call, indices, "indices");
    found_some found = look_for_some(all, indices, statuses);
    for (detail::patience wait; waits && found.count == 0 && found.code == MPI_SUCCESS;
         wait.pause())
      found = look_for_some(all, indices, statuses);
    *num_complete = found.count;
    return found.code;
  });
}

} // namespace

int MPIX_Test(MPIX_Request* request, int* flag, MPI_Status* status) {
  c_request* const found = request == nullptr ? nullptr : find_request(*request);
  if (found == nullptr && request != nullptr)
    return MPI_Test(request, flag, status);
  if (flag != nullptr)
    *flag = 0;
  return guarded(found, [&] {
    require_address("MPIX_Test", request, "a request");
    require_address("MPIX_Test", flag, "a flag");
    *flag = is_complete(*found) ? 1 : 0;
    if (*flag != 0)
      report_completion(*found, *request, status);
  });
}

int MPIX_Wait(MPIX_Request* request, MPI_Status* status) {
  c_request* const found = request == nullptr ? nullptr : find_request(*request);
  if (found == nullptr && request != nullptr)
    return MPI_Wait(request, status);
  return guarded(found, [&] {
    require_address("MPIX_Wait", request, "a request");
    if (found->is_active)
      found->wait();
    report_completion(*found, *request, status);
  });
}

int MPIX_Request_get_status(MPIX_Request request, int* flag, MPI_Status* status) {
  c_request* const found = find_request(request);
  if (found == nullptr)
    return MPI_Request_get_status(request, flag, status);
  if (flag != nullptr)
    *flag = 0;
  return guarded(found, [&] {
    require_address("MPIX_Request_get_status", flag, "a flag");
    *flag = is_complete(*found) ? 1 : 0;
    if (*flag != 0)
      set_status(found->is_active ? found : nullptr, status);
  });
}

int MPIX_Waitall(int count, MPIX_Request requests[], MPI_Status* statuses) {
  return with_mixture("MPIX_Waitall", count, requests, [&](mixture& all) {
    progress_of_all now;
    for (detail::patience wait;; wait.pause()) {
      look_at_all(all, false, now);
      if (now.have_failed || (now.are_partitioned_complete && now.are_natives_complete))
        return report_all(all, count, now, statuses);
    }
  });
}

int MPIX_Testall(int count, MPIX_Request requests[], int* flag, MPI_Status* statuses) {
  if (flag != nullptr)
    *flag = 0;
  return with_mixture("MPIX_Testall", count, requests, [&](mixture& all) {
    require_address("MPIX_Testall", flag, "a flag");
    progress_of_all now;
    look_at_all(all, true, now);
    *flag = now.are_partitioned_complete && now.are_natives_complete ? 1 : 0;
    return *flag != 0 || now.have_failed ? report_all(all, count, now, statuses) : MPI_SUCCESS;
  });
}

int MPIX_Waitany(int count, MPIX_Request requests[], int* index, MPI_Status* status) {
  return with_mixture("MPIX_Waitany", count, requests, [&](mixture& all) {
    require_address("MPIX_Waitany", index, "an index");
    found_any found = look_for_any(all, status);
    for (detail::patience wait; !found.is_there && !found.are_none_active; wait.pause())
      found = look_for_any(all, status);
    if (found.are_none_active)
      set_status(nullptr, status);
    *index = found.index;
    return found.code;
  });
}

int MPIX_Testany(int count, MPIX_Request requests[], int* index, int* flag, MPI_Status* status) {
  if (flag != nullptr)
    *flag = 0;
  return with_mixture("MPIX_Testany", count, requests, [&](mixture& all) {
    require_address("MPIX_Testany", index, "an index");
    require_address("MPIX_Testany", flag, "a flag");
    found_any const found = look_for_any(all, status);
    if (found.are_none_active)
      set_status(nullptr, status);
    *flag = found.is_there || found.are_none_active ? 1 : 0;
    *index = found.index;
    return found.code;
  });
}

int MPIX_Waitsome(int count, MPIX_Request requests[], int* num_complete, int indices[],
                  MPI_Status* statuses) {
  constexpr bool waits = true;
  return complete_some("MPIX_Waitsome", waits, count, requests, num_complete, indices, statuses);
}

int MPIX_Testsome(int count, MPIX_Request requests[], int* num_complete, int indices[],
                  MPI_Status* statuses) {
  constexpr bool waits = false;
  return complete_some("MPIX_Testsome", waits, count, requests, num_complete, indices, statuses);
}
