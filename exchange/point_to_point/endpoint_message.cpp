#include <seam/exchange/point_to_point/endpoint_message.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/ground/turn.hpp>
#include <seam/exchange/mpi/detail/context_request.hpp>
#include <seam/exchange/schedule/pack.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <exception>

namespace seam::detail {

endpoint_message::endpoint_message(mpi::context& over, direction way, elements const& values,
                                   int peer, int tag)
    : over_(over.shared_from_this()),
      way_(way),
      data_(static_cast<std::byte*>(const_cast<void*>(values.data))),
      bytes_(wire_bytes(values)),
      peer_(peer),
      tag_(tag) {
  if (bytes_ == 0 || is_dense(values.type))
    return;
  blocks_ = blocks_of(values);
  if (blocks_.size() == 1 && blocks_.front().is_contiguous()) {
    data_ = blocks_.front().first;
    blocks_.clear();
  } else {
    packed_.resize(bytes_);
    data_ = packed_.data();
  }
}

endpoint_message::~endpoint_message() {
  if (!is_active_ || cancel())
    return;
  try {
    if (std::uncaught_exceptions() == 0 && !seam_has_ended())
      wait();
  } catch (...) { // an error that the program has not asked for
    return;
  }
}

void endpoint_message::aim() {
  message_.restart();
  message_.bytes = bytes_;
  message_.peer = mpi::own_source(peer_);
  message_.tag = mpi::own_tag(tag_);
  message_.data = data_;
}

void endpoint_message::start() {
  over_->check_thread(name_of_call());
  if (is_active_)
    refuse(fmt::format("{}: the operation is in flight already (expected wait before the next "
                       "start)",
                       name_of_call()));
  aim();
  is_active_ = true;
  begin();
}

void endpoint_message::begin() {
  if (peer_ == MPI_PROC_NULL) {
    message_.bytes = 0;
    message_.peer = MPI_PROC_NULL;
    message_.tag = MPI_ANY_TAG;
    return message_.finish();
  }
  if (way_ == direction::receive)
    return over_->receive(message_);
  std::byte* wire = data_;
  for (block const& source : blocks_)
    wire = pack(source, wire);
  over_->send(message_);
}

void endpoint_message::start_gated() {
  refuse("message: messages between endpoints have no gates (expected a partitioned operation)");
}

void endpoint_message::open(int) { start_gated(); }

bool endpoint_message::test() {
  turn const now(testing_);
  if (!now.is_mine())
    return false;
  if (!is_active_)
    return true;
  over_->check_thread(name_of_call());
  if (!message_.is_done_with_help()) {
    over_->progress();
    if (!message_.is_done())
      return false;
  }
  is_active_ = false;
  finish();
  return true;
}

void endpoint_message::finish() {
  if (way_ == direction::send || message_.is_cancelled || peer_ == MPI_PROC_NULL)
    return;
  if (message_.is_truncated)
    refuse_truncated(received(), bytes_);
  if (!packed_.empty())
    unpack_all();
}

/// Elements that a shorter message does not reach keep their values.
void endpoint_message::unpack_all() {
  if (message_.bytes < bytes_) {
    std::vector<std::byte> before(packed_.size());
    std::byte* wire = before.data();
    for (block const& target : blocks_)
      wire = pack(target, wire);
    std::ranges::copy(before.begin() + message_.bytes, before.end(),
                      packed_.begin() + message_.bytes);
  }
  std::byte const* wire = packed_.data();
  for (block const& target : blocks_)
    wire = unpack(wire, target);
}

bool endpoint_message::cancel() {
  bool const ended = way_ == direction::receive && is_active_ && over_->cancel(message_);
  if (ended)
    is_active_ = false;
  return ended;
}

std::string endpoint_message::missing() const {
  return way_ == direction::send ? fmt::format("the receive of rank {}", peer_)
                                 : fmt::format("a message with tag {}", tag_);
}

void refuse_truncated(mpi::arrived_message const& message, std::int64_t room) {
  throw mpi_error(fmt::format("receive: a message of {} bytes from rank {} with tag {} (expected "
                              "at most {})",
                              message.bytes, message.source, message.tag, room),
                  MPI_ERR_TRUNCATE);
}

std::unique_ptr<mpi::taken_message> take_message(mpi::context& over, int from, int tag) {
  if (auto taken = over.take(mpi::own_source(from), mpi::own_tag(tag)))
    return taken;
  over.progress();
  return over.take(mpi::own_source(from), mpi::own_tag(tag));
}

} // namespace seam::detail
