#include <seam/framework/checkpoint/detail/stored_rows.hpp>

#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/numbering/order.hpp>
#include <seam/exchange/numbering/rendezvous.hpp>
#include <seam/exchange/numbering/shares.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace seam::detail {
namespace {

stored_array describe_rows(std::string name, std::int64_t total, std::int64_t width,
                           element_format element) {
  stored_array made;
  made.name = std::move(name);
  made.identity = fmt::format("{} rows of {} {}", total, width, element.name);
  made.element = std::move(element);
  made.extents = {total};
  if (width > 1)
    made.extents.push_back(width);
  return made;
}

} // namespace

std::vector<std::int64_t> positions_of(Communicator const& over, std::span<global_id const> ids) {
  global_id largest = 0;
  for (global_id const id : ids)
    largest = std::max(largest, id);
  home_of_ids const home(over.size(), mpi::allreduce(over.context(), largest, MPI_MAX));
  std::vector<int> ranks;
  for (global_id const id : ids)
    ranks.push_back(home(id));
  return ask<std::int64_t>(over, ids, ranks, [&](received<global_id> const& asked) {
    std::vector<global_id> distinct = asked.records;
    keep_distinct(distinct);
    auto const before = mpi::sum_before(over.context(), std::int64_t{std::ssize(distinct)});
    std::vector<std::int64_t> answers;
    for (global_id const id : asked.records)
      answers.push_back(before + (std::ranges::lower_bound(distinct, id) - distinct.begin()));
    return answers;
  });
}

std::shared_ptr<row_positions const> find_row_positions(Communicator const& over,
                                                        std::span<global_id const> keys) {
  auto made = std::make_shared<row_positions>();
  made->total = mpi::allreduce(over.context(), std::int64_t{std::ssize(keys)}, MPI_SUM);
  made->positions = positions_of(over, keys);
  made->order = order_by(std::ssize(keys), [&](std::int64_t row) { return made->positions[row]; });
  return made;
}

stored_array stored_rows(std::string name, std::shared_ptr<row_positions const> const& at,
                         std::shared_ptr<std::vector<std::byte>> rows, std::int64_t width,
                         element_format element) {
  std::int64_t const length = width * element.bytes;
  stored_array made = describe_rows(std::move(name), at->total, width, std::move(element));
  made.visit_runs = [at, rows = std::move(rows), length](byte_window window, bool,
                                                         run_visitor const& visit) {
    auto row = std::ranges::lower_bound(at->order, window.begin / length, {},
                                        [&](std::int64_t r) { return at->positions[r]; });
    for (; row != at->order.end() && at->positions[*row] * length < window.end; ++row) {
      std::int64_t const begin = at->positions[*row] * length;
      std::int64_t const from = std::max(begin, window.begin);
      std::int64_t const to = std::min(begin + length, window.end);
      visit({from, rows->data() + static_cast<std::int64_t>(*row) * length + (from - begin),
             to - from});
    }
  };
  return made;
}

stored_array rows_to_read(Communicator const& over, std::string name, std::int64_t total,
                          std::shared_ptr<std::vector<std::byte>> rows, std::int64_t width,
                          element_format element) {
  std::int64_t const length = width * element.bytes;
  std::int64_t const begin = begin_of_share(over.rank(), total, over.size()) * length;
  std::int64_t const end = begin_of_share(over.rank() + 1, total, over.size()) * length;
  rows->resize(end - begin);
  stored_array made = describe_rows(std::move(name), total, width, std::move(element));
  made.visit_runs = [rows = std::move(rows), begin, end](byte_window window, bool,
                                                         run_visitor const& visit) {
    std::int64_t const from = std::max(begin, window.begin), to = std::min(end, window.end);
    if (from < to)
      visit({from, rows->data() + (from - begin), to - from});
  };
  return made;
}

} // namespace seam::detail
