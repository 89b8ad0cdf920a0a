#include "problem.hpp"

namespace collective_bench {

std::vector<std::string> const& operations() {
  static std::vector<std::string> const all{"alltoall", "allgather", "allreduce", "bcast",
                                            "gather",   "scatter",   "reduce",    "barrier"};
  return all;
}

seam::collective make_collective(problem& on) {
  seam::elements const send{on.send.data(), on.count, MPI_DOUBLE};
  seam::elements const receive{on.receive.data(), on.count, MPI_DOUBLE};
  if (on.operation == "alltoall")
    return seam::alltoall(send, receive);
  if (on.operation == "allgather")
    return seam::allgather(send, receive);
  if (on.operation == "allreduce")
    return seam::allreduce(send, receive, MPI_SUM);
  if (on.operation == "bcast")
    return seam::bcast(on.graph.rank() == on.root ? send : receive, on.root);
  if (on.operation == "gather")
    return seam::gather(send, receive, on.root);
  if (on.operation == "scatter")
    return seam::scatter(send, receive, on.root);
  if (on.operation == "reduce")
    return seam::reduce(send, receive, MPI_SUM, on.root);
  return seam::barrier();
}

} // namespace collective_bench
