#include <seam/exchange/partitioned/collectives.hpp>

#include <seam/exchange/collectives/allgather.hpp>
#include <seam/exchange/collectives/alltoall.hpp>
#include <seam/exchange/collectives/bcast.hpp>
#include <seam/exchange/collectives/gather.hpp>
#include <seam/exchange/collectives/scatter.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/partitioned/edges.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace seam {
using namespace detail;

namespace {

using buffers = std::vector<partitioned_buffer>;

std::vector<elements> blocks_of(buffers const& listed) {
  std::vector<elements> blocks;
  for (partitioned_buffer const& buffer : listed)
    blocks.push_back(buffer.all());
  return blocks;
}

std::vector<int> partitions_of(buffers const& listed) {
  std::vector<int> partitions;
  for (partitioned_buffer const& buffer : listed)
    partitions.push_back(buffer.partitions);
  return partitions;
}

int partitions_of(partitioned_buffer const& buffer) { return buffer.partitions; }

/// Makes the partitioned form of `call`, which sends and receives one buffer each, or a list.
template <class Send, class Receive>
partitioned_operation prepare_blocks(Communicator const& over, collective const& call,
                                     Send const& send, Receive const& receive,
                                     partitioned_settings const& settings) {
  return prepare_partitioned(over, call, partitions_of(send), partitions_of(receive), settings);
}

} // namespace

partitioned_operation prepare_partitioned(Communicator const& over, collective const& call,
                                          partition_counts const& sent,
                                          partition_counts const& received,
                                          partitioned_settings const& settings) {
  collective_definition const definition = call.definition();
  if (!definition.moves)
    throw usage_error(fmt::format("prepare_partitioned: {} moves no blocks (expected a collective "
                                  "that does, such as alltoall; reductions have calls of their "
                                  "own) [{}]",
                                  call.name, where()),
                      true);
  return make_bundle(over, definition, sent, received, settings);
}

partitioned_operation pbcast_init(Communicator const& over, partitioned_buffer const& buffer,
                                  int root, partitioned_settings const& settings) {
  return prepare_blocks(over, bcast(buffer.all(), root), buffer, buffer, settings);
}

partitioned_operation pgather_init(Communicator const& over, partitioned_buffer const& send,
                                   partitioned_buffer const& receive, int root,
                                   partitioned_settings const& settings) {
  return prepare_blocks(over, gather(send.all(), receive.all(), root), send, receive, settings);
}

partitioned_operation pgatherw_init(Communicator const& over, partitioned_buffer const& send,
                                    buffers const& receives, int root,
                                    partitioned_settings const& settings) {
  return prepare_blocks(over, gatherw(send.all(), blocks_of(receives), root), send, receives,
                        settings);
}

partitioned_operation pscatter_init(Communicator const& over, partitioned_buffer const& send,
                                    partitioned_buffer const& receive, int root,
                                    partitioned_settings const& settings) {
  return prepare_blocks(over, scatter(send.all(), receive.all(), root), send, receive, settings);
}

partitioned_operation pscatterw_init(Communicator const& over, buffers const& sends,
                                     partitioned_buffer const& receive, int root,
                                     partitioned_settings const& settings) {
  return prepare_blocks(over, scatterw(blocks_of(sends), receive.all(), root), sends, receive,
                        settings);
}

partitioned_operation pallgather_init(Communicator const& over, partitioned_buffer const& send,
                                      partitioned_buffer const& receive,
                                      partitioned_settings const& settings) {
  return prepare_blocks(over, allgather(send.all(), receive.all()), send, receive, settings);
}

partitioned_operation pallgatherw_init(Communicator const& over, partitioned_buffer const& send,
                                       buffers const& receives,
                                       partitioned_settings const& settings) {
  return prepare_blocks(over, allgatherw(send.all(), blocks_of(receives)), send, receives,
                        settings);
}

partitioned_operation palltoall_init(Communicator const& over, partitioned_buffer const& send,
                                     partitioned_buffer const& receive,
                                     partitioned_settings const& settings) {
  return prepare_blocks(over, alltoall(send.all(), receive.all()), send, receive, settings);
}

partitioned_operation palltoallw_init(Communicator const& over, buffers const& sends,
                                      buffers const& receives,
                                      partitioned_settings const& settings) {
  bool const in_place =
      std::ranges::all_of(sends, [](auto const& send) { return is_in_place(send); });
  auto const leaving = in_place ? std::vector<elements>() : blocks_of(sends);
  return prepare_blocks(over, alltoallw(leaving, blocks_of(receives)), sends, receives, settings);
}

} // namespace seam
