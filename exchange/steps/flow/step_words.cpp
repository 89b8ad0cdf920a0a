#include <seam/exchange/steps/flow/step_words.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

namespace seam::detail {
namespace {

/// The number of an access' offsets, and the smallest box that holds them.
std::string offsets_in_words(step_access const& access, int num_axes) {
  std::int64_t count = 0;
  for (auto const& list : access.offsets)
    count += std::ssize(list);
  box3 const reach = access.read_by(box3{{}, {1, 1, 1}});
  index3 const last = shift(reach, {-1, -1, -1}).hi;
  return fmt::format(" at {} offsets from ({}) to ({})", count,
                     fmt::join(last_entries(reach.lo, num_axes), ","),
                     fmt::join(last_entries(last, num_axes), ","));
}

std::string access_in_words(step_access const& access, step_program const& program) {
  auto const& field = *program.fields[access.field];
  std::string text = fmt::format("{}({}", name_of(access.role), field.name);
  if (access.level != 0)
    text += fmt::format("[{}]", access.level);
  if (access.count != field.components)
    text += fmt::format(" components {} to {}", access.first, access.first + access.count - 1);
  if (access.reach)
    text += " of neighbors";
  else if (access.reads_neighbors())
    text += offsets_in_words(access, program.num_axes);
  return text + ")";
}

std::string order_in_words(step_order const& order) {
  return order.is_on ? fmt::format(", in order along axis {}{}", order.axis,
                                   order.is_backward ? " backward" : "")
                     : "";
}

/// The part of the space to which a kernel is restricted; nothing without one.
std::string restrictions_in_words(step_kernel const& kernel) {
  return kernel.space ? kernel.space->restrictions_in_words(kernel) : "";
}

/// How far conditions see; nothing if each sees the mirror image alone.
std::string seen_in_words(read_beyond const& read) {
  return read.num_seen == 0 ? "" : fmt::format(" that see {} values inside", read.num_seen);
}

/// The fields for whose ghosts a kernel has conditions of its own.
std::string borders_in_words(step_kernel const& kernel, step_program const& program) {
  std::string text;
  for (int own = 0; own < std::ssize(program.borders); ++own)
    if (std::ranges::find(kernel.accesses, own, &step_access::borders) != kernel.accesses.end()) {
      auto const& field = *program.fields[program.borders[own].field];
      text += fmt::format(", own borders of {}{}", field.name,
                          seen_in_words(field.beyond(program.conditions(own))));
    }
  return text;
}

/// The parameters of a kernel whose fields could be exchanged without a check noticing, with these.
std::string exchangeable_in_words(step_kernel const& kernel, step_program const& program) {
  auto const alike = [&](step_access const& a, step_access const& b) {
    step_field const &first = *program.fields[a.field], &second = *program.fields[b.field];
    return a.field != b.field && a.role == b.role && a.count == b.count && a.offsets == b.offsets &&
           a.multiplier == b.multiplier && a.divisor == b.divisor &&
           first.element_bytes == second.element_bytes && first.components == second.components &&
           (first.kind() == second.kind() || !a.is_written());
  };
  std::vector<std::string> bound;
  for (int p = 0; p < std::ssize(kernel.arguments); ++p)
    if (int const own = kernel.arguments[p].access; own >= 0)
      if (std::ranges::any_of(kernel.arguments, [&](kernel_argument const& other) {
            return other.access >= 0 && alike(kernel.declared[own], kernel.declared[other.access]);
          }))
        bound.push_back(fmt::format("{} <- {}", p + 1,
                                    program.fields[kernel.declared[own].field]->name));
  return bound.empty() ? ""
                       : fmt::format("  parameters that could be exchanged: {}({})\n", kernel.name,
                                     fmt::join(bound, ", "));
}

std::string kernel_in_words(step_kernel const& kernel, step_program const& program) {
  std::string text = fmt::format("  kernel '{}'", kernel.name);
  for (step_access const& access : kernel.accesses)
    text.append(1, ' ').append(access_in_words(access, program));
  for (int r = 0; r < std::ssize(kernel.reduces); ++r)
    text += fmt::format(" {}({})", kernel.reductions[r]->how(),
                        program.values[kernel.reduces[r]]->name);
  for (int const v : kernel.reads_values)
    text += fmt::format(" with({})", program.values[v]->name);
  text += restrictions_in_words(kernel);
  if (kernel.mask.access >= 0)
    text += fmt::format(", where {} is not zero",
                        program.fields[kernel.accesses[kernel.mask.access].field]->name);
  if (kernel.num_colors > 1)
    text += fmt::format(", in {} colors", kernel.num_colors);
  if (kernel.order.is_on)
    text += order_in_words(kernel.order);
  if (kernel.space)
    text += kernel.space->passes_in_words(kernel);
  if (kernel.every > 1)
    text += fmt::format(", every {} steps{}", kernel.every,
                        kernel.phase > 0 ? fmt::format(" from step {} on", kernel.phase) : "");
  if (kernel.is_for_callers)
    text += ", once in a run, at its end";
  return text + borders_in_words(kernel, program) + "\n" + exchangeable_in_words(kernel, program);
}

/// What conditions on a field's borders see, and the fields that they read; nothing if there is neither.
std::string beside_in_words(step_field const& field) {
  std::vector<std::string> names;
  auto const read = field.beyond(nullptr);
  for (auto const& source : read.fields)
    names.push_back(source->name);
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::string text = read.num_seen == 0 ? "" : ", borders" + seen_in_words(read);
  return names.empty() ? text : text + fmt::format(", borders read {}", fmt::join(names, " and "));
}

/// The number of tiles that read what a message brings. The others overlap with messages.
std::int64_t num_tiles_behind_messages(step_graph const& graph) {
  std::vector<bool> waits(graph.tasks.size());
  for (exchange_run const& run : graph.exchanges)
    for (int const arrival : run.arrivals)
      for (int k = graph.order.tasks2after[arrival]; k < graph.order.tasks2after[arrival + 1]; ++k)
        waits[graph.order.after[k]] = true;
  std::int64_t count = 0;
  for (int t = 0; t < std::ssize(waits); ++t)
    if (waits[t] && graph.tasks[t].kind == task_kind::tile)
      ++count;
  return count;
}

/// How often kernels are called that are called elsewhere than at their values: once in the graph each.
std::string calls_in_words(step_graph const& graph) {
  std::vector<std::int64_t> calls(graph.kernels.size()); // [instances]
  for (step_task const& task : graph.tasks)
    if (task.kind == task_kind::tile)
      if (auto const& plan = graph.tiles[task.item].plan)
        calls[task.instance] += plan->num_calls();
  std::string text;
  for (int i = 0; i < std::ssize(calls); ++i)
    if (auto const& kernel = *graph.kernels[i];
        kernel.space && std::ranges::find(graph.kernels, &kernel) - graph.kernels.begin() == i)
      text += kernel.space->calls_in_words(kernel, calls[i]);
  return text;
}

} // namespace

std::string declarations_in_words(step_program const& program) {
  std::string text;
  for (step_statement const& statement : program.statements)
    if (statement.kernel < 0) {
      text += fmt::format("swap {} {}; ", statement.swapped[0], statement.swapped[1]);
    } else {
      auto const& kernel = program.kernels[statement.kernel];
      text += fmt::format("'{}':", kernel.name);
      for (step_access const& access : kernel.accesses)
        text.append(1, ' ').append(access_in_words(access, program));
      text +=
          fmt::format(" values {} {} {}, mask {}, colors {}{}, every {} {}; ", kernel.reads_values,
                      kernel.reduces, kernel.sets, kernel.mask.access, kernel.num_colors,
                      order_in_words(kernel.order) + restrictions_in_words(kernel), kernel.every,
                      kernel.phase);
      text += borders_in_words(kernel, program);
    }
  for (auto const& field : program.fields)
    if (std::string const beside = beside_in_words(*field); !beside.empty())
      text += fmt::format("'{}'{}; ", field->name, beside);
  return text;
}

std::string plan_in_words(step_program const& program) {
  std::string text;
  for (step_statement const& statement : program.statements)
    if (statement.kernel < 0)
      text += fmt::format("  swap of {} and {}\n", program.fields[statement.swapped[0]]->name,
                          program.fields[statement.swapped[1]]->name);
    else
      text += kernel_in_words(program.kernels[statement.kernel], program);
  for (auto const& field : program.fields)
    text += fmt::format("  field {}: {}, {} buffers{}\n", field->name, field->ghosts_in_words(),
                        field->buffers.size(), beside_in_words(*field));
  return text;
}

std::string graph_in_words(step_graph const& graph, step_range const& steps, int rank) {
  std::int64_t messages = 0, bytes = 0, tiles = 0;
  for (exchange_run const& run : graph.exchanges) {
    messages += run.kept->prepared->num_messages();
    bytes += run.kept->prepared->num_bytes();
  }
  for (auto const& column : graph.columns)
    tiles += std::ssize(column);
  return fmt::format("  {} step{}{}: rank {} sends {} messages with {} bytes; {} tiles in {} "
                     "columns, {} of them wait for messages; {} copies and {} border pieces; {} "
                     "values computed\n",
                     steps.count, steps.count > 1 ? "s" : "",
                     steps.steps_of_segment > 1 ? ", fused" : "", rank, messages, bytes, tiles,
                     graph.columns.size(), num_tiles_behind_messages(graph), graph.copies.size(),
                     graph.fills.size(), graph.num_computed) +
         calls_in_words(graph);
}

} // namespace seam::detail
