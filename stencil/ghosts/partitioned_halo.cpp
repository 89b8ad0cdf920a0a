#include <seam/stencil/ghosts/partitioned_halo.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/stencil/space/layout.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

namespace seam::detail {
namespace {

std::vector<std::int64_t> num_cells_of(std::vector<box3> const& boxes) {
  std::vector<std::int64_t> counts(boxes.size());
  std::ranges::transform(boxes, counts.begin(), &box3::num_cells);
  return counts;
}

std::int64_t num_cells_in(std::span<box3 const> boxes) {
  std::int64_t count = 0;
  for (box3 const& cells : boxes)
    count += cells.num_cells();
  return count;
}

/// The cells of `boxes` among `marked`. Rounds pass on ghosts by themselves.
std::vector<box3> marked_in(std::vector<box3> boxes, box3 const& marked) {
  for (box3& cells : boxes)
    cells = intersection(cells, marked);
  return boxes;
}

/// The numbers of the boxes that hold some of `cells`, as a range; Clang 14 has no views.
class boxes_at {
public:
  boxes_at(box3 const& cells, std::vector<box3> const& boxes) : cells_(cells), boxes_(boxes) {}

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

  box3 cells_;
  std::vector<box3> const& boxes_;
};

} // namespace

partitioned_boxes::partitioned_boxes(char const* call, Communicator const& over, int num_axes,
                                     std::vector<halo_round> const& rounds, box3 const& marked,
                                     halo_fields const& fields)
    : partitioned_boxes(make_halo(call, over, plans_of(rounds), fields, gating::by_edge), num_axes,
                        boxes_of(rounds, &halo_round::sources),
                        marked_in(boxes_of(rounds, &halo_round::destinations), marked)) {}

partitioned_boxes::partitioned_boxes(Halo whole, int num_axes, std::vector<box3> sources,
                                     std::vector<box3> destinations)
    : partitioned_exchange(std::move(whole), num_cells_of(destinations),
                           num_cells_in(destinations)),
      num_axes_(num_axes),
      sources_(std::move(sources)),
      destinations_(std::move(destinations)) {}

/// The numbers of the marks of `cells`, which leave along `destination`. The cells of a destination
/// are numbered behind those of the destinations before.
region partitioned_boxes::marks_of(int destination, box3 const& cells) const {
  region marks = region_of(cells, destinations_[destination]);
  marks.offset += num_cells_in(std::span(destinations_).first(destination));
  return marks;
}

void partitioned_boxes::ready(box3 const& cells) {
  auto const leaving = [&](int e) { return intersection(destinations_[e], cells); };
  auto edges = boxes_at(cells, destinations_);
  bool are_new = true;
  if (has_marks())
    for (int const e : edges)
      are_new = mark(marks_of(e, leaving(e))) && are_new;
  if (!are_new || !ready_along(edges, [&](int e) { return leaving(e).num_cells(); }))
    refuse(
        fmt::format("halo: cells from {} to {} are ready twice (expected each once after a start)",
                    std::span(cells.lo).last(num_axes_), std::span(cells.hi).last(num_axes_)));
}

bool partitioned_boxes::arrived(box3 const& cells) {
  return arrived_along(boxes_at(cells, sources_));
}

void partitioned_boxes::wait(box3 const& cells) { wait_along(boxes_at(cells, sources_)); }

} // namespace seam::detail
