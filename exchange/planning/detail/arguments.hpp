/// Arguments of calls: what a process sees wrong in its own ones, whatever the others call with.
///
/// All calls that take buffers of MPI's kind look here first: collectives, messages along edges,
/// windows. A mistake is refused at once, with checks on and off, before anything is read or
/// written, with MPI's class of the error. As in MPI the other processes of a collective call wait,
/// but in checked mode and at set-up, where all are told the same line. What does not fit together
/// between processes is for checked mode (checks.hpp).
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/schedule/datatype_blocks.hpp>

#include <cstddef>
#include <span>

namespace seam {

/// In place of elements to send: take them from where they are received, as MPI_IN_PLACE says.
inline bool is_in_place(elements const& what) { return what.data == MPI_IN_PLACE; }

/// Refuses a number of elements below 0 (MPI_ERR_COUNT), and MPI_DATATYPE_NULL (MPI_ERR_TYPE).
/// Local.
void check_elements(char const* call, elements const& what);

/// The same, and elements that lie at a null address, unless their datatype has addresses in itself
/// (MPI_ERR_BUFFER). Local.
void check_memory(char const* call, elements const& what);

/// Refuses a datatype that has not been committed (MPI_ERR_TYPE). @param over  returns errors
/// Local.
void check_committed(char const* call, mpi::comm_view over, MPI_Datatype type);

/// Refuses what is no operation that combines values (MPI_ERR_OP). Local.
void check_op(char const* call, MPI_Op op);

/// Refuses a rank outside of 0 to size - 1 (MPI_ERR_RANK). Local.
void check_rank(char const* call, int rank, int size);

/// The arguments of one collective call, as its process looks at them. Local.
class call_arguments {
public:
  /// @param call  as errors say it
  call_arguments(char const* call, Communicator const& over) : call_(call), over_(over) {}

  /// Elements that are read or written if `count_used` blocks of them are, each as long.
  void check_block(elements const& first, std::size_t count_used = 1) const;

  /// Blocks wherever they lie.
  void check_blocks(std::span<elements const> blocks) const;

  /// Blocks of counts elements each, one behind the other.
  void check_blocks(elements const& all, std::span<int const> counts) const;

  /// What goes to others in such a number of blocks, or MPI_IN_PLACE within one group.
  void check_sent(elements const& first, std::size_t count_used) const;

  /// What may not be MPI_IN_PLACE.
  void check_addressed(elements const& first, std::size_t count_used) const;

  /// What a leaf and the root exchange along so many edges: MPI_IN_PLACE only at the root.
  void check_at_leaf(elements const& first, int root, std::size_t count_used) const;

  /// What is combined by `op` with that of all others, or of all at sources, for every process
  /// that has a result.
  void check_reduction(elements const& send, elements const& receive, MPI_Op op,
                       bool has_result = true) const;

  /// Refuses what is no root (MPI_ERR_ROOT).
  void check_root(int root) const;

  /// What this process does in a call with a root: nothing, one of both, or both.
  bool is_root(int root) const;
  bool is_leaf(int root) const;

  /// Blocks that this process sends to, or receives from, the others, one for each edge.
  std::size_t num_leaving() const;
  std::size_t num_arriving() const;

  /// Edges from this process to `root`, and from there.
  std::size_t num_leaving_to(int root) const;
  std::size_t num_arriving_from(int root) const;

private:
  void check_has_address(elements const& what) const;
  bool is_bipartite() const { return over_.topology().kind() == topology_kind::bipartite; }

  char const* call_;
  Communicator const& over_;
};

} // namespace seam
