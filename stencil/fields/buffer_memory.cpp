#include <seam/stencil/fields/buffer_memory.hpp>

#include <seam/exchange/communicator/shared_memory.hpp>
#include <seam/exchange/ground/cache_line.hpp>
#include <seam/exchange/steps/run/parallel.hpp>

#include <algorithm>
#include <atomic>
#include <cstring>

namespace seam::detail {
namespace {

/// The address of the value at `at` in memory of values of `bytes` bytes.
std::byte* address_of(component_memory const& memory, index3 const& at, std::int64_t bytes) {
  std::int64_t offset = 0, step = bytes;
  for (int a = 2; a >= 0; --a) {
    offset += at[a] * step;
    step *= memory.local.extent(a);
  }
  return memory.origin + offset;
}

/// Memory whose beginning differs from that of others in the bits that caches go by: rows of several
/// buffers at the same cells do not compete for the same few places there.
std::shared_ptr<std::byte> allocate_apart(Communicator const& over, std::int64_t bytes) {
  constexpr std::int64_t page = 4096, distance = 5 * cache_line;
  static std::atomic<std::int64_t> num_buffers = 0;
  std::int64_t const ahead = num_buffers.fetch_add(1, std::memory_order_relaxed) * distance % page;
  auto const memory = allocate_bytes(over, bytes + ahead);
  return {memory, memory.get() + ahead};
}

/// Gives `count` elements one value. The threads that will compute on the pages are the first to
/// touch them.
void fill_memory(std::byte* memory, std::int64_t count, std::span<std::byte const> value) {
  bool const is_zero =
      std::ranges::all_of(value, [](std::byte byte) { return byte == std::byte{0}; });
  parts_of<1> const parts(box<1>{{0}, {count}});
  parallel_for_parts("seam::zero", parts.size(), [&](int part) {
    box<1> const elements = parts[part];
    std::byte* const begin = memory + elements.lo[0] * std::ssize(value);
    if (is_zero)
      std::memset(begin, 0, elements.extent(0) * value.size());
    else
      for (std::int64_t n = 0; n < elements.extent(0); ++n)
        std::memcpy(begin + n * std::ssize(value), value.data(), value.size());
  });
}

} // namespace

component_memory component_in(std::byte* buffer, int component, box3 const& local,
                              std::int64_t bytes) {
  component_memory made{buffer + component * local.num_cells() * bytes, local};
  made.origin = address_of(made, negated(local.lo), bytes);
  return made;
}

std::shared_ptr<std::byte> new_memory(Communicator const& over, std::int64_t count,
                                      std::span<std::byte const> value) {
  auto memory = allocate_apart(over, count * std::ssize(value));
  fill_memory(memory.get(), count, value);
  return memory;
}

void copy_values(component_memory const& from, component_memory const& to, box3 const& part,
                 std::int64_t bytes) {
  for_each_row(part, [&](index3 const& first, std::int64_t end) {
    std::memcpy(address_of(to, first, bytes), address_of(from, first, bytes),
                (end - first[2]) * bytes);
  });
}

void copy_bytes(std::byte const* from, std::byte* to, std::int64_t count) {
  parts_of<1> const pieces(box<1>{{0}, {count}});
  parallel_for_parts("seam::return", pieces.size(), [&](int part) {
    auto const bytes = pieces[part];
    std::memcpy(to + bytes.lo[0], from + bytes.lo[0], bytes.extent(0));
  });
}

} // namespace seam::detail
