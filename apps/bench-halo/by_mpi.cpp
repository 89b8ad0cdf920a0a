// The rivals by plain MPI.
#include "block.hpp"

#include <seam/exchange/mpi/detail/check.hpp>
#include <seam/exchange/mpi/detail/handle.hpp>

#include <array>

namespace halo_bench {
namespace {

/// A neighbor in one direction that is another process.
struct partner {
  cells sent, received;
  std::vector<double> out, in;
  int rank_out, rank_in, tag;
};

/// A direction in which the process is its own neighbor.
struct own {
  cells from, into;
};

/// One message for each direction, packed into a buffer of its own, as most programs do by hand.
class packed : public way {
public:
  explicit packed(block const& of) : block_(of) {
    int tag = 0;
    for (direction const& to : of.directions()) {
      direction const from = opposite(to);
      cells const sent = rim(of, to), received = ghosts(of, from);
      auto const size = sent.num_cells();
      if (of.is_own(to))
        own_.push_back({sent, received});
      else
        partners_.push_back({.sent = sent,
                             .received = received,
                             .out = std::vector<double>(size),
                             .in = std::vector<double>(size),
                             .rank_out = of.neighbor(to),
                             .rank_in = of.neighbor(from),
                             .tag = tag});
      ++tag;
    }
    requests_.resize(2 * partners_.size(), MPI_REQUEST_NULL);
  }

  void exchange() override {
    auto const n = std::ssize(partners_);
    for (int p = 0; p < n; ++p) {
      partner& with = partners_[p];
      seam::mpi::check(MPI_Irecv(with.in.data(), static_cast<int>(with.in.size()), MPI_DOUBLE,
                                 with.rank_in, with.tag, block_.comm, &requests_[p]),
                       "MPI_Irecv");
    }
    for (int p = 0; p < n; ++p) {
      partner& with = partners_[p];
      pack(block_, with.sent, with.out.data());
      seam::mpi::check(MPI_Isend(with.out.data(), static_cast<int>(with.out.size()), MPI_DOUBLE,
                                 with.rank_out, with.tag, block_.comm, &requests_[n + p]),
                       "MPI_Isend");
    }
    finish();
  }

protected:
  void finish() {
    for (own const& side : own_)
      copy(block_, side.from, side.into);
    seam::mpi::check(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(),
                                 MPI_STATUSES_IGNORE),
                     "MPI_Waitall");
    for (partner const& with : partners_)
      unpack(with.in.data(), block_, with.received);
  }

  block block_;
  std::vector<partner> partners_;
  std::vector<own> own_;
  std::vector<MPI_Request> requests_; ///< receives, then sends, in the order of partners_
};

class packed_persistent final : public packed {
public:
  explicit packed_persistent(block const& of) : packed(of) {
    auto const n = std::ssize(partners_);
    for (int p = 0; p < n; ++p) {
      partner& with = partners_[p];
      auto const size = static_cast<int>(with.in.size());
      seam::mpi::check(MPI_Recv_init(with.in.data(), size, MPI_DOUBLE, with.rank_in, with.tag,
                                     of.comm, &requests_[p]),
                       "MPI_Recv_init");
      seam::mpi::check(MPI_Send_init(with.out.data(), size, MPI_DOUBLE, with.rank_out, with.tag,
                                     of.comm, &requests_[n + p]),
                       "MPI_Send_init");
    }
  }
  ~packed_persistent() override {
    for (MPI_Request& request : requests_)
      MPI_Request_free(&request);
  }

  void exchange() override {
    start(0);
    for (partner& with : partners_)
      pack(block_, with.sent, with.out.data());
    start(std::ssize(partners_));
    finish();
  }

private:
  /// Starts the requests of all partners from `first` on. (Open MPI refuses to start no requests.)
  void start(std::int64_t first) {
    if (!partners_.empty())
      seam::mpi::check(MPI_Startall(static_cast<int>(partners_.size()), &requests_[first]),
                       "MPI_Startall");
  }
};

seam::mpi::datatype subarray(block const& of, cells const& box) {
  int sizes[3], extents[3], starts[3];
  for (int a = 0; a < 3; ++a) {
    sizes[a] = static_cast<int>(of.n) + 2;
    extents[a] = static_cast<int>(box.extent(a));
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

/// MPI's own neighborhood collective, with a derived datatype for each side of rim and ghosts.
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

/// Exchanges slabs axis after axis, the fastest first; slabs carry the ghosts of earlier axes, so that
/// edges and corners need no messages of their own. Slabs across axis 0 are sent unpacked.
class dimension_sweep final : public way {
public:
  explicit dimension_sweep(block const& of) : block_(of) {
    std::int64_t most = 0;
    for (int axis = 2; axis >= 0; --axis)
      most = std::max(most, slab(axis, 1).num_cells());
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
      box.hi[a] = a == axis ? position + 1 : broad ? block_.n + 2 : block_.n + 1;
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
    auto const size = static_cast<int>(sent[0].num_cells());
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

std::vector<rival> rivals_of_mpi() {
  return {rival::by<packed>("packed isend/irecv"),
          rival::by<packed_persistent>("packed persistent"),
          rival::by<dimension_sweep>("dimension sweep"),
          rival::by<neighbor_alltoallw>("neighbor_alltoallw")};
}

} // namespace halo_bench
