#include <seam/exchange/waiting/detail/call_scope.hpp>

#include <seam/exchange/mpi/attribute.hpp>
#include <seam/exchange/mpi/before_end.hpp>
#include <seam/exchange/mpi/detail/context.hpp>
#include <seam/exchange/waiting/detail/lone_watch.hpp>
#include <seam/exchange/waiting/peers.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace seam::detail {
namespace {

/// A digest of `digest` and `number`, for ids of records that are not of peers.
std::uint64_t mixed(std::uint64_t digest, std::uint64_t number) {
  constexpr std::uint64_t prime = 0x100000001b3;
  for (int byte = 0; byte < 8; ++byte)
    digest = (digest ^ (number >> (8 * byte) & 0xff)) * prime;
  return digest & ~mark_of_peers;
}

/// Sets of processes in the order of their ranks.
struct by_ranks {
  using is_transparent = void;
  bool operator()(auto const& left, auto const& right) const { return ranks(left) < ranks(right); }

private:
  static rank_set const& ranks(rank_set const& plain) { return plain; }
  static rank_set const& ranks(std::shared_ptr<rank_set const> const& kept) { return *kept; }
};

/// All records of this process. Outlives everything.
struct all_records {
  static all_records& get() {
    static auto* const only = new all_records;
    return *only;
  }

  std::mutex mutex;
  /// For each set of processes that have communicators in common, how many records of these this
  /// process has begun.
  std::map<std::shared_ptr<rank_set const>, std::uint64_t, by_ranks> sets2num_records;
  std::unordered_map<std::uint64_t, call_record const*> records;
  std::array<std::pair<std::uint64_t, std::int64_t>, 256> gone{}; ///< ids and counts of old records
  std::int64_t num_gone = 0;
};

/// The processes of one side of a communicator.
mpi::group side_of(mpi::comm_view over, int (*group_of)(MPI_Comm, MPI_Group*)) {
  mpi::group side;
  mpi::check(group_of(over.native(), side.receive()), "MPI_Comm_group");
  return side;
}

int size_of(mpi::group const& side) {
  int size = 0;
  mpi::check(MPI_Group_size(side.native(), &size), "MPI_Group_size");
  return size;
}

bool has_all_of(mpi::group const& world, mpi::group const& side) {
  int how = MPI_UNEQUAL;
  mpi::check(MPI_Group_compare(side.native(), world.native(), &how), "MPI_Group_compare");
  return how != MPI_UNEQUAL;
}

/// Adds the ranks in `world` of one side of a communicator; false if a process has none.
bool add_world_ranks(std::vector<int>& to, mpi::group const& world, mpi::group const& side) {
  std::vector<int> ranks(size_of(side));
  std::iota(ranks.begin(), ranks.end(), 0);
  auto const before = std::ssize(to);
  to.resize(before + ranks.size());
  mpi::check(MPI_Group_translate_ranks(side.native(), static_cast<int>(ranks.size()), ranks.data(),
                                       world.native(), to.data() + before),
             "MPI_Group_translate_ranks");
  return std::count(to.begin() + before, to.end(), MPI_UNDEFINED) == 0;
}

/// The processes of both sides of `over`; none if some are of another world. Of endpoints this
/// process alone: no other knows which of its endpoints have called.
rank_set processes_of(mpi::comm_view over) {
  mpi::group const world = side_of(MPI_COMM_WORLD, MPI_Comm_group);
  mpi::group const own = side_of(over, MPI_Comm_group);
  bool const is_bipartite = mpi::context_of(over) == nullptr && mpi::is_bipartite(over);
  if (!is_bipartite && has_all_of(world, own))
    return rank_set::first(size_of(world));
  std::vector<int> ranks;
  bool all_known = add_world_ranks(ranks, world, own);
  if (is_bipartite)
    all_known = add_world_ranks(ranks, world, side_of(over, MPI_Comm_remote_group)) && all_known;
  if (!all_known)
    return {};
  std::ranges::sort(ranks);
  return rank_set(ranks);
}

using record_attribute = mpi::attribute<std::shared_ptr<call_record>>;

} // namespace

call_record::call_record(std::uint64_t id, std::shared_ptr<rank_set const> world_ranks)
    : id_(id), world_ranks_(std::move(world_ranks)) {
  if (id_ == 0)
    return;
  all_records& all = all_records::get();
  std::scoped_lock const lock(all.mutex);
  all.records[id_] = this;
}

call_record::~call_record() {
  if (id_ == 0)
    return;
  all_records& all = all_records::get();
  std::scoped_lock const lock(all.mutex);
  if (auto const found = all.records.find(id_); found != all.records.end() && found->second == this)
    all.records.erase(found);
  if (!is_of_peers(id_)) // no other process asks for records of peers
    all.gone[all.num_gone++ % std::ssize(all.gone)] = {id_, count()};
}

std::shared_ptr<call_record> call_record::alone() {
  return std::make_shared<call_record>(0, std::make_shared<rank_set const>());
}

std::shared_ptr<call_record> const& call_record::unknown() {
  // Owned by none, so that copies by many threads count in no memory that they share.
  static auto* const only = [] {
    auto* const made = new call_record(0, std::make_shared<rank_set const>());
    made->is_of_any_threads_ = true;
    return new std::shared_ptr<call_record>(std::shared_ptr<void>(), made);
  }();
  return *only;
}

namespace {

/// Begins the next record of calls of `processes`, at least one.
std::shared_ptr<call_record> begin_record(rank_set const& processes) {
  std::uint64_t id = 0xcbf29ce484222325;
  for (int k = 0; k < processes.size(); ++k)
    id = mixed(id, static_cast<std::uint64_t>(processes[k]));
  all_records& all = all_records::get();
  std::unique_lock lock(all.mutex);
  auto found = all.sets2num_records.find(processes);
  if (found == all.sets2num_records.end())
    found = all.sets2num_records.emplace(std::make_shared<rank_set const>(processes), 0).first;
  auto& [world_ranks, num_records] = *found;
  id = mixed(id, ++num_records);
  auto const kept = world_ranks;
  lock.unlock();
  return std::make_shared<call_record>(id, kept);
}

} // namespace

void call_record::keep(std::shared_ptr<call_record> const& record, mpi::comm_view with) {
  static bool const notes_end = [] {
    mpi::before_end([] { set_seam_has_ended(true); });
    return true;
  }();
  static_cast<void>(notes_end);
  begin_lone_watch();
  record_attribute::keep(with, std::make_unique<std::shared_ptr<call_record>>(record));
}

std::shared_ptr<call_record> call_record::of(mpi::comm_view over) {
  if (auto const* const found = record_attribute::of(over))
    return *found;
  auto made = of_processes(processes_of(over));
  keep(made, over);
  return made;
}

std::shared_ptr<call_record> call_record::of_processes(rank_set const& world_ranks) {
  return world_ranks.size() == 0 ? alone() : begin_record(world_ranks);
}

std::shared_ptr<call_record> call_record::begin_part() {
  ++num_parts_;
  if (is_of_any_threads_)
    return unknown();
  return id_ == 0 ? alone() : std::make_shared<call_record>(mixed(id_, num_parts_), world_ranks_);
}

std::int64_t count_of_calls(std::uint64_t id) {
  all_records& all = all_records::get();
  std::scoped_lock const lock(all.mutex);
  if (auto const found = all.records.find(id); found != all.records.end())
    return found->second->count();
  auto const gone = std::ranges::find(all.gone, id, [](auto const& entry) { return entry.first; });
  return gone != all.gone.end() ? gone->second : 0;
}

std::shared_ptr<rank_set const> processes_of_calls(std::uint64_t id) {
  all_records& all = all_records::get();
  std::scoped_lock const lock(all.mutex);
  auto const found = all.records.find(id);
  return found != all.records.end() ? found->second->world_ranks() : nullptr;
}

} // namespace seam::detail
