#include <seam/exchange/mpi/collective.hpp>

namespace seam::mpi {

void barrier(comm_view over) { check(MPI_Barrier(over.native()), "MPI_Barrier"); }

void bcast(comm_view over, std::string& text, int root) {
  std::int64_t length = std::ssize(text);
  bcast(over, std::span(&length, 1), root);
  text.resize(static_cast<std::size_t>(length));
  bcast(over, std::span(text.data(), text.size()), root);
}

} // namespace seam::mpi
