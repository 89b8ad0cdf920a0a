#include <seam/stencil/partitioned_halo.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/stencil/layout.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

namespace seam {
using namespace detail;

namespace {

template <int D>
std::vector<std::int64_t> num_cells_of(std::vector<box<D>> const& boxes) {
  std::vector<std::int64_t> counts(boxes.size());
  std::ranges::transform(boxes, counts.begin(), &box<D>::num_cells);
  return counts;
}

template <int D>
std::int64_t num_cells_in(std::span<box<D> const> boxes) {
  std::int64_t count = 0;
  for (box<D> const& cells : boxes)
    count += cells.num_cells();
  return count;
}

/// The cells of `boxes` among `marked`. Rounds pass on ghosts by themselves.
template <int D>
std::vector<box<D>> marked_in(std::vector<box<D>> boxes, box<D> const& marked) {
  for (box<D>& cells : boxes)
    cells = intersection(cells, marked);
  return boxes;
}

/// The numbers of the boxes that hold some of `cells`, as a range; Clang 14 has no views.
template <int D>
class boxes_at {
public:
  boxes_at(box<D> const& cells, std::vector<box<D>> const& boxes) : cells_(cells), boxes_(boxes) {}

  class iterator {
  public:
    iterator(boxes_at const& of, int number) : of_(of), number_(of.next(number)) {}
    int operator*() const noexcept { return number_; }
    iterator& operator++() {
      number_ = of_.next(number_ + 1);
      return *this;
    }
    bool operator==(iterator const& other) const noexcept { return number_ == other.number_; }

  private:
    boxes_at const& of_;
    int number_;
  };

  iterator begin() const { return {*this, 0}; }
  iterator end() const { return {*this, static_cast<int>(boxes_.size())}; }

private:
  /// The first of these boxes from `number` on.
  int next(int number) const {
    while (number < std::ssize(boxes_) && intersection(boxes_[number], cells_).is_empty())
      ++number;
    return number;
  }

  box<D> cells_;
  std::vector<box<D>> const& boxes_;
};

} // namespace

template <int D>
PartitionedHalo<D>::PartitionedHalo(char const* call, Communicator const& over,
                                    std::vector<halo_round<D>> const& rounds, box<D> const& marked,
                                    halo_fields const& fields)
    : PartitionedHalo(make_halo(call, over, plans_of(rounds), fields, gating::by_edge),
                      boxes_of(rounds, &halo_round<D>::sources),
                      marked_in(boxes_of(rounds, &halo_round<D>::destinations), marked)) {}

template <int D>
PartitionedHalo<D>::PartitionedHalo(Halo whole, std::vector<box<D>> sources,
                                    std::vector<box<D>> destinations)
    : partitioned_exchange(std::move(whole), num_cells_of(destinations),
                           num_cells_in<D>(destinations)),
      sources_(std::move(sources)),
      destinations_(std::move(destinations)) {}

/// The numbers of the marks of `cells`, which leave along `destination`. The cells of a destination
/// are numbered behind those of the destinations before.
template <int D>
region PartitionedHalo<D>::marks_of(int destination, box<D> const& cells) const {
  region marks = region_of(cells, destinations_[destination]);
  marks.offset += num_cells_in<D>(std::span(destinations_).first(destination));
  return marks;
}

template <int D>
void PartitionedHalo<D>::ready(box<D> const& cells) {
  auto const leaving = [&](int e) { return intersection(destinations_[e], cells); };
  auto edges = boxes_at(cells, destinations_);
  bool are_new = true;
  if (has_marks())
    for (int const e : edges)
      are_new = mark(marks_of(e, leaving(e))) && are_new;
  if (!are_new || !ready_along(edges, [&](int e) { return leaving(e).num_cells(); }))
    refuse(
        fmt::format("halo: cells from {} to {} are ready twice (expected each once after a start)",
                    cells.lo, cells.hi));
}

template <int D>
bool PartitionedHalo<D>::arrived(box<D> const& cells) {
  return arrived_along(boxes_at(cells, sources_));
}

template <int D>
void PartitionedHalo<D>::wait(box<D> const& cells) {
  wait_along(boxes_at(cells, sources_));
}

template class PartitionedHalo<1>;
template class PartitionedHalo<2>;
template class PartitionedHalo<3>;

} // namespace seam
