#include <seam/mesh/input/elements.hpp>

#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/numbering/rendezvous.hpp>
#include <seam/mesh/input/id_homes.hpp>

#include <array>

namespace seam::detail {

entity_key key_of(std::span<global_id const> vertices) {
  entity_key key{-1, -1, -1, -1};
  std::ranges::copy(vertices, key.begin());
  sort_few(std::span(key).first(vertices.size()));
  return key;
}

std::span<global_id const> vertices_of(element_list const& list, std::int64_t element) {
  auto const begin = list.elements2vertices[element];
  return std::span(list.vertices).subspan(begin, list.elements2vertices[element + 1] - begin);
}

std::span<vertex_image const> images_of(element_list const& list, std::int64_t element) {
  if (list.images.empty())
    return {};
  auto const begin = list.elements2vertices[element];
  return std::span(list.images).subspan(begin, list.elements2vertices[element + 1] - begin);
}

void reserve(element_list& list, std::int64_t num_elements, std::int64_t num_vertices) {
  list.shapes.reserve(list.shapes.size() + num_elements);
  list.ids.reserve(list.ids.size() + num_elements);
  list.tags.reserve(list.tags.size() + num_elements);
  list.elements2vertices.reserve(list.elements2vertices.size() + num_elements + 1);
  list.vertices.reserve(list.vertices.size() + num_vertices);
}

void append(element_list& list, element_list const& from, std::int64_t element) {
  append(list, from.shapes[element], from.ids[element], from.tags[element],
         vertices_of(from, element), images_of(from, element));
}

void append(element_list& list, shape what, global_id id, std::int32_t tag,
            std::span<global_id const> vertices, std::span<vertex_image const> images) {
  if (list.elements2vertices.empty())
    list.elements2vertices.push_back(0);
  list.shapes.push_back(what);
  list.ids.push_back(id);
  list.tags.push_back(tag);
  list.vertices.insert(list.vertices.end(), vertices.begin(), vertices.end());
  list.images.insert(list.images.end(), images.begin(), images.end());
  list.elements2vertices.push_back(std::ssize(list.vertices));
}

received_elements send_elements(Communicator const& over, element_list const& list,
                                std::span<std::int64_t const> elements,
                                std::span<int const> ranks) {
  SparseExchange through(over);
  for (std::int64_t i = 0; i < std::ssize(elements); ++i) {
    std::int64_t const e = elements[i];
    through.pack(ranks[i], list.shapes[e], list.ids[e], list.tags[e]);
    through.pack_bytes(ranks[i], std::as_bytes(vertices_of(list, e)));
    through.pack(ranks[i], list.images.empty() ? std::uint8_t{0} : std::uint8_t{1});
    through.pack_bytes(ranks[i], std::as_bytes(images_of(list, e)));
  }
  through.exchange();
  received_elements arrived;
  std::vector<global_id> vertices;
  std::vector<vertex_image> images;
  while (through.receive()) {
    auto const what = through.unpack<shape>();
    auto const id = through.unpack<global_id>();
    auto const tag = through.unpack<std::int32_t>();
    vertices.resize(num_vertices_of(what));
    for (global_id& vertex : vertices)
      through.unpack(vertex);
    images.resize(through.unpack<std::uint8_t>() != 0 ? vertices.size() : 0);
    for (vertex_image& image : images)
      through.unpack(image);
    append(arrived.list, what, id, tag, vertices, images);
    arrived.senders.push_back(through.from());
  }
  return arrived;
}

element_list migrate_elements(Communicator const& over, element_list const& list,
                              std::span<int const> elements2ranks) {
  auto const by_rank = order_by_rank(elements2ranks);
  std::vector<int> ranks;
  for (std::int64_t const element : by_rank)
    ranks.push_back(elements2ranks[element]);
  return send_elements(over, list, by_rank, ranks).list;
}

namespace {

/// The nodes of an element, ascending, filled up with -1.
using node_set = std::array<global_id, 8>;

node_set nodes_of(element_list const& list, local_id element) {
  node_set nodes;
  nodes.fill(-1);
  auto const listed = vertices_of(list, element);
  std::ranges::copy(listed, nodes.begin());
  sort_few(std::span(nodes).first(listed.size()));
  return nodes;
}

/// An id that is likely to differ between elements on different nodes.
global_id hash_of(node_set const& nodes) {
  std::uint64_t hash = 0;
  for (global_id const node : nodes) {
    hash = (hash ^ static_cast<std::uint64_t>(node)) * 0x9e3779b97f4a7c15U;
    hash ^= hash >> 29U;
  }
  return static_cast<global_id>(hash >> 2U);
}

/// An element as the home of its nodes sees it.
struct tagged_nodes {
  node_set nodes;
  std::int64_t tag;
};

/// For each question whether another one is equal to it. [asked]
std::vector<char> find_equal(std::span<global_id const> asked) {
  std::vector<char> has_equal(asked.size(), 0);
  auto const order = order_by(std::ssize(asked), [&](std::int64_t k) { return asked[k]; });
  for (std::int64_t k = 1; k < std::ssize(order); ++k)
    if (asked[order[k]] == asked[order[k - 1]])
      has_equal[order[k]] = has_equal[order[k - 1]] = 1;
  return has_equal;
}

/// For each element, in the order of the file, whether an earlier one on the same nodes has another
/// tag. [met]
std::vector<char> find_repeated(std::span<tagged_nodes const> met) {
  std::vector<char> is_repeated(met.size(), 0);
  std::int64_t first = -1; // on the same nodes
  for (std::int64_t const k :
       order_by(std::ssize(met), [&](std::int64_t e) { return met[e].nodes; })) {
    if (first < 0 || met[first].nodes != met[k].nodes)
      first = k;
    is_repeated[k] = met[k].tag != met[first].tag ? 1 : 0;
  }
  return is_repeated;
}

/// The elements whose nodes have the hash of another element's.
/// Collective: over `over`.
std::vector<local_id> find_suspects(Communicator const& over, element_list const& list) {
  std::vector<global_id> hashes;
  std::vector<int> homes;
  for (local_id e = 0; e < list.num_elements(); ++e) {
    hashes.push_back(hash_of(nodes_of(list, e)));
    homes.push_back(home_of_id(hashes.back(), over.size()));
  }
  auto const answers =
      ask<char, global_id>(over, hashes, homes, [](received<global_id> const& asked) {
        return find_equal(asked.records);
      });
  std::vector<local_id> suspects;
  for (local_id e = 0; e < list.num_elements(); ++e)
    if (answers[e] != 0)
      suspects.push_back(e);
  return suspects;
}

element_list without(element_list const& list, std::span<local_id const> suspects,
                     std::span<char const> is_repeated) {
  element_list kept;
  std::int64_t next = 0;
  for (local_id e = 0; e < list.num_elements(); ++e) {
    bool const is_suspect = next < std::ssize(suspects) && suspects[next] == e;
    if (!is_suspect || is_repeated[next] == 0)
      append(kept, list, e);
    next += is_suspect ? 1 : 0;
  }
  return kept;
}

} // namespace

void drop_repeated_elements(Communicator const& over, element_list& list) {
  auto const suspects = find_suspects(over, list);
  if (mpi::allreduce(over.context(), suspects.empty() ? 0 : 1, MPI_MAX) == 0)
    return;
  std::vector<tagged_nodes> own;
  std::vector<int> homes;
  for (local_id const e : suspects) {
    own.push_back({nodes_of(list, e), list.tags[e]});
    homes.push_back(home_of_id(hash_of(own.back().nodes), over.size()));
  }
  auto const is_repeated =
      ask<char, tagged_nodes>(over, own, homes, [](received<tagged_nodes> const& asked) {
        return find_repeated(asked.records);
      });
  if (!suspects.empty())
    list = without(list, suspects, is_repeated);
}

} // namespace seam::detail
