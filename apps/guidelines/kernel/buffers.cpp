#include "kernel/buffers.hpp"

#include <algorithm>
#include <cstdint>
#include <map>

namespace guidelines {
namespace {

constexpr std::byte untouched{0xa5};

MPI_Datatype datatype_named(std::string_view name) {
  static std::map<std::string_view, MPI_Datatype> const known{{"MPI_BYTE", MPI_BYTE},
                                                              {"MPI_CHAR", MPI_CHAR},
                                                              {"MPI_INT", MPI_INT},
                                                              {"MPI_FLOAT", MPI_FLOAT},
                                                              {"MPI_DOUBLE", MPI_DOUBLE}};
  return known.at(name);
}

/// Byte `place` of a block of `rank`: a hash of all three.
std::byte byte_of(int rank, int block, int place) {
  std::uint32_t const word = static_cast<std::uint32_t>(rank) * 2654435761U ^
                             static_cast<std::uint32_t>(block) * 40503U * 65537U ^
                             static_cast<std::uint32_t>(place) * 2246822519U;
  return static_cast<std::byte>((word ^ word >> 15) * 3266489917U >> 24);
}

blocks make_blocks(int number, int count, int bytes, MPI_Datatype type) {
  blocks made;
  // Open MPI refuses null pointers also where nothing is received, and lists without memory are such.
  for (auto* const list : {&made.counts, &made.places, &made.byte_places})
    list->reserve(number + 1);
  made.far_places.reserve(number + 1);
  made.types.reserve(number + 1);
  made.memory.resize(std::max<std::int64_t>(std::int64_t{number} * bytes, 1));
  for (int k = 0; k < number; ++k) {
    made.places.push_back(k * count);
    made.far_places.push_back(MPI_Aint{k} * bytes);
    made.byte_places.push_back(static_cast<int>(made.far_places.back()));
  }
  made.counts.assign(number, count);
  made.types.assign(number, type);
  return made;
}

} // namespace

buffers::buffers(experiment const& described, int num_leaving, int num_arriving)
    : type(datatype_named(described.datatype)),
      count(described.bytes / bytes_of(described.datatype)),
      bytes(described.bytes),
      out(make_blocks(num_leaving, count, bytes, type)),
      in(make_blocks(num_arriving, count, bytes, type)) {}

void buffers::fill(int rank) {
  std::ranges::fill(in.memory, untouched);
  for (int k = 0; k < out.size(); ++k)
    for (int i = 0; i < bytes; ++i)
      out.block(k)[i] = byte_of(rank, k, i);
}

bool buffers::hold(std::vector<arrival> const& arrivals) const {
  std::int64_t const length = bytes;
  for (int k = 0; k < in.size(); ++k)
    for (int i = 0; i < length; ++i) {
      auto const [peer, block] = arrivals[k];
      if (in.memory[k * length + i] !=
          (peer == MPI_PROC_NULL ? untouched : byte_of(peer, block, i)))
        return false;
    }
  return true;
}

} // namespace guidelines
