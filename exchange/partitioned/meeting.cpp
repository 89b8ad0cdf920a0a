#include <seam/exchange/partitioned/meeting.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/waiting/mpi_bytes.hpp>

#include <fmt/format.h>

#include <span>

namespace seam::detail {
namespace {

void start_send(mpi::comm_view over, end_description const& description, int peer, int tag,
                MPI_Request& request) {
  request = mpi::start_send(over, std::as_bytes(std::span(&description, 1)), peer, tag);
}

void start_receive(mpi::comm_view over, end_description& description, int peer, int tag,
                   MPI_Request& request) {
  request = mpi::start_receive(over, std::as_writable_bytes(std::span(&description, 1)), peer, tag);
}

std::string words_of(end_description const& description) {
  return fmt::format("{} partition{} of {} bytes", description.partitions,
                     description.partitions == 1 ? "" : "s",
                     description.partitions == 0 ? 0 : description.bytes / description.partitions);
}

} // namespace

meeting::meeting(Communicator const& over, int peer, int tag, channel_tags tags,
                 end_description own)
    : context_(over.context()), lobby_(lobby_of(over)), peer_(peer), own_(own), tags_(tags) {
  own_.tag = tag;
  own_.first_tag = tags_.first;
  own_.back_tag = tags_.back;
  start_receive(context_, arriving_, peer, tags_.answer(), received_);
  start_send(context_, own_, peer, lobby_->hello_tag(), sent_);
}

meeting::meeting(Communicator const& over, int peer, int tag, end_description const& own)
    : context_(over.context()), lobby_(lobby_of(over)), peer_(peer), own_(own) {
  guest_.emplace(*lobby_, peer, tag);
}

meeting::~meeting() {
  if (!mpi::is_running())
    return;
  if (received_ != MPI_REQUEST_NULL) {
    MPI_Cancel(&received_);
    MPI_Wait(&received_, MPI_STATUS_IGNORE);
  }
  if (sent_ != MPI_REQUEST_NULL && peer_ == context_.rank())
    receive_own_message();
  if (sent_ != MPI_REQUEST_NULL)
    MPI_Wait(&sent_, MPI_STATUS_IGNORE); // a few bytes, which need no receiver on another process
}

/// Receives what a process has sent to itself, if the other end does not: a hello goes to the lobby, as
/// it would later, and an answer to an end that is gone is dropped.
void meeting::receive_own_message() noexcept {
  if (is_sender())
    return lobby_->take_from(peer_);
  if (!mpi::look_for_message(context_, peer_, tags_.answer()))
    return;
  start_receive(context_, arriving_, peer_, tags_.answer(), received_);
  MPI_Wait(&received_, MPI_STATUS_IGNORE);
}

bool meeting::test() { return other_ || (is_sender() ? test_sender() : test_receiver()); }

bool meeting::test_sender() {
  int done = 0;
  mpi::check(MPI_Test(&received_, &done, MPI_STATUS_IGNORE), "MPI_Test");
  if (done != 0)
    other_ = arriving_;
  return done != 0;
}

bool meeting::test_receiver() {
  other_ = guest_->look();
  if (!other_)
    return false;
  tags_ = {other_->first_tag, other_->back_tag};
  start_send(context_, own_, peer_, tags_.answer(), sent_);
  return true;
}

std::optional<std::string> meeting::mismatch(std::string const& name, bool alike) const {
  if (!other_)
    return std::nullopt;
  if (alike && other_->partitions != own_.partitions)
    return fmt::format("{}: {} partitions, and the other end has {} (expected as many, as has been "
                       "asserted)",
                       name, own_.partitions, other_->partitions);
  if (other_->bytes == own_.bytes)
    return std::nullopt;
  return fmt::format("{}: {} bytes in {}, and the other end has {} bytes in {} (expected as many "
                     "bytes at both ends)",
                     name, own_.bytes, words_of(own_), other_->bytes, words_of(*other_));
}

void meeting::check_match(std::string const& name, bool alike) const {
  if (auto const why = mismatch(name, alike))
    refuse(MPI_ERR_TRUNCATE, *why);
}

} // namespace seam::detail
