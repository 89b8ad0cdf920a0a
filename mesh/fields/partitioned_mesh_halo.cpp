#include <seam/mesh/fields/partitioned_mesh_halo.hpp>

#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/waiting/detail/patience.hpp>
#include <seam/exchange/waiting/stall.hpp>

#include <fmt/format.h>

namespace seam {
namespace {

/// For each of `num_local` entities the edges along which it leaves.
adjacency edges_of_entities(regions_of_edges const& leaving, local_id num_local) {
  adjacency edges2entities;
  for (int e = 0; e < leaving.num_edges(); ++e) {
    for (region const& run : leaving[e])
      for (std::int64_t k = 0; k < run.num_elements(); ++k)
        edges2entities.ab2b.push_back(static_cast<local_id>(run.offset + k));
    edges2entities.end_row();
  }
  return invert(edges2entities, num_local);
}

} // namespace

PartitionedMeshHalo::PartitionedMeshHalo(
    std::vector<std::shared_ptr<detail::mesh_field_state>> fields, bool is_reverse, reduction how)
    : fields_(detail::as_planned(fields)),
      is_reverse_(is_reverse),
      exchange_(detail::make_mesh_exchange(fields, is_reverse, how, gating::by_edge)) {
  Mesh const& mesh = fields.front()->mesh;
  int const dimension = fields.front()->dimension;
  plan const forward = make_halo_plan(mesh, dimension);
  plan const what = is_reverse ? forward.inverse() : forward;
  entities2edges_ = edges_of_entities(what.sends(), mesh.entities(dimension).num_local());
  owners2sources_.assign(static_cast<std::size_t>(mesh.base().size()), -1);
  for (int e = 0; e < std::ssize(what.topology().sources()); ++e)
    owners2sources_[static_cast<std::size_t>(
        what.topology().sources()[static_cast<std::size_t>(e)].rank)] = e;
  for (int e = 0; e < what.sends().num_edges(); ++e)
    num_leaving_.push_back(static_cast<local_id>(what.sends().num_elements(e)));
  left_ = std::vector<std::atomic<local_id>>(num_leaving_.size());
  if (checks_are_on())
    marks_ = std::vector<std::atomic<bool>>(entities().ids.size());
}

void PartitionedMeshHalo::start() {
  if (flying_ && !flying_->test())
    refuse("halo: the exchange is in flight already (expected wait before the next start)");
  detail::check_storage(fields_, "a halo made after migration");
  for (auto& mark : marks_)
    mark.store(false, std::memory_order_relaxed);
  for (std::size_t e = 0; e < left_.size(); ++e)
    left_[e].store(num_leaving_[e], std::memory_order_relaxed);
  flying_.reset();
  flying_.emplace(exchange_.start_gated());
  for (std::size_t e = 0; e < left_.size(); ++e)
    if (num_leaving_[e] == 0)
      flying_->open(static_cast<int>(e));
}

in_flight& PartitionedMeshHalo::flying(char const* call) {
  if (!flying_)
    refuse(fmt::format("halo: {} before the first start", call));
  return *flying_;
}

mesh_entities const& PartitionedMeshHalo::entities() const {
  detail::mesh_field_state const& first = *fields_.front().field;
  return first.mesh.entities(first.dimension);
}

void PartitionedMeshHalo::check_entity(char const* call, local_id entity) const {
  if (entity < 0 || entity >= entities2edges_.num_rows())
    refuse(fmt::format("halo: {} of entity {} (expected 0 to {})", call, entity,
                       entities2edges_.num_rows() - 1));
}

void PartitionedMeshHalo::ready(local_id entity) {
  in_flight& exchange = flying("ready");
  check_entity("ready", entity);
  auto const refuse_twice = [=] {
    refuse(fmt::format("halo: entity {} is ready twice (expected each once after a start)",
                       entity));
  };
  if (!marks_.empty() && marks_[static_cast<std::size_t>(entity)].exchange(true))
    refuse_twice();
  for (local_id const edge : entities2edges_[entity]) {
    local_id const left = left_[static_cast<std::size_t>(edge)].fetch_sub(1) - 1;
    if (left < 0)
      refuse_twice();
    if (left == 0)
      exchange.open(edge);
  }
}

bool PartitionedMeshHalo::arrived(local_id entity) {
  in_flight& exchange = flying("arrived");
  check_entity("arrived", entity);
  if (is_reverse_)
    return exchange.test();
  mesh_entities const& all = entities();
  if (entity < all.num_owned)
    return true;
  int const owner = all.owners[static_cast<std::size_t>(entity)];
  return exchange.arrived(owners2sources_[static_cast<std::size_t>(owner)]);
}

void PartitionedMeshHalo::wait_for(local_id entity) {
  if (arrived(entity))
    return;
  patience wait;
  for (stall_watch watch; !arrived(entity); wait.pause())
    if (watch.is_due())
      watch.tell(flying("wait_for").missing());
}

bool PartitionedMeshHalo::test() { return !flying_ || flying_->test(); }

void PartitionedMeshHalo::wait() { flying("wait").wait(); }

} // namespace seam
