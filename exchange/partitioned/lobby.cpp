#include <seam/exchange/partitioned/lobby.hpp>

#include <seam/exchange/mpi/check.hpp>

#include <algorithm>

namespace seam {

lobby::guest::guest(lobby& in, int source, int tag) : in_(in), source_and_tag_(source, tag) {
  std::scoped_lock const lock(in_.mutex_);
  queue& line = in_.queues_[source_and_tag_];
  if (line.hellos.empty()) {
    line.guests.push_back(this);
    return;
  }
  found_ = line.hellos.front();
  line.hellos.pop_front();
}

lobby::guest::~guest() {
  std::scoped_lock const lock(in_.mutex_);
  if (auto const at = in_.queues_.find(source_and_tag_); at != in_.queues_.end()) {
    std::erase(at->second.guests, this);
    if (at->second.guests.empty() && at->second.hellos.empty())
      in_.queues_.erase(at);
  }
}

std::optional<end_description> lobby::guest::look() {
  std::scoped_lock const lock(in_.mutex_);
  if (!found_)
    in_.take_all_from(source_and_tag_.first);
  return found_;
}

void lobby::take_all_from(int source) {
  for (;;) {
    int found = 0;
    MPI_Message message = MPI_MESSAGE_NULL;
    mpi::check(MPI_Improbe(source, hello_tag_, context_.native(), &found, &message,
                           MPI_STATUS_IGNORE),
               "MPI_Improbe");
    if (found == 0)
      return;
    end_description hello;
    mpi::check(MPI_Mrecv(&hello, sizeof(hello), MPI_BYTE, &message, MPI_STATUS_IGNORE),
               "MPI_Mrecv");
    queue& line = queues_[{source, hello.tag}];
    if (line.guests.empty()) {
      line.hellos.push_back(hello);
    } else {
      line.guests.front()->found_ = hello;
      line.guests.pop_front();
    }
  }
}

} // namespace seam
