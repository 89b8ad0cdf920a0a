#include <seam/exchange/collectives/among_all.hpp>

#include <seam/exchange/agreement.hpp>
#include <seam/exchange/mpi/check.hpp>
#include <seam/exchange/node.hpp>
#include <seam/exchange/shared_memory.hpp>
#include <seam/exchange/stall.hpp>

#include <optional>

namespace seam {
namespace {

/// Everybody tells everybody up to here.
constexpr int most_processes = 8;

/// What one process sends that a tree would spare it. [bytes]
constexpr std::int64_t most_spared = std::int64_t{16} << 10;

/// What is the same in all calls on one communicator, once somebody has asked.
struct company {
  std::optional<bool> is_one_small_node, may_block;
};

company& company_of(Communicator const& over) {
  auto& kept = over.kept_company();
  if (kept == nullptr)
    kept = std::make_shared<company>();
  return *static_cast<company*>(kept.get());
}

bool find_one_small_node(Communicator const& over) {
  int const size = over.size();
  if (over.topology().kind() != topology_kind::complete || size > most_processes ||
      over.node().is_alone())
    return false;
  for (int rank = 0; rank < size; ++rank)
    if (over.node().local_rank(rank) == node::elsewhere)
      return false;
  return true;
}

bool is_one_small_node(Communicator const& over) {
  auto& known = company_of(over).is_one_small_node;
  if (!known)
    known = find_one_small_node(over);
  return *known;
}

std::int64_t bytes_of(elements const& what) {
  MPI_Count size = 0;
  mpi::check(MPI_Type_size_x(what.type, &size), "MPI_Type_size_x");
  return what.count * size;
}

} // namespace

bool goes_directly(Communicator const& over, collective const& what) {
  if (!shared_memory_is_on() || !(what.plan || what.among_all) || !is_one_small_node(over))
    return false;
  auto const& values = what.common.values;
  int const others = over.size() - 2; // to whom trees would let somebody else send
  return !values || others == 0 || others * bytes_of(*values) <= most_spared;
}

bool may_block(Communicator const& over) {
  auto& known = company_of(over).may_block;
  if (!known)
    known = largest_of_all(over.context(), time_before_report() ? 1 : 0) == 0;
  return *known;
}

} // namespace seam
