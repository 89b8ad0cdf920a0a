#include <seam/exchange/sparse/sparse_exchange.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/communicator/explanations.hpp>
#include <seam/exchange/communicator/refuse_topology.hpp>
#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/sparse/algorithms/table.hpp>
#include <seam/exchange/sparse/deliveries.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <vector>

namespace seam {
using namespace detail;

namespace {

/// All algorithms carry out the first exchanges in turn, and are timed; the one that took least
/// time on the slowest process carries out all others. The best algorithm of those that keep
/// nothing from exchange to exchange is remembered with the communicator: later choices are only
/// between it and the cached pattern.
class measured_choice {
public:
  /// @param shared  outlives the choice
  /// Collective.
  explicit measured_choice(deliveries& shared);

  /// The algorithm of the next exchange. The same on all ranks.
  sparse_algorithm now() const;

  bool is_settled() const noexcept { return trials_left_ == 0; }

  /// Takes the time of an exchange; called after each exchange until the choice is settled.
  ///
  /// @param seconds  time of the exchange on this process
  /// Collective.
  void add_time(double seconds);

private:
  struct candidate {
    sparse_algorithm algorithm;
    double best; ///< least time of an exchange [s]
  };

  void settle_choice();

  deliveries* shared_;
  std::vector<candidate> candidates_; ///< when settled only the chosen algorithm
  int trials_left_;
};

/// Trials of each candidate. The first also sets the algorithm up, and so rarely is the fastest.
constexpr int num_trials = 8;

measured_choice::measured_choice(deliveries& shared) : shared_(&shared) {
  auto const best = shared.best_without_memory();
  for (named_algorithm const& entry : named_algorithms()) {
    bool const was_tried = best && !entry.remembers_edges;
    if (was_tried ? entry.value == *best : entry.is_tried(shared))
      candidates_.push_back({entry.value, std::numeric_limits<double>::infinity()});
  }
  trials_left_ = num_trials * static_cast<int>(candidates_.size());
}

sparse_algorithm measured_choice::now() const {
  return candidates_[trials_left_ % std::ssize(candidates_)].algorithm;
}

void measured_choice::add_time(double seconds) {
  candidate& tried = candidates_[trials_left_ % std::ssize(candidates_)];
  tried.best = std::min(tried.best, seconds);
  if (--trials_left_ == 0)
    settle_choice();
}

void measured_choice::settle_choice() {
  std::vector<double> times;
  for (candidate const& tried : candidates_)
    times.push_back(tried.best);
  mpi::allreduce(shared_->comm(), std::span(times), MPI_MAX);
  for (int c = 0; c < std::ssize(times); ++c)
    candidates_[c].best = times[c];
  std::ranges::stable_sort(candidates_, {}, &candidate::best);
  auto const without_memory = std::ranges::find_if(candidates_, [](candidate const& tried) {
    return !entry_of(tried.algorithm).remembers_edges;
  });
  shared_->remember_best_without_memory(without_memory->algorithm);
  candidates_.resize(1);
}

} // namespace

std::string_view name_of(sparse_state state) noexcept {
  switch (state) {
  case sparse_state::uninit: return "UNINIT";
  case sparse_state::idle: return "IDLE";
  case sparse_state::pack: return "PACK";
  case sparse_state::unpack: return "UNPACK";
  case sparse_state::bothpack: return "BOTHPACK";
  }
  return "no state";
}

struct SparseExchange::parts {
  parts(Communicator const& over, sparse_options wanted)
      : shared(detail::deliveries::of(over)),
        calls(over.calls()),
        order(wanted.order),
        rank(over.rank()),
        size(over.size()) {
    if (wanted.algorithm == sparse_algorithm::automatic)
      choice.emplace(*shared);
    else
      algorithm = wanted.algorithm;
  }

  detail::delivery& delivery_of(sparse_algorithm which) {
    auto const& entry = detail::entry_of(which);
    if (!entry.remembers_edges)
      return shared->by(which);
    if (own_delivery == nullptr)
      own_delivery = entry.make(*shared);
    return *own_delivery;
  }

  void deliver(sparse_algorithm which) { detail::deliver(delivery_of(which), rank, out, in); }

  /// Delivers by the next algorithm on trial, and takes its time, until the choice is settled.
  void deliver_and_measure() {
    double const begin = MPI_Wtime();
    deliver(choice->now());
    choice->add_time(MPI_Wtime() - begin);
    if (choice->is_settled()) {
      algorithm = choice->now();
      choice.reset();
    }
  }

  /// The loads to be explained once the algorithm is chosen, if explanations are on.
  std::optional<std::map<int, outgoing_load>> loads_to_explain() {
    if (is_explained || !explanations_are_on())
      return std::nullopt;
    std::map<int, outgoing_load> peers2loads;
    for (auto const& [to, bytes] : out.parcels())
      if (to != rank)
        peers2loads[to] = {std::ssize(bytes), "in one piece"};
    return peers2loads;
  }

  void explain(std::map<int, outgoing_load> const& peers2loads) {
    is_explained = true;
    explain_loads(shared->comm(), fmt::format("sparse exchange ({})", name_of(algorithm)),
                  [&] { return peers2loads; });
  }

  std::shared_ptr<detail::deliveries> shared;     ///< kept with the communicator
  std::shared_ptr<call_record> calls;             ///< of the communicator
  std::unique_ptr<detail::delivery> own_delivery; ///< an algorithm that remembers edges
  std::optional<measured_choice> choice;          ///< until it is settled
  sparse_algorithm algorithm = sparse_algorithm::automatic;
  receive_order order;
  int rank, size;
  bool is_explained = false;
  detail::outbox out;
  detail::inbox in;
  bool unpacking = false;       ///< from exchange() until the last message has been received
  std::int64_t left_before = 0; ///< bytes left of the current message at the last receive()
};

namespace {

/// Returns `over` if exchanges with `options` are possible there. Collective in checked mode.
Communicator const& require_usable(Communicator const& over, sparse_options const& options) {
  call_scope const here("SparseExchange");
  if (over.topology().is_bipartite())
    refuse_topology(over, "sparse exchange", "a graph or a complete one");
  std::string const name(name_of(options.algorithm));
  if (checks_are_on())
    require_same(over.context(), "sparse exchange: algorithm", name);
  return over;
}

} // namespace

SparseExchange::SparseExchange() = default;
SparseExchange::SparseExchange(Communicator const& over, sparse_options options)
    : parts_(std::make_unique<parts>(require_usable(over, options), options)) {}
SparseExchange::SparseExchange(SparseExchange&&) noexcept = default;
SparseExchange& SparseExchange::operator=(SparseExchange&&) noexcept = default;
SparseExchange::~SparseExchange() = default;

sparse_state SparseExchange::state() const noexcept {
  if (parts_ == nullptr)
    return sparse_state::uninit;
  if (parts_->unpacking)
    return parts_->out.empty() ? sparse_state::unpack : sparse_state::bothpack;
  return parts_->out.empty() ? sparse_state::idle : sparse_state::pack;
}

SparseExchange::parts& SparseExchange::parts_in(char const* call, bool allowed,
                                                char const* expected) const {
  if (parts_ == nullptr || !allowed)
    refuse(fmt::format("sparse exchange: {} in state {} (expected {})", call, name_of(state()),
                       expected));
  return *parts_;
}

outgoing_message& SparseExchange::message_to(int to) {
  parts& all = parts_in("pack", true, "a communicator");
  if (to < 0 || to >= all.size)
    refuse(MPI_ERR_RANK, fmt::format("sparse exchange: pack for destination {} in state {} "
                                     "(expected a rank, 0 to {})",
                                     to, name_of(state()), all.size - 1));
  return all.out.to(to);
}

/// Refuses exchange() in a wrong state: in checked mode on all ranks, so that none waits.
SparseExchange::parts& SparseExchange::parts_to_exchange() const {
  auto const checked = [this]() -> parts* {
    return &parts_in("exchange", parts_ != nullptr && !parts_->unpacking,
                     "IDLE or PACK: all messages of the last exchange received");
  };
  bool const is_collective = parts_ != nullptr && checks_are_on();
  return is_collective ? *collectively(parts_->shared->comm(), checked) : *checked();
}

void SparseExchange::exchange() {
  if (parts_ == nullptr)
    return exchange_named();
  call_scope const here("SparseExchange::exchange", *parts_->calls);
  exchange_named();
}

void SparseExchange::exchange_named() {
  parts& all = parts_to_exchange();
  auto const to_explain = all.loads_to_explain();
  if (all.choice)
    all.deliver_and_measure();
  else
    all.deliver(all.algorithm);
  if (to_explain && !all.choice)
    all.explain(*to_explain);
  if (all.order == receive_order::by_sender)
    all.in.sort_by_source();
  all.unpacking = true;
}

bool SparseExchange::advance_message() {
  parts_->unpacking = parts_->in.next();
  if (parts_->unpacking)
    parts_->left_before = parts_->in.current()->bytes_left();
  return parts_->unpacking;
}

bool SparseExchange::receive() {
  parts& all = parts_in("receive", parts_ != nullptr && parts_->unpacking,
                        "UNPACK or BOTHPACK: an exchange before");
  incoming_message const* const now = all.in.current();
  if (now == nullptr || now->bytes_left() == 0)
    return advance_message();
  if (now->bytes_left() == all.left_before)
    refuse(fmt::format("sparse exchange: receive in state {} leaves behind {} bytes of the message "
                       "from rank {} (expected some of them to be unpacked since the last receive)",
                       name_of(state()), now->bytes_left(), now->source()));
  all.left_before = now->bytes_left();
  return true;
}

bool SparseExchange::receive_message() {
  parts& all = parts_in("receive_message", parts_ != nullptr && parts_->unpacking,
                        "UNPACK or BOTHPACK: an exchange before");
  incoming_message const* const now = all.in.current();
  if (now != nullptr && now->bytes_left() > 0)
    refuse(fmt::format("sparse exchange: receive_message in state {} leaves behind {} bytes of the "
                       "message from rank {} (expected all of them to be unpacked)",
                       name_of(state()), now->bytes_left(), now->source()));
  return advance_message();
}

incoming_message& SparseExchange::message_for(char const* call) const {
  parts& all = parts_in(call, parts_ != nullptr && parts_->unpacking,
                        "UNPACK or BOTHPACK: an exchange before");
  incoming_message* const now = all.in.current();
  if (now == nullptr)
    refuse(fmt::format("sparse exchange: {} in state {} before any message (expected receive "
                       "before)",
                       call, name_of(state())));
  return *now;
}

void SparseExchange::refuse_naming_state(usage_error const& problem) const {
  throw usage_error(fmt::format("sparse exchange: in state {}: {}", name_of(state()),
                                problem.what()),
                    problem.on_all_ranks(), problem.error_class());
}

sparse_algorithm SparseExchange::algorithm() const {
  return parts_in("algorithm", true, "a communicator").algorithm;
}

void SparseExchange::close() {
  parts_in("close", state() == sparse_state::idle, "IDLE: nothing packed and all received");
  parts_.reset();
}

} // namespace seam
