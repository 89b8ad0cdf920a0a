#include <seam/mesh/input/elements.hpp>

#include <seam/exchange/numbering/rendezvous.hpp>

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

} // namespace seam::detail
