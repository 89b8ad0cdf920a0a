// Exchanges slabs axis after axis, the fastest first; slabs carry the ghosts of earlier axes, so
// that edges and corners need no messages of their own. Slabs across axis 0 are sent unpacked.
#include "block.hpp"

#include <seam/exchange/mpi/detail/check.hpp>

#include <array>

namespace halo_bench {
namespace {

class dimension_sweep final : public way {
public:
  explicit dimension_sweep(block const& of) : block_(of) {
    std::int64_t most = 0;
    for (int axis = 2; axis >= 0; --axis)
      most = std::max(most, slab(axis, 1).size());
    for (std::vector<double>& buffer : buffers_)
      buffer.resize(most);
  }

  void exchange() override {
    for (int axis = 2; axis >= 0; --axis)
      if (block_.processes[axis] == 1)
        wrap(axis);
      else
        swap(axis);
  }

private:
  /// The layer at `position` along `axis`, with the ghosts of other axes that the neighborhood
  /// needs.
  cells slab(int axis, std::int64_t position) const {
    cells box;
    for (int a = 0; a < 3; ++a) {
      bool const broad = axis == 0 || (a > axis && block_.which == neighbors::moore);
      box.lo[a] = a == axis ? position : broad ? 0 : 1;
      box.extent[a] = a == axis ? 1 : broad ? block_.n + 2 : block_.n;
    }
    return box;
  }

  void wrap(int axis) {
    copy(block_, slab(axis, block_.n), slab(axis, 0));
    copy(block_, slab(axis, 1), slab(axis, block_.n + 1));
  }

  void swap(int axis) {
    direction up{0, 0, 0};
    up[axis] = 1;
    cells const sent[2] = {slab(axis, 1), slab(axis, block_.n)};
    cells const received[2] = {slab(axis, block_.n + 1), slab(axis, 0)};
    int const rank[2] = {block_.neighbor(opposite(up)), block_.neighbor(up)};
    bool const contiguous = axis == 0;
    auto const at = [&](cells const& box, int buffer) {
      return contiguous ? block_.data + block_.index(box.lo[0], box.lo[1], box.lo[2])
                        : buffers_[buffer].data();
    };
    std::array<MPI_Request, 4> requests;
    auto const size = static_cast<int>(sent[0].size());
    for (int s = 0; s < 2; ++s)
      seam::mpi::check(MPI_Irecv(at(received[s], s), size, MPI_DOUBLE, rank[1 - s], s, block_.comm,
                                 &requests[s]),
                       "MPI_Irecv");
    for (int s = 0; s < 2; ++s) {
      if (!contiguous)
        pack(block_, sent[s], buffers_[2 + s].data());
      seam::mpi::check(MPI_Isend(at(sent[s], 2 + s), size, MPI_DOUBLE, rank[s], s, block_.comm,
                                 &requests[2 + s]),
                       "MPI_Isend");
    }
    seam::mpi::check(MPI_Waitall(4, requests.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
    if (!contiguous)
      for (int s = 0; s < 2; ++s)
        unpack(buffers_[s].data(), block_, received[s]);
  }

  block block_;
  std::array<std::vector<double>, 4> buffers_; ///< received from above, below, sent down, up
};

} // namespace

std::unique_ptr<way> make_dimension_sweep(block const& of) {
  return std::make_unique<dimension_sweep>(of);
}

} // namespace halo_bench
