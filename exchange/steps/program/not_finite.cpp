#include <seam/exchange/steps/program/not_finite.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/steps/program/step_program.hpp>
#include <seam/exchange/steps/program/step_space.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <optional>
#include <utility>

namespace seam::detail {

not_finite_value value_findings::take_first() {
  not_finite_value first;
  for (not_finite_value& found : of_workers) {
    if (found.where < first.where)
      first = found;
    found = {};
  }
  return first;
}

std::string not_finite_in_words(double value) {
  return std::isnan(value) ? "nan" : fmt::format("{}", value);
}

std::string inputs_in_words(step_kernel const& kernel) {
  std::string text;
  for (int const v : kernel.reads_values) {
    step_value const& given = *kernel.findings->program->values[v];
    if (double const now = given.as_double(); !std::isfinite(now))
      text += fmt::format(", with '{}' = {}", given.name, not_finite_in_words(now));
  }
  return text;
}

void refuse_not_finite(step_program const& program, step_space const& space,
                       not_finite_value const& own) {
  auto const over = space.base().context();
  auto first = own.where;
  if (mpi::allreduce(over, first.front(), MPI_MIN) == not_finite_value::never)
    return;
  // The least of all ranks, entry by entry among those that are still the least.
  bool is_first = own.is_found();
  for (std::int64_t const entry : own.where) {
    auto const least = mpi::allreduce(over, is_first ? entry : not_finite_value::never, MPI_MIN);
    is_first = is_first && entry == least;
  }
  std::optional<error_report> line;
  if (is_first) {
    step_kernel const& kernel = program.kernels[own.where[1]];
    step_access const& access = kernel.accesses[own.where[2]];
    step_field const& field = *program.fields[access.field];
    std::string const component =
        field.components > 1 ? fmt::format("component {} of ", access.first + own.where[3]) : "";
    line.emplace(fmt::format(
        "steps: kernel '{}' has made {}field '{}' not finite at step {}, {} ({}): {}{} (expected "
        "finite values in checked mode; allow_not_finite() is for kernels that mean others)",
        kernel.name, component, field.name, own.where[0], field.place_name(),
        fmt::join(own.where.end() - space.num_axes(), own.where.end(), ", "),
        not_finite_in_words(own.value), own.inputs));
  }
  agree(over, line);
}

bool watch_values(step_program& program, int num_workers) {
  bool is_watched = false;
  for (int k = 0; k < std::ssize(program.kernels); ++k) {
    step_kernel& kernel = program.kernels[k];
    kernel.findings.reset();
    if (!checks_are_on() || kernel.allows_not_finite || kernel.is_on_values)
      continue;
    kernel.findings = std::make_shared<value_findings>(value_findings{&program, k, {}});
    kernel.findings->of_workers.resize(num_workers);
    is_watched = true;
  }
  return is_watched;
}

not_finite_value first_not_finite(step_program const& program) {
  not_finite_value first;
  for (step_kernel const& kernel : program.kernels)
    if (kernel.findings)
      if (auto found = kernel.findings->take_first(); found.where < first.where)
        first = std::move(found);
  return first;
}

} // namespace seam::detail
