#include <seam/mesh/entities/vertex_places.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/numbering/rendezvous.hpp>

#include <fmt/format.h>

#include <array>

namespace seam::detail {
namespace {

struct placed_vertex {
  global_id id;
  std::array<double, 3> place;
};

struct found_place {
  std::array<double, 3> place;
  std::int64_t is_known;
};

std::vector<int> homes_of(std::span<global_id const> ids, home_of_ids const& home) {
  std::vector<int> homes;
  for (global_id const id : ids)
    homes.push_back(home(id));
  return homes;
}

/// The vertices whose home this rank is, by id.
/// Collective: over `over`.
std::vector<placed_vertex> send_vertices_home(Communicator const& over, mesh_input const& given,
                                              home_of_ids const& home) {
  std::vector<placed_vertex> own;
  for (std::int64_t v = 0; v < std::ssize(given.vertex_ids); ++v) {
    double const* const place = &given.coordinates[3 * v];
    own.push_back({given.vertex_ids[v], {place[0], place[1], place[2]}});
  }
  auto met = send_records<placed_vertex>(over, own, homes_of(given.vertex_ids, home)).records;
  std::ranges::sort(met, {}, &placed_vertex::id);
  return met;
}

found_place look_up(std::span<placed_vertex const> known, global_id id) {
  auto const found = std::ranges::lower_bound(known, id, {}, &placed_vertex::id);
  if (found == known.end() || found->id != id)
    return {};
  return {found->place, 1};
}

} // namespace

std::vector<double> find_places(Communicator const& over, std::span<global_id const> ids,
                                mesh_input const& given, global_id largest_vertex, char const* of) {
  home_of_ids const home(over.size(), largest_vertex);
  auto const known = send_vertices_home(over, given, home);
  auto const answers = ask<found_place, global_id>(over, ids, homes_of(ids, home),
                                                   [&](received<global_id> const& asked) {
                                                     std::vector<found_place> places;
                                                     for (global_id const id : asked.records)
                                                       places.push_back(look_up(known, id));
                                                     return places;
                                                   });
  collectively(over.context(), [&] {
    for (std::int64_t v = 0; v < std::ssize(answers); ++v)
      if (answers[v].is_known == 0)
        refuse(fmt::format("mesh: {} with vertex {} (expected one that is given with its "
                           "coordinates)",
                           of, ids[v]));
  });
  std::vector<double> coordinates;
  for (found_place const& found : answers)
    coordinates.insert(coordinates.end(), found.place.begin(), found.place.end());
  return coordinates;
}

} // namespace seam::detail
