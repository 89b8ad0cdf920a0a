#include <seam/exchange/partitioned/channel_tags.hpp>

#include <seam/exchange/agreement/new_comm.hpp>
#include <seam/exchange/communicator/kept.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/detail/check.hpp>
#include <seam/exchange/mpi/library.hpp>
#include <seam/exchange/partitioned/lobby.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace seam::detail {
namespace {

/// Programs leave tags from here on to seam, unless the largest tag is below `least_with_many`.
constexpr int first_tag_beyond_all = 32768, least_with_many = 65535;

/// More tags are of no use; numbers of tags stay far from the largest int.
constexpr int most_tags = 1 << 28;

/// The largest tag of channels.
int largest_tag() { return std::min(mpi::largest_tag(), most_tags); }

/// Gives out tags of [first, end) in runs, those first that have been given back longest ago.
class tag_range {
public:
  tag_range(int first, int end) : first_(first), end_(end), next_(first) {}

  int num_free() const noexcept { return end_ - first_ - num_taken_; }

  /// The first of `count` tags, or nothing.
  std::optional<int> take(int count) {
    auto found = find(next_, end_, count);
    if (!found)
      found = find(first_, end_, count);
    if (!found)
      return std::nullopt;
    taken_[*found] = count;
    num_taken_ += count;
    next_ = *found + count;
    return found;
  }

  void give_back(int first) {
    auto const run = taken_.find(first);
    num_taken_ -= run->second;
    taken_.erase(run);
  }

private:
  /// Finds a gap of `count` tags between `from` and `to`.
  std::optional<int> find(int from, int to, int count) const {
    auto run = taken_.upper_bound(from);
    if (run != taken_.begin())
      from = std::max(from, std::prev(run)->first + std::prev(run)->second);
    for (; run != taken_.end() && run->first - from < count; ++run)
      from = run->first + run->second;
    int const end = run == taken_.end() ? to : std::min(to, run->first);
    return end - from >= count ? std::optional(from) : std::nullopt;
  }

  int first_, end_, next_, num_taken_ = 0;
  std::map<int, int> taken_; ///< counts by first tag
};

/// The tags of the channels to one destination.
struct destination_tags {
  tag_range back, forward;
};

/// The data that partitioned operations keep with one communicator.
struct kept_tags {
  explicit kept_tags(Communicator const& over)
      : first(first_tag(over)), meets(std::make_shared<lobby>(over.context(), first)) {}

  destination_tags& to(int destination) {
    int const begin = first + 1, middle = begin + (largest_tag() - begin) / 8;
    return destinations
        .try_emplace(destination, destination_tags{{begin, middle}, {middle, largest_tag() + 1}})
        .first->second;
  }

  static int first_tag(Communicator const& over) {
    bool const is_users = over.context().native() == over.view().native();
    return is_users && largest_tag() >= least_with_many ? first_tag_beyond_all
                                                        : Communicator::first_tag_of_channels;
  }

  int first;
  std::shared_ptr<lobby> meets;
  std::map<int, destination_tags> destinations;
  int next_collective = -1;
  reduction_tags reductions; ///< the next ones that are free
};

std::mutex drawing;

std::shared_ptr<kept_tags> kept_with(Communicator const& over) {
  return kept_pointer<kept_tags>(over, [&] { return std::make_shared<kept_tags>(over); });
}

/// Takes tags for at most `wanted` messages and one more, but at most a quarter of the free ones.
std::optional<int> take_forward(tag_range& from, int wanted, int& num_messages) {
  int count = std::min(wanted + 1, std::max(1, from.num_free() / 4));
  for (; count > 0; count /= 2)
    if (auto const first = from.take(count)) {
      num_messages = count - 1;
      return first;
    }
  return std::nullopt;
}

} // namespace

drawn_channel draw_channel(Communicator const& over, char const* call, int destination,
                           int num_messages) {
  std::scoped_lock const lock(drawing);
  auto const kept = kept_with(over);
  auto& [backs, forwards] = kept->to(destination);
  drawn_channel drawn;
  auto const back = backs.take(1);
  auto const first = back ? take_forward(forwards, num_messages, drawn.num_messages) : std::nullopt;
  if (back && !first)
    backs.give_back(*back);
  if (!first)
    refuse(fmt::format("{}: no tag is left for one more partitioned channel to rank {} (expected "
                       "fewer at a time, as the largest tag of the MPI library is {})",
                       call, destination, largest_tag()));
  drawn.tags = {*first, *back};
  drawn.keeps =
      std::shared_ptr<void const>(kept.get(), [kept, destination, tags = drawn.tags](void const*) {
        std::scoped_lock const again(drawing);
        kept->to(destination).back.give_back(tags.back);
        kept->to(destination).forward.give_back(tags.first);
      });
  return drawn;
}

void keep_for_ever(mpi::comm_view context, drawn_channel channel) {
  mpi::keep_for_ever(context);
  static auto* const all = new std::vector<std::shared_ptr<void const>>;
  std::scoped_lock const lock(drawing);
  all->push_back(std::move(channel.keeps));
}

int draw_collective_number(Communicator const& over) {
  std::scoped_lock const lock(drawing);
  int& next = kept_with(over)->next_collective;
  int const drawn = next;
  next = drawn == std::numeric_limits<int>::min() ? -1 : drawn - 1;
  return drawn;
}

std::shared_ptr<lobby> lobby_of(Communicator const& over) {
  std::scoped_lock const lock(drawing);
  return kept_with(over)->meets;
}

reduction_tags draw_reduction_tags(Communicator const& over, int count) {
  if (count > largest_tag() + 1)
    throw usage_error(
        fmt::format("partitioned: {} messages of one partition between the same two ranks "
                    "(expected at most {}) [{}]",
                    count, largest_tag() + 1, where()),
        true);
  std::unique_lock lock(drawing);
  auto const kept = kept_with(over);
  lock.unlock(); // the rest is collective, and all ranks make these calls in the same order
  reduction_tags& next = kept->reductions;
  if (next.context == nullptr || next.first > largest_tag() + 1 - count)
    next = {std::make_shared<mpi::comm const>(mpi::dup(over.context())), 0};
  reduction_tags drawn = next;
  next.first += count;
  return drawn;
}

} // namespace seam::detail
