#include <seam/c/sparse.h>

#include <seam/exchange/planning/detail/arguments.hpp>
#include <seam/exchange/sparse/sparse_exchange.hpp>
#include <seam/framework/c/errors.hpp>

#include <fmt/format.h>

#include <cstring>
#include <optional>

namespace {

using namespace seam;

/// The exchange between comm_init and comm_finalize.
struct session {
  explicit session(MPI_Comm comm) : world(Communicator::dup(comm)), exchange(world) {
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    mpi::check(MPI_Comm_get_errhandler(comm, &handler), "MPI_Comm_get_errhandler");
    mpi::check(MPI_Comm_set_errhandler(world.view().native(), handler), "MPI_Comm_set_errhandler");
    mpi::check(MPI_Errhandler_free(&handler), "MPI_Errhandler_free");
  }

  Communicator world; ///< has the error handler of the communicator that it was made of
  SparseExchange exchange;
};

std::optional<session> current;

/// Returns the session of `call`, and refuses the call in state UNINIT.
session& current_for(char const* call) {
  if (!current)
    refuse(fmt::format("{} in state UNINIT (expected comm_init before)", call));
  return *current;
}

/// Runs `body` on the session and returns its result, or `otherwise` after an error.
template <class T, class Body>
T in_session(char const* call, T otherwise, Body const& body) {
  MPI_Comm comm = current ? current->world.view().native() : MPI_COMM_NULL;
  T result = otherwise;
  detail::guarded(comm, [&] {
    session& now = current_for(call);
    try {
      result = body(now);
    } catch (usage_error const& problem) {
      throw usage_error(fmt::format("{}: {}", call, problem.what()), problem.on_all_ranks(),
                        problem.error_class());
    }
  });
  return result;
}

constexpr int nothing = 0, no_rank = -1;

} // namespace

void comm_init(MPI_Comm comm) {
  detail::guarded(comm, [&] {
    if (current)
      refuse(fmt::format("comm_init in state {} (expected UNINIT: comm_finalize before)",
                         name_of(current->exchange.state())));
    current.emplace(comm);
  });
}

void comm_finalize(void) {
  if (in_session("comm_finalize", false, [](session& now) {
        now.exchange.close();
        return true;
      }))
    current.reset();
}

int comm_rank(void) {
  return in_session("comm_rank", no_rank, [](session& now) { return now.world.rank(); });
}

int comm_size(void) {
  return in_session("comm_size", no_rank, [](session& now) { return now.world.size(); });
}

MPI_Comm comm_mpi(void) {
  return in_session("comm_mpi", MPI_COMM_NULL,
                    [](session& now) { return now.world.view().native(); });
}

void comm_pack(void const* data, unsigned size, int to) {
  in_session("comm_pack", nothing, [&](session& now) {
    detail::check_memory("pack", {data, size, MPI_BYTE});
    now.exchange.pack_bytes(to, {static_cast<std::byte const*>(data), size});
    return nothing;
  });
}

void comm_exch(void) {
  in_session("comm_exch", nothing, [](session& now) {
    now.exchange.exchange();
    return nothing;
  });
}

int comm_recv(void) {
  return in_session("comm_recv", nothing,
                    [](session& now) { return now.exchange.receive() ? 1 : nothing; });
}

void comm_unpack(void* data, unsigned size) {
  in_session("comm_unpack", nothing, [&](session& now) {
    detail::check_memory("unpack", {data, size, MPI_BYTE});
    auto const bytes = now.exchange.unpack_bytes(size);
    if (size > 0)
      std::memcpy(data, bytes.data(), size);
    return nothing;
  });
}

int comm_from(void) {
  return in_session("comm_from", no_rank, [](session& now) { return now.exchange.from(); });
}
