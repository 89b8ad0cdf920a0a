#include <seam/exchange/collectives/reduce_scatter.hpp>

#include <seam/exchange/calls/detail/collective_definition.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/forms.hpp>
#include <seam/exchange/mpi/ordered_type.hpp>
#include <seam/exchange/planning/chunked_reductions.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace seam {
using namespace detail;

namespace {

std::int64_t total_of(std::span<int const> counts) {
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

void check_length(std::span<int const> counts, int size) {
  if (std::ssize(counts) != size)
    refuse(fmt::format("reduce_scatter: {} counts (expected one for each of {} ranks)",
                       counts.size(), size));
}

void check_lengths(char const* name, elements const& send, elements const& receive,
                   std::int64_t expected_send, std::int64_t expected_receive) {
  if (send.count != expected_send || receive.count != expected_receive)
    refuse(fmt::format("{}: {} elements into {} (expected {} into {})", name, send.count,
                       receive.count, expected_send, expected_receive));
}

/// Makes every form of a call check(rank, size) first.
template <class Check>
void check_first(collective_definition& definition, Check const& check) {
  definition.check = [check, other_checks = definition.check](call_arguments const& call) {
    check(call.over().rank(), call.over().size());
    other_checks(call);
  };
  definition.complete = definition.bipartite =
      [check, native = definition.complete](MPI_Comm comm, MPI_Request* request) {
        check(mpi::comm_view(comm).rank(), mpi::comm_view(comm).size());
        return native(comm, request);
      };
  definition.plan_on_complete = [check,
                                 plan = definition.plan_on_complete](collective_edges const& over) {
    check(over.rank, over.num_peers);
    return plan(over);
  };
}

/// Refuses more elements than MPI's call counts on topologies without a plan.
void check_count(call_arguments const& call, std::int64_t count) {
  if (!call.over().topology().is_complete())
    mpi::narrow(count, call.call());
}

/// Checks the buffers of a reduce-scatter.
/// @param own_count  elements of this process's block
/// @param all        elements of all blocks together
void check_buffers(call_arguments const& call, elements const& send, elements const& receive,
                   std::int64_t own_count, std::int64_t all, MPI_Op op) {
  bool const in_place = is_in_place(send);
  check_elements(call.call(), send);
  call.check_reduction({send.data, in_place ? send.count : all, send.type},
                       {receive.data, in_place ? all : own_count, receive.type}, op);
}

/// Checks the counts and the buffers of a reduce-scatter.
/// @param counts  [size]
void check_counts(call_arguments const& call, elements const& send, elements const& receive,
                  std::span<int const> counts, MPI_Op op) {
  for (int const count : counts)
    check_elements(call.call(), {nullptr, count, receive.type});
  Communicator const& over = call.over();
  check_buffers(call, send, receive, counts[over.rank()], total_of(counts), op);
}

schedule plan_of_counts(collective_edges const& over, elements const& send, elements const& receive,
                        std::span<int const> counts, MPI_Op op) {
  check_length(counts, over.num_peers);
  return chunked_reduce_scatter(over, {.send = send, .receive = receive, .op = op},
                                {counts.begin(), counts.end()});
}

schedule plan_of_blocks(collective_edges const& over, elements const& send, elements const& receive,
                        MPI_Op op) {
  std::vector const counts(over.num_peers, receive.count);
  return chunked_reduce_scatter(over, {.send = send, .receive = receive, .op = op}, counts);
}

schedule plan_of_blocks_between(Communicator const& over, elements const& send,
                                elements const& receive, MPI_Op op) {
  elements const all{send.data, receive.count * over.size(), send.type};
  return chunked_reduce_scatter_between(over, {.send = all, .receive = receive, .op = op});
}

schedule plan_of_counts_between(Communicator const& over, elements const& send,
                                elements const& receive, std::span<int const> counts, MPI_Op op) {
  elements const all{send.data, total_of(counts), send.type};
  return chunked_reduce_scatter_between(over, {.send = all, .receive = receive, .op = op},
                                        {counts.begin(), counts.end()});
}

void define_by_blocks(collective_definition& definition, elements const& send,
                      elements const& receive, MPI_Op op) {
  definition.complete = definition.bipartite = [=, name = definition.name](MPI_Comm comm,
                                                                           MPI_Request* request) {
    mpi::narrow(receive.count * mpi::comm_view(comm).size(), name);
    return mpi::call(MPI_Reduce_scatter_block, MPI_Ireduce_scatter_block, request, send.data,
                     const_cast<void*>(receive.data), static_cast<int>(receive.count),
                     mpi::ordered_type(op, receive.type), mpi::ordered_op(op, receive.type), comm);
  };
  definition.plan_on_complete = [=](collective_edges const& over) {
    return plan_of_blocks(over, send, receive, op);
  };
  definition.plan_on_bipartite = [=](Communicator const& over) {
    return plan_of_blocks_between(over, send, receive, op);
  };
  definition.counted = [=](Communicator const& over) { return receive.count * over.size(); };
  definition.common = {.op = op, .values = receive};
  definition.check = [=](call_arguments const& call) {
    std::int64_t const all = receive.count * call.over().size();
    check_buffers(call, send, receive, receive.count, all, op);
    check_count(call, all);
  };
}

void define_by_counts(collective_definition& definition, elements const& send,
                      elements const& receive, kept_counts const& counts, MPI_Op op) {
  elements const all{receive.data, total_of(counts.span()), receive.type};
  definition.complete = definition.bipartite = [=](MPI_Comm comm, MPI_Request* request) {
    check_length(counts.span(), mpi::comm_view(comm).size());
    mpi::narrow(all.count, "reduce_scatter");
    return mpi::call(MPI_Reduce_scatter, MPI_Ireduce_scatter, request, send.data,
                     const_cast<void*>(receive.data), counts.span().data(),
                     mpi::ordered_type(op, receive.type), mpi::ordered_op(op, receive.type), comm);
  };
  definition.plan_on_complete = [=](collective_edges const& over) {
    return plan_of_counts(over, send, receive, counts.span(), op);
  };
  definition.plan_on_bipartite = [=](Communicator const& over) {
    return plan_of_counts_between(over, send, receive, counts.span(), op);
  };
  definition.counted = [=](Communicator const&) { return all.count; };
  definition.common = {.op = op, .values = all, .counts = counts};
  definition.check = [=](call_arguments const& call) {
    check_length(counts.span(), call.over().size());
    check_counts(call, send, receive, counts.span(), op);
    check_count(call, all.count);
  };
}

collective by_blocks(elements const& send, elements const& receive, MPI_Op op) {
  collective made("reduce_scatter_block");
  made.key.add(send, receive, op);
  return made;
}

collective by_counts(elements const& send, elements const& receive, std::vector<int> const& counts,
                     MPI_Op op) {
  collective made("reduce_scatter");
  made.key.add(send, receive, op);
  made.key.add_counts(counts);
  return made;
}

} // namespace

collective reduce_scatter_block(elements const& send, elements const& receive, MPI_Op op) {
  collective made = by_blocks(send, receive, op);
  made.define = [=](collective_definition& definition) {
    define_by_blocks(definition, send, receive, op);
  };
  return made;
}

collective reduce_scatter(elements const& send, elements const& receive,
                          std::vector<int> const& block_counts, MPI_Op op) {
  collective made = by_counts(send, receive, block_counts, op);
  made.define = [=, counts = kept_counts(block_counts)](collective_definition& definition) {
    define_by_counts(definition, send, receive, counts, op);
  };
  return made;
}

collective detail::reduce_scatter_of_all(elements const& send, elements const& receive, MPI_Op op) {
  collective made = by_blocks(send, receive, op);
  made.define = [=](collective_definition& definition) {
    define_by_blocks(definition, send, receive, op);
    check_first(definition, [=](int, int size) {
      check_lengths("reduce_scatter_block", send, receive, receive.count * size, receive.count);
    });
  };
  return made;
}

collective detail::reduce_scatter_of_all(elements const& send, elements const& receive,
                                         std::vector<int> const& block_counts, MPI_Op op) {
  collective made = by_counts(send, receive, block_counts, op);
  made.define = [=, counts = kept_counts(block_counts)](collective_definition& definition) {
    define_by_counts(definition, send, receive, counts, op);
    check_first(definition, [=](int rank, int size) {
      check_length(counts.span(), size);
      check_lengths("reduce_scatter", send, receive, total_of(counts.span()), counts.span()[rank]);
    });
  };
  return made;
}

} // namespace seam
