#include <seam/stencil/partitioned_halo.hpp>

#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/halo/exchange.hpp>
#include <seam/stencil/detail/arrivals.hpp>

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

template <int D>
[[noreturn]] void refuse_twice(box<D> const& cells) {
  refuse(fmt::format("halo: cells from {} to {} are ready twice (expected each once after a start)",
                     cells.lo, cells.hi));
}

} // namespace

template <int D>
PartitionedHalo<D>::PartitionedHalo(Communicator const& over,
                                    std::vector<halo_round<D>> const& rounds, box<D> const& marked,
                                    std::vector<exchanged_array> const& arrays)
    : exchange_(make_exchange(over, plans_of(rounds), arrays, gating::by_edge)) {
  exchange_.rename("a partitioned halo");
  for (halo_round<D> const& round : rounds) {
    sources_.insert(sources_.end(), round.sources.begin(), round.sources.end());
    for (box<D> const& rim : round.destinations)
      destinations_.push_back(intersection(rim, marked)); // rounds pass on ghosts by themselves
  }
  left_ = std::vector<std::atomic<std::int64_t>>(destinations_.size());
  if (checks_are_on())
    for (box<D> const& rim : destinations_)
      marks_.emplace_back(static_cast<std::size_t>(rim.num_cells()));
}

template <int D>
void PartitionedHalo<D>::start() {
  if (flying_ && !flying_->test())
    refuse("halo: the exchange is in flight already (expected wait before the next start)");
  for (std::size_t e = 0; e < left_.size(); ++e)
    left_[e].store(destinations_[e].num_cells(), std::memory_order_relaxed);
  for (auto& edge : marks_)
    for (auto& mark : edge)
      mark.store(false, std::memory_order_relaxed);
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

/// Marks `cells`, which leave along an edge, as ready.
template <int D>
void PartitionedHalo<D>::mark(std::size_t edge, box<D> const& cells) {
  auto const extents = destinations_[edge].extents();
  for_each_cell(cells, [&](cell_index<D> const& at) {
    std::int64_t cell = 0;
    for (std::size_t axis = 0; axis < D; ++axis)
      cell = cell * extents[axis] + at[axis] - destinations_[edge].lo[axis];
    if (marks_[edge][static_cast<std::size_t>(cell)].exchange(true))
      refuse_twice(cells);
  });
}

template <int D>
void PartitionedHalo<D>::ready(box<D> const& cells) {
  in_flight& exchange = flying("ready");
  for (std::size_t e = 0; e < destinations_.size(); ++e) {
    box<D> const leaving = intersection(destinations_[e], cells);
    std::int64_t const count = leaving.num_cells();
    if (count == 0)
      continue;
    if (!marks_.empty())
      mark(e, leaving);
    std::int64_t const left = left_[e].fetch_sub(count, std::memory_order_acq_rel) - count;
    if (left < 0)
      refuse_twice(cells);
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
void PartitionedHalo<D>::wait(box<D> const& cells) {
  in_flight& exchange = flying("wait");
  for (std::size_t e = 0; e < sources_.size(); ++e)
    if (!intersection(sources_[e], cells).is_empty())
      await_arrival(exchange, static_cast<int>(e));
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
