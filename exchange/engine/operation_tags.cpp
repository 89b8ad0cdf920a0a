#include <seam/exchange/engine/operation_tags.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/communicator/kept.hpp>
#include <seam/exchange/ground/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>

namespace seam::detail {
namespace {

/// The tags of one communicator's operations on this rank.
/// Threads: any.
class tags_in_use {
public:
  void add(int first, int count) {
    std::lock_guard const lock(guard_);
    counts_[first] = count;
  }
  void remove(int first) {
    std::lock_guard const lock(guard_);
    counts_.erase(first);
  }
  bool has_some_of(int first, int count) {
    std::lock_guard const lock(guard_);
    auto const behind = counts_.lower_bound(first + count);
    return behind != counts_.begin() &&
           std::prev(behind)->first + std::prev(behind)->second > first;
  }

  /// Notes where tags have been drawn; true if their numbers began anew. The same on all ranks.
  bool note_drawn(int first) {
    bool const begins_anew = first <= last_drawn_;
    last_drawn_ = first;
    have_all_been_drawn_ = have_all_been_drawn_ || begins_anew;
    return begins_anew;
  }
  bool have_all_been_drawn() const { return have_all_been_drawn_; }

private:
  std::mutex guard_;
  std::map<int, int> counts_; ///< by first tags
  int last_drawn_ = -1;
  bool have_all_been_drawn_ = false;
};

[[noreturn]] void refuse_more(int count) {
  constexpr bool on_all_ranks = true;
  throw usage_error(fmt::format("communicator: no {} tags in a row are left for one more operation "
                                "(expected fewer that live at a time) [{}]",
                                count, where()),
                    on_all_ranks);
}

/// The first of `count` tags that no operation has on any rank.
/// Collective: over `over`.
int draw_free_tags(Communicator const& over, tags_in_use& in_use, int count) {
  for (int times_begun_anew = 0; times_begun_anew < 2;) {
    int const first = over.draw_tags(count);
    times_begun_anew += in_use.note_drawn(first) ? 1 : 0;
    if (!in_use.have_all_been_drawn() ||
        largest_of_all(over.context(), in_use.has_some_of(first, count) ? 1 : 0) == 0)
      return first;
  }
  refuse_more(count);
}

} // namespace

operation_tags draw_operation_tags(Communicator const& over, int count) {
  if (count == 0)
    return {0, nullptr};
  auto const in_use =
      kept_pointer<tags_in_use>(over, [] { return std::make_shared<tags_in_use>(); });
  int const first = draw_free_tags(over, *in_use, count);
  in_use->add(first, count);
  return {first, std::shared_ptr<void const>(nullptr, [in_use, first](void const*) {
            in_use->remove(first);
          })};
}

} // namespace seam::detail
