#include <seam/stencil/roles/iterate.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/steps/program/step_program.hpp>
#include <seam/exchange/steps/run/parallel.hpp>
#include <seam/exchange/steps/run/step_machine.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>
#include <seam/stencil/roles/grid_declaration.hpp>
#include <seam/stencil/roles/kernel_body.hpp>

#include <fmt/format.h>

#include <atomic>
#include <cmath>
#include <limits>
#include <utility>

namespace seam::detail {

sweep_loop::sweep_loop(shared_space space, std::shared_ptr<field_state> current,
                       std::shared_ptr<field_state> next)
    : space_(std::move(space)),
      current_(std::move(current)),
      next_(std::move(next)),
      machine_(std::make_unique<step_machine>(space_)) {
  call_scope const here("Iterate", *space_->base().calls());
  collectively(space_->base().context(), [&] { check_fields(); });
  declare();
  machine_->plan();
}

sweep_loop::~sweep_loop() = default;

void sweep_loop::check_fields() const {
  if (current_ == next_)
    refuse(fmt::format("iterate: field '{}' twice (expected two fields)", current_->name));
  for (auto const& field : {current_, next_}) {
    if (field->space != space_)
      refuse(fmt::format("iterate: field '{}' belongs to another grid", field->name));
    if (field->options.on != on_cells || field->options.components != 1)
      refuse(
          fmt::format("iterate: field '{}' has components, or lies on faces or corners (expected "
                      "one value for each cell; Steps serves others)",
                      field->name));
  }
  current_->check_borders();
}

void sweep_loop::declare() {
  step_kernel kernel;
  kernel.name = "sweep";
  kernel.allows_not_finite = true; // converged() tells of them
  step_access read, written;
  read.field = machine_->number_of(current_);
  read.offsets = {space_->offsets()};
  written.field = machine_->number_of(next_);
  written.role = access_role::writes;
  kernel.accesses = {read, written};
  complete(machine_->program(), kernel);
  machine_->add(std::move(kernel));
  machine_->add_swap(read.field, written.field);
  machine_->settings().name =
      lasting_name(fmt::format("a sweep of {} and {}", current_->name, next_->name));
}

void sweep_loop::run(std::int64_t count, kernel_body const& sweep) {
  if (count < 0)
    refuse(fmt::format("iterate: {} sweeps (expected 0 or more)", count));
  call_scope const here(machine_->settings().name);
  auto& body = machine_->program().kernels.front().body;
  body = {std::shared_ptr<void>(), &sweep}; // which is the caller's, and lives until run() returns
  machine_->run(count);
}

double sweep_loop::change(change_in_part change_of) const {
  call_scope const here("Iterate::change");
  if (num_sweeps() == 0)
    return std::numeric_limits<double>::infinity();
  component_memory const now = current_->component(current_->buffers.front(), 0),
                         before = next_->component(next_->buffers.front(), 0);
  std::atomic<double> largest = std::numeric_limits<double>::lowest();
  parts_of<3> const parts(current_->owned());
  parallel_for_parts("seam::change", parts.size(), [&](int part) {
    double const most = change_of(now, before, parts[part]);
    for (double known = largest; known < most;)
      if (largest.compare_exchange_weak(known, most))
        break;
  });
  return mpi::allreduce(space_->base().context(), largest.load(), MPI_MAX);
}

bool sweep_loop::converged(double tolerance, int every, change_in_part change_of) const {
  if (!(tolerance >= 0) || every < 1)
    refuse(fmt::format("iterate: converged to {} after every {} sweeps (expected a tolerance of at "
                       "least 0, and at least 1 sweep)",
                       tolerance, every));
  if (num_sweeps() == 0 || num_sweeps() % every != 0)
    return false;
  double const largest = change(change_of);
  if (!std::isfinite(largest))
    throw usage_error(
        fmt::format("iterate: field '{}' is not finite after {} sweeps: the iteration "
                    "diverges",
                    current_->name, num_sweeps()),
        true);
  return largest <= tolerance;
}

std::int64_t sweep_loop::num_sweeps() const noexcept { return machine_->num_steps(); }

void sweep_loop::continue_at(std::int64_t num_sweeps) { machine_->continue_at(num_sweeps); }

} // namespace seam::detail
