#include <seam/stencil/roles/grid_declaration.hpp>

#include <seam/exchange/steps/program/step_program.hpp>
#include <seam/stencil/fields/field_state.hpp>

#include <algorithm>
#include <utility>

namespace seam::detail {
namespace {

std::vector<index3> sorted(std::vector<index3> list) {
  std::ranges::sort(list);
  list.erase(std::unique(list.begin(), list.end()), list.end());
  return list;
}

/// The argument at whose places a kernel computes: one that it writes, else one of its own grid.
auto main_access(step_kernel const& kernel) {
  auto const& all = kernel.accesses;
  auto const found = std::ranges::find_if(all, &step_access::is_written);
  return found != all.end() ? found : std::ranges::find_if(all, [](step_access const& access) {
    return access.multiplier == access.divisor;
  });
}

/// A kernel computes where any of the fields that it writes has values.
void find_kind(step_kernel& kernel, unsigned main) {
  kernel.kind = main;
  for (step_access const& access : kernel.accesses)
    if (access.is_written()) {
      kernel.writes_several_kinds = kernel.writes_several_kinds || access.kind != main;
      kernel.kind |= access.kind;
    }
}

} // namespace

void complete(step_program const& program, step_kernel& kernel) {
  auto const field = [&](step_access const& access) -> field_state const& {
    return static_cast<field_state const&>(*program.fields[access.field]);
  };
  std::vector<index3> added;
  for (step_access& access : kernel.accesses) {
    access.kind = field(access).kind();
    access.element_bytes = field(access).element_bytes;
  }
  if (auto const main = main_access(kernel); main != kernel.accesses.end()) {
    kernel.space = field(*main).space;
    find_kind(kernel, main->kind);
  }
  for (step_access& access : kernel.accesses) {
    if (access.is_added())
      added.insert(added.end(), access.offsets.front().begin(), access.offsets.front().end());
    else if (access.multiplier == access.divisor &&
             (access.kind == kernel.kind || access.is_written()))
      for (auto& list : access.offsets)
        list.emplace_back();
    for (auto& list : access.offsets)
      list = sorted(list);
  }
  kernel.declared = kernel.accesses;
  if (!added.empty())
    kernel.added = sorted(added);
}

declared_field::declared_field(std::shared_ptr<field_state> its_field, access_role its_role,
                               grid_ratio its_ratio, int its_level, int its_first, int its_count,
                               std::vector<stencil> its_offsets)
    : field(std::move(its_field)),
      role(its_role),
      ratio(its_ratio),
      level(its_level),
      first(its_first),
      count(its_count),
      offsets(std::move(its_offsets)) {}
declared_field::declared_field(declared_field const&) = default;
declared_field::~declared_field() = default;

void grid_declaration::take(declared_field const& role) {
  step_access access;
  access.field = machine_.number_of(role.field);
  access.role = role.role;
  access.level = role.level;
  access.first = role.first;
  access.count = role.count;
  access.offsets.clear();
  for (stencil const& of : role.offsets)
    access.offsets.push_back(padded_offsets(of, machine_.program().num_axes));
  access.multiplier = role.ratio == grid_ratio::finer ? 2 : 1;
  access.divisor = role.ratio == grid_ratio::coarser ? 2 : 1;
  kernel_.arguments.push_back({.access = static_cast<int>(kernel_.accesses.size())});
  kernel_.accesses.push_back(std::move(access));
}

step_kernel& grid_declaration::add(std::unique_ptr<kernel_body const> body) {
  complete(machine_.program(), kernel_);
  kernel_.body = std::move(body);
  return machine_.add(std::move(kernel_));
}

} // namespace seam::detail
