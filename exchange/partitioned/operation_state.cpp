#include <seam/exchange/partitioned/operation_state.hpp>

#include <seam/exchange/ground/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <mpi.h>

#include <span>
#include <utility>

namespace seam::detail {

partition_numbers::partition_numbers(std::vector<part_end> const& ends, part_size size,
                                     bool for_all)
    : for_all_(for_all) {
  for (part_end const& end : ends) {
    int const count = (end.of->*size)();
    ends_.push_back({end, for_all ? 0 : total_, count});
    total_ = for_all ? count : total_ + count;
  }
}

partition_numbers::numbered_end const* partition_numbers::find(int edge) const {
  auto const found = std::ranges::find_if(ends_, [edge](numbered_end const& listed) {
    return listed.end.edge == edge;
  });
  return found == ends_.end() ? nullptr : &*found;
}

std::string partition_numbers::edges() const {
  std::vector<int> list;
  for (numbered_end const& listed : ends_)
    if (listed.end.edge != part_end::no_edge)
      list.push_back(listed.end.edge);
  if (list.empty())
    return "none, as partitions are for all";
  return fmt::format("{}", fmt::join(list, ", "));
}

} // namespace seam::detail

namespace seam {
using namespace detail;

partition_numbers::numbered_end const& operation_checks::end(
    partition_numbers const& ends, char const* call, char const* direction, int edge) const {
  auto const* const end = ends.find(edge);
  if (end == nullptr || edge == part_end::no_edge)
    refuse(MPI_ERR_RANK, fmt::format("{}: {} {} of {} (expected {})", call, direction, edge,
                                     parts_.name, ends.edges()));
  return *end;
}

void operation_checks::refuse_gone(char const* call) const {
  refuse(MPI_ERR_COMM, fmt::format("{}: {}, whose communicator has been freed (expected it to live "
                                   "as long as the request)",
                                   call, parts_.name));
}

void operation_checks::refuse_range(char const* call, int low, int high, int count) const {
  if (low > high)
    refuse(MPI_ERR_ARG, fmt::format("{}: partitions {} to {} of {} (expected the lower one first)",
                                    call, low, high, parts_.name));
  if (count == 0)
    refuse(MPI_ERR_ARG,
           fmt::format("{}: partition {} of {} (expected none, as there are none on this rank)",
                       call, low, parts_.name));
  refuse(MPI_ERR_ARG, fmt::format("{}: partition {} of {} (expected 0 to {})", call,
                                  low < 0 ? low : high, parts_.name, count - 1));
}

void operation_checks::refuse_active_start() const {
  refuse(MPI_ERR_REQUEST,
         fmt::format("start: {} is active already (expected wait before the next start)",
                     parts_.name));
}

void operation_checks::refuse_inactive(char const* call) const {
  refuse(MPI_ERR_REQUEST,
         fmt::format("{}: {} is inactive (expected start before)", call, parts_.name));
}

void operation_checks::refuse_inactive(char const* call, int partition) const {
  refuse(MPI_ERR_REQUEST,
         fmt::format("{}: partition {} of {}, which is inactive (expected start before)", call,
                     partition, parts_.name));
}

void operation_checks::refuse_second(char const* call, int partition) const {
  refuse(MPI_ERR_ARG,
         fmt::format("{}: partition {} of {} is ready already (expected once after each start)",
                     call, partition, parts_.name));
}

partitioned_operation::state::state(partitioned_parts made)
    : parts(std::move(made)),
      check(parts),
      leaving(parts.leaving, &part::num_leaving, parts.for_all),
      arriving(parts.arriving, &part::num_arriving, false),
      report_after_(wished_time_before_report()) {
  add_to_progress(*this);
  start_progress_thread();
}

partitioned_operation::state::~state() { remove_from_progress(*this); }

void partitioned_operation::state::start() {
  call_of_thread const allowed("start", parts.name);
  check.context("start");
  if (is_active())
    check.refuse_active_start();
  call_scope const here(name_of_call, *parts.record);
  number = here.number();
  started_ = clock::now();
  reported_ = false;
  for (auto const& piece : parts.parts)
    piece->start();
  active_.store(true, std::memory_order_release);
}

void partitioned_operation::state::ready(char const* call, int low, int high) {
  call_of_thread const allowed(call, parts.name);
  check.context(call);
  check.range(call, low, high, leaving.total());
  if (!is_active())
    check.refuse_inactive(call, low);
  auto const mark = [](part& piece, int first, int last) { return piece.ready(first, last); };
  int const repeated = failure.watch([&] { return leaving.for_each_part(low, high + 1, mark); });
  if (repeated >= 0)
    check.refuse_second(call, repeated);
}

void partitioned_operation::state::ready(char const* call, int low, int high, int destination) {
  call_of_thread const allowed(call, parts.name);
  check.context(call);
  auto const& end = check.end(leaving, call, "destination", destination);
  check.range(call, low, high, end.count);
  if (!is_active())
    check.refuse_inactive(call, low);
  int const repeated = failure.watch([&] { return end.end.of->ready(low, high + 1); });
  if (repeated >= 0)
    check.refuse_second(call, repeated);
}

bool partitioned_operation::state::arrived(int partition) {
  call_of_thread const allowed("parrived", parts.name);
  check.context("parrived");
  check.range("parrived", partition, partition, arriving.total());
  if (!is_active())
    return true;
  auto const is_missing = [](part& piece, int first, int) {
    return piece.has_arrived(first) ? -1 : first;
  };
  return has_arrived([&] {
    return arriving.for_each_part(partition, partition + 1, is_missing) < 0;
  });
}

bool partitioned_operation::state::arrived(int partition, int source) {
  call_of_thread const allowed("parrived", parts.name);
  check.context("parrived");
  auto const& end = check.end(arriving, "parrived", "source", source);
  check.range("parrived", partition, partition, end.count);
  return !is_active() || has_arrived([&] { return end.end.of->has_arrived(partition); });
}

/// Returns what `look` finds; throws if an error keeps the partition from arriving.
template <class Look>
bool partitioned_operation::state::has_arrived(Look look) {
  bool const is_there = failure.watch(look);
  if (!is_there)
    failure.rethrow();
  return is_there;
}

bool partitioned_operation::state::test() {
  call_of_thread const allowed("test", parts.name);
  if (!is_active())
    return true;
  check.context("test");
  failure.rethrow();
  turn const now(testing_);
  return now.is_mine() && (!is_active() || test_parts());
}

bool partitioned_operation::state::test_parts() {
  bool complete = true;
  failure.watch([&] {
    for (auto const& piece : parts.parts)
      complete = piece->test() && complete;
  });
  if (complete)
    active_.store(false, std::memory_order_release);
  return complete;
}

bool partitioned_operation::state::make_progress() noexcept {
  if (check.is_gone())
    return false;
  bool more = false;
  for (auto const& piece : parts.parts)
    try {
      more = piece->make_progress() || more;
    } catch (...) {
      failure.keep();
    }
  return report_stall() || more;
}

/// True while there may be something to report.
bool partitioned_operation::state::report_stall() noexcept {
  if (!report_after_ || reported_ || is_waited_for || !is_active())
    return false;
  stall_time const time = clock::now() - started_.load();
  if (time < *report_after_)
    return true;
  reported_ = true;
  seam::report_stall(fmt::format("seam: rank {} has waited for {:.3g} s: {}",
                                 mpi::comm_view(MPI_COMM_WORLD).rank(), time.count(),
                                 missing_of(parts)));
  return false;
}

std::vector<int> partitioned_operation::state::not_ready() const {
  std::vector<int> all;
  for (part_end const& end : parts.leaving)
    for (int partition : end.of->not_ready())
      all.push_back(partition);
  return all;
}

std::string partitioned_operation::state::line_of_active(char const* call) const {
  auto const missing = not_ready();
  return fmt::format("{}: {} is active{} (expected wait before)", call, parts.name,
                     missing.empty() ? ""
                                     : fmt::format(", and {} not ready",
                                                   list_of_partitions(missing) +
                                                       (missing.size() == 1 ? " is" : " are")));
}

} // namespace seam

namespace seam::detail {
namespace {

constexpr std::ptrdiff_t most_listed = 8;

std::string edge_of(part_end const& end, char const* direction) {
  return end.edge == part_end::no_edge ? "" : fmt::format(" {} {}", direction, end.edge);
}

} // namespace

std::string list_of_partitions(std::vector<int> const& partitions) {
  auto const listed = std::span(partitions).first(std::min(std::ssize(partitions), most_listed));
  return fmt::format("partition{} {}{}", partitions.size() == 1 ? "" : "s", fmt::join(listed, ", "),
                     std::ssize(partitions) > most_listed ? ", ..." : "");
}

std::string missing_of(partitioned_parts const& parts) {
  std::string line = parts.name;
  for (part_end const& end : parts.leaving)
    if (auto const missing = end.of->not_ready(); !missing.empty())
      line +=
          fmt::format("; {}{} not marked ready", list_of_partitions(missing), edge_of(end, "to"));
  for (part_end const& end : parts.arriving)
    if (auto const missing = end.of->not_arrived(); !missing.empty())
      line += fmt::format("; {}{} not arrived", list_of_partitions(missing), edge_of(end, "from"));
  return line;
}

} // namespace seam::detail
