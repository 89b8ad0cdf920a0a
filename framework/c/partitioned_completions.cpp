// Requests of partitioned.h: waiting and testing, also of MPI's own requests beside them.
#include <seam/framework/c/partitioned_request.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/waiting/detail/patience.hpp>

#include <fmt/format.h>

#include <algorithm>
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

bool is_complete(c_request& request) { return !request.is_active || request.what.test(); }

/// Tells of a completion: the request is inactive from now on.
void tell(c_request& request, MPI_Status* status) {
  set_status(request.is_active.exchange(false) ? &request : nullptr, status);
}

MPI_Status* status_of(MPI_Status* statuses, std::size_t k) {
  return statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : statuses + k;
}

void set_error(MPI_Status* status, int code) {
  if (status != MPI_STATUS_IGNORE)
    status->MPI_ERROR = code;
}

/// A request of seam's in an array, and how far it has come.
struct partitioned_entry {
  c_request* request;
  std::size_t at; ///< in the array
  bool is_complete = false;
  int code = MPI_SUCCESS;

  /// Looks again unless it is complete, or has failed.
  void look() {
    try {
      is_complete = is_complete || ::is_complete(*request);
    } catch (...) {
      code = code_of_current_exception();
    }
  }
  bool has_failed() const noexcept { return code != MPI_SUCCESS; }
};

/// The requests of an array, those of seam and MPI's own apart.
class mixture {
public:
  mixture(int count, MPIX_Request* requests) : requests_(requests) {
    std::swap(memory_, spare());
    memory_.ours.clear();
    memory_.theirs.clear();
    memory_.their_places.clear();
    for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k)
      if (c_request* const found = find_request(requests[k])) {
        memory_.ours.push_back({found, k});
      } else if (requests[k] != MPI_REQUEST_NULL) {
        memory_.theirs.push_back(requests[k]);
        memory_.their_places.push_back(k);
      }
    memory_.their_statuses.resize(memory_.theirs.size());
    memory_.their_indices.resize(memory_.theirs.size());
  }
  mixture(mixture const&) = delete;
  mixture& operator=(mixture const&) = delete;
  ~mixture() { std::swap(memory_, spare()); }

  std::vector<partitioned_entry>& ours() { return memory_.ours; }

  /// Without those that are inactive.
  std::vector<partitioned_entry>& our_active() {
    std::erase_if(memory_.ours,
                  [](partitioned_entry const& one) { return !one.request->is_active; });
    return memory_.ours;
  }

  bool has_theirs() const { return !memory_.theirs.empty(); }
  std::size_t num_theirs() const { return memory_.theirs.size(); }
  std::size_t their_place(std::size_t k) const { return memory_.their_places[k]; }
  MPI_Status const& their_status(std::size_t k) const { return memory_.their_statuses[k]; }
  std::size_t their_index(std::size_t k) const {
    return static_cast<std::size_t>(memory_.their_indices[k]);
  }

  /// MPI's calls of these names on MPI's own.
  int test_all(bool& done) {
    int flag = 0;
    int const code =
        MPI_Testall(count(), memory_.theirs.data(), &flag, memory_.their_statuses.data());
    put_back();
    done = flag != 0;
    return code;
  }
  int test_any(int& index, bool& done, MPI_Status* status) {
    int flag = 0;
    int const code = MPI_Testany(count(), memory_.theirs.data(), &index, &flag, status);
    put_back();
    done = flag != 0;
    return code;
  }
  int test_some(int& num_found) {
    int const code = MPI_Testsome(count(), memory_.theirs.data(), &num_found,
                                  memory_.their_indices.data(), memory_.their_statuses.data());
    put_back();
    return code;
  }

private:
  /// Kept by the thread from call to call, so that these take no memory.
  struct memory {
    std::vector<partitioned_entry> ours;
    std::vector<MPI_Request> theirs;
    std::vector<std::size_t> their_places; ///< in the array
    std::vector<MPI_Status> their_statuses;
    std::vector<int> their_indices;
  };

  static memory& spare() {
    thread_local memory kept;
    return kept;
  }

  int count() const { return static_cast<int>(memory_.theirs.size()); }

  void put_back() {
    for (std::size_t k = 0; k < memory_.theirs.size(); ++k)
      requests_[memory_.their_places[k]] = memory_.theirs[k];
  }

  MPIX_Request* requests_;
  memory memory_;
};

/// Runs body(mixture) on the requests of a call. Returns what it returns, or the code of an error.
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

/// Writes the status of a request that is complete, has failed, or neither; calls the error handler
/// of one that has failed.
void report(partitioned_entry const& one, MPI_Status* status) {
  if (one.is_complete)
    return tell(*one.request, status);
  set_status(nullptr, status);
  set_error(status, one.has_failed() ? one.code : MPI_ERR_PENDING);
  if (one.has_failed())
    one.request->comm.call_error_handler(one.code);
}

/// Where a call on all requests stands.
struct progress_of_all {
  bool are_ours_complete = false, are_theirs_complete = false, have_failed = false;
};

/// Looks at all of seam's, and, unless `ours_first` and these are not complete, at MPI's own.
void look_at_all(mixture& all, bool ours_first, progress_of_all& now) {
  now.are_ours_complete = true;
  for (partitioned_entry& one : all.ours()) {
    one.look();
    now.are_ours_complete = now.are_ours_complete && one.is_complete;
    now.have_failed = now.have_failed || one.has_failed();
  }
  if (!all.has_theirs())
    now.are_theirs_complete = true;
  if (!now.are_theirs_complete && (!ours_first || now.are_ours_complete) &&
      all.test_all(now.are_theirs_complete) != MPI_SUCCESS)
    now.have_failed = true;
}

/// The statuses of a call on all requests that ends. Returns its code.
int report_all(mixture& all, int count, progress_of_all const& now, MPI_Status* statuses) {
  if (statuses != MPI_STATUSES_IGNORE) {
    for (int k = 0; k < count; ++k)
      set_status(nullptr, statuses + k);
    for (std::size_t k = 0; k < all.num_theirs(); ++k) {
      statuses[all.their_place(k)] = all.their_status(k);
      if (!now.have_failed)
        set_error(statuses + all.their_place(k), MPI_SUCCESS);
      else if (!now.are_theirs_complete)
        set_error(statuses + all.their_place(k), MPI_ERR_PENDING);
    }
  }
  for (partitioned_entry const& one : all.ours())
    report(one, status_of(statuses, one.at));
  return now.have_failed ? MPI_ERR_IN_STATUS : MPI_SUCCESS;
}

/// What a call on any request has found.
struct found_any {
  bool is_there = false, are_none_active = false;
  int index = MPI_UNDEFINED, code = MPI_SUCCESS;
};

found_any look_for_any(mixture& all, MPI_Status* status) {
  auto& ours = all.our_active();
  for (partitioned_entry& one : ours) {
    one.look();
    if (!one.is_complete && !one.has_failed())
      continue;
    report(one, status);
    return {true, false, static_cast<int>(one.at), one.code};
  }
  found_any found{.are_none_active = ours.empty()};
  if (!all.has_theirs())
    return found;
  int index = MPI_UNDEFINED;
  bool done = false;
  found.code = all.test_any(index, done, status);
  found.are_none_active = found.are_none_active && done && index == MPI_UNDEFINED;
  if (index != MPI_UNDEFINED && (done || found.code != MPI_SUCCESS)) {
    found.is_there = true;
    found.index = static_cast<int>(all.their_place(static_cast<std::size_t>(index)));
  }
  found.is_there = found.is_there || found.code != MPI_SUCCESS;
  return found;
}

/// What a call on some requests has found: their number, or MPI_UNDEFINED if none is active.
struct found_some {
  int count = 0, code = MPI_SUCCESS;
};

found_some look_for_some(mixture& all, int* indices, MPI_Status* statuses) {
  found_some found;
  auto& ours = all.our_active();
  for (partitioned_entry& one : ours) {
    one.look();
    if (!one.is_complete && !one.has_failed())
      continue;
    if (one.has_failed())
      found.code = MPI_ERR_IN_STATUS;
    indices[found.count] = static_cast<int>(one.at);
    report(one, status_of(statuses, static_cast<std::size_t>(found.count++)));
  }
  int num_theirs = MPI_UNDEFINED;
  if (all.has_theirs())
    if (int const code = all.test_some(num_theirs); code != MPI_SUCCESS)
      found.code = code;
  if (num_theirs == MPI_UNDEFINED)
    return ours.empty() ? found_some{MPI_UNDEFINED, found.code} : found;
  for (std::size_t k = 0; k < static_cast<std::size_t>(num_theirs); ++k) {
    indices[found.count] = static_cast<int>(all.their_place(all.their_index(k)));
    if (statuses != MPI_STATUSES_IGNORE)
      statuses[found.count] = all.their_status(k);
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
    for (patience wait; waits && found.count == 0 && found.code == MPI_SUCCESS; wait.pause())
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
      tell(*found, status);
  });
}

int MPIX_Wait(MPIX_Request* request, MPI_Status* status) {
  c_request* const found = request == nullptr ? nullptr : find_request(*request);
  if (found == nullptr && request != nullptr)
    return MPI_Wait(request, status);
  return guarded(found, [&] {
    require_address("MPIX_Wait", request, "a request");
    if (found->is_active)
      found->what.wait();
    tell(*found, status);
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

int MPIX_Waitall(int count, MPIX_Request requests[], MPI_Status statuses[]) {
  return with_mixture("MPIX_Waitall", count, requests, [&](mixture& all) {
    progress_of_all now;
    for (patience wait;; wait.pause()) {
      look_at_all(all, false, now);
      if (now.have_failed || (now.are_ours_complete && now.are_theirs_complete))
        return report_all(all, count, now, statuses);
    }
  });
}

int MPIX_Testall(int count, MPIX_Request requests[], int* flag, MPI_Status statuses[]) {
  if (flag != nullptr)
    *flag = 0;
  return with_mixture("MPIX_Testall", count, requests, [&](mixture& all) {
    require_address("MPIX_Testall", flag, "a flag");
    progress_of_all now;
    look_at_all(all, true, now);
    *flag = now.are_ours_complete && now.are_theirs_complete ? 1 : 0;
    return *flag != 0 || now.have_failed ? report_all(all, count, now, statuses) : MPI_SUCCESS;
  });
}

int MPIX_Waitany(int count, MPIX_Request requests[], int* index, MPI_Status* status) {
  return with_mixture("MPIX_Waitany", count, requests, [&](mixture& all) {
    require_address("MPIX_Waitany", index, "an index");
    found_any found = look_for_any(all, status);
    for (patience wait; !found.is_there && !found.are_none_active; wait.pause())
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
                  MPI_Status statuses[]) {
  constexpr bool waits = true;
  return complete_some("MPIX_Waitsome", waits, count, requests, num_complete, indices, statuses);
}

int MPIX_Testsome(int count, MPIX_Request requests[], int* num_complete, int indices[],
                  MPI_Status statuses[]) {
  constexpr bool waits = false;
  return complete_some("MPIX_Testsome", waits, count, requests, num_complete, indices, statuses);
}
