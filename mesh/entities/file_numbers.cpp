#include <seam/mesh/entities/file_numbers.hpp>

#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/numbering/rendezvous.hpp>
#include <seam/exchange/numbering/shares.hpp>

namespace seam::detail {
namespace {

struct renamed {
  global_id id, old;
};

std::vector<int> ranks_of_shares(std::span<global_id const> ids, std::int64_t total, int size) {
  std::vector<int> ranks;
  for (global_id const id : ids)
    ranks.push_back(static_cast<int>(share_with(id, total, size).number));
  return ranks;
}

} // namespace

old_ids::old_ids(Communicator const& over, std::span<global_id const> ids,
                 std::span<global_id const> old)
    : total_(mpi::allreduce(over.context(), std::int64_t{std::ssize(ids)}, MPI_SUM)) {
  std::vector<renamed> own;
  for (std::size_t k = 0; k < ids.size(); ++k)
    own.push_back({ids[k], old[k]});
  std::int64_t const begin = begin_of_share(over.rank(), total_, over.size());
  here_.resize(begin_of_share(over.rank() + 1, total_, over.size()) - begin);
  for (renamed const& each :
       send_records<renamed>(over, own, ranks_of_shares(ids, total_, over.size())).records)
    here_[each.id - begin] = each.old;
}

std::vector<global_id> old_ids::of(Communicator const& over, std::span<global_id const> ids) const {
  std::int64_t const begin = begin_of_share(over.rank(), total_, over.size());
  return ask<global_id, global_id>(over, ids, ranks_of_shares(ids, total_, over.size()),
                                   [&](received<global_id> const& asked) {
                                     std::vector<global_id> answers;
                                     for (global_id const id : asked.records)
                                       answers.push_back(here_[id - begin]);
                                     return answers;
                                   });
}

} // namespace seam::detail
