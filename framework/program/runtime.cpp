#include <seam/framework/program/runtime.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/agreement/new_comm.hpp>
#include <seam/exchange/communicator/explanations.hpp>
#include <seam/exchange/communicator/shared_memory.hpp>
#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/ground/detail/loop_threads.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/ground/setting.hpp>
#include <seam/exchange/mpi/comm.hpp>
#include <seam/exchange/mpi/detail/check.hpp>
#include <seam/exchange/mpi/library.hpp>
#include <seam/exchange/waiting/stall.hpp>
#include <seam/exchange/waiting/thread_level.hpp>
#include <seam/exchange/waiting/watch.hpp>
#include <seam/framework/program/command_line.hpp>
#include <seam/framework/program/common_end.hpp>
#include <seam/framework/program/kokkos_session.hpp>
#include <seam/framework/program/last_words.hpp>
#include <seam/framework/program/launch.hpp>
#include <seam/framework/program/mpi_session.hpp>
#include <seam/framework/program/polite_threads.hpp>
#include <seam/framework/program/print.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <mpi.h>

#include <array>
#include <cstdlib>
#include <exception>
#include <optional>

namespace seam {
using namespace detail;

namespace {

/// Reads main's arguments, including at most one of the program's own, and ends the program for
/// --help or an error.
class usage_line {
public:
  /// Ends the program before MPI starts, if it can.
  /// Local.
  usage_line(program_usage const& usage, int argc, char** argv);
  usage_line(usage_line const&) = delete;
  usage_line& operator=(usage_line const&) = delete;

  /// Ends the program, and MPI, or leaves the program's argument, if given, in argv[1], for as long
  /// as this lives.
  /// Collective: over MPI_COMM_WORLD.
  void end_or_leave_argument(int& argc, char** argv);

private:
  CLI::App& with_argument(std::string const& name);

  CLI::App cli_;
  std::string argument_;
  command_line line_;
};

usage_line::usage_line(program_usage const& usage, int argc, char** argv)
    : cli_(usage.does), line_(with_argument(usage.takes), argc, argv) {
  if (auto const exit_code = line_.end_before_mpi())
    std::exit(*exit_code);
}

void usage_line::end_or_leave_argument(int& argc, char** argv) {
  if (auto const exit_code = line_.end_or_apply(MPI_COMM_WORLD)) {
    MPI_Finalize();
    std::exit(*exit_code);
  }
  argc = argument_.empty() ? 1 : 2;
  if (!argument_.empty())
    argv[1] = argument_.data();
  argv[argc] = nullptr;
}

CLI::App& usage_line::with_argument(std::string const& name) {
  if (!name.empty())
    cli_.add_option(name, argument_)->type_name("");
  cli_.footer(fmt::format("Examples:\n  mpiexec -n 2 {}{}{}", place_in_job().program,
                          name.empty() ? "" : " ", name));
  return cli_;
}

constexpr detail::common_end::seconds limit_while_unwinding{5};

/// Sets the thread level of all ranks to the lowest of any: operations are planned for it.
void agree_on_thread_level(mpi::comm_view world) {
  int const own_level = collectively(world, [] { return mpi::thread_level(); });
  mpi::limit_thread_level(mpi::allreduce(world, own_level, MPI_MIN));
}

bool environment_wants_explanations() {
  return detail::on_off_setting("SEAM_EXPLAIN", false).is_on();
}

/// Prints all explanations from now on: the words, or the graphs.
void print_explanations(wish_to_explain wish) {
  explain_to([wish](std::string const& text) {
    if (text.starts_with("digraph ") == (wish == wish_to_explain::graphs))
      print(MPI_COMM_SELF, text);
  });
}

/// Sets the time before waits are reported, on all ranks, to that of rank 0 if it has one.
void agree_on_stalls(mpi::comm_view world) {
  auto const wish = collectively(world, [] { return wished_time_before_report(); });
  double seconds = wish ? wish->count() : 0;
  mpi::bcast(world, std::span(&seconds, 1), 0);
  if (seconds > 0)
    set_time_before_report(stall_time(seconds));
}

/// Gives all ranks the settings of rank 0's environment, so that all plan the same calls.
void agree_on_settings(mpi::comm_view world, wish_to_explain wish) {
  auto settings = collectively(world, [&] {
    return std::array{
        checks_are_on() ? 1 : 0, shared_memory_is_on() ? 1 : 0, node_size(),
        static_cast<int>(wish == wish_to_explain::none && environment_wants_explanations()
                             ? wish_to_explain::words
                             : wish)};
  });
  mpi::bcast(world, std::span<int>(settings), 0);
  set_checks(settings[0] != 0);
  set_shared_memory(settings[1] != 0);
  set_node_size(settings[2]);
  agree_on_stalls(world);
  if (auto const agreed = static_cast<wish_to_explain>(settings[3]);
      agreed != wish_to_explain::none)
    print_explanations(agreed);
}

/// Makes all processes of a node share some memory, in which calls of only a few of them can
/// exchange their words.
void find_memory_of_node(Communicator const& world) { allocate<std::byte>(world, 1); }

void remember_rank(mpi::comm_view world) { detail::set_rank_in_job(world.rank(), world.size()); }

} // namespace

// Members are constructed in this order and destroyed in the opposite one.
struct Runtime::state {
  /// Of an endpoint, in a process that has been started. MPI and Kokkos run already.
  state(state const& process, Communicator const& endpoints, int threads)
      : words(nullptr), session(no_arguments.count, no_arguments.values) {
    num_nodes = process.num_nodes;
    has_core_for_each = process.has_core_for_each;
    world.emplace(endpoints.dup());
    own_threads = threads;
    num_own_loop_threads = threads;
    set_place_of_thread(
        &place.emplace(job_place{place_in_job().program, world->rank(), world->size()}));
  }

  state(int& argc, char**& argv, program_usage const* usage)
      : words(argc > 0 ? argv[0] : nullptr),
        arguments(usage != nullptr ? std::make_unique<usage_line>(*usage, argc, argv) : nullptr),
        session(argc, argv) {
    std::optional<mpi::returned_errors> of_world,
        of_self; // as long as no call of MPI is the user's
    if (session.is_owner()) {
      of_world.emplace(MPI_COMM_WORLD);
      of_self.emplace(MPI_COMM_SELF);
    }
    remember_rank(MPI_COMM_WORLD);
    agree_on_thread_level(MPI_COMM_WORLD);
    agree_on_settings(MPI_COMM_WORLD, take_wish_to_explain(argc, argv));
    auto const kokkos_options = detail::take_kokkos_options(argc, argv);
    if (arguments != nullptr)
      arguments->end_or_leave_argument(argc, argv);
    watch.emplace(MPI_COMM_WORLD);
    end_hopeless_waits_by(&detail::end_job);
    world.emplace(Communicator::dup(MPI_COMM_WORLD));
    find_memory_of_node(*world);
    ending.emplace(*world);
    mpi::comm const node = mpi::split_shared(*world);
    num_nodes = mpi::allreduce(*world, mpi::comm_view(node).rank() == 0 ? 1 : 0, MPI_SUM);
    detail::core_share const share = detail::find_core_share(node);
    has_core_for_each = mpi::allreduce(*world, share.cores >= share.ranks ? 1 : 0, MPI_LAND) != 0;
    start_kokkos(kokkos_options, share);
    share_cores(share);
  }

  void start_kokkos(std::vector<std::string> const& options, detail::core_share share) {
    collectively(*world, [&] { kokkos.emplace(options, share.threads()); });
  }

  /// Makes waiting threads sleep where cores are oversubscribed, or prints which setting would.
  void share_cores(detail::core_share share) {
    int const num_threads = detail::num_kokkos_threads();
    if (!detail::are_crowded(share.ranks, num_threads, detail::num_hardware_threads()))
      return;
    polite.emplace(share.ranks);
    auto const line = [&] {
      return fmt::format("threads: {} ranks with {} threads each on {} core{}: ", share.ranks,
                         num_threads, share.cores, share.cores == 1 ? "" : "s");
    };
    if (polite->kind() == detail::politeness::by_seam)
      explain(*world, [&] { return line() + "threads that wait for work sleep soon\n"; });
    else if (polite->kind() == detail::politeness::none && world->rank() == 0)
      detail::print_error_line(line() + "threads that wait keep cores from others (expected fewer, "
                                        "or OMP_WAIT_POLICY=passive in the environment)");
  }

  /// Returns when all ranks have called it, or ends the job.
  void meet_others(bool is_unwinding) {
    if (!ending->meet(is_unwinding, is_unwinding ? limit_while_unwinding : ending->forever)) {
      detail::print_error_line(fmt::format(
          "ended by an error on rank {} of {}: another rank did not come to its end within {} s",
          world->rank(), world->size(), limit_while_unwinding.count()));
      detail::end_job();
    }
  }

  bool is_of_endpoint() const noexcept { return own_threads > 0; }

  /// Main's arguments, which Kokkos and MPI have read.
  struct {
    int count = 0;
    char** values = nullptr;
  } no_arguments;

  int own_threads = 0;                    ///< of an endpoint
  std::optional<detail::job_place> place; ///< of an endpoint
  detail::last_words words;
  std::unique_ptr<usage_line> arguments; ///< of a program without options of its own
  detail::mpi_session session;
  std::optional<watching> watch;
  std::optional<Communicator> world;
  std::optional<detail::common_end> ending;
  std::optional<detail::kokkos_session> kokkos;
  std::optional<detail::polite_threads> polite;
  int num_nodes = 1;
  bool has_core_for_each = true;
  int exceptions_at_start = std::uncaught_exceptions();
};

// A failing MPI call leaves the other ranks waiting in it, so the job ends here. Usage errors,
// which all ranks find together, pass; if uncaught, last_words prints them where they are thrown.
Runtime::Runtime(int& argc, char**& argv, program_usage const* usage) try
    : state_(std::make_unique<state>(argc, argv, usage)) {
} catch (mpi_error const&) {
  detail::print_error_line(detail::report_of(std::current_exception()).line);
  detail::end_job();
}

Runtime::Runtime(int& argc, char**& argv) : Runtime(argc, argv, nullptr) {}

Runtime::Runtime(int& argc, char**& argv, program_usage const& usage)
    : Runtime(argc, argv, &usage) {}

Runtime::Runtime(Runtime const& process, Communicator const& endpoints, int num_threads)
    : state_(std::make_unique<state>(*process.state_, endpoints, num_threads)) {}

Runtime::~Runtime() {
  if (state_->is_of_endpoint()) {
    num_own_loop_threads = 0;
    set_place_of_thread(nullptr);
    return;
  }
  explain_to({});
  if (state_->session.is_owner() && mpi::is_running())
    state_->meet_others(std::uncaught_exceptions() > state_->exceptions_at_start);
}

Communicator const& Runtime::world() const noexcept { return *state_->world; }
int Runtime::num_nodes() const noexcept { return state_->num_nodes; }
bool Runtime::has_core_for_each() const noexcept { return state_->has_core_for_each; }
int Runtime::num_threads() const {
  return state_->is_of_endpoint() ? state_->own_threads : detail::num_kokkos_threads();
}

std::string Runtime::describe() const {
  auto const plural = [](int count) { return count == 1 ? "" : "s"; };
  return fmt::format("seam {}: {} rank{} on {} node{}, {} thread{} each ({}, {})", SEAM_VERSION,
                     size(), plural(size()), num_nodes(), plural(num_nodes()), num_threads(),
                     plural(num_threads()), detail::kokkos_in_words(), mpi::library_in_words());
}

} // namespace seam
