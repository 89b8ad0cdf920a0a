#include <seam/stencil/partitioned_halo.hpp>

#include <seam/exchange/error.hpp>
#include <seam/exchange/exchange.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace seam {
namespace {

template <int D>
std::vector<plan> plans_of(std::vector<halo_round<D>> const& rounds) {
  std::vector<plan> plans;
  for (halo_round<D> const& round : rounds)
    plans.push_back(round.what);
  return plans;
}

} // namespace

template <int D>
PartitionedHalo<D>::PartitionedHalo(Communicator const& over,
                                    std::vector<halo_round<D>> const& rounds, box<D> const& marked,
                                    std::vector<exchanged_array> const& arrays)
    : exchange_(make_exchange(over, plans_of(rounds), arrays, gating::by_edge)) {
  for (halo_round<D> const& round : rounds) {
    sources_.insert(sources_.end(), round.sources.begin(), round.sources.end());
    for (box<D> const& rim : round.destinations)
      destinations_.push_back(intersection(rim, marked)); // others' ghosts are the rounds' business
  }
  left_ = std::vector<std::atomic<std::int64_t>>(destinations_.size());
}

template <int D>
void PartitionedHalo<D>::start() {
  if (flying_ && !flying_->test())
    refuse("halo: the exchange is in flight already (expected wait before the next start)");
  for (std::size_t e = 0; e < left_.size(); ++e)
    left_[e].store(destinations_[e].num_cells(), std::memory_order_relaxed);
  flying_.reset();
  flying_.emplace(exchange_.start_gated());
  for (std::size_t e = 0; e < left_.size(); ++e)
    if (destinations_[e].is_empty())
      flying_->open(static_cast<int>(e));
}

template <int D>
in_flight& PartitionedHalo<D>::flying(char const* call) {
  if (!flying_)
    refuse(fmt::format("halo: {} before the first start", call));
  return *flying_;
}

template <int D>
void PartitionedHalo<D>::ready(box<D> const& cells) {
  in_flight& exchange = flying("ready");
  for (std::size_t e = 0; e < destinations_.size(); ++e) {
    std::int64_t const count = intersection(destinations_[e], cells).num_cells();
    if (count == 0)
      continue;
    std::int64_t const left = left_[e].fetch_sub(count, std::memory_order_acq_rel) - count;
    if (left < 0)
      refuse(fmt::format("halo: cells from {} to {} are ready twice (expected each once after a "
                         "start)",
                         cells.lo, cells.hi));
    if (left == 0)
      exchange.open(static_cast<int>(e));
  }
}

template <int D>
bool PartitionedHalo<D>::arrived(box<D> const& cells) {
  in_flight& exchange = flying("arrived");
  for (std::size_t e = 0; e < sources_.size(); ++e)
    if (!intersection(sources_[e], cells).is_empty() && !exchange.arrived(static_cast<int>(e)))
      return false;
  return true;
}

template <int D>
bool PartitionedHalo<D>::test() {
  return !flying_ || flying_->test();
}

template <int D>
void PartitionedHalo<D>::wait() {
  flying("wait").wait();
}

template class PartitionedHalo<1>;
template class PartitionedHalo<2>;
template class PartitionedHalo<3>;

} // namespace seam
