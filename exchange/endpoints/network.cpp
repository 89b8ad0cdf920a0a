#include <seam/exchange/endpoints/network.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/attribute.hpp>
#include <seam/exchange/mpi/detail/names.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace seam::detail {
namespace {

using kept_network = mpi::attribute<std::shared_ptr<endpoint_network>>;

void require_threads() {
  int level = MPI_THREAD_SINGLE;
  mpi::check(MPI_Query_thread(&level), "MPI_Query_thread");
  if (level < MPI_THREAD_MULTIPLE)
    refuse(fmt::format("endpoints: MPI runs with {} (expected MPI_THREAD_MULTIPLE, since the "
                       "threads of all endpoints call it)",
                       mpi::name_of_thread_level(level)));
}

/// The lowest rank of `processes` that shares memory with the caller.
int first_of_node(mpi::comm_view processes) {
  mpi::comm node;
  mpi::check(MPI_Comm_split_type(processes.native(), MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL,
                                 node.receive()),
             "MPI_Comm_split_type");
  int first = processes.rank();
  mpi::check(MPI_Bcast(&first, 1, MPI_INT, 0, node.native()), "MPI_Bcast");
  return first;
}

} // namespace

shared_context::shared_context(std::shared_ptr<endpoint_network> on, std::uint64_t its_number,
                               context_sides members)
    : over(std::move(on)), number(its_number), sides(std::move(members)) {
  int num_senders = 0;
  for (auto const& side : sides)
    for (mpi::endpoint_place const& member : side)
      if (member.process == over->process())
        num_senders = std::max(num_senders, member.index + 1);
  for (int side = 0; side < std::ssize(sides); ++side)
    for (mpi::endpoint_place const& member : sides[side])
      boxes[side].push_back(member.process == over->process()
                                ? std::make_unique<mailbox>(over->wire(), num_senders)
                                : nullptr);
}

int shared_context::num_here() const {
  auto const is_here = [this](mpi::endpoint_place const& member) {
    return member.process == over->process();
  };
  return static_cast<int>(std::ranges::count_if(sides[0], is_here) +
                          std::ranges::count_if(sides[1], is_here));
}

shared_context::~shared_context() { over->forget(number); }

std::shared_ptr<endpoint_network> endpoint_network::of(mpi::comm_view processes) {
  if (auto const* const found = kept_network::of(processes))
    return *found;
  require_threads();
  auto made = std::make_shared<endpoint_network>(processes);
  kept_network::keep(processes, std::make_unique<std::shared_ptr<endpoint_network>>(made));
  return made;
}

endpoint_network::endpoint_network(mpi::comm_view processes)
    : process_(processes.rank()), node_(first_of_node(processes)) {
  if (processes.size() > 1)
    wire_ = std::make_unique<packets>(processes, *this);
}

std::uint64_t endpoint_network::draw_number() noexcept {
  constexpr int bits_of_count = 40;
  return static_cast<std::uint64_t>(process_) << bits_of_count | num_drawn_.fetch_add(1);
}

std::shared_ptr<shared_context> endpoint_network::enter(std::uint64_t number,
                                                        context_sides const& members) {
  std::scoped_lock const lock(mutex_);
  entered_context& entered = contexts_[number];
  auto found = entered.found.lock();
  if (found == nullptr) {
    found = make(number, members);
    entered = {found, found, found->num_here()};
    if (wire_ != nullptr)
      wire_->begin_context();
  }
  if (--entered.num_to_come == 0)
    entered.owned.reset();
  return found;
}

/// A context with the messages that have come before its first endpoint here.
std::shared_ptr<shared_context> endpoint_network::make(std::uint64_t number,
                                                       context_sides const& members) {
  auto made = std::make_shared<shared_context>(shared_from_this(), number, members);
  if (auto early = early_.extract(number))
    for (early_packet const& packet : early.mapped())
      deliver_in(*made, packet.header, packet.content.data(), packet.process);
  return made;
}

void endpoint_network::forget(std::uint64_t number) {
  std::scoped_lock const lock(mutex_);
  if (auto const found = contexts_.find(number);
      found != contexts_.end() && found->second.found.expired()) {
    contexts_.erase(found);
    if (wire_ != nullptr)
      wire_->end_context();
  }
}

void endpoint_network::deliver(packet_header const& header, std::byte const* content, int process) {
  std::shared_ptr<shared_context> into;
  {
    std::scoped_lock const lock(mutex_);
    if (auto const found = contexts_.find(header.context); found != contexts_.end())
      into = found->second.found.lock();
    if (into == nullptr) {
      auto const bytes = header.content_tag == packet_header::no_tag ? header.bytes : 0;
      early_[header.context].push_back({header, {content, content + bytes}, process});
      return;
    }
  }
  deliver_in(*into, header, content, process);
}

void endpoint_network::deliver_in(shared_context& into, packet_header const& header,
                                  std::byte const* content, int process) {
  mailbox& to = *into.boxes[header.side][header.to];
  mpi::arrived_message const message{header.from, header.tag, header.bytes};
  if (header.content_tag == packet_header::no_tag)
    to.deliver(message, content);
  else
    to.deliver(message, remote_content{process, header.content_tag});
}

} // namespace seam::detail
