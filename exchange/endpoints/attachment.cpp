#include <seam/exchange/endpoints/attachment.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/detail/check.hpp>

#include <fmt/format.h>

#include <utility>

namespace seam::detail {
namespace {

/// The endpoint of threads that have not chosen one. Never destroyed: threads may outlive main.
std::shared_ptr<endpoint>& first_endpoint() {
  static auto* const only = new std::shared_ptr<endpoint>;
  return *only;
}

constinit std::atomic<bool> is_first_set = false;

/// A thread's choice, which ends with the thread.
class chosen_endpoint {
public:
  chosen_endpoint() = default;
  chosen_endpoint(chosen_endpoint const&) = delete;
  chosen_endpoint& operator=(chosen_endpoint const&) = delete;
  ~chosen_endpoint() { choose(nullptr); }

  void choose(std::shared_ptr<endpoint> chosen) noexcept {
    has_chosen_ = true;
    if (chosen_ != nullptr)
      chosen_->num_threads.fetch_sub(1);
    chosen_ = std::move(chosen);
    calls_ = chosen_ != nullptr ? chosen_->calls : nullptr;
    count_calls_in(calls_.get());
  }

  void forget() noexcept {
    choose(nullptr);
    has_chosen_ = false;
  }

  void inherit(std::shared_ptr<endpoint> const& from) noexcept {
    if (from == nullptr)
      return choose(nullptr);
    inherited_ = from;
    if (mpi::thread_level() <= MPI_THREAD_FUNNELED)
      return;
    calls_ = from->calls;
    count_calls_in(calls_.get());
  }

  std::shared_ptr<endpoint> get() const noexcept {
    if (has_chosen_)
      return chosen_;
    auto inherited = inherited_.lock();
    return inherited != nullptr ? inherited : first_endpoint();
  }

  bool is(endpoint const& other) const noexcept { return chosen_.get() == &other; }

private:
  std::shared_ptr<endpoint> chosen_;
  std::weak_ptr<endpoint> inherited_; ///< not counted among the threads of the endpoint
  std::shared_ptr<calls_under_way> calls_;
  bool has_chosen_ = false;
};

thread_local chosen_endpoint of_thread;

} // namespace

int endpoints_error_class() {
  static int const added = [] {
    int made = MPI_ERR_OTHER;
    mpi::check(MPI_Add_error_class(&made), "MPI_Add_error_class");
    mpi::check(MPI_Add_error_string(made, "ENDPOINTS: a thread or an endpoint is not where the "
                                          "call needs it"),
               "MPI_Add_error_string");
    return made;
  }();
  return added;
}

void refuse_endpoint(std::string const& line) {
  throw usage_error(line, false, endpoints_error_class());
}

std::shared_ptr<endpoint> endpoint_of_thread() noexcept { return of_thread.get(); }
bool has_endpoints() noexcept { return is_first_set.load(std::memory_order_acquire); }
void begin_at(std::shared_ptr<endpoint> const& inherited) noexcept { of_thread.inherit(inherited); }

void start_with(std::shared_ptr<endpoint> first) {
  let_threads_inherit();
  first_endpoint() = std::move(first);
  is_first_set.store(first_endpoint() != nullptr, std::memory_order_release);
}

void attach_thread(std::shared_ptr<endpoint> to) {
  if (of_thread.is(*to))
    return;
  int const before = to->num_threads.fetch_add(1);
  if (before > 0 && mpi::thread_level() <= MPI_THREAD_FUNNELED) {
    to->num_threads.fetch_sub(1);
    refuse_endpoint(fmt::format("attach: endpoint {} has a thread already, with "
                                "MPI_THREAD_FUNNELED (expected one thread for each endpoint)",
                                to->place.number));
  }
  of_thread.choose(std::move(to));
}

void detach_thread() { of_thread.choose(nullptr); }
void forget_attachment() { of_thread.forget(); }

void check_attachment(endpoint const& to, char const* call) {
  if (!to.is_bound)
    return;
  if (of_thread.is(to)) [[likely]]
    return;
  auto const own = endpoint_of_thread();
  if (own.get() == &to)
    return;
  if (own == nullptr)
    refuse_endpoint(fmt::format("{}: the thread is attached to no endpoint (expected endpoint {}, "
                                "whose communicator it uses: attach first)",
                                call, to.place.number));
  refuse_endpoint(fmt::format("{}: the thread is attached to endpoint {} (expected endpoint {}, "
                              "whose communicator it uses)",
                              call, own->place.number, to.place.number));
}

} // namespace seam::detail
