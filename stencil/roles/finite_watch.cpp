#include <seam/stencil/roles/finite_watch.hpp>

#include <seam/exchange/steps/program/not_finite.hpp>
#include <seam/stencil/ghosts/grid_needs.hpp>
#include <seam/stencil/space/grid_kernels.hpp>

#include <algorithm>
#include <cmath>

namespace seam::detail {
namespace {

/// Calls look(numbers, count) for the numbers that values in memory consist of, in their type.
template <class Look>
auto with_numbers(field_state const& field, std::byte const* values, std::int64_t num_values,
                  Look const& look) {
  auto const numbers = [&]<class T>(T) {
    return look(reinterpret_cast<T const*>(values),
                num_values * field.element_bytes / std::int64_t{sizeof(T)});
  };
  switch (field.values) {
  case value_kind::floats: return numbers(float{});
  case value_kind::doubles: return numbers(double{});
  default: return numbers(0.0L);
  }
}

bool has_floating_point(field_state const& field) { return field.values >= value_kind::floats; }

/// The number of the first value from `values` on that is not finite, or `count`.
std::int64_t first_not_finite(field_state const& field, std::byte const* values,
                              std::int64_t count) {
  return with_numbers(field, values, count, [&](auto const* numbers, std::int64_t n) {
    auto const found = std::find_if(numbers, numbers + n, [](auto x) { return !std::isfinite(x); });
    return found == numbers + n ? count : (found - numbers) * count / n;
  });
}

/// The number in a value that is not finite.
double number_not_finite(field_state const& field, std::byte const* value) {
  return with_numbers(field, value, 1, [](auto const* numbers, std::int64_t n) {
    auto const found = std::find_if(numbers, numbers + n, [](auto x) { return !std::isfinite(x); });
    return static_cast<double>(found == numbers + n ? *numbers : *found);
  });
}

/// The offset of a value in the memory of an argument. [bytes]
std::int64_t offset_of(field_state const& field, bound_access const& bound, int component,
                       index3 const& at) {
  std::int64_t offset = component * bound.component_stride;
  for (int a = 0; a < 3; ++a)
    offset += at[a] * bound.stride[a];
  return offset * field.element_bytes;
}

/// Calls visit(component, place, address) for the values of a tile that are not finite.
template <class Visit>
void for_each_not_finite(field_state const& field, step_access const& access,
                         bound_access const& bound, box3 const& cells, Visit const& visit) {
  for (int c = 0; c < access.count; ++c)
    for_each_row(cells, [&](index3 at, std::int64_t end) {
      std::byte const* row = bound.write + offset_of(field, bound, c, at);
      while (at[2] < end) {
        std::int64_t const skipped = first_not_finite(field, row, end - at[2]);
        at[2] += skipped;
        row += skipped * field.element_bytes;
        if (at[2] == end)
          return;
        visit(c, at, row);
        ++at[2];
        row += field.element_bytes;
      }
    });
}

} // namespace

finite_watch::finite_watch(step_kernel const& kernel, tile_call const& call)
    : kernel_(kernel), call_(call) {
  for (int a = 0; a < std::ssize(kernel_.accesses); ++a)
    if (keeps_values(a))
      for_each_not_finite(a, [&](int, index3 const&, std::byte const* address) {
        before_.push_back(address);
      });
  std::ranges::sort(before_);
}

field_state const& finite_watch::field(int access_number) const {
  return field_of(*kernel_.findings->program, access(access_number).field);
}

/// True if values of an argument that were in its memory before may be there after the kernel, or in
/// what it computes.
bool finite_watch::keeps_values(int number) const {
  bound_access const& bound = call_.accesses[number];
  return kernel_.mask.access >= 0 || kernel_.num_colors > 1 || bound.read == bound.write;
}

/// Calls visit(component, place, address) for the values of an argument that the kernel writes and that
/// are not finite.
template <class Visit>
void finite_watch::for_each_not_finite(int number, Visit const& visit) const {
  if (access(number).is_written() && has_floating_point(field(number)) &&
      has_values_at(kernel_, access(number), shift(call_.where, grid_of(kernel_).first())))
    detail::for_each_not_finite(field(number), access(number), call_.accesses[number], call_.where,
                                visit);
}

void finite_watch::end() const {
  for (int a = 0; a < std::ssize(kernel_.accesses); ++a)
    for_each_not_finite(a, [&](int c, index3 const& at, std::byte const* address) {
      if (!std::ranges::binary_search(before_, address) && reads_finite_values(at))
        note(a, c, at, number_not_finite(field(a), address));
    });
}

/// True if all that the kernel has read to compute a value was finite.
/// @param target  of the value, relative to the block
bool finite_watch::reads_finite_values(index3 const& target) const {
  box3 cells{target, target};
  for (int a = 0; a < 3; ++a) {
    cells.lo[a] += grid_of(kernel_).first()[a];
    cells.hi[a] = cells.lo[a] + 1;
  }
  for (int a = 0; a < std::ssize(kernel_.accesses); ++a) {
    if (!access(a).is_read() || access(a).is_added() || !has_floating_point(field(a)))
      continue;
    for (box3 const& from : sources_of(kernel_, access(a), cells))
      if (!reads_finite_values(a, from))
        return false;
  }
  return true;
}

/// As above, by one argument.
/// @param from  the kernel's own place
bool finite_watch::reads_finite_values(int number, box3 const& from) const {
  step_access const& read = access(number);
  field_state const& values = field(number);
  bound_access const& bound = call_.accesses[number];
  bool const is_replaced = bound.read == bound.write; // at the place itself, by the kernel
  for (int c = 0; c < read.count; ++c)
    for (index3 const& offset : read.offsets_of(read.first + c)) {
      index3 at = read.read_at(from, offset).lo;
      bool is_inside = true;
      for (int a = 0; a < 3; ++a) {
        auto const domain = values.space->domain(values.options.on);
        is_inside = is_inside && (values.space->is_periodic(a) ||
                                  (at[a] >= domain.lo[a] && at[a] < domain.hi[a]));
        at[a] -= bound.field_first[a];
      }
      if (!is_inside || (is_replaced && offset == index3{}))
        continue;
      if (first_not_finite(values, bound.read + offset_of(values, bound, c, at), 1) == 0)
        return false;
    }
  return true;
}

void finite_watch::note(int number, int component, index3 const& target, double value) const {
  not_finite_value made;
  made.where = {call_.step, kernel_.findings->kernel, number, component};
  for (int a = 0; a < 3; ++a)
    made.where[4 + a] = target[a] + grid_of(kernel_).first()[a];
  not_finite_value& found = kernel_.findings->of_workers[call_.worker];
  if (made.where >= found.where)
    return;
  made.value = value;
  made.inputs = inputs_in_words(kernel_);
  found = std::move(made);
}

} // namespace seam::detail
