// The windows of the C interface: section 2.5 of the paper.
#include <seam/c/orthogonal.h>

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/point_to_point/window.hpp>
#include <seam/framework/c/errors.hpp>

#include <fmt/format.h>

#include <memory>

/// A window, and the communicator whose error handler is called.
struct seam_window {
  MPI_Comm comm;
  seam::detail::untyped_window memory;
};

namespace {

using namespace seam;
using detail::guarded;

/// Runs `body` on an open window.
template <class Body>
int guarded(Seam_Win win, char const* call, Body const& body) {
  return guarded(win == SEAM_WIN_NULL ? MPI_COMM_NULL : win->comm, [&] {
    if (win == SEAM_WIN_NULL)
      refuse(MPI_ERR_WIN, fmt::format("{}: SEAM_WIN_NULL (expected a window)", call));
    body(win->memory);
  });
}

std::unique_ptr<seam_window> opened(MPI_Comm comm, detail::opened_memory const& own) {
  return std::make_unique<seam_window>(
      seam_window{comm, detail::untyped_window(Communicator::attached_to(comm), own)});
}

lock_kind kind_of(int lock_type) {
  if (lock_type != MPI_LOCK_SHARED && lock_type != MPI_LOCK_EXCLUSIVE)
    refuse(MPI_ERR_LOCKTYPE,
           fmt::format("lock: type {} (expected MPI_LOCK_SHARED or MPI_LOCK_EXCLUSIVE)",
                       lock_type));
  return lock_type == MPI_LOCK_SHARED ? lock_kind::shared : lock_kind::exclusive;
}

} // namespace

extern "C" {

int Seam_Win_create(void* base, MPI_Aint size, int disp_unit, MPI_Info, MPI_Comm comm,
                    Seam_Win* win) {
  return guarded(comm, [&] {
    *win = opened(comm, {.length = size, .unit = disp_unit, .data = base}).release();
  });
}

int Seam_Win_allocate(MPI_Aint size, int disp_unit, MPI_Info, MPI_Comm comm, void* baseptr,
                      Seam_Win* win) {
  return guarded(comm, [&] {
    auto made = opened(comm, {.length = size, .unit = disp_unit, .data = {}});
    *static_cast<void**>(baseptr) = made->memory.data();
    *win = made.release();
  });
}

int Seam_Win_fence(int assertion, Seam_Win win) {
  return guarded(win, "fence", [&](detail::untyped_window& memory) {
    if ((assertion & MPI_MODE_NOSUCCEED) != 0)
      memory.close_epoch();
    else
      memory.fence();
  });
}

int Seam_Win_lock(int lock_type, int rank, int, Seam_Win win) {
  return guarded(win, "lock", [&](detail::untyped_window& memory) {
    lock_kind const kind = kind_of(lock_type);
    if (rank != MPI_PROC_NULL)
      memory.lock(rank, kind);
  });
}

int Seam_Win_unlock(int rank, Seam_Win win) {
  return guarded(win, "unlock", [&](detail::untyped_window& memory) {
    if (rank != MPI_PROC_NULL)
      memory.unlock(rank);
  });
}

int Seam_Win_free(Seam_Win* win) {
  return guarded(*win, "free", [&](detail::untyped_window&) {
    delete *win;
    *win = SEAM_WIN_NULL;
  });
}

int Seam_Put(void const* buffer, int count, MPI_Datatype type, int target, MPI_Aint target_disp,
             int target_count, MPI_Datatype target_type, Seam_Win win) {
  return guarded(win, "put", [&](detail::untyped_window& memory) {
    if (target != MPI_PROC_NULL)
      memory.put(target, target_disp, {buffer, count, type}, {nullptr, target_count, target_type});
  });
}

int Seam_Get(void* buffer, int count, MPI_Datatype type, int target, MPI_Aint target_disp,
             int target_count, MPI_Datatype target_type, Seam_Win win) {
  return guarded(win, "get", [&](detail::untyped_window& memory) {
    if (target != MPI_PROC_NULL)
      memory.get(target, target_disp, {buffer, count, type}, {nullptr, target_count, target_type});
  });
}

int Seam_Accumulate(void const* buffer, int count, MPI_Datatype type, int target,
                    MPI_Aint target_disp, int target_count, MPI_Datatype target_type, MPI_Op op,
                    Seam_Win win) {
  return guarded(win, "accumulate", [&](detail::untyped_window& memory) {
    if (target != MPI_PROC_NULL)
      memory.accumulate(target, target_disp, {buffer, count, type},
                        {nullptr, target_count, target_type}, op);
  });
}

} // extern "C"
