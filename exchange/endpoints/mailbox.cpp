#include <seam/exchange/endpoints/mailbox.hpp>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <utility>

namespace seam::detail {
namespace {

using mpi::transfer;

constexpr std::size_t first_num_buckets = 8;
constexpr std::size_t most_spare_messages = 64;

/// The number of receives that wait in no mailbox.
constexpr std::uint64_t not_posted = 0;

bool matches_any(transfer const& receive) {
  return receive.peer == mpi::any_source || receive.tag == mpi::any_tag;
}

/// True if a receive from `source` with `tag` takes a message: any_tag stands for users' tags.
bool matches(int source, int tag, int message_source, int message_tag) {
  return (source == message_source || source == mpi::any_source) &&
         (tag == message_tag || (tag == mpi::any_tag && message_tag >= 0));
}

/// Notes the message of a receive, and returns how many bytes of it find room.
std::int64_t note(transfer& receive, mpi::arrived_message const& message) {
  auto const copied = std::min(receive.bytes, message.bytes);
  receive.is_truncated = message.bytes > receive.bytes;
  receive.peer = message.source;
  receive.tag = message.tag;
  receive.bytes = message.bytes;
  return copied;
}

void copy_bytes(std::byte* to, std::byte const* from, std::int64_t bytes) {
  if (bytes > 0)
    std::memcpy(to, from, bytes);
}

/// Copies a message from its sender to its receive, and ends both.
/// @param other  of the two, the one that another thread waits for
void complete(transfer& message, transfer& into, int source, transfer& other) {
  std::int64_t const bytes = note(into, {source, message.tag, message.bytes});
  other.helper.copy(into.data, message.data, bytes);
  into.finish();
  message.finish();
}

} // namespace

mailbox::mailbox(content_bringer* bringer, int num_senders)
    : buckets_(first_num_buckets), bringer_(bringer), lanes_(num_senders) {}

/// Senders of messages that will not be received go on.
mailbox::~mailbox() {
  for (line_ring* left = first_ring_; left != nullptr;)
    delete std::exchange(left, left->next);
  while (kept_message* const left = kept_.first()) {
    kept_.remove(*left);
    std::unique_ptr<kept_message> const owned(left);
    if (owned->sender != nullptr)
      owned->sender->finish();
  }
}

mailbox::bucket& mailbox::bucket_of(int source, int tag) {
  auto const hash = static_cast<std::uint32_t>(source) * 0x9e3779b1U +
                    static_cast<std::uint32_t>(tag) * 0x85ebca77U;
  return buckets_[(hash >> 8) & (buckets_.size() - 1)]; // a power of two
}

mailbox::receives& mailbox::list_of(transfer const& receive) {
  return matches_any(receive) ? posted_for_any_ : bucket_of(receive.peer, receive.tag).posted;
}

/// Takes the first posted receive that matches; nullptr if there is none.
transfer* mailbox::take_receive(int source, int tag) {
  auto const suits = [=](transfer const& receive) {
    return matches(receive.peer, receive.tag, source, tag);
  };
  transfer* const exact = bucket_of(source, tag).posted.find(suits);
  transfer* const any = posted_for_any_.find(suits);
  transfer* const first =
      exact == nullptr || (any != nullptr && any->number < exact->number) ? any : exact;
  if (first != nullptr)
    withdraw(*first);
  return first;
}

void mailbox::post(transfer& receive) {
  grow();
  receive.number = ++num_receives_;
  list_of(receive).append(receive);
  ++num_linked_;
  num_with_call_ += receive.when_done != nullptr ? 1 : 0;
}

void mailbox::withdraw(transfer& receive) {
  list_of(receive).remove(receive);
  receive.number = not_posted;
  --num_linked_;
  num_with_call_ -= receive.when_done != nullptr ? 1 : 0;
}

/// The first kept message that matches; nullptr if there is none.
kept_message* mailbox::find(int source, int tag) {
  auto const suits = [=](kept_message const& kept) {
    return matches(source, tag, kept.message.source, kept.message.tag);
  };
  if (source == mpi::any_source || tag == mpi::any_tag)
    return kept_.find(suits);
  return bucket_of(source, tag).kept.find(suits);
}

void mailbox::unlink(kept_message& message) {
  bucket_of(message.message.source, message.message.tag).kept.remove(message);
  kept_.remove(message);
  --num_linked_;
}

std::unique_ptr<kept_message> mailbox::new_message() {
  if (spare_.empty())
    return std::make_unique<kept_message>();
  auto message = std::move(spare_.back());
  spare_.pop_back();
  return message;
}

void mailbox::recycle(std::unique_ptr<kept_message> message) {
  message->sender = nullptr;
  message->is_remote = false;
  if (spare_.size() < most_spare_messages)
    spare_.push_back(std::move(message));
}

/// Keeps a message that no receive has matched. The mailbox owns it as long as it is linked.
kept_message& mailbox::keep(mpi::arrived_message const& message) {
  grow();
  kept_message& kept = *new_message().release();
  kept.message = message;
  bucket_of(message.source, message.tag).kept.append(kept);
  kept_.append(kept);
  ++num_linked_;
  return kept;
}

/// Adds buckets if there are many receives and messages.
void mailbox::grow() {
  if (num_linked_ < 2 * std::ssize(buckets_))
    return;
  auto old = std::exchange(buckets_, std::vector<bucket>(4 * buckets_.size()));
  for (bucket& before : old) {
    while (transfer* const receive = before.posted.first()) {
      before.posted.remove(*receive);
      list_of(*receive).append(*receive);
    }
    while (kept_message* const kept = before.kept.first()) {
      before.kept.remove(*kept);
      bucket_of(kept->message.source, kept->message.tag).kept.append(*kept);
    }
  }
}

void mailbox::deliver(transfer& message, int source, int sender) {
  auto& of_sender = lanes_[sender].made;
  line_ring* const by = of_sender.load(std::memory_order_acquire);
  if (by != nullptr && message.bytes <= line_ring::longest && !message.is_synchronous &&
      by->put(message))
    return message.finish();
  deliver_behind_ring(message, source, of_sender);
}

/// Delivers a message that does not go by the ring of its sender, whose messages were sent before.
void mailbox::deliver_behind_ring(transfer& message, int source,
                                  std::atomic<line_ring*>& of_sender) {
  std::unique_lock lock(lock_);
  make_ring(source, of_sender);
  empty(*of_sender.load(std::memory_order_relaxed));
  if (transfer* const into = take_receive(source, message.tag)) {
    lock.unlock();
    return complete(message, *into, source, *into);
  }
  kept_message& kept = keep({source, message.tag, message.bytes});
  if (message.is_synchronous || message.bytes > longest_kept_message) {
    kept.sender = &message;
    return;
  }
  keep_content(kept, message.data);
  lock.unlock();
  message.finish();
}

/// Opens the ring of a sender, which is made at its first message.
void mailbox::make_ring(int source, std::atomic<line_ring*>& of_sender) {
  line_ring* found = of_sender.load(std::memory_order_relaxed);
  if (found == nullptr) {
    found = std::make_unique<line_ring>(source).release();
    found->next = first_ring_.load(std::memory_order_relaxed);
    first_ring_.store(found, std::memory_order_release);
    of_sender.store(found, std::memory_order_release);
  }
  if (num_with_call_ == 0)
    found->open();
}

/// Gives the messages of a ring to their receives, or keeps them; leaves those behind the message
/// that `until` receives, if that is not nullptr.
void mailbox::empty(line_ring& filled, transfer const* until) {
  auto const take = [&](int tag, std::int64_t bytes, std::byte const* content) {
    mpi::arrived_message const message{filled.source(), tag, bytes};
    if (transfer* const into = take_receive(message.source, tag)) {
      copy_bytes(into->data, content, note(*into, message));
      into->finish();
    } else {
      keep_content(keep(message), content);
    }
  };
  filled.drain(take, [=] { return until != nullptr && until->is_done(); });
}

void mailbox::empty_lanes(transfer const* until) {
  for (line_ring* each = first_ring_.load(std::memory_order_acquire); each != nullptr;
       each = each->next)
    empty(*each, until);
}

/// From here on senders deliver their messages themselves.
void mailbox::close_lanes() {
  for (line_ring* each = first_ring_.load(std::memory_order_acquire); each != nullptr;
       each = each->next)
    each->close();
}

void mailbox::look_into_lanes() {
  for (line_ring* each = first_ring_.load(std::memory_order_acquire); each != nullptr;
       each = each->next)
    if (each->has_message()) {
      std::scoped_lock const lock(lock_);
      empty(*each);
    }
}

void mailbox::keep_content(kept_message& kept, std::byte const* content) {
  if (kept.is_short())
    copy_bytes(kept.short_content.data(), content, kept.message.bytes);
  else
    kept.long_content.assign(content, content + kept.message.bytes);
}

void mailbox::deliver(mpi::arrived_message const& message, std::byte const* content) {
  std::unique_lock lock(lock_);
  if (transfer* const into = take_receive(message.source, message.tag)) {
    lock.unlock();
    copy_bytes(into->data, content, note(*into, message));
    return into->finish();
  }
  keep_content(keep(message), content);
}

void mailbox::deliver(mpi::arrived_message const& message, remote_content const& remote) {
  std::unique_lock lock(lock_);
  if (transfer* const into = take_receive(message.source, message.tag)) {
    lock.unlock();
    into->peer = message.source;
    into->tag = message.tag;
    return bringer_->bring(remote, message.bytes, *into);
  }
  kept_message& kept = keep(message);
  kept.remote = remote;
  kept.is_remote = true;
}

/// Brings the content of a message that is kept no more to its receive.
void mailbox::hand_over(kept_message& message, transfer& into) {
  if (message.sender != nullptr)
    return complete(*message.sender, into, message.message.source, *message.sender);
  if (message.is_remote) {
    into.peer = message.message.source;
    into.tag = message.message.tag;
    return bringer_->bring(message.remote, message.message.bytes, into);
  }
  std::int64_t const bytes = note(into, message.message);
  copy_bytes(into.data, message.content(), bytes);
  into.finish();
}

void mailbox::receive(transfer& into) {
  std::unique_lock lock(lock_);
  if (kept_message* const found = find(into.peer, into.tag)) {
    unlink(*found);
    lock.unlock();
    return receive(std::unique_ptr<kept_message>(found), into);
  }
  // Others end a receive with a call, which may be gone then; this one's owner is here.
  bool const has_call = into.when_done != nullptr;
  if (has_call)
    close_lanes();
  post(into);
  empty_lanes(has_call ? nullptr : &into);
}

void mailbox::receive(std::unique_ptr<kept_message> taken, transfer& into) {
  hand_over(*taken, into);
  std::scoped_lock const lock(lock_);
  recycle(std::move(taken));
}

bool mailbox::cancel(transfer& receive) {
  {
    std::scoped_lock const lock(lock_);
    empty_lanes();
    if (receive.number == not_posted)
      return false;
    withdraw(receive);
  }
  receive.is_cancelled = true;
  receive.finish();
  return true;
}

std::optional<mpi::arrived_message> mailbox::look(int source, int tag) {
  std::scoped_lock const lock(lock_);
  empty_lanes();
  kept_message const* const found = find(source, tag);
  return found != nullptr ? std::optional(found->message) : std::nullopt;
}

std::unique_ptr<kept_message> mailbox::take(int source, int tag) {
  std::scoped_lock const lock(lock_);
  empty_lanes();
  kept_message* const found = find(source, tag);
  if (found != nullptr)
    unlink(*found);
  return std::unique_ptr<kept_message>(found);
}

bool mailbox::is_empty() {
  std::scoped_lock const lock(lock_);
  empty_lanes();
  return num_linked_ == 0;
}

} // namespace seam::detail
