/// Lists of elements: access to their rows, and exchange between ranks.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/mesh/input/mesh_input.hpp>

#include <algorithm>
#include <array>
#include <span>

namespace seam::detail {

/// The key of an entity: the global ids of its vertices, ascending, filled up with -1 to four. All
/// ranks find the same key of an edge or face without communication.
using entity_key = std::array<global_id, 4>;

/// Sorts a handful of values, by insertion.
template <class T>
void sort_few(std::span<T> values) {
  for (auto next = values.begin(); next != values.end(); ++next)
    std::rotate(std::upper_bound(values.begin(), next, *next), next, next + 1);
}

/// The key of up to four vertices.
entity_key key_of(std::span<global_id const> vertices);

/// The vertices of one element.
std::span<global_id const> vertices_of(element_list const& list, std::int64_t element);

/// Appends an element to a list.
void append(element_list& list, shape what, global_id id, std::int32_t tag,
            std::span<global_id const> vertices);

/// Elements with the ranks that sent them.
struct received_elements {
  element_list list;
  std::vector<int> senders; ///< [list.num_elements()] ascending
};

/// Sends copies of elements[i] of `list` to ranks[i].
/// Collective: over `over`.
received_elements send_elements(Communicator const& over, element_list const& list,
                                std::span<std::int64_t const> elements, std::span<int const> ranks);

} // namespace seam::detail
