// One message for each direction, packed into a buffer of its own, as most programs do by hand.
#include "block.hpp"

#include <seam/exchange/mpi/detail/check.hpp>

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

class packed : public way {
public:
  explicit packed(block const& of) : block_(of) {
    int tag = 0;
    for (direction const& to : of.directions()) {
      direction const from = opposite(to);
      cells const sent = rim(of, to), received = ghosts(of, from);
      auto const size = sent.size();
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

} // namespace

std::unique_ptr<way> make_packed(block const& of) { return std::make_unique<packed>(of); }

std::unique_ptr<way> make_packed_persistent(block const& of) {
  return std::make_unique<packed_persistent>(of);
}

} // namespace halo_bench
