/// Contexts of endpoints: how an endpoint sends and receives, and makes further contexts.
#pragma once

#include <seam/exchange/endpoints/attachment.hpp>
#include <seam/exchange/endpoints/network.hpp>
#include <seam/exchange/mpi/detail/context.hpp>

#include <memory>
#include <vector>

namespace seam::detail {

/// Threads: as mpi::context.
class endpoint_context final : public mpi::context {
public:
  /// @param side, rank  of the endpoint in `among`
  endpoint_context(std::shared_ptr<endpoint> own, std::shared_ptr<shared_context> among, int side,
                   int rank);

  std::vector<mpi::endpoint_place> const& members() const noexcept override;
  std::vector<mpi::endpoint_place> const& peers() const noexcept override;
  bool is_bipartite() const noexcept override { return shared_->is_bipartite(); }

  void send(mpi::transfer& message) override;
  void receive(mpi::transfer& into) override;
  bool cancel(mpi::transfer& receive) override;
  std::optional<mpi::arrived_message> look(int source, int tag) override;
  std::unique_ptr<mpi::taken_message> take(int source, int tag) override;
  void progress() override;
  void check_thread(char const* call) const override;

  int node() const noexcept override;

  mpi::comm dup(mpi::comm_view own) override;
  mpi::comm split(int color, int key) override;
  mpi::comm part(std::vector<int> const& ranks, int tag) override;
  mpi::comm two_sides(int side) override;
  mpi::comm both_sides() override;

  endpoint const& own() const noexcept { return *endpoint_; }

  /// The endpoint `rank`, which exists.
  /// @throws usage_error  of the class ENDPOINTS: it is of another process
  std::shared_ptr<endpoint> endpoint_here(int rank) const;

  std::shared_ptr<endpoint> const& shared_endpoint() const noexcept { return endpoint_; }

private:
  struct applicant;

  int other_side() const noexcept { return is_bipartite() ? 1 - side_ : 0; }
  mailbox& own_mailbox() const { return *box_; }
  std::uint64_t agreed_number();
  std::uint64_t number_between_sides();
  mpi::comm context_among(std::uint64_t number, context_sides sides,
                          mpi::comm_view copied = MPI_COMM_SELF);
  mpi::comm context_of_applicants(std::vector<applicant> const& all, int color);
  mpi::comm split_sides(int color, int key);

  std::shared_ptr<endpoint> endpoint_;
  std::shared_ptr<shared_context> shared_;
  int side_;
  mailbox* box_;
  bool has_remote_peers_ = false;
};

/// The context of endpoints that a handle stands for.
/// @throws usage_error  of the class ENDPOINTS: its ranks are processes
endpoint_context& endpoints_of(mpi::comm_view over, char const* call);

/// How many endpoints each process gets, and what their communicators ask of threads.
struct endpoint_counts {
  int own = 1;
  bool are_bound = false; ///< threads must attach
};

/// Makes endpoints of the processes of `processes`. Returns for each endpoint of this process a
/// handle of the context of all, in which those of one process have consecutive ranks.
/// @throws usage_error  a count is negative, on all processes
/// Collective: over `processes`.
std::vector<mpi::comm> make_endpoints(mpi::comm_view processes, endpoint_counts const& counts);

} // namespace seam::detail
