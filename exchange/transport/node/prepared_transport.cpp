#include <seam/exchange/transport/node/transports.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/communicator/node.hpp>
#include <seam/exchange/communicator/shared_memory.hpp>
#include <seam/exchange/ground/cache_line.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/detail/context.hpp>
#include <seam/exchange/schedule/pack.hpp>
#include <seam/exchange/transport/node/links.hpp>
#include <seam/exchange/transport/node/memory_transport.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace seam::detail {
namespace {

/// Lines of a message in one epoch; none if it is not short.
std::int64_t lines_for(std::int64_t bytes) {
  return bytes <= longest_in_lines ? lines_of(bytes) : 0;
}

/// The sources of a step if its receiver can read them; otherwise nothing.
std::vector<shown_block> lent_sources(node const& on, schedule const& steps,
                                      send_step const& step) {
  if (!steps.sources_stay)
    return {};
  return show_blocks(steps.sources_of(step.sources),
                     on.memory().world_rank(on.local_rank(step.peer)));
}

/// A lent message needs one slot, into which its sender packs it for a late receiver.
wanted_sending wanted_for(node const& on, schedule const& steps, send_step const& step) {
  wanted_sending wanted{.peer = on.local_rank(step.peer), .bytes = step.wire.bytes};
  if (lines_for(wanted.bytes) > 0)
    return wanted;
  wanted.slot_bytes = wanted.bytes;
  wanted.lent = lent_sources(on, steps, step);
  if (!wanted.lent.empty())
    wanted.num_slots = 1;
  return wanted;
}

wanted_links wanted_for(node const& on, schedule const& steps) {
  wanted_links wanted;
  for (send_step const& step : steps.sends)
    wanted.sends.push_back(wanted_for(on, steps, step));
  for (receive_step const& step : steps.receives)
    wanted.receives.push_back({on.local_rank(step.peer), step.wire.bytes,
                               lines_for(step.wire.bytes)});
  return wanted;
}

void require_length(int rank, char const* end, std::int64_t own, char const* direction,
                    std::int64_t other) {
  if (own != other)
    refuse(MPI_ERR_TRUNCATE,
           fmt::format("exchange: rank {} {} a message of {} bytes {} the same node, whose other "
                       "end {} (expected the same)",
                       rank, end, own, direction,
                       other != link_end::missing ? fmt::format("is of {} bytes", other)
                                                  : "is missing"));
}

void require_lengths(int rank, schedule const& steps, links const& ends) {
  for (int s = 0; s < std::ssize(steps.sends); ++s)
    require_length(rank, "sends", steps.sends[s].wire.bytes, "to", ends.sends[s].bytes_wanted);
  for (int r = 0; r < std::ssize(steps.receives); ++r)
    require_length(rank, "expects", steps.receives[r].wire.bytes, "from",
                   ends.receives[r].bytes_wanted);
}

/// True if a receiver copies a lent message block by block, since the blocks of both ends are
/// equally long; otherwise it packs the sources on the wire first.
bool match_in_pairs(std::vector<block> const& sources, std::span<target const> targets) {
  if (sources.size() != targets.size())
    return false;
  for (int k = 0; k < std::ssize(sources); ++k)
    if (sources[k].bytes() != targets[k].where.bytes())
      return false;
  return true;
}

class prepared_transport final : public memory_transport<prepared_transport> {
public:
  prepared_transport(mpi::comm_view context, std::shared_ptr<links> ends, schedule const& steps,
                     std::byte* staging)
      : memory_transport(context, steps, staging), ends_(std::move(ends)) {
    for (int r = 0; r < std::ssize(steps.receives); ++r) {
      receive_step const& step = steps.receives[r];
      in_pairs_.push_back(step.wire.direct == nullptr &&
                          match_in_pairs(ends_->receives[r].lent, steps.targets_of(step.targets)));
    }
  }

  /// A receiver may be an epoch behind, and needs this process's memory until it has caught up.
  ~prepared_transport() override {
    for (sending_link& end : ends_->sends)
      if (!needs_no_sign(end))
        end.awaited = epoch_;
  }

  void begin() override {
    ++epoch_;
    start_looking(ends_->sends.size());
    next_to_fetch_ = 0;
    next_line_ = 0;
  }

  void send(int step) override {
    sending_link const& end = ends_->sends[step];
    if (end.lines != nullptr)
      write(step, end.lines_in(epoch_), epoch_);
    else if (end.is_lent)
      end.lend(epoch_);
    else
      pack_in_slot(step, end, epoch_);
  }

private:
  friend class memory_transport<prepared_transport>;

  static bool needs_no_sign(link_end const& end) { return end.lines != nullptr && end.is_answered; }

  bool take(int r) {
    receiving_link const& end = ends_->receives[r];
    bool const done = end.lines != nullptr ? read(r, end.lines_in(epoch_), epoch_)
                      : end.is_lent        ? claim(r, end)
                                           : follow(r, end.slot_in(epoch_), end.packed(epoch_));
    if (done && !needs_no_sign(end))
      end.note_taken(epoch_);
    return done;
  }

  /// Takes a message that is lent, unless its sender has withdrawn it and not packed it yet.
  bool claim(int r, receiving_link const& end) const {
    if (looks_.count() == 0) // it has probably been offered: one transfer is enough to claim it
      prefetch_to_write(&end.offer_in(epoch_));
    offer const found = end.claim(epoch_);
    if (found == offer::packed)
      wires_.put(end.slot_in(epoch_), wires_.steps().receives[r]);
    else if (found == offer::lent)
      take_lent(r);
    return found != offer::withdrawn;
  }

  void take_lent(int r) const {
    receive_step const& step = wires_.steps().receives[r];
    auto const& sources = ends_->receives[r].lent;
    if (in_pairs_[r])
      return copy_in_pairs(sources, wires_.steps().targets_of(step.targets));
    std::byte* wire = wires_.at(step.wire);
    for (block const& source : sources)
      wire = detail::pack(source, wire);
    wires_.unpack(r);
  }

  static void copy_in_pairs(std::vector<block> const& sources, std::span<target const> targets) {
    for (int k = 0; k < std::ssize(targets); ++k)
      copy(sources[k], targets[k].where, targets[k].combine);
  }

  /// True if the sources of a message may be written, and its receiver has come so far that the
  /// next epoch finds its places unused.
  bool has_left(int s) {
    sending_link& end = ends_->sends[s];
    if (needs_no_sign(end))
      return true;
    places const used = end.lines != nullptr ? end.line_places : end.slot_places;
    return end.has_taken(used.needed_behind(epoch_)) || (end.is_lent && withdraw(s, end));
  }

  /// Packs a lent message whose receiver is late, once it has taken the epoch before.
  bool withdraw(int s, sending_link const& end) const {
    if (end.known + 1 < epoch_ || looks_.count() < looks_before_packing)
      return false;
    return end.withdraw(epoch_,
                        [&](std::byte* slot) { wires_.pack_at(wires_.steps().sends[s], slot); });
  }

  /// Prefetches the lines of the next epoch, which receivers have read, while this process waits.
  void fetch_lines_of_next_epoch() {
    for (; next_to_fetch_ < std::ssize(ends_->sends); ++next_to_fetch_, next_line_ = 0)
      if (link_end const& end = ends_->sends[next_to_fetch_]; next_line_ < end.lines_each)
        return prefetch_to_write(end.lines_in(epoch_ + 1) + next_line_++);
  }

  void has_looked_in_vain() { fetch_lines_of_next_epoch(); }

  std::shared_ptr<links> ends_;
  std::vector<bool> in_pairs_; ///< [receive steps]
  std::uint64_t epoch_ = 0;
  int next_to_fetch_ = 0;
  std::int64_t next_line_ = 0; ///< of the send step next_to_fetch_
};

/// True if some message of `steps`, whose peers are on-node, would be slower here than by the MPI
/// library: it is longer than longest_packed, and its bytes lie together in memory that its
/// receiver cannot read.
bool has_long_private_messages(Communicator const& over, schedule const& steps) {
  return std::ranges::any_of(steps.sends, [&](send_step const& step) {
    return step.wire.direct != nullptr && step.wire.bytes > longest_packed &&
           lent_sources(over.node(), steps, step).empty();
  });
}

/// The steps whose peers are on-node and whose messages have at most `most` bytes.
step_choice steps_on_node(Communicator const& over, schedule const& steps, std::int64_t most) {
  return steps_with(steps, [&on = over.node(), most](int peer, std::int64_t bytes) {
    return bytes <= most && on.local_rank(peer) != node::elsewhere;
  });
}

/// The steps that the node's memory may carry.
struct near_steps {
  std::vector<step_choice> chosen; ///< [schedules]
  bool are_all = true;             ///< on all ranks: no message is sent by MPI
};

/// The steps of each schedule that the node's memory may carry.
/// Collective: over `over`.
near_steps steps_by_memory(Communicator const& over, std::span<schedule const> all) {
  near_steps near;
  std::vector<int> suits_messages; // [all] 1 if MPI sends some message faster
  bool has_far = false;
  for (schedule const& steps : all) {
    auto const& chosen = near.chosen.emplace_back(
        steps_on_node(over, steps, std::numeric_limits<std::int64_t>::max()));
    suits_messages.push_back(has_long_private_messages(over, part_of(steps, chosen)) ? 1 : 0);
    has_far = has_far || !has_all(chosen);
  }
  // Both ends know the length of a message, but only one whether the other can read its memory.
  suits_messages.push_back(has_far ? 1 : 0);
  mpi::allreduce(over.context(), std::span<int>(suits_messages), MPI_MAX);
  for (int k = 0; k < std::ssize(all); ++k)
    if (suits_messages[k] != 0)
      near.chosen[k] = steps_on_node(over, all[k], longest_packed);
  near.are_all = std::ranges::count(suits_messages, 0) == std::ssize(suits_messages);
  return near;
}

/// Makes the links of each of `all` schedules, whose peers are on-node: one for each send step and
/// each receive step, in their order. Returns nothing, on all processes of the node, if shared
/// memory is used up or the caller is alone on its node.
///
/// @param all  one or more, as many on all ranks
/// @throws usage_error  the two ends of a message differ in length, or one is missing (not the same
///                      line on all ranks)
/// Collective: over the node, once for all schedules; throws after the last communication only.
std::vector<std::shared_ptr<links>> make_links_of_steps(Communicator const& over,
                                                        std::span<schedule const> all) {
  node const& on = over.node();
  if (on.is_alone())
    return {};
  std::vector<wanted_links> wanted;
  for (schedule const& steps : all)
    wanted.push_back(wanted_for(on, steps));
  auto made = make_links(on.memory(), on.memory().comm(), wanted);
  for (int k = 0; k < std::ssize(made); ++k)
    require_lengths(over.rank(), all[k], *made[k]);
  return made;
}

} // namespace

carried_operations steps_by_prepared_links(Communicator const& over,
                                           std::span<schedule const> left) {
  bool const has_other_side = over.topology().is_bipartite();
  bool const has_endpoints = mpi::context_of(over) != nullptr; // whose transport needs no links
  if (!shared_memory_is_on() || has_other_side ||
      has_endpoints) // a node does not know ranks of the other side
    return {};
  if (left.empty())
    return {{}, true};
  auto [chosen, are_all] = steps_by_memory(over, left);
  std::vector<schedule> near;
  for (int k = 0; k < std::ssize(left); ++k)
    near.push_back(part_of(left[k], chosen[k]));
  auto const ends = collectively(over.context(), [&] { return make_links_of_steps(over, near); });
  carried_operations carried{{}, are_all};
  for (int k = 0; k < std::ssize(ends); ++k)
    carried.each.push_back(
        {std::move(chosen[k]),
         [context = over.context(), its_ends = ends[k]](schedule const& some, std::byte* staging) {
           return std::make_unique<prepared_transport>(context, its_ends, some, staging);
         }});
  return carried;
}

} // namespace seam::detail
