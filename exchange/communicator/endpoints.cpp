#include <seam/exchange/communicator/endpoints.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/endpoints/endpoint_context.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <thread>

namespace seam {
using namespace detail;

namespace {

/// Does `act(k)` for each k below `count` in a thread of its own, and waits: endpoints of one
/// process make communicators together. Rethrows the first error.
template <class Act>
void for_each_endpoint(std::ptrdiff_t count, Act const& act) {
  std::vector<std::exception_ptr> errors(count);
  std::vector<std::jthread> threads;
  for (std::ptrdiff_t k = 0; k < count; ++k)
    threads.emplace_back([&, k] {
      try {
        act(k);
      } catch (...) {
        errors[k] = std::current_exception();
      }
    });
  threads.clear();
  for (std::exception_ptr const& found : errors)
    if (found != nullptr)
      std::rethrow_exception(found);
}

void refuse_endpoints(mpi::comm_view parent) {
  if (is_of_endpoints(parent))
    refuse(MPI_ERR_COMM,
           "endpoints: made of a communicator of endpoints (expected one of processes)");
  if (mpi::is_bipartite(parent))
    refuse(MPI_ERR_COMM, "endpoints: made of a bipartite communicator (expected one whose "
                         "processes are one group)");
}

using places = std::vector<mpi::endpoint_place>;

/// Compares two lists of endpoints of one origin.
int compare_places(places first, places second) {
  if (first == second)
    return MPI_CONGRUENT;
  for (places* const each : {&first, &second})
    std::ranges::sort(*each, {}, &mpi::endpoint_place::number);
  return first == second ? MPI_SIMILAR : MPI_UNEQUAL;
}

int compare_endpoints(endpoint_context const& first, endpoint_context const& second) {
  bool const have_one_origin =
      first.shared_endpoint()->siblings == second.shared_endpoint()->siblings;
  if (!have_one_origin || first.is_bipartite() != second.is_bipartite())
    return MPI_UNEQUAL;
  int const own = compare_places(first.members(), second.members());
  int const others = compare_places(first.peers(), second.peers());
  for (int const result : {MPI_UNEQUAL, MPI_SIMILAR})
    if (own == result || others == result)
      return result;
  return MPI_CONGRUENT;
}

} // namespace

int compare_communicators(mpi::comm_view first, mpi::comm_view second) {
  if (is_of_endpoints(first) && is_of_endpoints(second))
    return first.native() == second.native()
               ? MPI_IDENT
               : compare_endpoints(endpoints_of(first, "compare"), endpoints_of(second, "compare"));
  if (is_of_endpoints(first) || is_of_endpoints(second))
    return MPI_UNEQUAL;
  int result = MPI_UNEQUAL;
  mpi::check(MPI_Comm_compare(first.native(), second.native(), &result), "MPI_Comm_compare");
  return result;
}

bool is_of_endpoints(mpi::comm_view over) { return mpi::context_of(over) != nullptr; }

void require_processes(mpi::comm_view over, std::string_view library) {
  constexpr bool on_all_ranks = true;
  if (is_of_endpoints(over))
    throw usage_error(fmt::format("{} knows processes alone, no endpoints (expected neither "
                                  "--endpoints nor SEAM_ENDPOINTS)",
                                  library),
                      on_all_ranks, MPI_ERR_COMM);
}

std::vector<Communicator> create_endpoints(Communicator const& parent, int how_many) {
  refuse_endpoints(parent);
  auto handles = make_endpoints(parent, {.own = how_many});
  std::vector<std::optional<Communicator>> made(handles.size());
  for_each_endpoint(std::ssize(handles), [&](std::ptrdiff_t k) {
    made[k].emplace(Communicator::from_native(handles[k].release()));
  });
  std::vector<Communicator> own;
  for (auto& each : made)
    own.push_back(std::move(*each));
  return own;
}

/// The communicators of one endpoint.
struct Endpoints::of_one {
  std::shared_ptr<endpoint> bound;
  std::optional<Communicator> all, world, clique, self;
};

Endpoints::Endpoints(mpi::comm_view processes, int how_many) {
  refuse_endpoints(processes);
  collectively(processes, [&] {
    if (how_many < 1)
      refuse(MPI_ERR_ARG,
             fmt::format("endpoints: {} for a process (expected 1 or more)", how_many));
  });
  auto handles = make_endpoints(processes, {.own = how_many, .are_bound = true});
  for (mpi::comm const& handle : handles) {
    auto& made = *each_.emplace_back(std::make_unique<of_one>());
    made.bound = endpoints_of(handle, "endpoints").shared_endpoint();
  }
  each_.front()->world.emplace(Communicator::dup(processes));
  for_each_endpoint(std::ssize(handles), [&](std::ptrdiff_t k) {
    of_one& own = *each_[k];
    attach_thread(own.bound);
    own.all.emplace(Communicator::from_native(handles[k].release()));
    own.clique = own.all->split(own.bound->place.process, own.all->rank());
    own.self = own.all->split(own.all->rank(), 0);
  });
  start_with(each_.front()->bound);
  attach_thread(each_.front()->bound);
}

Endpoints::~Endpoints() {
  start_with(nullptr);
  forget_attachment();
}

void Endpoints::inherit_error_handler(mpi::comm_view from) {
  for (auto const& each : each_)
    for (auto const* made : {&each->all, &each->world, &each->clique, &each->self})
      if (*made)
        mpi::inherit_error_handler(from, (*made)->view());
}

int Endpoints::size() const noexcept { return static_cast<int>(std::ssize(each_)); }
int Endpoints::error_class() { return endpoints_error_class(); }

Endpoints::of_one const& Endpoints::of_thread(char const* call) const {
  auto const attached = endpoint_of_thread();
  auto const found = std::ranges::find_if(each_, [&](auto const& each) {
    return each->bound == attached && attached != nullptr;
  });
  if (found == each_.end())
    refuse_endpoint(fmt::format("{}: the thread is attached to no endpoint of this process "
                                "(expected attach before)",
                                call));
  return **found;
}

Communicator const& Endpoints::all() const { return *of_thread("all").all; }
Communicator const& Endpoints::clique() const { return *of_thread("clique").clique; }
Communicator const& Endpoints::self() const { return *of_thread("self").self; }

Communicator const& Endpoints::world() const {
  of_one const& own = of_thread("world");
  if (!own.world)
    refuse_endpoint(fmt::format("world: the thread is attached to endpoint {}, the {}. of its "
                                "process (expected the first, which alone belongs to it)",
                                own.bound->place.number, own.bound->place.index + 1));
  return *own.world;
}

void attach(int rank, mpi::comm_view among) {
  endpoint_context& ranks = endpoints_of(among, "attach");
  if (ranks.is_bipartite())
    refuse_endpoint(
        "attach: a bipartite communicator (expected one whose endpoints are one group)");
  if (rank < 0 || rank >= ranks.size())
    refuse_endpoint(fmt::format("attach: endpoint {} (expected 0 to {})", rank, ranks.size() - 1));
  attach_thread(ranks.endpoint_here(rank));
}

void detach() { detach_thread(); }

} // namespace seam
