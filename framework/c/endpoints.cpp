#include <seam/framework/c/endpoints.h>

#include <seam/exchange/communicator/endpoints.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/detail/context.hpp>
#include <seam/exchange/mpi/detail/context_request.hpp>
#include <seam/exchange/schedule/datatype_blocks.hpp>
#include <seam/exchange/waiting/detail/patience.hpp>
#include <seam/exchange/waiting/thread_level.hpp>
#include <seam/framework/c/errors.hpp>

#include <fmt/format.h>

#include <optional>

namespace {

using namespace seam;
using detail::guarded;
using detail::require_address;

/// The endpoints of Seam_Init_endpoint.
struct session {
  bool has_started_mpi = false;
  std::optional<Endpoints> endpoints;
};

session& current_session() {
  static auto* const only = new session;
  return *only;
}

Endpoints const& current_endpoints(char const* call) {
  auto const& endpoints = current_session().endpoints;
  if (!endpoints)
    refuse(fmt::format("{}: no endpoints (expected Seam_Init_endpoint before)", call));
  return *endpoints;
}

/// Starts MPI if it does not run. True if it did not.
bool start_mpi(int* argc, char*** argv) {
  int has_begun = 0;
  MPI_Initialized(&has_begun);
  if (has_begun != 0)
    return false;
  int provided = MPI_THREAD_SINGLE;
  mpi::check(MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided), "MPI_Init_thread");
  return true;
}

/// The handle that `choose` takes of the calling thread's endpoint; MPI_COMM_NULL after an error.
template <class Choose>
MPI_Comm handle_of_thread(char const* call, Choose const& choose) {
  MPI_Comm handle = MPI_COMM_NULL;
  guarded(MPI_COMM_NULL, [&] { handle = choose(current_endpoints(call)).view().native(); });
  return handle;
}

/// The context of `comm`, which the calling thread may use; nullptr: processes.
mpi::context* context_for(char const* call, MPI_Comm comm) {
  if (comm == MPI_COMM_NULL)
    refuse(MPI_ERR_COMM, fmt::format("{}: MPI_COMM_NULL (expected a communicator)", call));
  mpi::context* const ranks = mpi::context_of(comm);
  if (ranks != nullptr)
    ranks->check_thread(call);
  return ranks;
}

void check_peer(char const* call, mpi::context const& ranks, int peer, bool may_be_any) {
  int const end = static_cast<int>(std::ssize(ranks.peers()));
  bool const is_special = peer == MPI_PROC_NULL || (may_be_any && peer == MPI_ANY_SOURCE);
  if (!is_special && (peer < 0 || peer >= end))
    refuse(MPI_ERR_RANK, fmt::format("{}: rank {} (expected 0 to {})", call, peer, end - 1));
}

void check_tag(char const* call, int tag, bool may_be_any) {
  bool const is_any = may_be_any && tag == MPI_ANY_TAG;
  if (!is_any && (tag < 0 || tag >= mpi::end_of_tags))
    refuse(MPI_ERR_TAG,
           fmt::format("{}: tag {} (expected 0 to {})", call, tag, mpi::end_of_tags - 1));
}

/// The memory of elements that lie one behind the other.
std::span<std::byte> bytes_of(char const* call, void const* buffer, int count, MPI_Datatype type) {
  if (count < 0)
    refuse(MPI_ERR_COUNT, fmt::format("{}: {} elements (expected 0 or more)", call, count));
  if (count == 0)
    return {};
  auto const blocks = blocks_of({buffer, count, type});
  if (blocks.size() > 1 || (blocks.size() == 1 && !blocks.front().is_contiguous()))
    refuse(MPI_ERR_TYPE, fmt::format("{}: elements with gaps (expected elements one behind the "
                                     "other, or Seam_Send and Seam_Recv)",
                                     call));
  if (blocks.empty())
    return {};
  return std::span(blocks.front().first, blocks.front().bytes());
}

void write(MPI_Status* status, mpi::arrived_message const& message) {
  if (status == MPI_STATUS_IGNORE)
    return;
  status->MPI_SOURCE = message.source;
  status->MPI_TAG = message.tag;
  status->MPI_ERROR = MPI_SUCCESS;
  MPI_Status_set_elements_x(status, MPI_BYTE, message.bytes);
  MPI_Status_set_cancelled(status, 0);
}

} // namespace

extern "C" {

int Seam_Init_endpoint(int* argc, char*** argv, int endpoints, int required, int* size, int* rank) {
  return guarded(MPI_COMM_NULL, [&] {
    session& now = current_session();
    if (now.endpoints)
      refuse("Seam_Init_endpoint: a second time (expected once for each process)");
    now.has_started_mpi = start_mpi(argc, argv);
    mpi::limit_thread_level(required);
    now.endpoints.emplace(MPI_COMM_WORLD, endpoints);
    Communicator const& all = now.endpoints->all();
    if (size != nullptr)
      *size = all.size();
    if (rank != nullptr)
      *rank = all.rank();
  });
}

int Seam_Finalize() {
  return guarded(MPI_COMM_NULL, [] {
    session& now = current_session();
    current_endpoints("Seam_Finalize");
    now.endpoints.reset();
    if (now.has_started_mpi)
      mpi::check(MPI_Finalize(), "MPI_Finalize");
  });
}

MPI_Comm Seam_Comm_endpoints() {
  return handle_of_thread(
      "SEAM_COMM_ENDPOINTS", [](Endpoints const& now) -> auto& { return now.all(); });
}

MPI_Comm Seam_Comm_world() {
  return handle_of_thread(
      "SEAM_COMM_WORLD", [](Endpoints const& now) -> auto& { return now.world(); });
}

MPI_Comm Seam_Comm_clique() {
  return handle_of_thread(
      "SEAM_COMM_CLIQUE", [](Endpoints const& now) -> auto& { return now.clique(); });
}

MPI_Comm Seam_Comm_self() {
  return handle_of_thread(
      "SEAM_COMM_SELF", [](Endpoints const& now) -> auto& { return now.self(); });
}

int Seam_Error_class_endpoints() { return Endpoints::error_class(); }

int Seam_Thread_attach(int rank, MPI_Comm comm) {
  return guarded(MPI_COMM_NULL, [&] { attach(rank, comm); });
}

int Seam_Thread_detach() {
  return guarded(MPI_COMM_NULL, [] { detach(); });
}

int Seam_Comm_create_endpoints(MPI_Comm parent, int how_many, MPI_Info, MPI_Comm handles[]) {
  return guarded(parent, [&] {
    auto own = create_endpoints(Communicator::attached_to(parent), how_many);
    for (int k = 0; k < std::ssize(own); ++k)
      handles[k] = std::move(own[k]).give_to_mpi();
  });
}

int Seam_Comm_rank(MPI_Comm comm, int* rank) {
  return guarded(comm, [&] {
    require_address("Seam_Comm_rank", rank, "a rank");
    context_for("Seam_Comm_rank", comm);
    *rank = mpi::comm_view(comm).rank();
  });
}

int Seam_Comm_size(MPI_Comm comm, int* size) {
  return guarded(comm, [&] {
    require_address("Seam_Comm_size", size, "a size");
    context_for("Seam_Comm_size", comm);
    *size = mpi::comm_view(comm).size();
  });
}

int Seam_Comm_free(MPI_Comm* comm) {
  return guarded(MPI_COMM_NULL, [&] {
    require_address("Seam_Comm_free", comm, "a communicator");
    context_for("Seam_Comm_free", *comm);
    mpi::check(MPI_Comm_free(comm), "MPI_Comm_free");
  });
}

int Seam_Isend(void const* buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
               MPI_Request* request) {
  return guarded(comm, [&] {
    constexpr char const* call = "Seam_Isend";
    require_address(call, request, "a request");
    mpi::context* const ranks = context_for(call, comm);
    if (ranks == nullptr)
      return mpi::check(MPI_Isend(buffer, count, type, dest, tag, comm, request), "MPI_Isend");
    check_peer(call, *ranks, dest, false);
    check_tag(call, tag, false);
    *request = mpi::start_send(*ranks, bytes_of(call, buffer, count, type), dest, tag, false);
  });
}

int Seam_Irecv(void* buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
               MPI_Request* request) {
  return guarded(comm, [&] {
    constexpr char const* call = "Seam_Irecv";
    require_address(call, request, "a request");
    mpi::context* const ranks = context_for(call, comm);
    if (ranks == nullptr)
      return mpi::check(MPI_Irecv(buffer, count, type, source, tag, comm, request), "MPI_Irecv");
    check_peer(call, *ranks, source, true);
    check_tag(call, tag, true);
    *request = mpi::start_receive(*ranks, bytes_of(call, buffer, count, type), source, tag);
  });
}

int Seam_Iprobe(int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status) {
  return guarded(comm, [&] {
    constexpr char const* call = "Seam_Iprobe";
    require_address(call, flag, "a flag");
    mpi::context* const ranks = context_for(call, comm);
    if (ranks == nullptr)
      return mpi::check(MPI_Iprobe(source, tag, comm, flag, status), "MPI_Iprobe");
    check_peer(call, *ranks, source, true);
    check_tag(call, tag, true);
    auto const found = mpi::look_for_message(*ranks, source, tag);
    *flag = found ? 1 : 0;
    if (found)
      write(status, *found);
  });
}

int Seam_Probe(int source, int tag, MPI_Comm comm, MPI_Status* status) {
  int found = 0;
  for (detail::patience wait;; wait.pause()) {
    int const code = Seam_Iprobe(source, tag, comm, &found, status);
    if (code != MPI_SUCCESS || found != 0)
      return code;
  }
}

} // extern "C"
