/// Deliveries: the context and the algorithms that all sparse exchanges over one communicator
/// share. They are kept with it, so that there may be any number of SparseExchange objects.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/sparse/algorithms/delivery.hpp>
#include <seam/exchange/sparse/sparse_exchange.hpp>

#include <map>
#include <memory>
#include <optional>

namespace seam::detail {

/// A separate context for messages of sparse exchanges, and the algorithms that run in it.
class deliveries {
public:
  /// The deliveries of `over`, made by the first call. Collective: over `over`, the first time.
  static std::shared_ptr<deliveries> of(Communicator const& over);

  explicit deliveries(mpi::comm own) : own_(std::move(own)) {}

  mpi::comm_view comm() const noexcept { return own_; }

  /// An algorithm that does not remember edges, made by the first call for it.
  ///
  /// @throws usage_error  on all ranks: there is no such algorithm
  /// Collective, the first time.
  delivery& by(sparse_algorithm algorithm);

  /// The fastest algorithm of those that keep nothing between exchanges, once it is measured.
  std::optional<sparse_algorithm> best_without_memory() const noexcept { return best_; }
  void remember_best_without_memory(sparse_algorithm best) noexcept { best_ = best; }

private:
  mpi::comm own_;
  std::optional<sparse_algorithm> best_;
  std::map<sparse_algorithm, std::unique_ptr<delivery>> made_;
};

} // namespace seam::detail
