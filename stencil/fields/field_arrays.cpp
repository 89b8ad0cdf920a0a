#include <seam/stencil/fields/field_arrays.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/steps/stamps/ghost_stamps.hpp>
#include <seam/exchange/steps/stamps/view_watch.hpp>
#include <seam/stencil/fields/stale_words.hpp>
#include <seam/stencil/space/layout.hpp>
#include <seam/stencil/space/needed_values.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace seam::detail {
namespace {

/// Gives a buffer the stamps of the one before.
/// @param had, has  the values of the two; the second one has at least those of the first
void keep_stamps(std::shared_ptr<std::byte> const& before, box3 const& had,
                 std::shared_ptr<std::byte> const& after, box3 const& has, int components) {
  auto const old = stamps_of(before), now = stamps_of(after);
  if (!old || !now)
    return;
  now->take_state(*old);
  for (int c = 0; c < components; ++c)
    for_each_row(had, [&](index3 const& first, std::int64_t end) {
      now->take_stamps(*old, c * had.num_cells() + number_in(first, had),
                       c * has.num_cells() + number_in(first, has), end - first[2]);
    });
}

void check_options(std::string const& name, field_options const& options, grid_space const& space) {
  constexpr int most_levels = 1024;
  if (options.components < 1 || options.levels < 1 || options.levels > most_levels)
    throw usage_error(
        fmt::format("field '{}': {} components and {} levels (expected at least 1, and "
                    "at most {} levels)",
                    name, options.components, options.levels, most_levels),
        true);
  if (options.on != on_corners && options.on.low_axes >> space.num_axes() != 0)
    throw usage_error(fmt::format("field '{}': values on faces of axis {} (expected 0 to {})", name,
                                  std::bit_width(options.on.low_axes) - 1, space.num_axes() - 1),
                      true);
}

} // namespace

field_arrays::field_arrays(shared_space over, std::string its_name, field_options const& declared,
                           std::span<std::byte const> first_value, value_kind its_values,
                           lent_memory const& lent)
    : step_field(std::move(its_name), declared.components, declared.levels,
                 std::ssize(first_value)),
      space(std::move(over)),
      options(declared),
      values(its_values),
      width(space->ghosts()),
      first_value_(first_value.begin(), first_value.end()),
      lasting_name_(program_is_checked() ? lasting_name(name) : "") {
  check_options(name, options, *space);
  origins.resize(options.components);
  if (lent.first) {
    collectively(space->base().context(), [&] { check_lent(*space, name, options, lent); });
    width = ghosts_of(*space, options.on, lent);
    lent_ = with_own_stamps(lent.first);
    note_set();
    buffers.push_back(lent_);
  }
  while (std::ssize(buffers) < options.levels)
    buffers.push_back(new_buffer());
}

/// Memory with its first values.
std::shared_ptr<std::byte> field_arrays::new_buffer() const {
  return with_own_stamps(new_memory(space->base(), options.components * local().num_cells(),
                                    first_value_));
}

/// Memory of a buffer that, in checked mode, knows what its ghosts hold.
std::shared_ptr<std::byte> field_arrays::with_own_stamps(
    std::shared_ptr<std::byte> const& memory) const {
  if (!program_is_checked() || !checks_are_on())
    return memory;
  buffer_layout const layout{space, options, local()};
  auto const words = [layout](char const* field, std::int64_t ghost, stale_reason why) {
    return words_of_stale_ghost(layout, field, ghost, why);
  };
  auto const stamps = std::make_shared<ghost_stamps>(
      memory.get(), element_bytes, values == value_kind::boolean, kinds_of_elements(layout), words);
  stamps->belong_to(lasting_name_);
  return with_stamps(memory, stamps);
}

region field_arrays::region_of(int component, box3 const& global) const {
  region where = detail::region_of(space->relative(global), local());
  where.offset += component * local().num_cells();
  return where;
}

void field_arrays::require(step_region const& least, int num_buffers) {
  box3 const own = space->owned(options.on);
  ghost_width<3> needed;
  for (int a = 0; a < 3; ++a) {
    needed.below[a] = own.lo[a] - least.box().lo[a];
    needed.above[a] = least.box().hi[a] - own.hi[a];
  }
  ghost_width<3> const wide = wider(width, needed);
  if (largest_of_all(space->base().context(), wide == width ? 0 : 1) != 0)
    widen(wide);
  while (std::ssize(buffers) < num_buffers)
    buffers.push_back(new_buffer());
}

/// Moves all values to memory with wider ghosts.
void field_arrays::widen(ghost_width<3> const& wider) {
  if (lent_)
    collectively(space->base().context(), [&] {
      refuse(
          fmt::format("field '{}': kernels read {} ghosts below and {} above the block, which its "
                      "view does not have (expected a view with wider ghosts, or less fusion)",
                      name, fmt::join(space->entries_of(wider.below), "x"),
                      fmt::join(space->entries_of(wider.above), "x")));
    });
  box3 const kept = local();
  auto const old = std::exchange(buffers, {});
  width = wider;
  ++times_widened;
  for (auto const& from : old) {
    buffers.push_back(new_buffer());
    for (int c = 0; c < options.components; ++c)
      copy_values(component_in(from.get(), c, kept, element_bytes), component(buffers.back(), c),
                  kept, element_bytes);
    keep_stamps(from, kept, buffers.back(), local(), options.components);
  }
}

void field_arrays::return_to_lender() {
  if (!lent_ || buffers.front() == lent_)
    return;
  copy_bytes(buffers.front().get(), lent_.get(), num_bytes());
  keep_stamps(buffers.front(), local(), lent_, local(), options.components);
  std::iter_swap(buffers.begin(), std::ranges::find(buffers, lent_));
}

void field_arrays::note_change() const {
  for (auto const& buffer : buffers)
    if (auto const stamps = stamps_of(buffer))
      stamps->note_change();
}

std::string field_arrays::ghosts_in_words() const {
  return fmt::format("ghosts {} below and {} above", fmt::join(space->entries_of(width.below), "x"),
                     fmt::join(space->entries_of(width.above), "x"));
}

bool field_arrays::is_like(step_field const& other) const {
  auto const* const field = dynamic_cast<field_arrays const*>(&other);
  return field != nullptr && field->space == space && field->element_bytes == element_bytes &&
         field->options.on == options.on && field->components == components;
}

step_region field_arrays::values_at(step_region const& places) const {
  return space->values_at(places.box(), options.on);
}

std::vector<step_region> field_arrays::parts_of(step_region const& part) const {
  auto const zones = cut_by_zones(part.box(), space->owned(options.on));
  return {zones.begin(), zones.end()};
}

bound_access field_arrays::bound(step_kernel const& kernel, step_access const& access,
                                 std::shared_ptr<std::byte> const& from,
                                 std::shared_ptr<std::byte> const& to) const {
  bound_access made;
  made.read = from ? component(from, access.first).origin : nullptr;
  made.write = to ? component(to, access.first).origin : nullptr;
  made.component_stride = 1;
  for (int axis = 2; axis >= 0; --axis) {
    made.stride[axis] = made.component_stride;
    made.component_stride *= local().extent(axis);
  }
  made.multiplier = access.multiplier;
  made.divisor = access.divisor;
  made.field_first = space->owned().lo;
  if (kernel.space)
    made.kernel_first = static_cast<grid_space const&>(*kernel.space).owned().lo;
  return made;
}

/// A buffer has the name of the field that it was in when it was looked at last.
ghost_stamps* field_arrays::stamps(std::shared_ptr<std::byte> const& buffer) const {
  auto const its = stamps_of(buffer);
  if (its)
    its->belong_to(lasting_name_);
  return its.get();
}

void field_arrays::vouch_for_ghosts() const {
  if (auto* const its = stamps(buffers.front()))
    its->vouch_for_ghosts();
}

void field_arrays::check_view(int component, int level) const {
  if (component < 0 || component >= options.components || level > 0 || -level >= options.levels)
    refuse(fmt::format("field '{}': component {} of level {} (expected components from 0 to {} and "
                       "levels from 0 down to {})",
                       name, component, level, options.components - 1, 1 - options.levels));
}

std::shared_ptr<array_watch> field_arrays::watch(bool out_of_reach_too) const {
  auto stamps = stamps_of(buffers.front());
  return stamps ? std::make_shared<stamped_array>(std::move(stamps), out_of_reach_too) : nullptr;
}

} // namespace seam::detail
