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
}

lobby::guest::~guest() {
  std::scoped_lock const lock(lobby_.mutex_);
  if (auto const entry = lobby_.queues_.find(source_and_tag_); entry != lobby_.queues_.end()) {
    std::erase(entry->second.guests, this);
    if (entry->second.guests.empty() && entry->second.hellos.empty())
      lobby_.queues_.erase(entry);
  }
}

std::optional<end_description> lobby::guest::look() {
  std::scoped_lock const lock(lobby_.mutex_);
  if (!found_)
    lobby_.take_all_from(source_and_tag_.first);
  return found_;
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
    queue& waiting = queues_[{source, hello.tag}];
    if (waiting.guests.empty()) {
      waiting.hellos.push_back(hello);
    } else {
      waiting.guests.front()->found_ = hello;
      waiting.guests.pop_front();
    }
  }
}

} // namespace seam::detail
