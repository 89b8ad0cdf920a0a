/// Memory kinds: memory that the processor does not read and write itself, such as a device's.
///
///     class device_memory final : public memory_kind { ... copies by the device's library ... };
///     device_memory const on_device;
///     auto const u = exchanged_array::of(address).in(on_device);
#pragma once

#include <cstddef>

namespace seam {

struct block;

/// How the bytes of blocks get from one kind of memory to the host's and back. Blocks without a
/// kind lie in the host's memory.
///
/// Both functions return when the bytes are there. They run in waits and calls of seam, where they
/// must not call seam themselves.
/// Threads: any, several at once for blocks that do not overlap.
class memory_kind {
public:
  memory_kind() = default;
  memory_kind(memory_kind const&) = delete;
  memory_kind& operator=(memory_kind const&) = delete;
  virtual ~memory_kind() = default;

  /// Copies the rows of `from`, which lie in this memory, one after another to `into`.
  /// @param into  [from.bytes()] in the host's memory
  virtual void read(block const& from, std::byte* into) const = 0;

  /// Copies bytes one after another to the rows of `into`, which lie in this memory.
  /// @param from  [into.bytes()] in the host's memory
  virtual void write(std::byte const* from, block const& into) const = 0;
};

} // namespace seam
