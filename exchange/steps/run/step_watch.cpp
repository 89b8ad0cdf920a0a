#include <seam/exchange/steps/run/step_watch.hpp>

#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/steps/program/step_recorder.hpp>
#include <seam/exchange/steps/program/step_space.hpp>
#include <seam/exchange/steps/run/parallel.hpp>

#include <utility>

namespace seam::detail {

std::string probe_kernels(step_program& program) {
  std::string unread;
  for (step_kernel& kernel : program.kernels) {
    if (!kernel.body || !kernel.body->is_watchable())
      continue;
    std::vector<std::string> names;
    for (step_access const& access : kernel.declared)
      names.push_back(program.fields[access.field]->name);
    step_recorder recorder(kernel.name, kernel.declared, names, program.num_axes);
    kernel.body->probe(kernel, recorder);
    unread += recorder.unread();
    recorder.is_probe = false;
    kernel.recorders.reset();
    if (checks_are_on())
      kernel.recorders = std::make_shared<std::vector<step_recorder>>(num_loop_threads(), recorder);
  }
  return unread;
}

bool watch_values(step_program& program) {
  bool is_watched = false;
  for (int k = 0; k < std::ssize(program.kernels); ++k) {
    step_kernel& kernel = program.kernels[k];
    kernel.findings.reset();
    if (!checks_are_on() || kernel.allows_not_finite || kernel.is_on_values)
      continue;
    kernel.findings = std::make_shared<value_findings>(value_findings{&program, k, {}});
    kernel.findings->of_workers.resize(num_loop_threads());
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
