/// Exchanges: a plan applied to arrays. Any number of arrays that are laid out alike travel
/// together, in one message for each edge.
#pragma once

#include <seam/exchange/engine/operation.hpp>
#include <seam/exchange/halo/plan.hpp>
#include <seam/exchange/schedule/detail/reduction.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <typeinfo>

namespace seam {

/// "u: double, sum": an array as checked mode compares it between ranks. Local.
std::string words_of_array(std::string_view name, std::type_info const& type, reduction how);

/// One array that takes part in an exchange; it outlives the exchange.
struct exchanged_array {
  std::byte* data = nullptr;
  std::int64_t element_bytes = 0;
  combiner combine = nullptr; ///< what arriving elements do; null: they replace
  std::string words{};        ///< of words_of_array(): the same on all ranks

  /// The array of T that begins at `data`.
  /// @param name  the same on all ranks; empty where it has none
  template <class T>
  static exchanged_array of(T* data, reduction how = reduction::replace,
                            std::string_view name = {}) {
    return {reinterpret_cast<std::byte*>(data), sizeof(T), combiner_of<T>(how),
            words_of_array(name, typeid(T), how)};
  }
};

/// What an exchange that is started gated waits for before it sends.
enum class gating {
  together, ///< gate 0 for everything
  by_edge   ///< destination e of a plan has gate e; with several plans, behind those of the one
            ///< before
};

/// The exchange of `arrays` along the edges of `what`, to be run many times.
///
/// @param over    the processes that the plan's ranks belong to
/// @param arrays  [any number] laid out as the plan says; the same number and types on all ranks
/// @throws usage_error  ranks register arrays with elements of different lengths; in checked mode
///         also of different names or types (the same on all ranks)
/// Collective: over `over`. Cost of a run: at most one message for each edge, no allocation.
operation make_exchange(Communicator const& over, plan const& what,
                        std::span<exchanged_array const> arrays);

/// The exchanges along several plans in this order as one operation: what arrives by one plan may
/// be sent on by the next. All ranks give as many plans. Collective: over `over`.
operation make_exchange(Communicator const& over, std::span<plan const> rounds,
                        std::span<exchanged_array const> arrays, gating gates = gating::together);

} // namespace seam
