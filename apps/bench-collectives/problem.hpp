/// The problem of all variants: processes with edges between them, and a block of doubles for each
/// edge; and the operations of seam that are compared.
#pragma once

#include <seam/seam.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace collective_bench {

/// The communicator of a collective: the graph of a stencil, or a complete one.
enum class place { graph, complete };

/// One question of the comparison.
struct question {
  std::string operation;    ///< one of operations()
  std::string neighborhood; ///< "faces", "moore" or "complete"
  int dimensions;           ///< dimensions of the grid of processes; unused if complete
  int bytes;                ///< length of a block [bytes]

  place where() const { return neighborhood == "complete" ? place::complete : place::graph; }
  std::string in_words() const; ///< for example "alltoall 3D moore"
};

/// The blocks that leave a process, or those that arrive there, in the order of the edges.
struct blocks {
  std::vector<int> peers;           ///< [edges] ranks at their other ends
  std::vector<int> counts;          ///< [edges] [doubles]
  std::vector<int> places;          ///< [edges] displacements [doubles]
  std::vector<MPI_Datatype> types;  ///< [edges]
  std::vector<int> byte_places;     ///< [edges] displacements [bytes]
  std::vector<MPI_Aint> far_places; ///< [edges] displacements [bytes]
  std::vector<double> memory;

  int num_edges() const { return static_cast<int>(peers.size()); }
  double* data() { return memory.data(); }
  double* block(int e) { return data() + places[e]; }
  int count(int e) const { return counts[e]; }
};

/// A question with this process's communicator and buffers. Variants keep references to it.
///
/// Blocks of v and w forms and of reduce_scatter differ in length: every other one is half as long.
/// Blocks of w forms lie in the opposite order of the edges.
struct problem {
  question asked;
  seam::Communicator comm;     ///< with a Cartesian structure unless it is complete
  MPI_Comm native;             ///< the communicator for MPI's own calls
  int count;                   ///< length of a whole block [doubles]
  int own_count;               ///< length of the block that this process sends to all, or receives
  blocks out, in;              ///< a block for each destination, and for each source
  std::vector<double> arrived; ///< scratch for blocks that rivals add up, laid out as `in`
  int root = 0;

  std::string_view operation() const { return asked.operation; }
  bool is_root() const { return comm.rank() == root; }
};

/// Makes the communicator and the buffers of a question.
/// Collective: over all processes.
problem make_problem(seam::Runtime& runtime, question const& asked);

/// An operation of seam.
struct operation {
  std::string_view name;
  bool on_graphs; ///< defined on graphs
  seam::collective (*make)(problem&);
};

/// The list of all operations.
std::span<operation const> operations();

std::vector<std::string> names_of_operations();

/// The operation of this name, which the list must have.
operation const& operation_of(std::string_view name);

} // namespace collective_bench
