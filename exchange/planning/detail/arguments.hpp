/// Checks of a call's arguments that need no other process: buffers, counts, datatypes, ranks.
///
///     call_arguments("gather", comm).check_root(7);   // throws on this rank if there is no rank 7
///
/// All calls that take buffers of MPI's kind make these checks first: collectives, messages along
/// edges, windows. A mistake is refused at once, with checks on and off, before any buffer is read
/// or written, with MPI's class of the error. As in MPI the other processes of a collective call
/// then wait; in checked mode and at set-up all processes throw the same line. Checked mode
/// (checks.hpp) compares the arguments of different processes.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/schedule/detail/datatype_blocks.hpp>

#include <span>

namespace seam::detail {

/// True if MPI_IN_PLACE stands for the elements to send: they lie in the receive buffer.
inline bool is_in_place(elements const& values) { return values.data == MPI_IN_PLACE; }

/// Refuses a negative count (MPI_ERR_COUNT) and MPI_DATATYPE_NULL (MPI_ERR_TYPE). Local.
void check_elements(char const* call, elements const& values);

/// Refuses as check_elements(), and elements at a null address, unless their datatype contains
/// absolute addresses (MPI_ERR_BUFFER). Local.
void check_memory(char const* call, elements const& values);

/// Refuses a datatype that has not been committed (MPI_ERR_TYPE). Local.
/// @param over  a communicator that returns errors
void check_committed(char const* call, mpi::comm_view over, MPI_Datatype type);

/// Refuses an `op` that does not combine values (MPI_ERR_OP). Local.
void check_op(char const* call, MPI_Op op);

/// Refuses as check_op() above, and an operation of MPI that is not defined for the type of `values`
/// (MPI_ERR_OP), unless there are none. Local.
/// Cost: from the second call on with an operation and one of the usual types, a search in a list.
void check_op(char const* call, MPI_Op op, elements const& values);

/// Refuses a rank outside of 0 to size - 1 (MPI_ERR_RANK). Local.
void check_rank(char const* call, int rank, int size);

/// Checks the arguments of one process in one collective call. Local.
class call_arguments {
public:
  /// @param call  name of the call in error lines
  call_arguments(char const* call, Communicator const& over) : call_(call), over_(over) {}

  char const* call() const noexcept { return call_; }
  Communicator const& over() const noexcept { return over_; }

  /// Checks `count_used` blocks of equal length, given the first one.
  void check_block(elements const& first, int count_used = 1) const;

  /// Checks blocks at any addresses.
  void check_blocks(std::span<elements const> blocks) const;

  /// Checks contiguous blocks: counts[k] elements of `all` in block k.
  void check_blocks(elements const& all, std::span<int const> counts) const;

  /// Checks `count_used` blocks to send; MPI_IN_PLACE is allowed within one group.
  void check_sent(elements const& first, int count_used) const;

  /// Checks blocks that may not be MPI_IN_PLACE.
  void check_addressed(elements const& first, int count_used) const;

  /// Checks a leaf's blocks for or from the root; MPI_IN_PLACE is allowed only at the root.
  void check_at_leaf(elements const& first, int root, int count_used) const;

  /// Checks the operation and both buffers of a reduction.
  /// @param has_result  the process receives a result: all do, or only the root
  void check_reduction(elements const& send, elements const& receive, MPI_Op op,
                       bool has_result = true) const;

  /// Refuses a root that does not exist (MPI_ERR_ROOT).
  void check_root(int root) const;

  /// Whether this process is the root, and whether it is a leaf; it may be neither, one or both.
  bool is_root(int root) const;
  bool is_leaf(int root) const;

  /// Number of blocks that this process sends, or receives: one for each edge.
  int num_leaving() const;
  int num_arriving() const;

  /// Number of edges from this process to `root`, and from `root` to it.
  int num_leaving_to(int root) const;
  int num_arriving_from(int root) const;

private:
  void check_has_address(elements const& values) const;
  bool is_bipartite() const { return over_.topology().is_bipartite(); }

  char const* call_;
  Communicator const& over_;
};

} // namespace seam::detail
