#include <seam/exchange/endpoints/packets.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/ground/turn.hpp>
#include <seam/exchange/mpi/large_count.hpp>
#include <seam/exchange/mpi/library.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

namespace seam::detail {
namespace {

constexpr int packet_tag = 0;
constexpr std::size_t longest_packet = sizeof(packet_header) + longest_kept_message;
constexpr std::size_t most_spare_packets = 64;

mpi::comm copy_of(mpi::comm_view processes) {
  mpi::comm copy;
  mpi::check(MPI_Comm_dup(processes.native(), copy.receive()), "MPI_Comm_dup");
  mpi::return_errors(copy);
  return copy;
}

bool is_complete(MPI_Request& request) {
  int done = 0;
  mpi::check(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
  return done != 0;
}

} // namespace

packets::packets(mpi::comm_view processes, mailbox_finder& receivers)
    : packets_(copy_of(processes)),
      contents_(copy_of(processes)),
      receivers_(receivers),
      end_of_tags_(mpi::largest_tag()),
      arriving_(longest_packet) {
  add_to_progress(*this);
  start_progress_thread();
}

packets::~packets() { remove_from_progress(*this); }

void packets::send(packet_header header, mpi::transfer& message, int process) {
  header.tag = message.tag;
  header.bytes = message.bytes;
  if (message.bytes <= longest_kept_message && !message.is_synchronous) {
    send_packet(header, message.data, process);
    return message.finish();
  }
  mpi::large_count const size(message.bytes);
  outgoing content;
  content.message = &message;
  content.process = process;
  std::scoped_lock const lock(mutex_);
  header.content_tag = content.tag = draw_content_tag(process);
  mpi::check(MPI_Issend(message.data, size.count(), size.type(), process, content.tag,
                        contents_.native(), &content.request),
             "MPI_Issend");
  sent_.push_back(std::move(content));
  num_in_flight_.fetch_add(1, std::memory_order_relaxed);
  send_packet(header, nullptr, process);
}

/// Sends a packet; the caller of a message with content of its own holds the mutex.
void packets::send_packet(packet_header const& header, std::byte const* content, int process) {
  bool const is_short = header.content_tag == packet_header::no_tag;
  std::unique_lock lock(mutex_, std::defer_lock);
  if (is_short)
    lock.lock();
  outgoing sent;
  if (spare_.empty()) {
    sent.packet = std::make_unique_for_overwrite<std::byte[]>(longest_packet);
  } else {
    sent.packet = std::move(spare_.back());
    spare_.pop_back();
  }
  std::memcpy(sent.packet.get(), &header, sizeof(header));
  std::int64_t const bytes = is_short ? header.bytes : 0;
  if (bytes > 0)
    std::memcpy(sent.packet.get() + sizeof(header), content, bytes);
  mpi::check(MPI_Isend(sent.packet.get(), static_cast<int>(sizeof(header) + bytes), MPI_BYTE,
                       process, packet_tag, packets_.native(), &sent.request),
             "MPI_Isend");
  sent_.push_back(std::move(sent));
  num_in_flight_.fetch_add(1, std::memory_order_relaxed);
}

int packets::draw_content_tag(int process) {
  tag_pool& pool = tags_[process];
  if (!pool.returned.empty()) {
    int const tag = pool.returned.back();
    pool.returned.pop_back();
    return tag;
  }
  if (pool.next > end_of_tags_)
    refuse(fmt::format("send: {} long messages to one process that have not been received "
                       "(expected fewer: MPI has no more tags)",
                       pool.next));
  return pool.next++;
}

void packets::bring(remote_content const& from, std::int64_t bytes, mpi::transfer& into) {
  incoming content;
  content.into = &into;
  content.bytes = bytes;
  into.is_truncated = bytes > into.bytes;
  if (into.is_truncated)
    content.content = std::make_unique_for_overwrite<std::byte[]>(bytes);
  mpi::large_count const size(bytes);
  std::scoped_lock const lock(mutex_);
  mpi::check(MPI_Irecv(into.is_truncated ? content.content.get() : into.data, size.count(),
                       size.type(), from.process, from.tag, contents_.native(), &content.request),
             "MPI_Irecv");
  received_.push_back(std::move(content));
  num_in_flight_.fetch_add(1, std::memory_order_relaxed);
}

void packets::progress() {
  failure_.rethrow();
  turn const now(moving_);
  if (now.is_mine())
    failure_.watch([this] { move(); });
}

bool packets::make_progress() noexcept {
  try {
    progress();
  } catch (...) { // every further progress() throws the error again
    return false;
  }
  return true;
}

void packets::move() {
  while (take_packet()) {
  }
  std::scoped_lock const lock(mutex_);
  std::erase_if(sent_, [this](outgoing& sent) { return end_if_complete(sent); });
  std::erase_if(received_, [this](incoming& received) { return end_if_complete(received); });
  num_in_flight_.store(std::ssize(sent_) + std::ssize(received_), std::memory_order_relaxed);
}

bool packets::is_at_rest() const noexcept {
  return num_contexts_.load(std::memory_order_relaxed) == 0 &&
         num_in_flight_.load(std::memory_order_relaxed) == 0;
}

/// Delivers a packet that has arrived; false if there is none.
bool packets::take_packet() {
  int found = 0;
  MPI_Message matched = MPI_MESSAGE_NULL;
  MPI_Status status;
  mpi::check(MPI_Improbe(MPI_ANY_SOURCE, packet_tag, packets_.native(), &found, &matched, &status),
             "MPI_Improbe");
  if (found == 0)
    return false;
  int const process = status.MPI_SOURCE;
  mpi::check(MPI_Mrecv(arriving_.data(), static_cast<int>(arriving_.size()), MPI_BYTE, &matched,
                       &status),
             "MPI_Mrecv");
  packet_header header;
  std::memcpy(&header, arriving_.data(), sizeof(header));
  receivers_.deliver(header, arriving_.data() + sizeof(header), process);
  return true;
}

bool packets::end_if_complete(outgoing& sent) {
  if (!is_complete(sent.request))
    return false;
  if (sent.packet == nullptr) {
    tags_[sent.process].returned.push_back(sent.tag);
    sent.message->finish();
  } else if (spare_.size() < most_spare_packets) {
    spare_.push_back(std::move(sent.packet));
  }
  return true;
}

bool packets::end_if_complete(incoming& received) {
  if (!is_complete(received.request))
    return false;
  mpi::transfer& into = *received.into;
  if (received.content != nullptr && into.bytes > 0)
    std::memcpy(into.data, received.content.get(), into.bytes);
  into.bytes = received.bytes;
  into.finish();
  return true;
}

} // namespace seam::detail
