// The functions of MPI that send a message. Persistent sends are remembered with their bytes, in
// memory that is not counted, because MPI_Start does not say what it starts.
#include "counting.hpp"

#include <cstdlib>
#include <functional>
#include <mutex>
#include <new>
#include <unordered_map>

using namespace scale_bench;

namespace {

/// Takes memory from malloc, past the counted operator new.
template <class T>
struct uncounted {
  using value_type = T;

  uncounted() = default;
  template <class Other>
  explicit uncounted(uncounted<Other> const&) noexcept {}

  T* allocate(std::size_t count) {
    if (void* const memory = std::malloc(count * sizeof(T))) // NOLINT(bugprone-sizeof-expression)
      return static_cast<T*>(memory);
    throw std::bad_alloc();
  }
  void deallocate(T* memory, std::size_t) noexcept { std::free(memory); }

  friend bool operator==(uncounted const&, uncounted const&) noexcept { return true; }
};

/// The bytes of each persistent send.
class persistent_sends {
public:
  static persistent_sends& get() {
    static persistent_sends all;
    return all;
  }

  void add(MPI_Request request, std::int64_t bytes) {
    std::lock_guard const lock(mutex_);
    bytes_[request] = bytes;
  }
  void remove(MPI_Request request) {
    std::lock_guard const lock(mutex_);
    bytes_.erase(request);
  }

  /// Counts a message if the request is a send.
  void count(MPI_Request request) {
    std::lock_guard const lock(mutex_);
    if (auto const found = bytes_.find(request); found != bytes_.end())
      count_send(found->second);
  }

private:
  std::mutex mutex_;
  std::unordered_map<MPI_Request, std::int64_t, std::hash<MPI_Request>, std::equal_to<MPI_Request>,
                     uncounted<std::pair<MPI_Request const, std::int64_t>>>
      bytes_;
};

} // namespace

extern "C" {
int MPI_Send(void const* from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  count_send(bytes_of(count, type));
  return PMPI_Send(from, count, type, to, tag, comm);
}
int MPI_Isend(void const* from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
  count_send(bytes_of(count, type));
  return PMPI_Isend(from, count, type, to, tag, comm, request);
}
int MPI_Issend(void const* from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
               MPI_Request* request) {
  count_send(bytes_of(count, type));
  return PMPI_Issend(from, count, type, to, tag, comm, request);
}
int MPI_Send_init(void const* from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                  MPI_Request* request) {
  int const code = PMPI_Send_init(from, count, type, to, tag, comm, request);
  if (code == MPI_SUCCESS)
    persistent_sends::get().add(*request, bytes_of(count, type));
  return code;
}
int MPI_Start(MPI_Request* request) {
  persistent_sends::get().count(*request);
  return PMPI_Start(request);
}
int MPI_Startall(int count, MPI_Request requests[]) {
  for (int i = 0; i < count; ++i)
    persistent_sends::get().count(requests[i]);
  return PMPI_Startall(count, requests);
}
int MPI_Request_free(MPI_Request* request) {
  persistent_sends::get().remove(*request);
  return PMPI_Request_free(request);
}
}
