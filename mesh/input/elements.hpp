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

/// The images of one element's vertices; none if the list has none.
std::span<vertex_image const> images_of(element_list const& list, std::int64_t element);

/// Reserves memory for more elements, with so many vertices in all.
void reserve(element_list& list, std::int64_t num_elements, std::int64_t num_vertices);

/// Appends an element to a list.
/// @param images  of its vertices, or none, as of all elements of the list
void append(element_list& list, shape what, global_id id, std::int32_t tag,
            std::span<global_id const> vertices, std::span<vertex_image const> images = {});

/// Appends an element of another list.
void append(element_list& list, element_list const& from, std::int64_t element);

/// Elements with the ranks that sent them.
struct received_elements {
  element_list list;
  std::vector<int> senders; ///< [list.num_elements()] ascending
};

/// Sends copies of elements[i] of `list` to ranks[i].
/// Collective: over `over`.
received_elements send_elements(Communicator const& over, element_list const& list,
                                std::span<std::int64_t const> elements, std::span<int const> ranks);

/// Sends each element of `list` to its rank. Returns this rank's, by ascending sender.
/// Collective: over `over`.
element_list migrate_elements(Communicator const& over, element_list const& list,
                              std::span<int const> elements2ranks);

/// Gmsh's files of 2.2 have an element once for each physical group that it belongs to.
///
/// Keeps of several elements on the same nodes the first one, and others with its tag: so that an
/// element counts for the first of its groups, as in 4.1. Two elements with one tag are no
/// repetition, and stay.
/// @param list  in the order of the file, over all ranks
/// Collective: over `over`.
/// Memory: 20 bytes for each element.
void drop_repeated_elements(Communicator const& over, element_list& list);

} // namespace seam::detail
