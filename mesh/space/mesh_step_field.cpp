#include <seam/mesh/space/mesh_step_field.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/steps/flow/step_dataflow.hpp>

#include <algorithm>
#include <cstring>
#include <utility>

namespace seam::detail {

mesh_step_field::mesh_step_field(std::shared_ptr<mesh_space const> over,
                                 std::shared_ptr<mesh_field_state> state)
    : step_field(state->name, 1, 1, state->row_bytes()),
      space_(std::move(over)),
      state_(std::move(state)),
      kind_(static_cast<unsigned>(state_->dimension)) {
  buffers.push_back(state_->memory);
  is_set = true;
}

std::shared_ptr<mesh_step_field> step_field_of(std::shared_ptr<mesh_field_state> const& state) {
  auto known = std::static_pointer_cast<mesh_step_field>(state->in_steps.lock());
  if (!known) {
    known = std::make_shared<mesh_step_field>(space_of(state->mesh), state);
    state->in_steps = known;
  }
  return known;
}

void mesh_step_field::require(step_region const& least, int num_buffers) {
  SEAM_ASSERT(holds(stored(), least), "a kernel reads an entity that this rank does not have");
  static_cast<void>(least);
  while (std::ssize(buffers) < num_buffers)
    buffers.push_back(new_values(*state_));
}

std::int64_t mesh_step_field::num_bytes() const {
  return std::int64_t{state_->mesh.entities(state_->dimension).num_local()} * element_bytes;
}

/// Puts the newest values into the field's own memory, to which its users have pointers.
void mesh_step_field::return_to_lender() {
  if (buffers.front() == state_->memory)
    return;
  std::memcpy(state_->memory.get(), buffers.front().get(), static_cast<std::size_t>(num_bytes()));
  std::iter_swap(buffers.begin(), std::ranges::find(buffers, state_->memory));
}

step_needs mesh_step_field::needed(step_dataflow const& flow, int /*rank*/,
                                   computed_regions const& regions,
                                   std::vector<supply_reader> const& readers,
                                   int /*component*/) const {
  step_region all = list_of({});
  for (supply_reader const& reader : readers) {
    auto const& kernel = flow.kernel_of(reader.instance);
    auto const& access = kernel.accesses[reader.access];
    step_region const& places = regions[reader.instance];
    if (access.is_written())
      all = hull(all, places);
    if (reader.part == values_read::all)
      all = hull(all, kernel.space->read_by(kernel, access, places));
  }
  step_needs made{{}, all, all};
  local_id const num_owned = state_->mesh.entities(state_->dimension).num_owned;
  if (all.is_list()) {
    auto const first_copy = std::ranges::lower_bound(all.ids(), num_owned);
    if (first_copy != all.ids().end())
      made.received.push_back(list_of({first_copy, all.ids().end()}));
  }
  return made;
}

std::vector<region> mesh_step_field::regions_of(int /*component*/, step_region const& part) const {
  std::vector<region> runs;
  for (local_id const id : part.ids())
    if (!runs.empty() && runs.back().offset + runs.back().extent[2] == id)
      ++runs.back().extent[2];
    else
      runs.push_back({.offset = id});
  return runs;
}

bound_access mesh_step_field::bound(step_kernel const& /*kernel*/, step_access const& /*access*/,
                                    std::shared_ptr<std::byte> const& from,
                                    std::shared_ptr<std::byte> const& to) const {
  bound_access made;
  made.read = from.get();
  made.write = to.get();
  return made;
}

} // namespace seam::detail
