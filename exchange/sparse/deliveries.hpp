/// Deliveries: what sparse exchanges over one communicator share. They are kept with it, so that
/// there may be any number of SparseExchange objects.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/sparse/algorithms/delivery.hpp>
#include <seam/exchange/sparse/sparse_exchange.hpp>

#include <map>
#include <memory>
#include <optional>

namespace seam::detail {

/// A context of its own for messages of sparse exchanges, and the algorithms that run in it.
class deliveries {
public:
  /// Those of `over`, made when first asked for. Collective: over `over`, the first time.
  static std::shared_ptr<deliveries> of(Communicator const& over);

  explicit deliveries(mpi::comm own) : own_(std::move(own)) {}

  mpi::comm_view comm() const noexcept { return own_; }

  /// One of the algorithms that keep nothing from exchange to exchange, made when first asked for.
  /// @throws usage_error  on all ranks: two_level, but there is no memory left to share
  /// Collective, the first time.
  delivery& by(sparse_algorithm which);

  /// The cached pattern, which each SparseExchange has for itself. Collective.
  std::unique_ptr<delivery> make_cached();

  /// Whether two_level has memory to share: not if it is off. Collective.
  bool has_shared_memory();

  /// Which of the algorithms that keep nothing has been found to cost least, if any has.
  std::optional<sparse_algorithm> best_without_memory() const noexcept { return best_; }
  void remember_best_without_memory(sparse_algorithm best) noexcept { best_ = best; }

private:
  std::unique_ptr<delivery> make(sparse_algorithm which) const;

  mpi::comm own_;
  std::optional<sparse_algorithm> best_;
  std::map<sparse_algorithm, std::unique_ptr<delivery>> made_;
};

} // namespace seam::detail
