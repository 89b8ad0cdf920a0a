/// Shared memory: storage that the processes of a node read from each other without asking.
///
///     std::shared_ptr<double[]> values = allocate<double>(world, 1000);
///     operation all = prepare(ring, allgather(std::span(values.get(), 1000), out));
///
/// A message from such storage to a process of the same node is copied once, by the receiver, from
/// the sender's buffer to its own. Messages from other memory are copied twice. Fields of a Grid
/// live here.
///
/// The environment variable SEAM_SHARED_MEMORY=off turns shared memory off; ranks of one node then
/// exchange messages of MPI. SEAM_NODE_SIZE=n makes nodes of ranks 0 to n - 1, n to 2n - 1, and so
/// on, as far as they do share memory, to test exchanges among many nodes on one machine.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>

#include <cstdint>
#include <memory>
#include <type_traits>

namespace seam {

/// True unless the environment variable SEAM_SHARED_MEMORY or set_shared_memory() says off. Local.
/// @throws usage_error  SEAM_SHARED_MEMORY is neither on nor off
bool shared_memory_is_on();

/// Turns the use of shared memory on or off for operations that are made from now on. The same on
/// all ranks, between their common calls. Local.
void set_shared_memory(bool on) noexcept;

/// The use of shared memory turned on or off in a scope. The same on all ranks.
class shared_memory_in_scope {
public:
  explicit shared_memory_in_scope(bool on) : before_(shared_memory_is_on()) {
    set_shared_memory(on);
  }
  shared_memory_in_scope(shared_memory_in_scope const&) = delete;
  shared_memory_in_scope& operator=(shared_memory_in_scope const&) = delete;
  ~shared_memory_in_scope() { set_shared_memory(before_); }

private:
  bool before_;
};

/// The most ranks of a node by SEAM_NODE_SIZE or set_node_size(); 0: no limit. Local.
/// @throws usage_error  SEAM_NODE_SIZE is no positive number
int node_size();

/// Makes communicators find nodes of at most `ranks` from now on, the same on all ranks; 0: no
/// limit. Local.
void set_node_size(int ranks) noexcept;

namespace detail {

/// Bytes for the caller, aligned to cache lines and not touched yet.
/// Collective: over `over`.
std::shared_ptr<std::byte> allocate_bytes(Communicator const& over, std::int64_t bytes);

} // namespace detail

/// Storage for `count` elements on this process, in the memory of its node if that has enough left,
/// otherwise its own. Not initialized, and not touched: pages belong to the threads that write to
/// them first. This process frees it independently of others.
///
/// @throws usage_error  a count is negative, or a machine has too little memory left (all ranks)
/// Collective: over `over`; counts may differ.
template <class T>
std::shared_ptr<T[]> allocate(Communicator const& over, std::int64_t count) {
  static_assert(std::is_trivially_copyable_v<T>, "what is shared between processes is plain bytes");
  auto bytes = detail::allocate_bytes(over, count * std::int64_t{sizeof(T)});
  auto* const first = reinterpret_cast<T*>(bytes.get());
  return {std::move(bytes), first};
}

} // namespace seam
