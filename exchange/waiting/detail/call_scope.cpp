#include <seam/exchange/waiting/detail/call_scope.hpp>

#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/waiting/watch.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace seam::detail {
namespace {

/// All threads of this process that call seam, and names of calls. Outlives everything.
struct all_threads {
  static all_threads& get() {
    static auto* const only = new all_threads;
    return *only;
  }

  std::mutex mutex;
  std::vector<std::shared_ptr<thread_calls>> threads;
  std::set<std::string, std::less<>> names;
};

constinit std::atomic<bool> has_ended = false;

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
    all_threads& all = all_threads::get();
    std::scoped_lock const lock(all.mutex);
    all.threads.push_back(calls);
  }
  ~enlisted() {
    calls_of_thread = nullptr;
    thread_is_over = true;
    all_threads& all = all_threads::get();
    std::scoped_lock const lock(all.mutex);
    std::erase(all.threads, calls);
  }
  enlisted(enlisted const&) = delete;
  enlisted& operator=(enlisted const&) = delete;

  std::shared_ptr<thread_calls> calls;
};

} // namespace

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
  constexpr std::size_t many = 64;
  all_threads& all = all_threads::get();
  std::scoped_lock const lock(all.mutex);
  into.reserve(std::max(many, all.threads.size()));
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
  begin_watch();
  return true;
}

void wait_scope::end() noexcept {
  thread_calls& calls = calls_of_this_thread();
  calls.text_is_wanted.store(false, std::memory_order_relaxed);
  calls.wait.store(calls.wait.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

char const* lasting_name(std::string_view text) {
  all_threads& all = all_threads::get();
  std::scoped_lock const lock(all.mutex);
  auto const found = all.names.find(text);
  return (found != all.names.end() ? found : all.names.emplace(text).first)->c_str();
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
