#include <seam/exchange/partitioned/partitioned_operation.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/ground/kept_error.hpp>
#include <seam/exchange/ground/turn.hpp>
#include <seam/exchange/mpi/check.hpp>
#include <seam/exchange/partitioned/stall.hpp>
#include <seam/exchange/waiting/detail/patience.hpp>
#include <seam/exchange/waiting/detail/progress.hpp>
#include <seam/exchange/waiting/stall.hpp>
#include <seam/exchange/waiting/thread_level.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <exception>

namespace seam {
using namespace detail;

namespace {

using part_size = int (part::*)() const;

/// Numbers the partitions that leave, or those that arrive.
class numbering {
public:
  numbering(std::vector<part_end> const& ends, part_size size, bool for_all) : for_all_(for_all) {
    for (part_end const& end : ends) {
      int const count = (end.of->*size)();
      ends_.push_back({end, for_all ? 0 : total_, count});
      total_ = for_all ? count : total_ + count;
    }
  }

  /// One end with the numbers of its partitions: `count` from `first` on.
  struct numbered_end {
    part_end end;
    int first, count;
  };

  int total() const noexcept { return total_; }

  /// The end of `edge`, or nullptr.
  numbered_end const* find(int edge) const {
    auto const found = std::ranges::find_if(ends_, [edge](numbered_end const& listed) {
      return listed.end.edge == edge;
    });
    return found == ends_.end() ? nullptr : &*found;
  }

  /// Calls visit(part, first, last) with the own numbers of the partitions of each part that
  /// [first, last) contains, until it returns a partition instead of -1. Returns the number of this
  /// partition, or -1.
  template <class Visit>
  int for_each_part(int first, int last, Visit visit) const {
    for (auto end = for_all_ ? ends_.begin() : end_with(first); end != ends_.end(); ++end) {
      if (end->first >= last)
        break;
      int const from = std::max(first - end->first, 0);
      int const to = std::min(last - end->first, end->count);
      if (int const found = from < to ? visit(*end->end.of, from, to) : -1; found >= 0)
        return end->first + found;
    }
    return -1;
  }

  std::string edges() const {
    std::vector<int> list;
    for (numbered_end const& listed : ends_)
      if (listed.end.edge != part_end::no_edge)
        list.push_back(listed.end.edge);
    if (list.empty())
      return "none, as partitions are for all";
    return fmt::format("{}", fmt::join(list, ", "));
  }

private:
  /// The last end that begins at or before `partition`.
  std::vector<numbered_end>::const_iterator end_with(int partition) const {
    auto const behind = std::ranges::upper_bound(ends_, partition, {}, &numbered_end::first);
    return behind == ends_.begin() ? behind : behind - 1;
  }

  std::vector<numbered_end> ends_;
  int total_ = 0;
  bool for_all_;
};

} // namespace

struct partitioned_operation::state final : progressable {
  using clock = std::chrono::steady_clock;

  explicit state(partitioned_parts made)
      : parts(std::move(made)),
        leaving(parts.leaving, &part::num_leaving, parts.for_all),
        arriving(parts.arriving, &part::num_arriving, false),
        report_after(wished_time_before_report()) {
    add_to_progress(*this);
    start_progress_thread();
  }

  ~state() override { remove_from_progress(*this); }

  void start() {
    call_of_thread const allowed("start", parts.name);
    check_context("start");
    if (active.load(std::memory_order_acquire))
      refuse(MPI_ERR_REQUEST,
             fmt::format("start: {} is active already (expected wait before the next start)",
                         parts.name));
    call_scope const here(name_of_call, *parts.record);
    number = here.number();
    started = clock::now();
    reported = false;
    for (auto const& piece : parts.parts)
      piece->start();
    active.store(true, std::memory_order_release);
  }

  bool is_gone() const noexcept {
    return parts.is_gone != nullptr && parts.is_gone->load(std::memory_order_acquire);
  }

  void check_context(char const* call) const {
    if (is_gone())
      refuse(MPI_ERR_COMM, fmt::format("{}: {}, whose communicator has been freed (expected it to "
                                       "live as long as the request)",
                                       call, parts.name));
  }

  void check_range(char const* call, int low, int high, int count) const {
    if (low > high)
      refuse(MPI_ERR_ARG,
             fmt::format("{}: partitions {} to {} of {} (expected the lower one first)", call, low,
                         high, parts.name));
    if (count == 0)
      refuse(MPI_ERR_ARG,
             fmt::format("{}: partition {} of {} (expected none, as there are none on this rank)",
                         call, low, parts.name));
    if (low < 0 || high >= count)
      refuse(MPI_ERR_ARG, fmt::format("{}: partition {} of {} (expected 0 to {})", call,
                                      low < 0 ? low : high, parts.name, count - 1));
  }

  void check_active(char const* call, int partition) const {
    if (!active.load(std::memory_order_acquire))
      refuse(MPI_ERR_REQUEST,
             fmt::format("{}: partition {} of {}, which is inactive (expected start before)", call,
                         partition, parts.name));
  }

  void check_active(char const* call) const {
    if (!active.load(std::memory_order_acquire))
      refuse(MPI_ERR_REQUEST,
             fmt::format("{}: {} is inactive (expected start before)", call, parts.name));
  }

  numbering::numbered_end const& end_of(numbering const& ends, char const* call,
                                        char const* direction, int edge) const {
    auto const* const end = ends.find(edge);
    if (end == nullptr || edge == part_end::no_edge)
      refuse(MPI_ERR_RANK, fmt::format("{}: {} {} of {} (expected {})", call, direction, edge,
                                       parts.name, ends.edges()));
    return *end;
  }

  void refuse_second(char const* call, int partition) const {
    refuse(MPI_ERR_ARG,
           fmt::format("{}: partition {} of {} is ready already (expected once after each start)",
                       call, partition, parts.name));
  }

  void ready(char const* call, int low, int high) {
    call_of_thread const allowed(call, parts.name);
    check_context(call);
    check_range(call, low, high, leaving.total());
    check_active(call, low);
    auto const mark = [](part& piece, int first, int last) { return piece.ready(first, last); };
    int const repeated = failure.watch([&] { return leaving.for_each_part(low, high + 1, mark); });
    if (repeated >= 0)
      refuse_second(call, repeated);
  }

  void ready(char const* call, int low, int high, int destination) {
    call_of_thread const allowed(call, parts.name);
    check_context(call);
    auto const& end = end_of(leaving, call, "destination", destination);
    check_range(call, low, high, end.count);
    check_active(call, low);
    int const repeated = failure.watch([&] { return end.end.of->ready(low, high + 1); });
    if (repeated >= 0)
      refuse_second(call, repeated);
  }

  bool arrived(int partition) {
    call_of_thread const allowed("parrived", parts.name);
    check_context("parrived");
    check_range("parrived", partition, partition, arriving.total());
    if (!active.load(std::memory_order_acquire))
      return true;
    auto const is_missing = [](part& piece, int first, int) {
      return piece.has_arrived(first) ? -1 : first;
    };
    return has_arrived([&] {
      return arriving.for_each_part(partition, partition + 1, is_missing) < 0;
    });
  }

  bool arrived(int partition, int source) {
    call_of_thread const allowed("parrived", parts.name);
    check_context("parrived");
    auto const& end = end_of(arriving, "parrived", "source", source);
    check_range("parrived", partition, partition, end.count);
    return !active.load(std::memory_order_acquire) ||
           has_arrived([&] { return end.end.of->has_arrived(partition); });
  }

  /// Returns what `look` finds; throws if an error keeps the partition from arriving.
  template <class Look>
  bool has_arrived(Look look) {
    bool const is_there = failure.watch(look);
    if (!is_there)
      failure.rethrow();
    return is_there;
  }

  bool test() {
    call_of_thread const allowed("test", parts.name);
    if (!active.load(std::memory_order_acquire))
      return true;
    check_context("test");
    failure.rethrow();
    turn const now(testing);
    return now.is_mine() && (!active.load(std::memory_order_acquire) || test_parts());
  }

  bool test_parts() {
    bool complete = true;
    failure.watch([&] {
      for (auto const& piece : parts.parts)
        complete = piece->test() && complete;
    });
    if (complete)
      active.store(false, std::memory_order_release);
    return complete;
  }

  /// Errors are kept and thrown by the user's next call. The other parts go on, as other processes
  /// may wait for them.
  bool make_progress() noexcept override {
    if (is_gone())
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
  bool report_stall() noexcept {
    if (!report_after || reported || is_waited_for || !active.load(std::memory_order_acquire))
      return false;
    stall_time const time = clock::now() - started.load();
    if (time < *report_after)
      return true;
    reported = true;
    seam::report_stall(missing_of(parts), time);
    return false;
  }

  std::vector<int> not_ready() const {
    std::vector<int> all;
    for (part_end const& end : parts.leaving)
      for (int p : end.of->not_ready())
        all.push_back(p);
    return all;
  }

  std::string line_of_active(char const* call) const {
    auto const missing = not_ready();
    return fmt::format("{}: {} is active{} (expected wait before)", call, parts.name,
                       missing.empty() ? ""
                                       : fmt::format(", and {} not ready",
                                                     list_of_partitions(missing) +
                                                         (missing.size() == 1 ? " is" : " are")));
  }

  bool may_be_freed() const {
    return !active.load(std::memory_order_acquire) || failure.is_set() || is_gone();
  }

  partitioned_parts parts;
  numbering leaving, arriving;
  std::atomic<bool> is_waited_for = false; ///< by a thread, which reports the stall itself
  char const* name_of_call = lasting_name(parts.name);
  std::int64_t number = 0; ///< number of the last start in the record
  std::optional<stall_time> report_after;
  std::atomic<clock::time_point> started = clock::time_point();
  std::atomic<bool> reported = false;
  std::atomic<bool> active = false;
  std::atomic_flag testing;
  kept_error failure;
};

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

bool partitioned_operation::is_active() const noexcept {
  return state_->active.load(std::memory_order_acquire);
}
int partitioned_operation::num_leaving() const noexcept { return state_->leaving.total(); }
int partitioned_operation::num_arriving() const noexcept { return state_->arriving.total(); }
std::string const& partitioned_operation::name() const noexcept { return state_->parts.name; }

} // namespace seam
