/// The lobby: where the hellos of senders and the receivers that expect them find each other.
///
///     sender     hello (its tag, what it is)   --->   lobby   --->   the receiver of that tag
///
/// The k-th hello of a source with a tag is for the k-th receiver of that source and tag. All come
/// with one tag of MPI's, because those that a context has may be fewer than those of users.
#pragma once

#include <seam/exchange/mpi/comm.hpp>
#include <seam/exchange/partitioned/end_description.hpp>

#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

namespace seam {

/// Threads: any.
class lobby {
public:
  /// Of one context, in which hellos have the tag `hello_tag`.
  lobby(mpi::comm_view context, int hello_tag) : context_(context), hello_tag_(hello_tag) {}
  lobby(lobby const&) = delete;
  lobby& operator=(lobby const&) = delete;

  int hello_tag() const noexcept { return hello_tag_; }

  /// A receiver that expects a hello, for as long as it lives; one that comes later is for the next
  /// receiver. Local.
  class guest {
  public:
    guest(lobby& in, int source, int tag);
    guest(guest const&) = delete;
    guest& operator=(guest const&) = delete;
    ~guest();

    /// Takes hellos that have come from the source; the own one, once it is there.
    std::optional<end_description> look();

  private:
    friend class lobby;

    lobby& in_;
    std::pair<int, int> source_and_tag_;
    std::optional<end_description> found_;
  };

private:
  /// Hellos without a receiver, or receivers without a hello, of one source and tag.
  struct queue {
    std::deque<end_description> hellos;
    std::deque<guest*> guests;
  };

  void take_all_from(int source);

  mpi::comm_view context_;
  int hello_tag_;
  std::mutex mutex_;
  std::map<std::pair<int, int>, queue> queues_; ///< by source and tag
};

} // namespace seam
