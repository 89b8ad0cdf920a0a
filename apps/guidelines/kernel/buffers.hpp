/// Buffers of a call: a block for each edge, filled such that each byte tells where it comes from.
#pragma once

#include "experiments/experiment.hpp"

#include <mpi.h>

#include <cstddef>
#include <new>
#include <vector>

namespace guidelines {

/// The block that arrives in a place of a receive buffer.
struct arrival {
  int peer;  ///< its sender; MPI_PROC_NULL: nothing arrives in this place
  int block; ///< its number among the sender's blocks

  friend bool operator==(arrival const&, arrival const&) = default;
};

/// Allocates whole cache lines. Where a block lies in its line is then the same in all experiments:
/// copies of some kilobytes take up to twenty times as long on some processors if source and target
/// lie differently.
template <class T>
struct line_allocator {
  using value_type = T;
  static constexpr std::align_val_t line{64};

  line_allocator() = default;
  template <class Other>
  line_allocator(line_allocator<Other> const&) noexcept {}

  T* allocate(std::size_t count) {
    return static_cast<T*>(::operator new(count * sizeof(T), line));
  }
  void deallocate(T* first, std::size_t) noexcept { ::operator delete(first, line); }

  friend bool operator==(line_allocator const&, line_allocator const&) { return true; }
};

/// Equal blocks one behind the other, with the arguments of MPI's calls that describe them.
struct blocks {
  std::vector<std::byte, line_allocator<std::byte>> memory;
  std::vector<int> counts, places, byte_places; ///< [blocks] [elements], [elements], [bytes]
  std::vector<MPI_Aint> far_places;             ///< [blocks] [bytes]
  std::vector<MPI_Datatype> types;              ///< [blocks]

  std::byte* block(int number) { return memory.data() + far_places[number]; }
  int size() const noexcept { return static_cast<int>(counts.size()); }
};

/// The send and the receive buffer of one process.
class buffers {
public:
  /// @param num_leaving  blocks that the process sends; 1 if it sends one to all
  buffers(experiment const& described, int num_leaving, int num_arriving);

  MPI_Datatype type; ///< of all blocks
  int count;         ///< of a block [elements]
  int bytes;         ///< of a block
  blocks out, in;

  /// Fills the blocks that leave `rank`, and clears the receive buffer.
  void fill(int rank);

  /// True if exactly these blocks have arrived since fill(), each in its place.
  /// @param arrivals  [in.size()]
  bool hold(std::vector<arrival> const& arrivals) const;
};

} // namespace guidelines
