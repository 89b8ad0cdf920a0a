#include <seam/mesh/entities/derive.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/numbering/rendezvous.hpp>

#include <fmt/format.h>

#include <limits>
#include <optional>
#include <tuple>

namespace seam::detail {
namespace {

/// The statement of a rank that it has an entity.
struct claim {
  entity_key key;
  image_key images;
  std::int32_t is_of_owned;
};

/// The statement of a rank that an entity has a tag.
struct tagging {
  entity_key key;
  std::int64_t tag;
  global_id element;
};

constexpr int no_rank = std::numeric_limits<int>::max();

/// Sends the tags of elements of `dimension` to the homes of their entities.
std::vector<tagging> send_tags_home(Communicator const& over, int dimension,
                                    element_list const& tagged, home_of_ids const& home) {
  std::vector<tagging> own;
  std::vector<int> homes;
  for (local_id e = 0; e < tagged.num_elements(); ++e)
    if (dimensions_of(tagged.shapes[e]) == dimension && tagged.tags[e] != 0) {
      own.push_back({key_of(vertices_of(tagged, e)), tagged.tags[e], tagged.ids[e]});
      homes.push_back(home(own.back().key[0]));
    }
  auto met = send_records<tagging>(over, own, homes).records;
  std::ranges::sort(met, {},
                    [](tagging const& given) { return std::tuple(given.key, given.element); });
  return met;
}

/// The entities whose home this rank is, in the order of their keys.
struct home_list {
  std::vector<entity_key> keys;
  std::vector<image_key> images;
  std::vector<entity_name> names;
  std::optional<entity_key> differing; ///< of an entity whose images differ between ranks
};

/// Merges the claims for each entity.
/// @param claims2entities  [claims] filled with the position of each claim's entity
home_list merge_claims(received<claim> const& claims, std::vector<std::int64_t>& claims2entities) {
  home_list all;
  claims2entities.resize(claims.records.size());
  auto const key_of_claim = [&](std::int64_t c) { return claims.records[c].key; };
  for (std::int64_t const c : order_by(std::ssize(claims.records), key_of_claim)) {
    claim const& claimed = claims.records[c];
    if (all.keys.empty() || all.keys.back() != claimed.key) {
      all.keys.push_back(claimed.key);
      all.images.push_back(claimed.images);
      all.names.push_back({.id = 0, .owner = no_rank, .tag = 0});
    }
    if (all.images.back() != claimed.images)
      all.differing = claimed.key;
    claims2entities[c] = std::ssize(all.keys) - 1;
    if (claimed.is_of_owned != 0)
      all.names.back().owner = std::min(all.names.back().owner, claims.senders[c]);
  }
  return all;
}

void put_tag(home_list& all, tagging const& given, bool is_periodic) {
  auto const found = std::ranges::lower_bound(all.keys, given.key);
  if (found == all.keys.end() || *found != given.key)
    refuse(fmt::format("mesh: boundary element {} with lowest vertex {} (expected an element that "
                       "is part of a cell)",
                       given.element, given.key[0]));
  auto& tag = all.names[found - all.keys.begin()].tag;
  if (tag != 0 && is_periodic)
    return;
  if (tag != 0 && tag != given.tag)
    refuse(fmt::format("mesh: tag {} of boundary element {} (expected {}, which the same place "
                       "has been given)",
                       given.tag, given.element, tag));
  tag = static_cast<std::int32_t>(given.tag);
}

void number_entities(home_list& all, int dimension, std::int64_t first) {
  for (std::int64_t e = 0; e < std::ssize(all.names); ++e)
    all.names[e].id = dimension == 0 ? all.keys[e][0] : first + e;
}

} // namespace

std::vector<entity_name> agree_on_names(Communicator const& over, int dimension,
                                        derived_entities const& entities,
                                        std::span<char const> is_of_owned,
                                        element_list const& tagged, global_id largest_vertex,
                                        bool is_periodic) {
  auto const& keys = entities.keys;
  home_of_ids const home(over.size(), largest_vertex);
  auto const tags = send_tags_home(over, dimension, tagged, home);
  std::vector<claim> claims;
  std::vector<int> homes;
  for (std::int64_t e = 0; e < std::ssize(keys); ++e) {
    claims.push_back({keys[e], entities.image_keys.empty() ? image_key{} : entities.image_keys[e],
                      is_of_owned[e]});
    homes.push_back(home(keys[e][0]));
  }
  return ask<entity_name, claim>(over, claims, homes, [&](received<claim> const& met) {
    std::vector<std::int64_t> claims2entities;
    home_list all = merge_claims(met, claims2entities);
    number_entities(all, dimension, mpi::sum_before(over.context(), std::ssize(all.keys)));
    collectively(over.context(), [&] {
      if (all.differing)
        refuse_images(dimension, *all.differing);
      for (tagging const& given : tags)
        put_tag(all, given, is_periodic);
    });
    std::vector<entity_name> answers;
    for (std::int64_t const entity : claims2entities)
      answers.push_back(all.names[entity]);
    return answers;
  });
}

} // namespace seam::detail
