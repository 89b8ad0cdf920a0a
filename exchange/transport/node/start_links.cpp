#include <seam/exchange/transport/node/start_links.hpp>

#include <seam/exchange/communicator/kept.hpp>
#include <seam/exchange/communicator/node.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/detail/context.hpp>

#include <algorithm>
#include <new>
#include <numeric>
#include <span>
#include <vector>

namespace seam::detail {
namespace {

constexpr places line_places(places_of_starts);

int place_of_epoch(std::uint64_t epoch) { return epoch % places_of_starts; }

constexpr std::int64_t num_lines = line_places.number() * lines_of_starts;

/// Where the parts of a link lie in its memory. [bytes]
struct start_layout {
  std::int64_t words, lines, bytes;
};

start_layout lay_out_link() {
  layout memory;
  return {memory.reserve(sizeof(start_words)),
          memory.reserve(num_lines * std::int64_t{sizeof(line)}), memory.bytes()};
}

line* lines_in(std::byte* memory) { return reinterpret_cast<line*>(memory + lay_out_link().lines); }

/// The link in `memory`, as the process finds it there.
link_end link_in(std::byte* memory) {
  return {.lines = lines_in(memory), .lines_each = lines_of_starts, .line_places = line_places};
}

/// Makes words and lines that no epoch has used.
start_words* make_words(std::byte* memory) {
  std::uninitialized_value_construct_n(lines_in(memory), num_lines);
  return new (memory) start_words;
}

/// The ranks at the other ends of `edges`; all ranks if `over` is complete.
std::vector<int> peers_along(Communicator const& over, std::span<edge const> edges) {
  std::vector<int> ranks(over.topology().is_complete() ? over.size() : edges.size());
  if (over.topology().is_complete())
    std::iota(ranks.begin(), ranks.end(), 0);
  else
    std::ranges::transform(edges, ranks.begin(), &edge::rank);
  return ranks;
}

} // namespace

bool start_end::test_hello() {
  int is_done = 1;
  if (hello_request != MPI_REQUEST_NULL)
    mpi::check(MPI_Test(&hello_request, &is_done, MPI_STATUS_IGNORE), "MPI_Test");
  return is_done != 0;
}

start_sender::~start_sender() {
  if (memory_ != nullptr)
    free_when(std::move(memory_),
              [words = words_] { return words->has_left.load(std::memory_order_acquire) != 0; });
}

/// Tells the receiver where the link lies, or that there is none: the receiver is off-node, or no
/// shared memory is left.
void start_sender::say_hello(mpi::comm_view context, int peer, int tag) {
  int const reader = known_on_node(context, peer);
  if (reader != node::elsewhere)
    memory_ = take_shared_with(reader, lay_out_link().bytes);
  if (memory_ != nullptr) {
    words_ = make_words(memory_.get());
    static_cast<link_end&>(link_) = link_in(memory_.get());
    hello = {1, *place_of(memory_.get(), 1, reader)};
  }
  mpi::check(MPI_Isend(&hello, sizeof hello, MPI_BYTE, peer, tag, context.native(), &hello_request),
             "MPI_Isend");
}

/// True if the receiver looks at the link in epoch `next`, and has taken the one that used its
/// place before.
bool start_sender::is_free(std::uint64_t next) {
  std::uint64_t const first = words_->first.load(std::memory_order_acquire);
  if (first == 0 || next < first)
    return false;
  int const place = place_of_epoch(next);
  if (taken_[place] == used_[place])
    return true;
  for (int p = 0; p < std::ssize(taken_); ++p)
    taken_[p] = words_->taken[p].load(std::memory_order_acquire);
  return taken_[place] == used_[place];
}

begun_call start_sender::begin(mpi::comm_view context, peer_messages const& to, int tag) {
  if (++epoch == 1)
    say_hello(context, to.peer, tag);
  begun_call begun{epoch};
  if (memory_ == nullptr)
    return begun;
  int const place = place_of_epoch(epoch);
  begun.in_link = is_free(epoch);
  if (!begun.in_link)
    words_->by_messages[place].store(epoch, std::memory_order_release);
  else if (to.num_messages > 0) {
    used_[place] = epoch;
    words_->by_link[place].store(epoch, std::memory_order_release);
  }
  return begun;
}

start_receiver::~start_receiver() {
  start_words* const words = words_.load(std::memory_order_acquire);
  if (words != nullptr && mpi::is_running())
    words->has_left.store(1, std::memory_order_release);
}

begun_call start_receiver::begin(mpi::comm_view context, int sender, int tag) {
  if (++epoch == 1)
    mpi::check(MPI_Irecv(&hello, sizeof hello, MPI_BYTE, sender, tag, context.native(),
                         &hello_request),
               "MPI_Irecv");
  begun_call begun{epoch};
  start_words* const words = words_.load(std::memory_order_acquire);
  if (words == nullptr)
    return begun;
  if (first_ == 0) {
    first_ = epoch;
    words->first.store(first_, std::memory_order_release);
  }
  begun.in_link = true;
  return begun;
}

bool start_receiver::test_hello() {
  if (hello_request == MPI_REQUEST_NULL)
    return true;
  if (!start_end::test_hello())
    return false;
  if (hello.has_link != 0) {
    std::byte* const memory = address_of(hello.where);
    static_cast<link_end&>(link_) = link_in(memory);
    words_.store(reinterpret_cast<start_words*>(memory), std::memory_order_release);
  }
  return true;
}

/// The sender says how it sends an epoch before it begins a later one. A place whose epoch has not
/// been taken keeps the word that the epoch came by link.
bool start_receiver::is_sent_by_messages(std::uint64_t number) const {
  start_words const& words = *words_.load(std::memory_order_relaxed);
  int const place = place_of_epoch(number);
  return words.by_messages[place].load(std::memory_order_acquire) >= number &&
         words.by_link[place].load(std::memory_order_acquire) != number;
}

void start_receiver::note_taken(std::uint64_t number) const {
  words_.load(std::memory_order_relaxed)
      ->taken[place_of_epoch(number)]
      .store(number, std::memory_order_release);
}

start_links::start_links(Communicator const& over) : context_(over.context()) {
  auto const is_other = [&](int rank) { return rank != MPI_PROC_NULL && rank != over.rank(); };
  for (int const rank : peers_along(over, over.topology().destinations()))
    if (is_other(rank))
      out_.try_emplace(rank);
  for (int const rank : peers_along(over, over.topology().sources()))
    if (is_other(rank))
      in_.try_emplace(rank);
}

start_sender* start_links::to(int peer) {
  auto const found = out_.find(peer);
  return found == out_.end() ? nullptr : &found->second;
}

start_receiver* start_links::from(int peer) {
  auto const found = in_.find(peer);
  return found == in_.end() ? nullptr : &found->second;
}

bool has_start_links(Communicator const& over) {
  bool const is_small =
      over.topology().is_complete() && over.size() <= most_processes_of_direct_calls;
  return (over.topology().is_graph() || is_small) && mpi::context_of(over) == nullptr;
}

std::shared_ptr<start_links> start_links_of(Communicator const& over) {
  return kept_pointer<start_links>(over, [&] { return std::make_shared<start_links>(over); });
}

} // namespace seam::detail
