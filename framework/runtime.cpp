#include <seam/framework/runtime.hpp>

#include <seam/exchange/agreement.hpp>
#include <seam/exchange/checks.hpp>
#include <seam/exchange/error.hpp>
#include <seam/exchange/explanations.hpp>
#include <seam/exchange/mpi/collective.hpp>
#include <seam/exchange/mpi/names.hpp>
#include <seam/exchange/setting.hpp>
#include <seam/exchange/shared_memory.hpp>
#include <seam/framework/detail/cores.hpp>
#include <seam/framework/detail/kokkos_session.hpp>
#include <seam/framework/detail/last_words.hpp>
#include <seam/framework/detail/mpi_session.hpp>
#include <seam/framework/detail/rendezvous.hpp>
#include <seam/framework/print.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>
#include <optional>
#include <string_view>
#include <utility>

namespace seam {
namespace {

constexpr detail::rendezvous::seconds limit_while_unwinding{5};

/// For example "Open MPI v4.1.4", the beginning of what the library says of itself.
std::string mpi_in_words() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  mpi::check(MPI_Get_library_version(text, &length), "MPI_Get_library_version");
  std::string_view const all(text, static_cast<std::size_t>(length));
  return std::string(all.substr(0, all.find_first_of(",\n")));
}

void require_multiple_threads(mpi::comm_view world) {
  collectively(world, [] {
    if (mpi::thread_level() < MPI_THREAD_MULTIPLE)
      refuse(fmt::format("runtime: {} gives {} (expected MPI_THREAD_MULTIPLE)", mpi_in_words(),
                         mpi::name_of_thread_level(mpi::thread_level())));
  });
}

/// Takes --explain out of main's arguments, unless it stands behind a "--". True if it was there.
bool take_wish_to_explain(int& argc, char** argv) {
  auto* const end = argv + argc;
  auto* const options_end = std::find(argv, end, std::string_view("--"));
  auto* const kept_end = std::remove(argv, options_end, std::string_view("--explain"));
  bool const found = kept_end != options_end;
  *std::move(options_end, end, kept_end) = nullptr;
  argc -= static_cast<int>(options_end - kept_end);
  return found;
}

bool environment_wants_explanations() {
  return detail::on_off_setting("SEAM_EXPLAIN", false).is_on();
}

/// Prints what is explained from now on.
void print_explanations() {
  explain_to([](std::string const& text) { print(MPI_COMM_SELF, text); });
}

/// What rank 0 finds in its environment holds for all: only so do common calls stay common.
void agree_on_settings(mpi::comm_view world, bool wants_explanations) {
  auto settings = collectively(world, [&] {
    return std::array{checks_are_on() ? 1 : 0, shared_memory_is_on() ? 1 : 0, node_size(),
                      wants_explanations || environment_wants_explanations() ? 1 : 0};
  });
  mpi::bcast(world, std::span<int>(settings), 0);
  set_checks(settings[0] != 0);
  set_shared_memory(settings[1] != 0);
  set_node_size(settings[2]);
  if (settings[3] != 0)
    print_explanations();
}

/// Makes all processes of a node share some memory, so that calls that involve only a few of them
/// have a place for what they tell each other.
void find_memory_of_node(Communicator const& world) { allocate<std::byte>(world, 1); }

void remember_rank(mpi::comm_view world) { detail::set_rank_in_job(world.rank(), world.size()); }

} // namespace

// Members start in this order and stop in the opposite one.
struct Runtime::state {
  state(int& argc, char**& argv) : words(argc > 0 ? argv[0] : nullptr), session(argc, argv) {
    remember_rank(MPI_COMM_WORLD);
    require_multiple_threads(MPI_COMM_WORLD);
    agree_on_settings(MPI_COMM_WORLD, take_wish_to_explain(argc, argv));
    world.emplace(Communicator::dup(MPI_COMM_WORLD));
    find_memory_of_node(*world);
    ending.emplace(*world);
    mpi::comm const node = mpi::split_shared(*world);
    num_nodes = mpi::allreduce(*world, mpi::comm_view(node).rank() == 0 ? 1 : 0, MPI_SUM);
    detail::core_share const share = detail::find_core_share(node);
    has_core_for_each = mpi::allreduce(*world, share.cores >= share.ranks ? 1 : 0, MPI_LAND) != 0;
    start_kokkos(detail::take_kokkos_options(argc, argv), share);
  }

  void start_kokkos(std::vector<std::string> const& options, detail::core_share share) {
    collectively(*world, [&] { kokkos.emplace(options, share.threads()); });
  }

  /// Returns when all ranks are here, or ends the job.
  void meet_others(bool is_unwinding) {
    if (!ending->meet(is_unwinding, is_unwinding ? limit_while_unwinding : ending->forever)) {
      detail::print_error_line(fmt::format(
          "ended by an error on rank {} of {}: another rank did not come to its end within {} s",
          world->rank(), world->size(), limit_while_unwinding.count()));
      detail::end_job();
    }
  }

  detail::last_words words;
  detail::mpi_session session;
  std::optional<Communicator> world;
  std::optional<detail::rendezvous> ending;
  std::optional<detail::kokkos_session> kokkos;
  int num_nodes = 1;
  bool has_core_for_each = true;
  int exceptions_at_start = std::uncaught_exceptions();
};

// An MPI call that fails on this rank leaves others waiting in it. Mistakes, which all ranks find
// together, are not caught here: uncaught anywhere, they become last words at the point of
// throwing.
Runtime::Runtime(int& argc, char**& argv) try : state_(std::make_unique<state>(argc, argv)) {
} catch (mpi_error const&) {
  detail::print_error_line(detail::report_of(std::current_exception()).line);
  detail::end_job();
}

Runtime::~Runtime() {
  explain_to({});
  if (state_->session.is_owner() && mpi::is_running())
    state_->meet_others(std::uncaught_exceptions() > state_->exceptions_at_start);
}

Communicator const& Runtime::world() const noexcept { return *state_->world; }
int Runtime::num_nodes() const noexcept { return state_->num_nodes; }
bool Runtime::has_core_for_each() const noexcept { return state_->has_core_for_each; }
int Runtime::num_threads() const { return detail::num_kokkos_threads(); }

std::string Runtime::describe() const {
  auto const plural = [](int count) { return count == 1 ? "" : "s"; };
  return fmt::format("seam {}: {} rank{} on {} node{}, {} thread{} each ({}, {})", SEAM_VERSION,
                     size(), plural(size()), num_nodes(), plural(num_nodes()), num_threads(),
                     plural(num_threads()), detail::kokkos_in_words(), mpi_in_words());
}

} // namespace seam
