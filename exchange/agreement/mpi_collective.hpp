/// Collectives on complete communicators, checked and typed: the few that seam's set-up code needs.
/// Processes make MPI's calls, endpoints seam's own (endpoints/collectives.hpp). Applications use
/// the collectives of exchange/, which follow the topology.
///
///     double const latest = mpi::allreduce(comm, own_time, MPI_MAX);
///
/// Names of MPI's functions are in parentheses, since PETSc's headers have macros of the same names: lambdas
/// would be others in sources that include these first.
#pragma once

#include <seam/exchange/endpoints/detail/collectives.hpp>
#include <seam/exchange/mpi/comm.hpp>
#include <seam/exchange/mpi/detail/context.hpp>
#include <seam/exchange/mpi/detail/datatype.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace seam::mpi {

namespace detail {

/// True if a process may stay in a blocking call of the MPI library: the library gives cores to
/// others meanwhile, and the progress thread moves other operations and reports stalls. Local.
bool may_block();

/// Returns when `under_way` is complete; yields the core meanwhile. `name` is that of the call.
void wait_for(MPI_Request under_way, char const* name);

/// Makes one call of all endpoints of `over`, by of_endpoints(context&). False if its ranks are
/// processes.
template <class Call>
bool call_endpoints(comm_view over, char const* name, Call const& of_endpoints) {
  context* const ranks = context_of(over);
  if (ranks == nullptr)
    return false;
  ranks->check_thread(name);
  seam::detail::call_scope const here(name, over);
  of_endpoints(*ranks);
  return true;
}

/// Makes one collective MPI call over `over`: by begin(MPI_Request*), or by begin(nullptr) where
/// the call may block.
template <class Begin>
void call_together(comm_view over, char const* name, Begin const& begin) {
  seam::detail::call_scope const here(name, over);
  if (may_block()) {
    seam::detail::wait_scope const waiting;
    return check(begin(nullptr), name);
  }
  MPI_Request under_way = MPI_REQUEST_NULL;
  check(begin(&under_way), name);
  wait_for(under_way, name);
}

} // namespace detail

/// Returns when all ranks have called.
/// Collective: over `over`.
void barrier(comm_view over);

/// Copies the root's `values` to every rank. [same length on all ranks]
/// Collective: over `over`.
template <class T>
void bcast(comm_view over, std::span<T> values, int root) {
  if (detail::call_endpoints(over, "MPI_Bcast", [&](context& all) {
        seam::detail::bcast(all, std::as_writable_bytes(values), root);
      }))
    return;
  int const count = narrow(std::ssize(values), "MPI_Bcast");
  detail::call_together(over, "MPI_Bcast", [&](MPI_Request* begun) {
    return begun == nullptr
               ? (MPI_Bcast)(values.data(), count, datatype_of<T>(), root, over.native())
               : (MPI_Ibcast)(values.data(), count, datatype_of<T>(), root, over.native(), begun);
  });
}

/// Copies the root's `text` to every rank, whatever its length was there.
/// Collective: over `over`.
void bcast(comm_view over, std::string& text, int root);

/// Combines `values` by `op` over all ranks, element by element, in place.
///
/// @param values  [same length on all ranks]
/// Collective: over `over`.
template <class T>
void allreduce(comm_view over, std::span<T> values, MPI_Op op) {
  int const count = narrow(std::ssize(values), "MPI_Allreduce");
  if (detail::call_endpoints(over, "MPI_Allreduce", [&](context& all) {
        seam::detail::allreduce(all, values.data(), count, datatype_of<T>(), op);
      }))
    return;
  detail::call_together(over, "MPI_Allreduce", [&](MPI_Request* begun) {
    return begun == nullptr ? (MPI_Allreduce)(MPI_IN_PLACE, values.data(), count, datatype_of<T>(),
                                              op, over.native())
                            : (MPI_Iallreduce)(MPI_IN_PLACE, values.data(), count, datatype_of<T>(),
                                               op, over.native(), begun);
  });
}

/// `value` combined by `op` over all ranks.
/// Collective: over `over`.
template <class T>
T allreduce(comm_view over, T value, MPI_Op op) {
  allreduce(over, std::span<T>(&value, 1), op);
  return value;
}

/// Replaces `values` by their sums over the ranks below this one, element by element: by 0 on
/// rank 0.
///
/// @param values  [same length on all ranks]
/// Collective: over `over`.
template <class T>
void sum_before(comm_view over, std::span<T> values) {
  int const count = narrow(std::ssize(values), "MPI_Exscan");
  auto const type = datatype_of<T>();
  if (!detail::call_endpoints(over, "MPI_Exscan", [&](context& all) {
        seam::detail::exscan(all, values.data(), count, type, MPI_SUM);
      }))
    detail::call_together(over, "MPI_Exscan", [&](MPI_Request* begun) {
      return begun == nullptr
                 ? MPI_Exscan(MPI_IN_PLACE, values.data(), count, type, MPI_SUM, over.native())
                 : MPI_Iexscan(MPI_IN_PLACE, values.data(), count, type, MPI_SUM, over.native(),
                               begun);
    });
  if (over.rank() == 0)
    std::ranges::fill(values, T{});
}

/// The sum of `value` over the ranks below this one; 0 on rank 0.
/// Collective: over `over`.
template <class T>
T sum_before(comm_view over, T value) {
  sum_before(over, std::span<T>(&value, 1));
  return value;
}

/// The `value` of each rank, in the order of the ranks. [size of `over`]
/// Collective: over `over`.
template <class T>
std::vector<T> allgather(comm_view over, T const& value) {
  static_assert(std::is_trivially_copyable_v<T>, "values travel as bytes");
  std::vector<T> all(over.size());
  if (detail::call_endpoints(over, "MPI_Allgather", [&](context& ranks) {
        seam::detail::allgather(ranks, std::as_bytes(std::span(&value, 1)),
                                std::as_writable_bytes(std::span(all)));
      }))
    return all;
  int const bytes = narrow(std::int64_t{sizeof(T)}, "MPI_Allgather");
  detail::call_together(over, "MPI_Allgather", [&](MPI_Request* begun) {
    return begun == nullptr
               ? MPI_Allgather(&value, bytes, MPI_BYTE, all.data(), bytes, MPI_BYTE, over.native())
               : MPI_Iallgather(&value, bytes, MPI_BYTE, all.data(), bytes, MPI_BYTE, over.native(),
                                begun);
  });
  return all;
}

/// The `value` of each rank on `root`, in the order of the ranks; nothing on other ranks.
/// Collective: over `over`.
template <class T>
std::vector<T> gather(comm_view over, T const& value, int root) {
  static_assert(std::is_trivially_copyable_v<T>, "values travel as bytes");
  std::vector<T> all(over.rank() == root ? over.size() : 0);
  if (detail::call_endpoints(over, "MPI_Gather", [&](context& ranks) {
        std::vector<std::int64_t> const lengths(all.size(), sizeof(T));
        seam::detail::gather(ranks, std::as_bytes(std::span(&value, 1)),
                             std::as_writable_bytes(std::span(all)), lengths, root);
      }))
    return all;
  int const bytes = narrow(std::int64_t{sizeof(T)}, "MPI_Gather");
  detail::call_together(over, "MPI_Gather", [&](MPI_Request* begun) {
    return begun == nullptr ? MPI_Gather(&value, bytes, MPI_BYTE, all.data(), bytes, MPI_BYTE, root,
                                         over.native())
                            : MPI_Igather(&value, bytes, MPI_BYTE, all.data(), bytes, MPI_BYTE,
                                          root, over.native(), begun);
  });
  return all;
}

/// The value that `root` has for this rank.
///
/// @param all  on root: [size of `over`] the value for each rank
/// Collective: over `over`.
template <class T>
T scatter(comm_view over, std::vector<T> const& all, int root) {
  static_assert(std::is_trivially_copyable_v<T>, "values travel as bytes");
  T own{};
  if (detail::call_endpoints(over, "MPI_Scatter", [&](context& ranks) {
        seam::detail::scatter(ranks, std::as_bytes(std::span(all)),
                              std::as_writable_bytes(std::span(&own, 1)), root);
      }))
    return own;
  int const bytes = narrow(std::int64_t{sizeof(T)}, "MPI_Scatter");
  detail::call_together(over, "MPI_Scatter", [&](MPI_Request* begun) {
    return begun == nullptr ? MPI_Scatter(all.data(), bytes, MPI_BYTE, &own, bytes, MPI_BYTE, root,
                                          over.native())
                            : MPI_Iscatter(all.data(), bytes, MPI_BYTE, &own, bytes, MPI_BYTE, root,
                                           over.native(), begun);
  });
  return own;
}

/// The lists of all ranks on `root`, one after the other; nothing on other ranks.
///
/// @param firsts  on root: [size of `over` + 1] where the list of each rank begins, and their end
/// Collective: over `over`.
template <class T>
std::vector<T> gather(comm_view over, std::vector<T> const& own, std::vector<int> const& firsts,
                      int root) {
  bool const is_root = over.rank() == root;
  std::vector<T> all(is_root ? firsts.back() : 0);
  std::vector<int> counts(firsts.size());
  std::adjacent_difference(firsts.begin(), firsts.end(), counts.begin());
  if (detail::call_endpoints(over, "MPI_Gatherv", [&](context& ranks) {
        std::vector<std::int64_t> lengths;
        for (int rank = 1; is_root && rank < std::ssize(counts); ++rank)
          lengths.push_back(counts[rank] * std::int64_t{sizeof(T)});
        seam::detail::gather(ranks, std::as_bytes(std::span(own)),
                             std::as_writable_bytes(std::span(all)), lengths, root);
      }))
    return all;
  int const* const lengths = is_root ? counts.data() + 1 : nullptr;
  int const count = narrow(std::ssize(own), "MPI_Gatherv");
  auto const type = datatype_of<T>();
  detail::call_together(over, "MPI_Gatherv", [&](MPI_Request* begun) {
    return begun == nullptr ? MPI_Gatherv(own.data(), count, type, all.data(), lengths,
                                          firsts.data(), type, root, over.native())
                            : MPI_Igatherv(own.data(), count, type, all.data(), lengths,
                                           firsts.data(), type, root, over.native(), begun);
  });
  return all;
}

/// The value that each rank sends to this one. [size of `over`]
///
/// @param sent  [size of `over`] the value that this rank sends to each
/// Collective: over `over`.
template <class T>
std::vector<T> alltoall(comm_view over, std::vector<T> const& sent) {
  static_assert(std::is_trivially_copyable_v<T>, "values travel as bytes");
  std::vector<T> received(sent.size());
  if (detail::call_endpoints(over, "MPI_Alltoall", [&](context& all) {
        seam::detail::alltoall(all, std::as_bytes(std::span(sent)),
                               std::as_writable_bytes(std::span(received)));
      }))
    return received;
  int const bytes = narrow(std::int64_t{sizeof(T)}, "MPI_Alltoall");
  detail::call_together(over, "MPI_Alltoall", [&](MPI_Request* begun) {
    return begun == nullptr ? (MPI_Alltoall)(sent.data(), bytes, MPI_BYTE, received.data(), bytes,
                                             MPI_BYTE, over.native())
                            : (MPI_Ialltoall)(sent.data(), bytes, MPI_BYTE, received.data(), bytes,
                                              MPI_BYTE, over.native(), begun);
  });
  return received;
}

} // namespace seam::mpi
