#include <seam/exchange/mpi/type_size.hpp>
#include <seam/exchange/planning/detail/arguments.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/detail/names.hpp>
#include <seam/exchange/mpi/ordered_type.hpp>
#include <seam/exchange/planning/detail/collective_edges.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace seam::detail {
namespace {

void check_count(char const* call, std::int64_t count) {
  if (count < 0)
    refuse(MPI_ERR_COUNT, fmt::format("{}: {} elements (expected 0 or more)", call, count));
}

/// True if the first byte of an element of `type` lies at the element's address.
bool lies_at_address(MPI_Datatype type) {
  MPI_Aint lower = 0, length = 0;
  mpi::check(MPI_Type_get_true_extent(type, &lower, &length), "MPI_Type_get_true_extent");
  return mpi::size_of(type) > 0 && lower == 0;
}

int num_processes_of(Communicator const& over, bool of_other_side) {
  return of_other_side ? num_peers_of(over.view().native()) : over.size();
}

int num_with(std::span<edge const> edges, int rank) {
  return static_cast<int>(std::ranges::count(edges, rank, &edge::rank));
}

} // namespace

void check_elements(char const* call, elements const& values) {
  check_count(call, values.count);
  if (values.type == MPI_DATATYPE_NULL)
    refuse(MPI_ERR_TYPE, fmt::format("{}: MPI_DATATYPE_NULL (expected a datatype)", call));
}

void check_memory(char const* call, elements const& values) {
  check_elements(call, values);
  if (values.data == nullptr && values.count > 0 && lies_at_address(values.type))
    refuse(MPI_ERR_BUFFER, fmt::format("{}: no memory for {} elements of {} (expected an address)",
                                       call, values.count, mpi::name_of_type(values.type)));
}

/// MPI has no call that tells whether a type is committed. Libraries refuse to pack even no elements of
/// an uncommitted type.
void check_committed(char const* call, mpi::comm_view over, MPI_Datatype type) {
  if (mpi::is_common(type))
    return;
  char const nothing = 0;
  char packed = 0;
  int at = 0;
  constexpr int no_elements = 0;
  if (MPI_Pack(&nothing, no_elements, type, &packed, sizeof(packed), &at, over.native()) !=
      MPI_SUCCESS)
    refuse(MPI_ERR_TYPE, fmt::format("{}: {} that is not committed (expected MPI_Type_commit "
                                     "before)",
                                     call, mpi::name_of_type(type)));
}

void check_op(char const* call, MPI_Op op) {
  if (op == MPI_OP_NULL)
    refuse(MPI_ERR_OP, fmt::format("{}: MPI_OP_NULL (expected an operation)", call));
  if (op == MPI_REPLACE || op == MPI_NO_OP)
    refuse(MPI_ERR_OP, fmt::format("{}: {} (expected an operation that combines values)", call,
                                   op == MPI_REPLACE ? "MPI_REPLACE" : "MPI_NO_OP"));
}

void check_op(char const* call, MPI_Op op, elements const& values) {
  static thread_local std::vector<std::pair<MPI_Op, MPI_Datatype>> defined;
  check_op(call, op);
  std::pair const asked(op, values.type);
  if (values.count == 0 || !mpi::is_named(op) || std::ranges::count(defined, asked) > 0)
    return;
  if (!mpi::is_defined_for(op, values.type))
    refuse(MPI_ERR_OP, fmt::format("{}: {} of {} (expected an operation that MPI defines for the "
                                   "type)",
                                   call, mpi::name_of_op(op), mpi::name_of_type(values.type)));
  if (mpi::is_common(values.type))
    defined.push_back(asked);
}

void check_rank(char const* call, int rank, int size) {
  if (rank < 0 || rank >= size)
    refuse(MPI_ERR_RANK, fmt::format("{} rank {} (expected 0 to {})", call, rank, size - 1));
}

void call_arguments::check_block(elements const& first, int count_used) const {
  check_elements(call_, first);
  if (count_used == 0 || first.count == 0)
    return;
  check_memory(call_, first);
  check_committed(call_, over_.context(), first.type);
}

void call_arguments::check_has_address(elements const& values) const {
  if (is_in_place(values))
    refuse(MPI_ERR_BUFFER,
           fmt::format("{}: MPI_IN_PLACE where it has no meaning (expected an address)", call_));
}

void call_arguments::check_blocks(std::span<elements const> blocks) const {
  MPI_Datatype known = MPI_DATATYPE_NULL;
  for (elements const& values : blocks) {
    check_has_address(values);
    check_memory(call_, values);
    if (values.type != known && values.count > 0)
      check_committed(call_, over_.context(), known = values.type);
  }
}

void call_arguments::check_blocks(elements const& all, std::span<int const> counts) const {
  std::int64_t sum = 0;
  for (int const count : counts) {
    check_count(call_, count);
    sum += count;
  }
  if (sum > all.count)
    refuse(MPI_ERR_COUNT,
           fmt::format("{}: blocks of {} elements together in a range of {} (expected at most as "
                       "many)",
                       call_, sum, all.count));
  check_block(all, static_cast<int>(counts.size()));
}

void call_arguments::check_sent(elements const& first, int count_used) const {
  if (!is_in_place(first))
    check_block(first, count_used);
  else if (is_bipartite())
    refuse(MPI_ERR_BUFFER,
           fmt::format("{}: MPI_IN_PLACE between two groups (expected an address)", call_));
}

void call_arguments::check_addressed(elements const& first, int count_used) const {
  check_has_address(first);
  check_block(first, count_used);
}

void call_arguments::check_at_leaf(elements const& first, int root, int count_used) const {
  if (!is_leaf(root))
    return;
  if (is_in_place(first) && !is_bipartite() && !is_root(root))
    refuse(MPI_ERR_BUFFER,
           fmt::format("{}: MPI_IN_PLACE at a process that is not the root (expected an address)",
                       call_));
  check_sent(first, count_used);
}

void call_arguments::check_reduction(elements const& send, elements const& receive, MPI_Op op,
                                     bool has_result) const {
  check_op(call_, op);
  check_sent(send, num_leaving());
  check_addressed(receive, has_result ? 1 : 0);
  bool const has_sent = !is_in_place(send) && num_leaving() > 0;
  if (has_sent || has_result)
    check_op(call_, op, has_sent ? send : receive);
}

void call_arguments::check_root(int root) const {
  bool const is_on_own_side = is_bipartite() && (root == MPI_ROOT || root == MPI_PROC_NULL);
  int const size = num_processes_of(over_, is_bipartite());
  if (!is_on_own_side && (root < 0 || root >= size))
    refuse(MPI_ERR_ROOT, fmt::format("{}: root {} (expected 0 to {})", call_, root, size - 1));
}

bool call_arguments::is_root(int root) const {
  return root == (is_bipartite() ? MPI_ROOT : over_.rank());
}

bool call_arguments::is_leaf(int root) const {
  return !is_bipartite() || (root != MPI_ROOT && root != MPI_PROC_NULL);
}

int call_arguments::num_leaving() const {
  Topology const& topology = over_.topology();
  return topology.is_graph() ? static_cast<int>(topology.destinations().size())
                             : num_processes_of(over_, is_bipartite());
}

int call_arguments::num_arriving() const {
  Topology const& topology = over_.topology();
  return topology.is_graph() ? static_cast<int>(topology.sources().size()) : num_leaving();
}

int call_arguments::num_leaving_to(int root) const {
  Topology const& topology = over_.topology();
  return topology.is_graph() ? num_with(topology.destinations(), root) : 1;
}

int call_arguments::num_arriving_from(int root) const {
  Topology const& topology = over_.topology();
  return topology.is_graph() ? num_with(topology.sources(), root) : 1;
}

} // namespace seam::detail
