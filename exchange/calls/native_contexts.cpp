#include <seam/exchange/calls/native_contexts.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/new_comm.hpp>
#include <seam/exchange/communicator/kept.hpp>

#include <algorithm>
#include <span>

namespace seam::detail {

std::shared_ptr<mpi::comm const> native_contexts::take(Communicator const& over) {
  auto& all = kept<native_contexts>(over).all_;
  std::vector<int> are_taken; // [all] 1 if an operation of some rank lives
  for (auto const& context : all)
    are_taken.push_back(context.use_count() > 1 ? 1 : 0);
  if (!all.empty())
    largest_of_all(over.context(), std::span(are_taken));
  auto const unused = std::ranges::find(are_taken, 0);
  if (unused != are_taken.end())
    return all[unused - are_taken.begin()];
  return all.emplace_back(std::make_shared<mpi::comm const>(mpi::dup(over.context())));
}

} // namespace seam::detail
