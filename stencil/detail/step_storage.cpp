#include <seam/stencil/detail/step_storage.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/stencil/detail/step_check.hpp>

#include <algorithm>

namespace seam::detail {
namespace {

/// The buffers of a field that a program needs: its levels, and one that kernels update into.
int num_buffers_of(step_program const& program, int field) {
  auto const& state = *program.fields[field];
  int count = state.options.levels;
  for (step_kernel const& kernel : program.kernels)
    for (step_access const& access : kernel.accesses)
      if (access.field == field && access.is_moved())
        count = std::max(count, 1 + buffer_to_update(kernel, access, state));
  return count;
}

} // namespace

needed_buffers buffers_of(step_program const& program) {
  needed_buffers needed;
  for (int f = 0; f < std::ssize(program.fields); ++f) {
    needed.counts.push_back(num_buffers_of(program, f));
    int const present = std::ssize(program.fields[f]->buffers);
    needed.order.emplace_back();
    for (int k = 0; k < std::max(needed.counts.back(), present); ++k) {
      needed.order.back().push_back(std::ssize(needed.layouts));
      needed.layouts.push_back(f);
    }
  }
  return needed;
}

void step_storage::widen(needed_buffers const& needed, std::vector<step_range> const& ranges) {
  std::vector<ghost_width<3>> widths;
  collectively(space_.base().context(), [&] { widths = needed_widths(needed, ranges); });
  for (int f = 0; f < std::ssize(widths); ++f)
    program_.fields[f]->require(widths[f], needed.counts[f]);
  arrays_.clear();
  layouts_.clear();
  times_changed_.clear();
  for (auto const& field : program_.fields)
    times_changed_.push_back(field->times_changed());
}

/// The ghosts that fields need on this rank. Fields that are swapped have the same.
std::vector<ghost_width<3>> step_storage::needed_widths(
    needed_buffers const& needed, std::vector<step_range> const& ranges) const {
  std::vector<ghost_width<3>> widths(program_.fields.size());
  for (step_range const& steps : ranges) {
    auto order = needed.order;
    step_dataflow const flow(program_, needed.layouts, order, steps);
    check_borders_of(flow, space_.rank());
    for (int f = 0; f < std::ssize(widths); ++f)
      widths[f] = wider(widths[f], width_of(f, flow));
  }
  for (int pass = 0; pass < std::ssize(widths); ++pass) // memory may go from swap to swap
    for (step_statement const& statement : program_.statements)
      if (statement.kernel < 0) {
        auto const [first, second] = statement.swapped;
        auto const now = wider(program_.fields[first]->width, program_.fields[second]->width);
        widths[first] = widths[second] = wider(wider(widths[first], widths[second]), now);
      }
  return widths;
}

/// The ghosts that a field needs on this rank.
ghost_width<3> step_storage::width_of(int field, step_dataflow const& flow) const {
  field_state const& state = *program_.fields[field];
  box3 const own = state.space->owned(state.options.on);
  box3 all = own;
  auto const regions = flow.regions(space_.rank());
  for (step_supply const& supply : flow.supplies())
    if (&flow.layout(supply.array) == &state)
      for (int c = 0; c < state.options.components; ++c)
        all = hull(all, flow.needed(space_.rank(), regions, supply.array, supply.readers, c).all());
  for (int i = 0; i < std::ssize(flow.instances()); ++i)
    for (step_access const& access : flow.kernel_of(i).accesses)
      if (access.field == field && access.is_written())
        all = hull(all, regions[i]);
  ghost_width<3> width;
  for (int a = 0; a < 3; ++a) {
    width.below[a] = own.lo[a] - all.lo[a];
    width.above[a] = all.hi[a] - own.hi[a];
  }
  return width;
}

bool step_storage::is_stale() const {
  for (int f = 0; f < std::ssize(program_.fields); ++f)
    if (program_.fields[f]->times_changed() != times_changed_[f])
      return true;
  return false;
}

bool step_storage::number_buffers() {
  auto const known = std::ssize(arrays_);
  order_.resize(program_.fields.size());
  for (int f = 0; f < std::ssize(order_); ++f) {
    auto const& buffers = program_.fields[f]->buffers;
    order_[f].resize(buffers.size());
    for (int k = 0; k < std::ssize(buffers); ++k)
      order_[f][k] = number_of(f, buffers[k]);
  }
  return std::ssize(arrays_) > known;
}

/// The number of a buffer, which is new if it has none.
int step_storage::number_of(int field, std::shared_ptr<std::byte> const& buffer) {
  auto const known = std::ranges::find(arrays_, buffer, &step_array::memory);
  int const number = known - arrays_.begin();
  if (known == arrays_.end()) {
    arrays_.push_back({field, buffer});
    layouts_.push_back(field);
  }
  return number;
}

void step_storage::give_buffers(buffer_order const& order) const {
  for (int f = 0; f < std::ssize(order); ++f)
    for (int k = 0; k < std::ssize(order[f]); ++k)
      program_.fields[f]->buffers[k] = arrays_[order[f][k]].memory;
}

} // namespace seam::detail
