#include <seam/mesh/input/elements.hpp>

#include <seam/exchange/sparse/sparse_exchange.hpp>

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

void append(element_list& list, shape what, global_id id, std::int32_t tag,
            std::span<global_id const> vertices) {
  if (list.elements2vertices.empty())
    list.elements2vertices.push_back(0);
  list.shapes.push_back(what);
  list.ids.push_back(id);
  list.tags.push_back(tag);
  list.vertices.insert(list.vertices.end(), vertices.begin(), vertices.end());
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
  }
  through.exchange();
  received_elements arrived;
  std::vector<global_id> vertices;
  while (through.receive()) {
    auto const what = through.unpack<shape>();
    auto const id = through.unpack<global_id>();
    auto const tag = through.unpack<std::int32_t>();
    vertices.resize(num_vertices_of(what));
    for (global_id& vertex : vertices)
      through.unpack(vertex);
    append(arrived.list, what, id, tag, vertices);
    arrived.senders.push_back(through.from());
  }
  return arrived;
}

} // namespace seam::detail
