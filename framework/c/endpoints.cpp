#include <seam/c/endpoints.h>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/communicator/endpoint_setting.hpp>
#include <seam/exchange/communicator/endpoints.hpp>
#include <seam/exchange/endpoints/attachment.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/detail/context.hpp>
#include <seam/exchange/mpi/library.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>
#include <seam/exchange/waiting/detail/progress.hpp>
#include <seam/exchange/waiting/thread_level.hpp>
#include <seam/framework/c/errors.hpp>

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <thread>

namespace {

using namespace seam;
using detail::context_for;
using detail::guarded;
using detail::refuse_endpoint;
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
  mpi::leave_out_lossy_parts();
  mpi::check(MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided), "MPI_Init_thread");
  return true;
}

/// The endpoints of this process that the environment asks for.
int count_of_environment() {
  return collectively(MPI_COMM_WORLD,
                      [] { return detail::endpoints_of_environment(MPI_COMM_WORLD).value_or(1); });
}

/// The handle that `choose` takes of the calling thread's endpoint; MPI_COMM_NULL after an error.
template <class Choose>
MPI_Comm handle_of_thread(char const* call, Choose const& choose) {
  MPI_Comm handle = MPI_COMM_NULL;
  guarded(MPI_COMM_NULL, [&] { handle = choose(current_endpoints(call)).view().native(); });
  return handle;
}

/// The call of seam that another thread of this process is in; nullptr if there is none.
char const* call_of_other_thread() {
  std::vector<std::shared_ptr<detail::thread_calls>> threads;
  detail::list_threads(threads);
  for (auto const& thread : threads)
    if (char const* const name = thread->name.load(std::memory_order_relaxed);
        name != nullptr && thread.get() != &detail::calls_of_this_thread())
      return name;
  return nullptr;
}

/// Refuses to end MPI while another thread is in a call. One that is about to return gets a moment.
void check_no_call_is_pending() {
  using namespace std::chrono_literals;
  char const* pending = call_of_other_thread();
  for (auto const until = std::chrono::steady_clock::now() + 1s;
       pending != nullptr && std::chrono::steady_clock::now() < until;
       pending = call_of_other_thread())
    std::this_thread::sleep_for(1ms);
  if (pending != nullptr)
    refuse_endpoint(fmt::format("Seam_Finalize: another thread of the process is in a call, {} "
                                "(expected all calls of its endpoints complete)",
                                pending));
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
    now.endpoints.emplace(MPI_COMM_WORLD, endpoints == SEAM_ENDPOINTS_OF_ENVIRONMENT
                                              ? count_of_environment()
                                              : endpoints);
    now.endpoints->inherit_error_handler(MPI_COMM_WORLD);
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
    check_no_call_is_pending();
    now.endpoints.reset();
    if (!now.has_started_mpi)
      return;
    detail::end_progress();
    mpi::check(MPI_Finalize(), "MPI_Finalize");
  });
}

MPI_Comm Seam_Comm_endpoints() {
  return handle_of_thread("SEAM_COMM_ENDPOINTS",
                          [](Endpoints const& now) -> auto& { return now.all(); });
}

MPI_Comm Seam_Comm_world() {
  return handle_of_thread("SEAM_COMM_WORLD",
                          [](Endpoints const& now) -> auto& { return now.world(); });
}

MPI_Comm Seam_Comm_clique() {
  return handle_of_thread("SEAM_COMM_CLIQUE",
                          [](Endpoints const& now) -> auto& { return now.clique(); });
}

MPI_Comm Seam_Comm_self() {
  return handle_of_thread("SEAM_COMM_SELF",
                          [](Endpoints const& now) -> auto& { return now.self(); });
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
    for (int k = 0; k < std::ssize(own); ++k) {
      mpi::inherit_error_handler(parent, own[k].view());
      handles[k] = std::move(own[k]).give_to_mpi();
    }
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

int Seam_Comm_compare(MPI_Comm first, MPI_Comm second, int* result) {
  return guarded(first, [&] {
    constexpr char const* call = "Seam_Comm_compare";
    require_address(call, result, "a result");
    context_for(call, first);
    context_for(call, second);
    *result = compare_communicators(first, second);
  });
}

int Seam_Comm_get_attr(MPI_Comm comm, int keyval, void* value, int* flag) {
  return guarded(comm, [&] {
    constexpr char const* call = "Seam_Comm_get_attr";
    require_address(call, value, "a value");
    require_address(call, flag, "a flag");
    static int largest_tag_of_endpoints = mpi::end_of_tags - 1;
    if (context_for(call, comm) == nullptr || keyval != MPI_TAG_UB)
      return mpi::check(MPI_Comm_get_attr(comm, keyval, value, flag), "MPI_Comm_get_attr");
    *static_cast<int**>(value) = &largest_tag_of_endpoints;
    *flag = 1;
  });
}

int Seam_Comm_free(MPI_Comm* comm) {
  return guarded(MPI_COMM_NULL, [&] {
    require_address("Seam_Comm_free", comm, "a communicator");
    context_for("Seam_Comm_free", *comm);
    mpi::check(MPI_Comm_free(comm), "MPI_Comm_free");
  });
}

} // extern "C"
