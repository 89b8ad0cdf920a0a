#include <seam/exchange/ground/digest.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>

#include <seam/exchange/mpi/attribute.hpp>
#include <seam/exchange/mpi/detail/context.hpp>
#include <seam/exchange/mpi/library.hpp>
#include <seam/exchange/waiting/watch.hpp>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <utility>

namespace seam::detail {
namespace {

/// A digest of an id and a number, for ids of records that are not of peers.
std::uint64_t mixed(std::uint64_t id, std::uint64_t number) {
  return digest(id).add(number).value() & ~mark_of_peers;
}

/// All records of this process. Outlives everything.
struct all_records {
  static all_records& get() {
    static auto* const only = new all_records;
    return *only;
  }

  std::mutex mutex;
  /// For each set of processes that have communicators in common, by its digest, how many records
  /// of these this process has begun.
  std::unordered_map<std::uint64_t, std::uint64_t> sets2num_records;
  std::unordered_map<std::uint64_t, call_record const*> records;
  std::array<std::pair<std::uint64_t, std::int64_t>, 256> gone{}; ///< ids and counts of old records
  std::int64_t num_gone = 0;
};

mpi::group group_from(MPI_Comm comm, int (*group_of)(MPI_Comm, MPI_Group*)) {
  mpi::group made;
  mpi::check(group_of(comm, made.receive()), "MPI_Comm_group");
  return made;
}

/// Replaces ranks of `group` by those of MPI_COMM_WORLD; none if one is of another world.
std::vector<int> in_world(MPI_Group group, std::vector<int> ranks) {
  mpi::group const world = group_from(MPI_COMM_WORLD, MPI_Comm_group);
  std::vector<int> found(ranks.size());
  mpi::check(MPI_Group_translate_ranks(group, static_cast<int>(ranks.size()), ranks.data(),
                                       world.native(), found.data()),
             "MPI_Group_translate_ranks");
  return std::ranges::count(found, MPI_UNDEFINED) == 0 ? found : std::vector<int>();
}

int size_of(MPI_Group group) {
  int size = 0;
  mpi::check(MPI_Group_size(group, &size), "MPI_Group_size");
  return size;
}

std::vector<int> all_in_world(MPI_Group group) {
  std::vector<int> ranks(size_of(group));
  std::iota(ranks.begin(), ranks.end(), 0);
  return in_world(group, std::move(ranks));
}

rank_set sorted(std::vector<int> ranks) {
  std::ranges::sort(ranks);
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  return rank_set(ranks);
}

/// The ranks of MPI_COMM_WORLD, if `group` has all.
std::optional<rank_set> all_of_world(MPI_Group group) {
  mpi::group const world = group_from(MPI_COMM_WORLD, MPI_Comm_group);
  int how = MPI_UNEQUAL;
  mpi::check(MPI_Group_compare(group, world.native(), &how), "MPI_Group_compare");
  return how == MPI_UNEQUAL ? std::nullopt : std::optional(rank_set::first(size_of(group)));
}

/// The processes of both sides of `over`; none if some are of another world. Of endpoints this
/// process alone: no other knows which of its endpoints have called.
rank_set processes_of(mpi::comm_view over) {
  mpi::group const own = group_from(over.native(), MPI_Comm_group);
  bool const is_bipartite = mpi::context_of(over) == nullptr && mpi::is_bipartite(over);
  if (!is_bipartite)
    if (auto all = all_of_world(own.native()))
      return *all;
  auto ranks = all_in_world(own.native());
  if (is_bipartite && !ranks.empty()) {
    auto const others = all_in_world(group_from(over.native(), MPI_Comm_remote_group).native());
    ranks.insert(ranks.end(), others.begin(), others.end());
    if (others.empty())
      return {};
  }
  return sorted(std::move(ranks));
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

void call_record::keep(std::shared_ptr<call_record> const& record, mpi::comm_view with) {
  static bool const notes_end = [] {
    mpi::before_end([] { set_seam_has_ended(true); });
    return true;
  }();
  static_cast<void>(notes_end);
  begin_watch();
  record_attribute::keep(with, std::make_unique<std::shared_ptr<call_record>>(record));
}

std::shared_ptr<call_record> call_record::of(mpi::comm_view over) {
  if (auto const* const found = record_attribute::of(over))
    return *found;
  auto made = of_processes(processes_of(over));
  keep(made, over);
  return made;
}

std::shared_ptr<call_record> call_record::of_group(MPI_Group group) {
  return is_watched() ? of_processes(sorted(all_in_world(group))) : alone();
}

std::shared_ptr<call_record> call_record::of_processes(rank_set const& world_ranks) {
  if (world_ranks.size() == 0)
    return alone();
  std::uint64_t id = digest().value();
  for (int k = 0; k < world_ranks.size(); ++k)
    id = mixed(id, static_cast<std::uint64_t>(world_ranks[k]));
  all_records& all = all_records::get();
  {
    std::scoped_lock const lock(all.mutex);
    id = mixed(id, ++all.sets2num_records[id]);
  }
  return std::make_shared<call_record>(id, std::make_shared<rank_set const>(world_ranks));
}

std::shared_ptr<call_record> call_record::of_peers(mpi::comm_view over,
                                                   std::span<int const> peers) {
  if (!is_watched() || mpi::context_of(over) != nullptr)
    return unknown();
  auto* const group_of_peers = mpi::is_bipartite(over) ? MPI_Comm_remote_group : MPI_Comm_group;
  auto ranks =
      in_world(group_from(over.native(), group_of_peers).native(), {peers.begin(), peers.end()});
  int const self = mpi::comm_view(MPI_COMM_WORLD).rank();
  std::erase_if(ranks, [=](int rank) { return rank == MPI_PROC_NULL || rank == self; });
  if (ranks.empty())
    return unknown();
  static std::atomic<std::uint32_t> num_records = 0;
  return std::make_shared<call_record>(mark_of_peers | static_cast<std::uint64_t>(self) << 32 |
                                           num_records.fetch_add(1),
                                       std::make_shared<rank_set const>(sorted(std::move(ranks))));
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
