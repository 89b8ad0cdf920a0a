#include <seam/mesh/roles/mesh_body.hpp>

#include <seam/mesh/space/mesh_space.hpp>

#include <algorithm>
#include <cstring>

namespace seam::detail {
namespace {

adjacency const* list_of_user(step_kernel const& kernel) {
  for (step_access const& access : kernel.accesses)
    if (access.reach && rows_of(access).is_list())
      return &rows_of(access).rows();
  return nullptr;
}

/// Copies what a kernel leaves as it is to the memory of the new values.
void carry_others(step_kernel const& kernel, step_call const& call, step_fields const& fields) {
  for (int a = 0; a < std::ssize(kernel.accesses); ++a) {
    auto const& [from, to] = std::pair(call.accesses[a].read, call.accesses[a].write);
    if (from == nullptr || to == nullptr || from == to)
      continue;
    std::int64_t const bytes = fields[a]->element_bytes;
    for (local_id const place : call.places.ids())
      std::memcpy(to + place * bytes, from + place * bytes, static_cast<std::size_t>(bytes));
  }
}

/// Some entities at which a kernel is tried: the first and the last, and those with the fewest and the
/// most entities around them.
std::vector<local_id> places_to_try(step_kernel const& kernel, std::span<local_id const> all) {
  if (all.empty())
    return {};
  std::vector<local_id> chosen{all.front(), all.back()};
  for (step_access const& access : kernel.accesses)
    if (access.reach) {
      auto const size_of = [&](local_id place) { return rows_of(access).rows()[place].size(); };
      auto const [least, most] = std::ranges::minmax_element(all, {}, size_of);
      chosen.insert(chosen.end(), {*least, *most});
    }
  std::ranges::sort(chosen);
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

} // namespace

void mesh_body::compute(step_kernel const& kernel, step_call const& call) const {
  if (call.computed.is_empty())
    return carry_others(kernel, call, fields);
  Mesh const& mesh = mesh_space_of(kernel).mesh();
  mesh_call made{.kernel = kernel,
                 .accesses = call.accesses,
                 .worker = call.worker,
                 .mesh = mesh,
                 .dimension = dimension,
                 .at = call.computed.ids(),
                 .list = list_of_user(kernel),
                 .computed = &call.computed,
                 .counts = call.counts};
  if (auto const* const plan = static_cast<source_plan const*>(call.plan)) {
    made.at = plan->sources;
    made.targets = plan->targets;
    if (!plan->is_part)
      made.rows_at = sources_of(kernel)->from_sources.get();
  }
  if (!kernel.recorders)
    return compute(made);
  entity_watch watch(mesh, kernel, fields, &call);
  compute_watched(made, watch);
}

std::shared_ptr<piece_plan const> mesh_body::plan(step_kernel const& kernel,
                                                  step_region const& computed) const {
  if (!kernel.sources || computed.is_empty())
    return nullptr;
  return sources_of(kernel)->plan(computed);
}

void mesh_body::probe(step_kernel const& kernel, step_recorder& /*recorder*/) const {
  mesh_space const& space = mesh_space_of(kernel);
  step_region places = space.computed(kernel, space.owned_values(kernel.kind)).front();
  if (kernel.sources)
    places = sources_of(kernel)->of(places);
  auto const tried = places_to_try(kernel, places.ids());
  std::vector<bound_access> bound;
  for (auto const& field : fields) {
    bound.emplace_back();
    bound.back().read = bound.back().write = field->buffers.front().get();
  }
  adjacency targets;
  if (kernel.sources)
    for (local_id const place : tried) {
      auto const row = sources_of(kernel)->from_sources->rows()[place];
      targets.ab2b.insert(targets.ab2b.end(), row.begin(), row.end());
      targets.end_row();
    }
  entity_watch watch(space.mesh(), kernel, fields, nullptr);
  compute_watched({.kernel = kernel,
                   .accesses = bound.data(),
                   .worker = 0,
                   .mesh = space.mesh(),
                   .dimension = dimension,
                   .at = tried,
                   .targets = {.rows = list_of_rows(targets)},
                   .list = list_of_user(kernel)},
                  watch);
}

} // namespace seam::detail
