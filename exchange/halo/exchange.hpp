/// Exchanges: a plan applied to arrays. Any number of arrays of the same layout travel together, in
/// one message for each edge.
///
///     plan const ghosts(topology, sends, receives);         // regions of elements, edge by edge
///     std::array const arrays{exchanged_array::of(u), exchanged_array::of(v)};
///     operation halo = make_exchange(comm, ghosts, arrays);
///     halo.run();                                           // fills the received regions
#pragma once

#include <seam/exchange/engine/operation.hpp>
#include <seam/exchange/halo/array_watch.hpp>
#include <seam/exchange/halo/plan.hpp>
#include <seam/exchange/schedule/reduction.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <typeinfo>
#include <utility>
#include <vector>

namespace seam {

/// "u: double, sum": the description of an array that checked mode compares between ranks. Local.
std::string words_of_array(std::string_view name, std::type_info const& type, reduction how);

/// One array of an exchange; its memory outlives the exchange.
struct exchanged_array {
  std::byte* data = nullptr;
  std::int64_t element_bytes = 0;
  detail::combiner combine = nullptr; ///< of arriving elements with those there; null: they replace
  std::string words{};                ///< of words_of_array(): the same on all ranks
  std::string name{};                 ///< of the field
  std::function<std::byte const*()> data_now{}; ///< the field's present address; keeps the array
  std::string moved{};                          ///< the error of a halo if that is another one
  memory_kind const* memory = nullptr;          ///< that the array lies in; nullptr: the host's
  std::shared_ptr<array_watch> watch{};         ///< told of the array's exchanges; may be null

  /// Describes the array of T that begins at `data`.
  /// @param name  the same on all ranks; empty where it has none
  template <class T>
  static exchanged_array of(T* data, reduction how = reduction::replace,
                            std::string_view name = {}) {
    return {reinterpret_cast<std::byte*>(data), sizeof(T), detail::combiner_of<T>(how),
            words_of_array(name, typeid(T), how), std::string(name)};
  }

  /// The array as one that lies in `kind`, which outlives the exchange.
  exchanged_array in(memory_kind const& kind) && {
    memory = &kind;
    return std::move(*this);
  }
};

/// The gates that the messages of an exchange wait for after start_gated().
enum class gating {
  together, ///< gate 0 for all messages
  by_edge   ///< gate e for destination e; the gates of a further plan follow those before
};

/// Makes an exchange of `arrays` along the edges of `pattern`, to be run many times.
///
/// @param over    the processes that the plan's ranks belong to
/// @param arrays  [any number] of the plan's layout; the same number and types on all ranks
/// @throws usage_error  ranks register arrays with elements of different lengths; in checked mode
///         also of different names or types (the same on all ranks)
/// Collective: over `over`.
/// Cost of a run: at most one message for each edge, no allocation.
operation make_exchange(Communicator const& over, plan const& pattern,
                        std::span<exchanged_array const> arrays);

/// Makes one operation of exchanges along several plans, one after another: a plan may send
/// elements that have arrived by the plan before. As above.
///
/// @param rounds  at least one plan; as many on all ranks
/// Collective: over `over`.
operation make_exchange(Communicator const& over, std::span<plan const> rounds,
                        std::span<exchanged_array const> arrays, gating gates = gating::together);

/// A region of one of several arrays, each with a layout of its own.
struct array_region {
  int array;
  region where;
};

/// Makes an exchange of regions of different arrays: all that travel along one edge, in the order
/// given, are one message. After start_gated() gate e holds back what leaves along destination e.
///
/// @param sends     [destinations of `edges`] regions; at both ends of an edge as many, of the same
/// @param receives  [sources of `edges`]      lengths, in one order
/// @throws usage_error  as above
/// Collective: over `over`.
operation make_exchange(Communicator const& over, Topology const& edges,
                        std::vector<std::vector<array_region>> const& sends,
                        std::vector<std::vector<array_region>> const& receives,
                        std::span<exchanged_array const> arrays);

} // namespace seam
