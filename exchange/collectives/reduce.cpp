#include <seam/exchange/collectives/reduce.hpp>

#include <seam/exchange/calls/detail/collective_definition.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/forms.hpp>
#include <seam/exchange/mpi/ordered_type.hpp>
#include <seam/exchange/planning/neutral_element.hpp>
#include <seam/exchange/planning/scratch.hpp>
#include <seam/exchange/schedule/reduction.hpp>
#include <seam/exchange/schedule/schedule_writer.hpp>

#include <fmt/format.h>

#include <cstring>
#include <map>

namespace seam {
using namespace detail;

namespace {

/// Writes the schedule of one process's part in a reduction.
///
/// Each in-neighbor sends its values once, however many edges lead from it. When all have arrived,
/// they are combined from the last edge to the first, each as the left operand:
/// a(0) op (a(1) op ...). The order of arrival does not change the result.
class reduction_planner : private schedule_writer {
public:
  reduction_planner(collective_edges const& over, elements const& send, elements const& receive,
                    MPI_Op op)
      : over_(over),
        own_(is_in_place(send) ? receive : send),
        receive_(receive),
        in_place_(is_in_place(send)),
        combine_(combiner_of(op, own_.type)),
        neutral_(neutral_element_of(op, own_.type)) {
    if (own_.count > 0 && extent_of(own_.type) <= 0)
      refuse(fmt::format("reduce: elements of a datatype with extent {} (expected more than 0)",
                         extent_of(own_.type)));
    plan_.num_gates = 1;
    plan_.gates = {0};
    dense_ = is_dense(own_.type);
  }

  /// Sends this process's values along the destinations `edges`, once to each process.
  void send_along(std::vector<int> const& edges) {
    std::map<int, bool> reached;
    for (int e : edges) {
      int const peer = over_.topology.destinations()[e].rank;
      if (peer != MPI_PROC_NULL && peer != over_.rank && !std::exchange(reached[peer], true))
        send_to(peer);
    }
  }

  /// Combines the values that arrive along the sources `edges`.
  void combine_from(std::vector<int> edges) {
    std::erase_if(edges, [&](int e) { return over_.topology.sources()[e].leads_nowhere(); });
    if (edges.empty())
      return set_to_neutral_element();
    for (auto k = std::ssize(edges); k-- > 0;) {
      int const peer = over_.topology.sources()[edges[k]].rank;
      combine(values_of(peer), k + 1 == std::ssize(edges));
    }
  }

  schedule finish() { return std::move(plan_); }

private:
  void send_to(int peer) {
    std::int64_t const bytes = wire_bytes(own_);
    if (bytes == 0)
      return;
    plan_.leaving.push_back({peer, bytes});
    auto const blocks = blocks_of(own_);
    wire_span wire{.offset = 0, .bytes = bytes, .direct = blocks[0].first};
    if (blocks.size() > 1 || !blocks[0].is_contiguous())
      wire = staged(bytes);
    plan_.sends.push_back({.round = 0,
                           .peer = peer,
                           .gates = {0, 1},
                           .sources = append_sources(blocks),
                           .wire = wire});
  }

  /// The memory of the values of `peer` when all have arrived.
  elements values_of(int peer) {
    auto [found, is_new] = peer2values_.try_emplace(peer);
    if (is_new)
      found->second = peer == over_.rank ? own_values() : arriving_from(peer);
    return found->second;
  }

  /// The process's own values; a copy if the result overwrites them.
  elements own_values() {
    if (!in_place_ || own_.count == 0) {
      wait_for_gate();
      return own_;
    }
    elements const copy = scratch_values();
    plan_.copies.push_back({.round = 0,
                            .gates = {0, 1},
                            .sources = append_sources(blocks_of(own_)),
                            .targets = append_targets(blocks_of(copy))});
    return copy;
  }

  elements arriving_from(int peer) {
    elements const values = scratch_values();
    std::int64_t const bytes = wire_bytes(values);
    if (bytes == 0)
      return values;
    plan_.arriving.push_back({peer, bytes});
    auto const blocks = blocks_of(values);
    wire_span wire{.offset = 0, .bytes = bytes, .direct = blocks[0].first};
    if (blocks.size() > 1 || !blocks[0].is_contiguous())
      wire = staged(bytes);
    plan_.receives.push_back(
        {.round = 0, .peer = peer, .targets = append_targets(blocks), .wire = wire});
    return values;
  }

  /// Scratch memory for values that arrive.
  elements scratch_values() { return scratch_for(plan_, own_); }

  void combine(elements const& values, bool is_first) {
    if (values.count == 0)
      return;
    combine_step step{.round = 0, .wire_offset = 0, .sources = {}, .targets = {}};
    if (is_first && !dense_) {
      step.sources = append_sources(blocks_of(values));
      step.targets = append_targets(blocks_of(receive_));
    } else {
      step.sources = append_sources({whole(values)});
      step.targets = append_targets({whole(receive_)}, is_first ? combiner() : combine_);
    }
    plan_.combines.push_back(step);
  }

  /// Lets values that are only combined wait for the gate, as sends and copies do.
  void wait_for_gate() {
    plan_.copies.push_back({.round = 0, .gates = {0, 1}, .sources = {}, .targets = {}});
  }

  /// Writes the neutral element at the end of the round, as values may leave from its memory.
  void set_to_neutral_element() {
    if (neutral_.empty() || receive_.count == 0)
      return;
    wait_for_gate();
    auto const element = static_cast<std::int64_t>(neutral_.size());
    std::byte* const neutral = scratch(plan_, receive_.count * element);
    for (std::int64_t i = 0; i < receive_.count; ++i)
      std::memcpy(neutral + i * element, neutral_.data(), neutral_.size());
    plan_.combines.push_back({.round = 0,
                              .wire_offset = 0,
                              .sources =
                                  append_sources({whole({neutral, receive_.count, receive_.type})}),
                              .targets = append_targets({whole(receive_)})});
  }

  collective_edges const& over_;
  elements own_, receive_;
  bool in_place_, dense_ = true;
  combiner combine_;
  std::vector<std::byte> neutral_;
  std::map<int, elements> peer2values_;
};

schedule plan_allreduce(collective_edges const& over, elements const& send, elements const& receive,
                        MPI_Op op) {
  reduction_planner plan(over, send, receive, op);
  plan.send_along(indices_of(over.topology.destinations()));
  plan.combine_from(indices_of(over.topology.sources()));
  return plan.finish();
}

schedule plan_reduce(collective_edges const& over, elements const& send, elements const& receive,
                     MPI_Op op, int root) {
  auto const edges = edges_to_root(over, root);
  if (edges.is_root)
    check_alike(send, receive, "reduce");
  reduction_planner plan(over, send, receive, op);
  plan.send_along(edges.at_leaf);
  if (edges.is_root)
    plan.combine_from(edges.at_root);
  return plan.finish();
}

void check(call_arguments const& call, elements const& send, elements const& receive, MPI_Op op,
           int root) {
  check_op(call.call(), op);
  call.check_root(root);
  call.check_at_leaf(send, root, call.num_leaving_to(root));
  if (call.is_root(root))
    call.check_addressed(receive, 1);
  if (call.is_leaf(root) || call.is_root(root))
    check_op(call.call(), op, call.is_leaf(root) && !is_in_place(send) ? send : receive);
}

} // namespace

collective reduce(elements const& send, elements const& receive, MPI_Op op, int root) {
  collective made("reduce");
  made.key.add(send, receive, op, root);
  made.define = [=](collective_definition& definition) {
    definition.plan = [=](collective_edges const& over) {
      return plan_reduce(over, send, receive, op, root);
    };
    elements const& counted = is_in_place(send) ? receive : send;
    definition.common = {.root = root, .op = op, .values = counted};
    definition.check = [=](call_arguments const& call) { check(call, send, receive, op, root); };
    if (fits_int(counted))
      definition.complete = definition.bipartite = [=](MPI_Comm comm, MPI_Request* request) {
        return mpi::call(MPI_Reduce, MPI_Ireduce, request, send.data,
                         const_cast<void*>(receive.data), static_cast<int>(counted.count),
                         mpi::ordered_type(op, counted.type), mpi::ordered_op(op, counted.type),
                         root, comm);
      };
  };
  return made;
}

collective allreduce(elements const& send, elements const& receive, MPI_Op op) {
  collective made("allreduce");
  made.key.add(send, receive, op);
  made.define = [=](collective_definition& definition) {
    definition.plan = [=](collective_edges const& over) {
      return plan_allreduce(over, send, receive, op);
    };
    definition.common = {.op = op, .values = receive};
    definition.check = [=](call_arguments const& call) {
      call.check_reduction(send, receive, op);
      check_alike(send, receive, call.call());
    };
    if (fits_int(receive))
      definition.complete = definition.bipartite = [=](MPI_Comm comm, MPI_Request* request) {
        return mpi::call(MPI_Allreduce, MPI_Iallreduce, request, send.data,
                         const_cast<void*>(receive.data), static_cast<int>(receive.count),
                         mpi::ordered_type(op, receive.type), mpi::ordered_op(op, receive.type),
                         comm);
      };
  };
  return made;
}

} // namespace seam
