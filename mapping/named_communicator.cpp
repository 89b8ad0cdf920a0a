#include <seam/mapping/named_communicator.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/agreement/new_comm.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/attribute.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <string>

namespace seam {
using namespace detail;

namespace {

using naming_attribute = mpi::attribute<CartesianNaming>;

/// Throws on all ranks if the `found` of any rank differs from that of rank 0.
void check_same(mpi::comm_view comm, char const* what, std::string const& found) {
  std::string expected = found;
  mpi::bcast(comm, expected, 0);
  collectively(comm, [&] {
    if (found != expected)
      refuse(fmt::format("{} differs between ranks: {} (expected as on rank 0: {})", what, found,
                         expected));
  });
}

} // namespace

void name(mpi::comm_view comm, CartesianNaming naming) {
  if (comm.native() == MPI_COMM_NULL || mpi::is_bipartite(comm))
    refuse("naming: no communicator, or a bipartite one (expected an intra-communicator)");
  if (naming.num_processes() != comm.size())
    refuse(fmt::format("naming: made for {} processes, attached to a communicator of {}",
                       naming.num_processes(), comm.size()));
  naming_attribute::keep(comm, std::make_unique<CartesianNaming>(std::move(naming)));
}

CartesianNaming const* naming_of(mpi::comm_view comm) {
  return comm.native() == MPI_COMM_NULL ? nullptr : naming_attribute::of(comm);
}

CartesianNaming const& check_same_naming(mpi::comm_view comm) {
  auto const* naming = naming_of(comm);
  check_same(comm, "naming", naming ? to_string(*naming) : "none");
  collectively(comm, [&] {
    if (!naming)
      refuse("naming: the communicator has none (expected one, given by name())");
  });
  return *naming;
}

mpi::comm make_sub(mpi::comm_view cart, std::vector<bool> const& excluded) {
  auto const& naming = check_same_naming(cart);
  std::vector<int> const flags(excluded.begin(), excluded.end());
  check_same(cart, "make_sub: excluded dimensions", fmt::format("[{}]", fmt::join(flags, ", ")));
  int const rank = cart.rank();
  int const lowest = collectively(cart, [&] { return naming.lowest_in_sub(rank, excluded); });
  return mpi::split(cart, lowest == MPI_PROC_NULL ? MPI_UNDEFINED : lowest, rank);
}

} // namespace seam
