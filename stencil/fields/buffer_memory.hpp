/// Buffer memory: the bytes of a field's buffers, [components][n0 + ghosts]...[nD-1 + ghosts].
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/steps/regions/three_axes.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace seam::detail {

/// One component of a buffer: the address of the value with index 0 on each axis.
struct component_memory {
  std::byte* origin = nullptr;
  box3 local;
};

/// A component in a buffer of values of `bytes` bytes.
/// @param local  owned values and ghosts, in indices relative to the block
component_memory component_in(std::byte* buffer, int component, box3 const& local,
                              std::int64_t bytes);

/// Memory of `count` values, which the threads that will compute on them are the first to touch.
/// Local.
std::shared_ptr<std::byte> new_memory(Communicator const& over, std::int64_t count,
                                      std::span<std::byte const> value);

/// Copies the values of `part`, of `bytes` bytes each.
void copy_values(component_memory const& from, component_memory const& to, box3 const& part,
                 std::int64_t bytes);

/// Copies bytes by all threads.
void copy_bytes(std::byte const* from, std::byte* to, std::int64_t count);

} // namespace seam::detail
