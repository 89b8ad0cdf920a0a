#include <seam/exchange/endpoints/endpoint_context.hpp>

#include <seam/exchange/endpoints/detail/collectives.hpp>
#include <seam/exchange/ground/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace seam::detail {
namespace {

using mpi::endpoint_place;

/// The rank of an endpoint among `members`, or -1.
int rank_among(std::vector<endpoint_place> const& members, endpoint_place const& place) {
  auto const found = std::ranges::find(members, place);
  return found != members.end() ? static_cast<int>(found - members.begin()) : -1;
}

/// A message that a matched probe has taken.
class taken_from_mailbox final : public mpi::taken_message {
public:
  taken_from_mailbox(std::shared_ptr<shared_context> keeps, mailbox& box,
                     std::unique_ptr<kept_message> taken)
      : keeps_(std::move(keeps)), box_(box), taken_(std::move(taken)) {}

  mpi::arrived_message const& message() const noexcept override { return taken_->message; }
  void receive(mpi::transfer& into) override { box_.receive(std::move(taken_), into); }

private:
  std::shared_ptr<shared_context> keeps_;
  mailbox& box_;
  std::unique_ptr<kept_message> taken_;
};

} // namespace

endpoint_context::endpoint_context(std::shared_ptr<endpoint> own,
                                   std::shared_ptr<shared_context> among, int side, int rank)
    : endpoint_(std::move(own)),
      shared_(std::move(among)),
      side_(side),
      box_(shared_->boxes[side][rank].get()) {
  rank_ = rank;
  size_ = static_cast<int>(shared_->sides[side].size());
  has_remote_peers_ = std::ranges::any_of(shared_->boxes[other_side()],
                                          [](auto const& box) { return box == nullptr; });
}

std::vector<endpoint_place> const& endpoint_context::members() const noexcept {
  return shared_->sides[side_];
}

std::vector<endpoint_place> const& endpoint_context::peers() const noexcept {
  return shared_->sides[other_side()];
}

void endpoint_context::send(mpi::transfer& message) {
  auto const side = other_side();
  int const to = message.peer;
  if (mailbox* const near = shared_->boxes[side][to].get())
    return near->deliver(message, rank_, endpoint_->place.index);
  packet_header const header{
      .context = shared_->number, .side = static_cast<std::int32_t>(side), .to = to, .from = rank_};
  shared_->over->wire()->send(header, message, shared_->sides[side][to].process);
}

void endpoint_context::receive(mpi::transfer& into) { own_mailbox().receive(into); }
bool endpoint_context::cancel(mpi::transfer& receive) { return own_mailbox().cancel(receive); }

std::optional<mpi::arrived_message> endpoint_context::look(int source, int tag) {
  return own_mailbox().look(source, tag);
}

std::unique_ptr<mpi::taken_message> endpoint_context::take(int source, int tag) {
  auto taken = own_mailbox().take(source, tag);
  if (taken == nullptr)
    return nullptr;
  return std::make_unique<taken_from_mailbox>(shared_, own_mailbox(), std::move(taken));
}

/// Looks for packets only where a message may come by one: endpoints of one process that wait for
/// each other would take turns at MPI's calls. Waits move packets for others, too, now and then.
void endpoint_context::progress() {
  own_mailbox().look_into_lanes();
  if (packets* const wire = shared_->over->wire(); wire != nullptr && has_remote_peers_)
    wire->progress();
}

int endpoint_context::node() const noexcept { return shared_->over->node(); }

void endpoint_context::check_thread(char const* call) const { check_attachment(*endpoint_, call); }

/// An endpoint that takes part in making contexts, with the number that it offers for its own.
struct endpoint_context::applicant {
  int color, key, rank;
  int side;
  endpoint_place place;
  std::uint64_t number;
};

mpi::comm endpoint_context::context_among(std::uint64_t number, context_sides sides,
                                          mpi::comm_view copied) {
  auto const among = shared_->over->enter(number, sides);
  for (int side = 0; side < std::ssize(sides); ++side)
    if (int const rank = rank_among(sides[side], endpoint_->place); rank >= 0)
      return mpi::handle_of(std::make_shared<endpoint_context>(endpoint_, among, side, rank),
                            copied);
  return {};
}

/// The context of those of one color; none if one of two sides is empty.
mpi::comm endpoint_context::context_of_applicants(std::vector<applicant> const& all, int color) {
  std::vector<applicant> chosen;
  std::ranges::copy_if(all, std::back_inserter(chosen),
                       [&](applicant const& each) { return each.color == color; });
  std::ranges::stable_sort(chosen, {}, &applicant::key);
  context_sides sides;
  for (applicant const& each : chosen)
    sides[each.side].push_back(each.place);
  bool const are_two = std::ranges::any_of(all, [](auto const& each) { return each.side == 1; });
  if (color == MPI_UNDEFINED || sides[0].empty() || (are_two && sides[1].empty()))
    return {};
  return context_among(chosen.front().number, std::move(sides));
}

/// A number that rank 0 draws.
std::uint64_t endpoint_context::agreed_number() {
  if (is_bipartite())
    return number_between_sides();
  std::uint64_t number = rank_ == 0 ? shared_->over->draw_number() : 0;
  bcast(*this, std::as_writable_bytes(std::span(&number, 1)), 0);
  return number;
}

/// Rank 0 of side 0 draws, and tells side 1, whose rank 0 tells side 0.
std::uint64_t endpoint_context::number_between_sides() {
  std::uint64_t number = 0;
  auto const bytes = std::as_writable_bytes(std::span(&number, 1));
  auto const tell_all = [&] {
    for (int to = 0; to < std::ssize(peers()); ++to)
      detail::send(*this, bytes, to, tag_of_numbers);
  };
  if (side_ == 0 && rank_ == 0) {
    number = shared_->over->draw_number();
    tell_all();
  }
  detail::receive(*this, bytes, 0, tag_of_numbers);
  if (side_ == 1 && rank_ == 0)
    tell_all();
  return number;
}

mpi::comm endpoint_context::dup(mpi::comm_view own) {
  return context_among(agreed_number(), shared_->sides, own);
}

mpi::comm endpoint_context::split(int color, int key) {
  if (is_bipartite())
    return split_sides(color, key);
  applicant const own{color, key, rank_, 0, endpoint_->place, shared_->over->draw_number()};
  return context_of_applicants(allgather_values(*this, own), color);
}

/// The parts of both sides with the same color make a context of two sides.
mpi::comm endpoint_context::split_sides(int color, int key) {
  mpi::comm const both = both_sides();
  mpi::context& all = *mpi::context_of(both);
  applicant const own{color, key, rank_, side_, endpoint_->place, shared_->over->draw_number()};
  return context_of_applicants(allgather_values(all, own), color);
}

mpi::comm endpoint_context::two_sides(int side) {
  constexpr int one_color = 0;
  applicant const own{
      one_color, rank_, rank_, side == 0 ? 0 : 1, endpoint_->place, shared_->over->draw_number()};
  return context_of_applicants(allgather_values(*this, own), one_color);
}

mpi::comm endpoint_context::both_sides() {
  context_sides all;
  for (auto const& side : shared_->sides)
    all[0].insert(all[0].end(), side.begin(), side.end());
  return context_among(agreed_number(), std::move(all));
}

mpi::comm endpoint_context::part(std::vector<int> const& ranks, int tag) {
  context_sides sides;
  for (int const rank : ranks)
    sides[0].push_back(members()[rank]);
  int const own_tag = tag_of_parts - (tag & 0xfffffff);
  std::uint64_t number = 0;
  auto const bytes = std::as_writable_bytes(std::span(&number, 1));
  if (rank_ != ranks.front()) {
    detail::receive(*this, bytes, ranks.front(), own_tag);
    return context_among(number, std::move(sides));
  }
  number = shared_->over->draw_number();
  for (int const rank : ranks)
    if (rank != rank_)
      detail::send(*this, bytes, rank, own_tag);
  return context_among(number, std::move(sides));
}

std::shared_ptr<endpoint> endpoint_context::endpoint_here(int rank) const {
  endpoint_place const& place = members()[rank];
  if (place.process != shared_->over->process())
    refuse_endpoint(fmt::format("attach: endpoint {} belongs to process {} (expected one of "
                                "process {}, in which the thread runs)",
                                rank, place.process, shared_->over->process()));
  auto found = (*endpoint_->siblings)[place.index].lock();
  if (found == nullptr)
    refuse_endpoint(
        fmt::format("attach: endpoint {} has ended (expected one that has communicators)", rank));
  return found;
}

endpoint_context& endpoints_of(mpi::comm_view over, char const* call) {
  if (over.native() == MPI_COMM_NULL)
    refuse_endpoint(fmt::format("{}: MPI_COMM_NULL (expected a communicator of endpoints)", call));
  auto* const found = dynamic_cast<endpoint_context*>(mpi::context_of(over));
  if (found == nullptr)
    refuse_endpoint(fmt::format("{}: a communicator of processes (expected one of endpoints)",
                                call));
  return *found;
}

std::vector<mpi::comm> make_endpoints(mpi::comm_view processes, endpoint_counts const& counts) {
  auto const over = endpoint_network::of(processes);
  int const num_processes = processes.size();
  std::vector<int> counts_of_all(num_processes);
  mpi::check(MPI_Allgather(&counts.own, 1, MPI_INT, counts_of_all.data(), 1, MPI_INT,
                           processes.native()),
             "MPI_Allgather");
  for (int process = 0; process < num_processes; ++process)
    if (counts_of_all[process] < 0)
      throw usage_error(fmt::format("endpoints: {} on process {} of {} (expected 0 or more)",
                                    counts_of_all[process], process, num_processes),
                        true, MPI_ERR_ARG);
  std::uint64_t number = over->draw_number();
  mpi::check(MPI_Bcast(&number, sizeof(number), MPI_BYTE, 0, processes.native()), "MPI_Bcast");

  context_sides all;
  for (int process = 0; process < num_processes; ++process)
    for (int index = 0; index < counts_of_all[process]; ++index)
      all[0].push_back({process, index, static_cast<int>(std::ssize(all[0]))});
  std::vector<mpi::comm> handles;
  auto const siblings = std::make_shared<std::vector<std::weak_ptr<endpoint>>>();
  for (endpoint_place const& place : all[0]) {
    if (place.process != over->process())
      continue;
    auto own = std::make_shared<endpoint>(place, counts.are_bound);
    own->siblings = siblings;
    siblings->push_back(own);
    handles.push_back(mpi::handle_of(std::make_shared<endpoint_context>(
        std::move(own), over->enter(number, all), 0, place.number)));
  }
  return handles;
}

} // namespace seam::detail
