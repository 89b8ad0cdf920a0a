#include <seam/exchange/steps/run/step_storage.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/ground/error.hpp>

#include <algorithm>

namespace seam::detail {
namespace {

/// The buffers of a field that a program needs: its levels, and one that kernels update into.
int num_buffers_of(step_program const& program, int field) {
  auto const& state = *program.fields[field];
  int count = state.levels;
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
  std::vector<step_region> regions;
  collectively(space_.base().context(), [&] { regions = needed_regions(needed, ranges); });
  for (int f = 0; f < std::ssize(regions); ++f)
    program_.fields[f]->require(regions[f], needed.counts[f]);
  arrays_.clear();
  layouts_.clear();
  times_changed_.clear();
  for (auto const& field : program_.fields)
    times_changed_.push_back(field->times_changed());
}

/// What fields have to store on this rank. Fields that are swapped store the same.
std::vector<step_region> step_storage::needed_regions(needed_buffers const& needed,
                                                      std::vector<step_range> const& ranges) const {
  std::vector<step_region> regions(program_.fields.size());
  for (step_range const& steps : ranges) {
    auto order = needed.order;
    step_dataflow const flow(program_, needed.layouts, order, steps);
    if (auto const why = space_.against(flow); !why.empty())
      refuse(why);
    flow.check_fills(space_.rank());
    for (int f = 0; f < std::ssize(regions); ++f)
      regions[f] = hull(regions[f], stored_by(f, flow));
  }
  for (int pass = 0; pass < std::ssize(regions); ++pass) // memory may go from swap to swap
    for (step_statement const& statement : program_.statements)
      if (statement.kernel < 0) {
        auto const [first, second] = statement.swapped;
        auto const now = hull(program_.fields[first]->stored(), program_.fields[second]->stored());
        regions[first] = regions[second] = hull(hull(regions[first], regions[second]), now);
      }
  return regions;
}

/// What a field has to store on this rank.
step_region step_storage::stored_by(int field, step_dataflow const& flow) const {
  step_field const& state = *program_.fields[field];
  step_region all = state.over().owned_values(state.kind());
  int const rank = space_.rank();
  auto const regions = flow.regions(rank);
  for (step_supply const& supply : flow.supplies())
    if (&flow.layout(supply.array) == &state)
      for (int c = 0; c < state.components; ++c)
        all = hull(all, flow.needed(rank, regions, supply.array, supply.readers, c).all);
  for (int i = 0; i < std::ssize(flow.instances()); ++i)
    for (step_access const& access : flow.kernel_of(i).accesses)
      if (access.field == field && access.is_written())
        all = hull(all, regions[i]);
  return all;
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
