#include <seam/exchange/partitioned/lobby.hpp>

#include <seam/exchange/waiting/mpi_bytes.hpp>

#include <algorithm>
#include <span>

namespace seam::detail {

lobby::guest::guest(lobby& where, int source, int tag)
    : lobby_(where), source_and_tag_(source, tag) {
  std::scoped_lock const lock(lobby_.mutex_);
  queue& waiting = lobby_.queues_[source_and_tag_];
  if (waiting.hellos.empty()) {
    waiting.guests.push_back(this);
    return;
  }
  found_ = waiting.hellos.front();
  waiting.hellos.pop_front();
  lobby_.erase_if_empty(source_and_tag_);
}

lobby::guest::~guest() {
  std::scoped_lock const lock(lobby_.mutex_);
  if (auto const entry = lobby_.queues_.find(source_and_tag_); entry != lobby_.queues_.end())
    std::ranges::replace(entry->second.guests, this, nullptr);
}

std::optional<end_description> lobby::guest::look() {
  std::scoped_lock const lock(lobby_.mutex_);
  if (!found_)
    lobby_.take_all_from(source_and_tag_.first);
  return found_;
}

void lobby::take_from(int source) {
  std::scoped_lock const lock(mutex_);
  take_all_from(source);
}

void lobby::take_all_from(int source) {
  for (;;) {
    if (!mpi::look_for_message(context_, source, hello_tag_)) // no other thread receives it
      return;
    end_description hello;
    mpi::requests receiving;
    receiving.add(mpi::start_receive(context_, std::as_writable_bytes(std::span(&hello, 1)), source,
                                     hello_tag_));
    receiving.wait();
    deliver({source, hello.tag}, hello);
  }
}

void lobby::deliver(std::pair<int, int> source_and_tag, end_description const& hello) {
  queue& waiting = queues_[source_and_tag];
  if (waiting.guests.empty())
    return waiting.hellos.push_back(hello);
  if (guest* const receiver = waiting.guests.front())
    receiver->found_ = hello;
  waiting.guests.pop_front();
  erase_if_empty(source_and_tag);
}

void lobby::erase_if_empty(std::pair<int, int> source_and_tag) {
  auto const entry = queues_.find(source_and_tag);
  if (entry->second.guests.empty() && entry->second.hellos.empty())
    queues_.erase(entry);
}

} // namespace seam::detail
