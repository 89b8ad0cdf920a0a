#include <seam/exchange/waiting/detail/call_scope.hpp>

#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/attribute.hpp>
#include <seam/exchange/mpi/before_end.hpp>
#include <seam/exchange/mpi/detail/context.hpp>
#include <seam/exchange/waiting/detail/lone_watch.hpp>
#include <seam/exchange/waiting/peers.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>
#include <unordered_map>

namespace seam::detail {
namespace {

/// A digest of `digest` and `number`, for ids of records that are not of peers.
std::uint64_t mixed(std::uint64_t digest, std::uint64_t number) {
  constexpr std::uint64_t prime = 0x100000001b3;
  for (int byte = 0; byte < 8; ++byte)
    digest = (digest ^ (number >> (8 * byte) & 0xff)) * prime;
  return digest & ~mark_of_peers;
}

/// A set of processes that have communicators in common, and how many records of its communicators
/// this process has begun.
struct process_set {
  std::shared_ptr<std::vector<int> const> world_ranks;
  std::uint64_t num_records = 0;
};

/// All records and threads of this process. Outlives everything.
struct registry {
  static registry& get() {
    static auto* const only = new registry;
    return *only;
  }

  std::mutex mutex;
  std::map<std::vector<int>, process_set> process_sets;
  std::unordered_map<std::uint64_t, call_record const*> records;
  std::array<std::pair<std::uint64_t, std::int64_t>, 256> gone{}; ///< ids and counts of old records
  std::int64_t num_gone = 0;
  std::vector<std::shared_ptr<thread_calls>> threads;
  std::set<std::string, std::less<>> names;
};

constinit std::atomic<bool> has_ended = false;

/// Adds the ranks in MPI_COMM_WORLD of one side of `over`; false if a process has none.
bool add_world_ranks(std::vector<int>& to, mpi::comm_view over,
                     int (*group_of)(MPI_Comm, MPI_Group*)) {
  mpi::group side, world;
  mpi::check(group_of(over.native(), side.receive()), "MPI_Comm_group");
  mpi::check(MPI_Comm_group(MPI_COMM_WORLD, world.receive()), "MPI_Comm_group");
  int size = 0;
  mpi::check(MPI_Group_size(side.native(), &size), "MPI_Group_size");
  std::vector<int> ranks(size), found(ranks.size());
  std::iota(ranks.begin(), ranks.end(), 0);
  mpi::check(MPI_Group_translate_ranks(side.native(), size, ranks.data(), world.native(),
                                       found.data()),
             "MPI_Group_translate_ranks");
  to.insert(to.end(), found.begin(), found.end());
  return std::ranges::count(found, MPI_UNDEFINED) == 0;
}

/// The processes of both sides of `over`, ascending; none if some are of another world. Of
/// endpoints this process alone: no other knows which of its endpoints have called.
std::vector<int> processes_of(mpi::comm_view over) {
  std::vector<int> ranks;
  bool all_known = add_world_ranks(ranks, over, MPI_Comm_group);
  if (mpi::context_of(over) == nullptr && mpi::is_bipartite(over))
    all_known = add_world_ranks(ranks, over, MPI_Comm_remote_group) && all_known;
  if (!all_known)
    return {};
  std::ranges::sort(ranks);
  return ranks;
}

using record_attribute = mpi::attribute<std::shared_ptr<call_record>>;

/// The name of the call that a thread, which may have ended, is in.
char const* name_of_call(thread_calls const* of) {
  std::vector<std::shared_ptr<thread_calls>> threads;
  list_threads(threads);
  for (auto const& thread : threads)
    if (thread.get() == of)
      if (char const* const name = thread->name.load(std::memory_order_relaxed); name != nullptr)
        return name;
  return "another call";
}

[[noreturn]] void refuse_after_end(std::string_view what, std::string_view done) {
  throw usage_error(fmt::format("{}: {} after the Runtime that it belongs to has ended (expected a "
                                "Runtime that is declared before it and outlives it)",
                                what, done),
                    true);
}

/// True once the thread's record is gone: calls that end later are not noted.
constinit thread_local bool thread_is_over = false;

/// Lists a thread's calls until the thread ends.
struct enlisted {
  enlisted() : calls(std::make_shared<thread_calls>()) {
    registry& all = registry::get();
    std::scoped_lock const lock(all.mutex);
    all.threads.push_back(calls);
  }
  ~enlisted() {
    calls_of_thread = nullptr;
    thread_is_over = true;
    registry& all = registry::get();
    std::scoped_lock const lock(all.mutex);
    std::erase(all.threads, calls);
  }
  enlisted(enlisted const&) = delete;
  enlisted& operator=(enlisted const&) = delete;

  std::shared_ptr<thread_calls> calls;
};

} // namespace

call_record::call_record(std::uint64_t id, std::shared_ptr<std::vector<int> const> world_ranks)
    : id_(id), world_ranks_(std::move(world_ranks)) {
  if (id_ == 0)
    return;
  registry& all = registry::get();
  std::scoped_lock const lock(all.mutex);
  all.records[id_] = this;
}

call_record::~call_record() {
  if (id_ == 0)
    return;
  registry& all = registry::get();
  std::scoped_lock const lock(all.mutex);
  if (auto const found = all.records.find(id_); found != all.records.end() && found->second == this)
    all.records.erase(found);
  if (!is_of_peers(id_)) // no other process asks for records of peers
    all.gone[all.num_gone++ % std::ssize(all.gone)] = {id_, count()};
}

std::shared_ptr<call_record> call_record::alone() {
  return std::make_shared<call_record>(0, std::make_shared<std::vector<int> const>());
}

std::shared_ptr<call_record> const& call_record::unknown() {
  // Owned by none, so that copies by many threads count in no memory that they share.
  static auto* const only = [] {
    auto* const made = new call_record(0, std::make_shared<std::vector<int> const>());
    made->is_of_any_threads_ = true;
    return new std::shared_ptr<call_record>(std::shared_ptr<void>(), made);
  }();
  return *only;
}

namespace {

/// Begins the next record of calls of `processes`, [at least one], ascending.
std::shared_ptr<call_record> begin_record(std::vector<int> const& processes) {
  std::uint64_t id = 0xcbf29ce484222325;
  for (int const rank : processes)
    id = mixed(id, static_cast<std::uint64_t>(rank));
  registry& all = registry::get();
  std::unique_lock lock(all.mutex);
  process_set& found = all.process_sets[processes];
  if (found.world_ranks == nullptr)
    found.world_ranks = std::make_shared<std::vector<int> const>(processes);
  id = mixed(id, ++found.num_records);
  auto const world_ranks = found.world_ranks;
  lock.unlock();
  return std::make_shared<call_record>(id, world_ranks);
}

} // namespace

void call_record::keep(std::shared_ptr<call_record> const& record, mpi::comm_view with) {
  static bool const notes_end = [] {
    mpi::before_end([] { set_seam_has_ended(true); });
    return true;
  }();
  static_cast<void>(notes_end);
  record_attribute::keep(with, std::make_unique<std::shared_ptr<call_record>>(record));
}

std::shared_ptr<call_record> call_record::of(mpi::comm_view over) {
  if (auto const* const found = record_attribute::of(over))
    return *found;
  auto made = of_processes(processes_of(over));
  keep(made, over);
  return made;
}

std::shared_ptr<call_record> call_record::of_processes(std::vector<int> const& world_ranks) {
  return world_ranks.empty() ? alone() : begin_record(world_ranks);
}

std::shared_ptr<call_record> call_record::begin_part() {
  ++num_parts_;
  if (is_of_any_threads_)
    return unknown();
  return id_ == 0 ? alone() : std::make_shared<call_record>(mixed(id_, num_parts_), world_ranks_);
}

void thread_calls::take_text(std::string what) {
  std::scoped_lock const lock(text_mutex);
  text = std::move(what);
  text_is_wanted.store(false, std::memory_order_relaxed);
}

thread_calls& enlist_thread() {
  if (thread_is_over) {
    static auto* const unlisted = new thread_calls;
    return *unlisted;
  }
  thread_local enlisted const own;
  calls_of_thread = own.calls.get();
  return *own.calls;
}

void list_threads(std::vector<std::shared_ptr<thread_calls>>& into) {
  registry& all = registry::get();
  std::scoped_lock const lock(all.mutex);
  into = all.threads;
}

call_scope::call_scope(char const* name)
    : calls_(calls_of_this_thread()),
      outer_name_(calls_.name.load(std::memory_order_relaxed)),
      outer_id_(calls_.id.load(std::memory_order_relaxed)),
      outer_number_(calls_.number.load(std::memory_order_relaxed)) {
  enter(name);
}

call_scope::call_scope(char const* name, call_record& on) : call_scope(name) { count(name, on); }

call_scope::call_scope(char const* name, mpi::comm_view on) : call_scope(name) {
  count(name, *call_record::of(on));
}

call_scope::call_scope(char const* name, call_record const& on, std::int64_t number)
    : call_scope(name) {
  if (on.id() == 0)
    return;
  calls_.id.store(on.id(), std::memory_order_relaxed);
  calls_.number.store(number, std::memory_order_relaxed);
}

call_scope::~call_scope() {
  calls_.id.store(outer_id_, std::memory_order_relaxed);
  calls_.number.store(outer_number_, std::memory_order_relaxed);
  calls_.name.store(outer_name_, std::memory_order_relaxed);
  if (occupied_ != nullptr)
    occupied_->caller_.store(nullptr, std::memory_order_release);
}

void call_scope::enter(char const* name) {
  if (has_ended.load(std::memory_order_relaxed)) [[unlikely]]
    require_running(name, "called");
  if (outer_name_ != nullptr)
    return;
  calls_.name.store(name, std::memory_order_relaxed);
  calls_.last.store(name, std::memory_order_relaxed);
  calls_.num_calls.store(calls_.num_calls.load(std::memory_order_relaxed) + 1,
                         std::memory_order_relaxed);
}

void call_scope::count(char const* name, call_record& on) {
  if (checks_are_on() && !on.is_of_any_threads_)
    occupy(name, on);
  if (on.id() == 0)
    return;
  calls_.id.store(on.id(), std::memory_order_relaxed);
  calls_.number.store(on.add(), std::memory_order_relaxed);
}

/// Makes sure that one thread at a time is in calls that count on a record; it may be in several.
void call_scope::occupy(char const* name, call_record& on) {
  thread_calls* other = nullptr;
  if (on.caller_.compare_exchange_strong(other, &calls_)) {
    occupied_ = &on;
    return;
  }
  if (other == &calls_)
    return;
  throw usage_error(
      fmt::format("collective: two threads of one process at a time on one communicator "
                  "or operation, in {} and {} (expected one after the other, or a "
                  "communicator for each thread)",
                  name_of_call(other), outer_name_ != nullptr ? outer_name_ : name));
}

bool wait_scope::begin() noexcept {
  thread_calls& calls = calls_of_this_thread();
  std::uint32_t const before = calls.wait.load(std::memory_order_relaxed);
  if (before % 2 != 0)
    return false;
  if (!calls.text.empty())
    calls.take_text({});
  calls.wait.store(before + 1, std::memory_order_release);
  begin_lone_watch();
  return true;
}

void wait_scope::end() noexcept {
  thread_calls& calls = calls_of_this_thread();
  calls.text_is_wanted.store(false, std::memory_order_relaxed);
  calls.wait.store(calls.wait.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

char const* lasting_name(std::string_view text) {
  registry& all = registry::get();
  std::scoped_lock const lock(all.mutex);
  auto const found = all.names.find(text);
  return (found != all.names.end() ? found : all.names.emplace(text).first)->c_str();
}

std::int64_t count_of_calls(std::uint64_t id) {
  registry& all = registry::get();
  std::scoped_lock const lock(all.mutex);
  if (auto const found = all.records.find(id); found != all.records.end())
    return found->second->count();
  auto const gone = std::ranges::find(all.gone, id, [](auto const& entry) { return entry.first; });
  return gone != all.gone.end() ? gone->second : 0;
}

std::shared_ptr<std::vector<int> const> processes_of_calls(std::uint64_t id) {
  registry& all = registry::get();
  std::scoped_lock const lock(all.mutex);
  auto const found = all.records.find(id);
  return found != all.records.end() ? found->second->world_ranks() : nullptr;
}

bool seam_has_ended() noexcept { return has_ended.load(std::memory_order_relaxed); }
void set_seam_has_ended(bool ended) noexcept { has_ended.store(ended); }

void require_running(std::string_view what, std::string_view done) {
  if (seam_has_ended())
    refuse_after_end(what, done);
}

void refuse_touch(std::string const& field) {
  refuse_after_end(fmt::format("field '{}'", field), "touched");
}

} // namespace seam::detail
