#include <seam/mesh/fields/migrate_mesh.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/numbering/rendezvous.hpp>

#include <fmt/format.h>

#include <array>
#include <optional>

namespace seam::detail {
namespace {

/// The place of an entity in a rank's arrays.
struct place_of_id {
  global_id id;
  std::int64_t place;
};

/// The move of an entity from a place of its old owner to a place on a rank.
struct move {
  std::int64_t from, to, rank;
};

/// Sends the places of `ids` to the homes of the ids.
/// Collective: over `over`.
received<place_of_id> send_places_home(Communicator const& over, std::span<global_id const> ids) {
  std::vector<place_of_id> places;
  std::vector<int> ranks;
  for (std::int64_t e = 0; e < std::ssize(ids); ++e) {
    places.push_back({ids[e], e});
    ranks.push_back(static_cast<int>(ids[e] % over.size()));
  }
  return send_records<place_of_id>(over, places, ranks);
}

/// The moves from this rank by which all local entities of `to` get the values of their owners in
/// `from`.
/// Collective: over `over`.
std::vector<move> find_moves(Communicator const& over, mesh_entities const& from,
                             mesh_entities const& to) {
  auto const own = std::span(from.ids).first(from.num_owned);
  auto const owners = send_places_home(over, own);
  auto const takers = send_places_home(over, to.ids);
  auto const id_of = [&](std::int64_t o) { return owners.records[o].id; };
  auto const order = order_by(std::ssize(owners.records), id_of);
  std::vector<move> moves;
  std::vector<int> ranks;
  for (std::int64_t t = 0; t < std::ssize(takers.records); ++t) {
    std::int64_t const owner = *std::ranges::lower_bound(order, takers.records[t].id, {}, id_of);
    moves.push_back({owners.records[owner].place, takers.records[t].place, takers.senders[t]});
    ranks.push_back(owners.senders[owner]);
  }
  return send_records<move>(over, moves, ranks).records;
}

/// Collective: over `over`.
void move_rows(Communicator const& over, std::span<move const> moves, std::byte const* from,
               std::byte* into, std::int64_t row_bytes) {
  SparseExchange through(over);
  for (move const& moving : moves) {
    auto const rank = static_cast<int>(moving.rank);
    through.pack(rank, moving.to);
    through.pack_bytes(rank, std::span(from + moving.from * row_bytes, row_bytes));
  }
  through.exchange();
  while (through.receive()) {
    auto const row = through.unpack<std::int64_t>();
    std::ranges::copy(through.unpack_bytes(row_bytes), into + row * row_bytes);
  }
}

} // namespace

void check_on_mesh(Mesh const& mesh, std::vector<std::shared_ptr<mesh_field_state>> const& fields) {
  collectively(mesh.base().context(), [&] {
    for (auto const& field : fields)
      if (!field->mesh.is_same(mesh))
        refuse(fmt::format("migrate: field '{}' is on another mesh (expected one on the mesh that "
                           "migrates)",
                           field->name));
  });
}

void move_fields(Mesh const& to, std::vector<std::shared_ptr<mesh_field_state>> const& fields) {
  std::array<std::optional<std::vector<move>>, 4> moves;
  for (auto const& field : fields) {
    int const dimension = field->dimension;
    auto& of_dimension = moves[dimension];
    if (!of_dimension)
      of_dimension = find_moves(to.base(), field->mesh.entities(dimension), to.entities(dimension));
    mesh_field_state wanted = *field;
    wanted.mesh = to;
    wanted.in_steps.reset();
    auto const moved = make_field_state(std::move(wanted));
    move_rows(to.base(), *of_dimension, field->memory.get(), moved->memory.get(),
              field->row_bytes());
    *field = std::move(*moved);
  }
}

} // namespace seam::detail
