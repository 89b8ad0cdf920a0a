#include <seam/exchange/partitioned/channel_tags.hpp>

#include <seam/exchange/error.hpp>
#include <seam/exchange/mpi/check.hpp>

#include <fmt/format.h>

#include <map>
#include <mutex>

namespace seam {
namespace {

constexpr int first_meeting_tag = 1 << 15;
constexpr int first_pipeline_tag = 1 << 21;
constexpr int first_channel_tag = 1 << 23;
constexpr int tags_per_channel = most_messages + 4;

/// The largest tag of the MPI library.
int largest_tag() {
  static int const largest = [] {
    void* attribute = nullptr;
    int found = 0;
    mpi::check(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &attribute, &found),
               "MPI_Comm_get_attr");
    return found != 0 ? *static_cast<int*>(attribute) : first_meeting_tag - 1;
  }();
  return largest;
}

int num_channels() { return (largest_tag() - first_channel_tag) / tags_per_channel; }

/// What has been drawn on one communicator.
struct drawn_tags {
  std::map<int, int> channels; ///< by destination
  int pipelines = first_pipeline_tag;
};

std::mutex drawing;

drawn_tags& drawn_on(Communicator const& over) {
  auto& kept = over.kept_channels();
  if (kept == nullptr)
    kept = std::make_shared<drawn_tags>();
  return *static_cast<drawn_tags*>(kept.get());
}

} // namespace

int meeting_tag(char const* call, int user_tag) {
  if (num_channels() < 1)
    refuse(fmt::format("{}: the MPI library's largest tag is {} (expected {} or more)", call,
                       largest_tag(), first_channel_tag + tags_per_channel));
  if (user_tag < 0 || user_tag > tag_of_collectives)
    refuse(fmt::format("{}: tag {} (expected 0 to {})", call, user_tag, last_user_tag));
  return first_meeting_tag + user_tag;
}

channel_tags draw_channel(Communicator const& over, int destination) {
  std::scoped_lock const lock(drawing);
  int const number = drawn_on(over).channels[destination]++ % num_channels();
  return {first_channel_tag + number * tags_per_channel};
}

int draw_pipeline_tags(Communicator const& over, int count) {
  constexpr int available = first_channel_tag - first_pipeline_tag;
  if (count > available)
    refuse(fmt::format("partitioned: {} messages of one reduction between the same two ranks "
                       "(expected at most {})",
                       count, available));
  std::scoped_lock const lock(drawing);
  int& next = drawn_on(over).pipelines;
  if (next > first_channel_tag - count)
    next = first_pipeline_tag;
  return std::exchange(next, next + count);
}

} // namespace seam
