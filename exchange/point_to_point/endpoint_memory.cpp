#include <seam/exchange/point_to_point/endpoint_memory.hpp>

#include <seam/exchange/endpoints/detail/collectives.hpp>
#include <seam/exchange/schedule/pack.hpp>

#include <algorithm>

namespace seam::detail {

void endpoint_memory::write(std::span<block const> there, std::byte const* wire,
                            combiner const& how) {
  std::scoped_lock const alone(accessing_);
  for (block const& rows : there)
    wire = unpack(wire, rows, how);
}

void endpoint_memory::read(std::span<block const> there, std::byte* wire) {
  std::scoped_lock const alone(accessing_);
  for (block const& rows : there)
    wire = pack(rows, wire);
}

void endpoint_memory::ask(int rank, lock_kind kind) {
  std::unique_lock lock(locking_);
  waiting_.push_back({rank, kind});
  auto const new_holders = grant();
  lock.unlock();
  tell(new_holders);
}

bool endpoint_memory::is_held_by(int rank) {
  std::scoped_lock const lock(locking_);
  return std::ranges::count(holders_, rank, &claim::rank) > 0;
}

void endpoint_memory::give_back(int rank) {
  std::unique_lock lock(locking_);
  std::erase_if(holders_, [=](claim const& held) { return held.rank == rank; });
  auto const new_holders = grant();
  lock.unlock();
  tell(new_holders);
}

/// Gives the lock to the ranks that have waited longest and may hold it together.
std::vector<int> endpoint_memory::grant() {
  auto const is_shared = [](claim const& held) { return held.kind == lock_kind::shared; };
  std::vector<int> new_holders;
  while (!waiting_.empty() &&
         (holders_.empty() || (is_shared(waiting_.front()) && is_shared(holders_.front())))) {
    holders_.push_back(waiting_.front());
    new_holders.push_back(waiting_.front().rank);
    waiting_.pop_front();
  }
  return new_holders;
}

void endpoint_memory::tell(std::vector<int> const& new_holders) {
  auto const& members = owner_.members();
  int const own_process = members[owner_.rank()].process;
  for (int const rank : new_holders)
    if (members[rank].process != own_process)
      send(owner_, {}, rank, tag_of_grants);
}

} // namespace seam::detail
