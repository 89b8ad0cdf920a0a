// MPI's own neighborhood collective, with a derived datatype for each side of rim and ghosts.
#include "block.hpp"

#include <seam/exchange/mpi/detail/check.hpp>
#include <seam/exchange/mpi/detail/handle.hpp>

namespace halo_bench {
namespace {

seam::mpi::datatype subarray(block const& of, cells const& box) {
  int sizes[3], extents[3], starts[3];
  for (int a = 0; a < 3; ++a) {
    sizes[a] = static_cast<int>(of.n) + 2;
    extents[a] = static_cast<int>(box.extent[a]);
    starts[a] = static_cast<int>(box.lo[a]);
  }
  seam::mpi::datatype type;
  seam::mpi::check(MPI_Type_create_subarray(3, sizes, extents, starts, MPI_ORDER_C, MPI_DOUBLE,
                                            type.receive()),
                   "MPI_Type_create_subarray");
  MPI_Datatype native = type.native();
  seam::mpi::check(MPI_Type_commit(&native), "MPI_Type_commit");
  return type;
}

class neighbor_alltoallw final : public way {
public:
  explicit neighbor_alltoallw(block const& of) : data_(of.data) {
    std::vector<int> sources, destinations;
    for (direction const& to : of.directions()) {
      destinations.push_back(of.neighbor(to));
      sources.push_back(of.neighbor(opposite(to)));
      owned_.push_back(subarray(of, rim(of, to)));
      sent_.push_back(owned_.back().native());
      owned_.push_back(subarray(of, ghosts(of, opposite(to))));
      received_.push_back(owned_.back().native());
    }
    auto const degree = static_cast<int>(sources.size());
    seam::mpi::check(MPI_Dist_graph_create_adjacent(of.comm, degree, sources.data(), MPI_UNWEIGHTED,
                                                    degree, destinations.data(), MPI_UNWEIGHTED,
                                                    MPI_INFO_NULL, 0, graph_.receive()),
                     "MPI_Dist_graph_create_adjacent");
    counts_.assign(sources.size(), 1);
    displacements_.assign(sources.size(), 0);
  }

  void exchange() override {
    seam::mpi::check(MPI_Neighbor_alltoallw(
                         data_, counts_.data(), displacements_.data(), sent_.data(), data_,
                         counts_.data(), displacements_.data(), received_.data(), graph_.native()),
                     "MPI_Neighbor_alltoallw");
  }

private:
  double* data_;
  seam::mpi::comm graph_;
  std::vector<seam::mpi::datatype> owned_;
  std::vector<MPI_Datatype> sent_, received_;
  std::vector<int> counts_;
  std::vector<MPI_Aint> displacements_;
};

} // namespace

std::unique_ptr<way> make_neighbor_alltoallw(block const& of) {
  return std::make_unique<neighbor_alltoallw>(of);
}

} // namespace halo_bench
