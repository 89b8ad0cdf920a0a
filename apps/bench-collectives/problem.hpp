/// What all variants work on: processes with edges between them, and blocks of doubles, one for
/// each edge.
#pragma once

#include <seam/seam.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace collective_bench {

/// Where collectives take place: along the edges of a stencil, or among all processes.
enum class place { graph, complete };

/// One line of what is asked.
struct question {
  std::string operation;    ///< one of operations()
  std::string neighborhood; ///< "faces", "moore" or "complete"
  int dimensions;           ///< of the grid of processes; without meaning if complete
  int bytes;                ///< of a block

  place where() const { return neighborhood == "complete" ? place::complete : place::graph; }
  std::string in_words() const; ///< "alltoall 3D moore"
};

/// The blocks that leave a process, or those that arrive there, in the order of the edges.
struct blocks {
  std::vector<int> peers;  ///< [edges] at their other ends
  std::vector<int> counts; ///< [edges] doubles
  std::vector<int> places; ///< [edges] of the first double
  std::vector<MPI_Datatype> types;
  std::vector<int> byte_places;
  std::vector<MPI_Aint> far_places; ///< in bytes too
  std::vector<double> memory;

  int num_edges() const { return static_cast<int>(peers.size()); }
  double* data() { return memory.data(); }
  double* block(int e) { return data() + places[static_cast<std::size_t>(e)]; }
  int count(int e) const { return counts[static_cast<std::size_t>(e)]; }
};

/// A question as one process has it. Stays where it is while variants of it live.
///
/// Blocks of v and w forms and of reduce_scatter differ in length: every other one is half as long.
/// Those of w forms lie in the opposite order of the edges.
struct problem {
  question asked;
  seam::Communicator comm;     ///< with a Cartesian structure unless it is complete
  MPI_Comm native;             ///< the same for MPI's own calls
  int count;                   ///< doubles in a whole block
  int own_count;               ///< in the one block that this process gives to all, or gets
  blocks out, in;              ///< a block for each destination, and for each source
  std::vector<double> arrived; ///< room for what rivals add up, laid out as `in`
  int root = 0;

  std::string_view operation() const { return asked.operation; }
  bool is_root() const { return comm.rank() == root; }
};

/// Collective: over all processes.
problem make_problem(seam::Runtime& runtime, question const& asked);

} // namespace collective_bench
