#include <seam/exchange/partitioned/partitioned_operation.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/detail/check.hpp>
#include <seam/exchange/partitioned/operation_state.hpp>
#include <seam/exchange/waiting/detail/patience.hpp>
#include <seam/exchange/waiting/detail/progress.hpp>
#include <seam/exchange/waiting/stall.hpp>

#include <fmt/format.h>

#include <mpi.h>

#include <cstdio>
#include <exception>

namespace seam {
using namespace detail;

partitioned_operation::partitioned_operation(partitioned_parts parts)
    : state_(std::make_unique<state>(std::move(parts))) {}
partitioned_operation::partitioned_operation(partitioned_operation&&) noexcept = default;

partitioned_operation::~partitioned_operation() {
  if (state_ == nullptr || state_->may_be_freed() || !mpi::is_running())
    return;
  if (std::uncaught_exceptions() > 0) {
    // Its memory may still be written to; the program is about to end.
    remove_from_progress(*state_.release());
    return;
  }
  if (state_->not_ready().empty()) {
    try {
      wait();
    } catch (...) { // an operation that has failed may be freed
    }
    return;
  }
  std::fprintf(stderr, "%s\n", state_->line_of_active("destructor").c_str());
  MPI_Abort(MPI_COMM_WORLD, 1);
}

void partitioned_operation::start() { state_->start(); }

void partitioned_operation::ready(int partition) { state_->ready("pready", partition, partition); }

void partitioned_operation::ready(int partition, int destination) {
  state_->ready("pready", partition, partition, destination);
}

void partitioned_operation::ready_range(int low, int high) {
  state_->ready("pready_range", low, high);
}

void partitioned_operation::ready_range(int low, int high, int destination) {
  state_->ready("pready_range", low, high, destination);
}

void partitioned_operation::ready_list(std::span<int const> partitions) {
  state_->check_active("pready_list");
  for (int p : partitions)
    state_->ready("pready_list", p, p);
}

void partitioned_operation::ready_list(std::span<int const> partitions, int destination) {
  state_->check_active("pready_list");
  for (int p : partitions)
    state_->ready("pready_list", p, p, destination);
}

bool partitioned_operation::arrived(int partition) { return state_->arrived(partition); }

bool partitioned_operation::arrived(int partition, int source) {
  return state_->arrived(partition, source);
}

bool partitioned_operation::test() { return state_->test(); }

void partitioned_operation::wait() {
  if (test())
    return;
  call_scope const here(state_->name_of_call, *state_->parts.record, state_->number);
  stall_watch watch;
  state_->is_waited_for = true;
  for (patience wait; !test(); wait.pause())
    if (watch.is_due())
      watch.tell(missing_of(state_->parts));
  state_->is_waited_for = false;
}

void partitioned_operation::prepare_buffers() {
  partitioned_operation* const self = this;
  seam::prepare_buffers({&self, 1});
}

void prepare_buffers(std::span<partitioned_operation* const> operations) {
  std::vector<part*> unprepared;
  for (partitioned_operation const* active : operations) {
    if (!active->is_active())
      refuse(MPI_ERR_REQUEST,
             fmt::format("pbuf_prepare: {} is inactive (expected start before)", active->name()));
    for (auto const& piece : active->state_->parts.parts)
      unprepared.push_back(piece.get());
  }
  for (patience wait; !unprepared.empty(); wait.pause()) {
    std::erase_if(unprepared, [](part* piece) { return piece->prepare(); });
    for (partitioned_operation const* active : operations)
      active->state_->failure.rethrow();
  }
}

void partitioned_operation::close() {
  if (!state_->may_be_freed())
    refuse(MPI_ERR_REQUEST, state_->line_of_active("free"));
  state_.reset();
}

bool partitioned_operation::is_active() const noexcept { return state_->is_active(); }
int partitioned_operation::num_leaving() const noexcept { return state_->leaving.total(); }
int partitioned_operation::num_arriving() const noexcept { return state_->arriving.total(); }
std::string const& partitioned_operation::name() const noexcept { return state_->parts.name; }

} // namespace seam
