/* Every operation of the C interface of partitioned communication, from C: first a lone partition,
 * which must arrive alone, then the rest. Prints the number of wrong values of all ranks. */
#include <seam/c/partitioned.h>

#include "../wrong_values.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#define PARTS 4
#define COUNT 3
#define LENGTH (PARTS * COUNT)
#define MOST_RANKS 64

static int out[MOST_RANKS * LENGTH], in[MOST_RANKS * LENGTH], expected[MOST_RANKS * LENGTH];
static int partitions[MOST_RANKS];
static MPI_Count counts[MOST_RANKS];
static MPI_Aint places[MOST_RANKS], byte_places[MOST_RANKS];
static MPI_Datatype types[MOST_RANKS];

static void fill(void) {
  int k;
  for (k = 0; k < size * LENGTH; ++k) {
    out[k] = 10000 * (rank + 1) + k;
    in[k] = expected[k] = -1;
  }
}

/* Runs an operation of `leaving` and `arriving` partitions twice and compares `in` with `expected`.
 */
static void run(MPIX_Request* request, int leaving, int arriving) {
  int epoch, p, flag, k;
  MPI_Status status;
  for (epoch = 0; epoch < 2; ++epoch) {
    for (k = 0; k < size * LENGTH; ++k)
      in[k] = -1;
    must(MPIX_Startall(1, request));
    for (p = 0; p < leaving; ++p)
      if (p % PARTS == 1)
        must(MPIX_Pready(p, *request));
    for (p = 0; p < arriving; ++p)
      if (p % PARTS == 1)
        for (flag = 0; !flag;)
          must(MPIX_Parrived(*request, p, &flag));
    if (arriving > 0) {
      must(MPIX_Parrived(*request, 2, &flag));
      wrong += flag != 0;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (p = 0; p < leaving; p += PARTS) {
      int list[2];
      list[0] = p;
      list[1] = p + 2;
      must(MPIX_Pready_list(2, list, *request));
      must(MPIX_Pready_range(p + 3, p + 3, *request));
    }
    if (epoch == 0)
      must(MPIX_Wait(request, &status));
    else
      must(MPIX_Waitall(1, request, MPI_STATUSES_IGNORE));
    for (k = 0; k < size * LENGTH; ++k)
      wrong += in[k] != expected[k];
    if (arriving > 0) {
      must(MPIX_Parrived(*request, 0, &flag));
      wrong += !flag;
    }
  }
  must(MPIX_Request_free(request));
  wrong += *request != MPIX_REQUEST_NULL;
}

static int is_empty(MPI_Status const* status) {
  int count = -1;
  MPI_Get_count(status, MPI_INT, &count);
  return status->MPI_SOURCE == MPI_ANY_SOURCE && status->MPI_TAG == MPI_ANY_TAG && count == 0;
}

static void point_to_point(void) {
  MPIX_Request both[2];
  int const next = (rank + 1) % size, before = (rank + size - 1) % size;
  int flag, index, k, p;
  MPI_Status status;
  fill();
  must(MPIX_Psend_init(out, PARTS, COUNT, MPI_INT, next, 9, MPI_COMM_WORLD, MPI_INFO_NULL,
                       &both[0]));
  must(MPIX_Precv_init(in, COUNT, PARTS, MPI_INT, before, 9, MPI_COMM_WORLD, MPI_INFO_NULL,
                       &both[1]));
  MUST_REFUSE(MPIX_Pready(0, both[0]), "which is inactive (expected start before)");
  MUST_REFUSE(MPIX_Pready_list(0, NULL, both[0]), "is inactive (expected start before)");
  must(MPIX_Startall(2, both));
  must(MPIX_Pbuf_prepareall(2, both));
  MUST_REFUSE(MPIX_Start(&both[0]), "is active already");
  MUST_REFUSE(MPIX_Pready(PARTS, both[0]), "pready: partition 4 of psend_init to rank");
  must(MPIX_Pready_extended(1, next, &both[0]));
  MUST_REFUSE(MPIX_Pready(1, both[0]), "is ready already");
  MUST_REFUSE(MPIX_Pready_list(-1, &next, both[0]), "-1 partitions (expected 0 or more)");
  MUST_REFUSE(MPIX_Request_free(&both[0]), "partitions 0, 2, 3 are not ready");
  for (p = 0; p < PARTS; ++p)
    if (p != 1)
      must(MPIX_Pready(p, both[0]));
  must(MPIX_Waitany(2, both, &index, &status));
  wrong += index != 0 && index != 1;
  must(MPIX_Waitall(2, both, MPI_STATUSES_IGNORE));
  must(MPIX_Waitany(2, both, &index, &status));
  wrong += index != MPI_UNDEFINED;
  must(MPIX_Test(&both[1], &flag, &status));
  wrong += !flag || !is_empty(&status);
  must(MPIX_Startall(2, both));
  must(MPIX_Pready_range(0, PARTS - 1, both[0]));
  must(MPIX_Wait(&both[1], &status));
  MPI_Get_count(&status, MPI_INT, &k);
  wrong += status.MPI_SOURCE != before || status.MPI_TAG != 9 || k != LENGTH;
  must(MPIX_Wait(&both[1], &status));
  wrong += !is_empty(&status);
  must(MPIX_Wait(&both[0], MPI_STATUS_IGNORE));
  for (k = 0; k < LENGTH; ++k)
    wrong += in[k] != 10000 * (before + 1) + k;
  must(MPIX_Request_free(&both[0]));
  must(MPIX_Request_free(&both[1]));
  must(MPIX_Parrived(MPIX_REQUEST_NULL, 7, &flag));
  wrong += !flag;
  MUST_REFUSE(MPIX_Pready(0, MPIX_REQUEST_NULL), "MPIX_REQUEST_NULL");
  MUST_REFUSE(MPIX_Precv_init(in, 1, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_INFO_NULL,
                              &both[0]),
              "MPI_ANY_SOURCE");
}

/* Between two of the processes; the others do not take part. */
static void between_two(MPI_Comm comm) {
  MPIX_Request one;
  if (size < 2 || rank > 1)
    return;
  fill();
  if (rank == 0)
    must(MPIX_Psend_init(out, PARTS, COUNT, MPI_INT, 1, 0, comm, MPI_INFO_NULL, &one));
  else
    must(MPIX_Precv_init(in, PARTS, COUNT, MPI_INT, 0, 0, comm, MPI_INFO_NULL, &one));
  must(MPIX_Start(&one));
  if (rank == 0)
    must(MPIX_Pready_range(0, PARTS - 1, one));
  must(MPIX_Wait(&one, MPI_STATUS_IGNORE));
  if (rank == 1)
    wrong += in[LENGTH - 1] != 10000 + LENGTH - 1;
  must(MPIX_Request_free(&one));
}

static void rooted(int root) {
  MPIX_Request request;
  int const is_root = rank == root;
  int k;
  fill();
  MPI_Bcast(memcpy(expected, is_root ? out : expected, LENGTH * sizeof(int)), LENGTH, MPI_INT, root,
            MPI_COMM_WORLD);
  if (is_root)
    for (k = 0; k < LENGTH; ++k)
      expected[k] = -1;
  must(MPIX_Pbcast_init(is_root ? out : in, PARTS, COUNT, MPI_INT, root, MPI_COMM_WORLD,
                        MPI_INFO_NULL, &request));
  run(&request, is_root ? PARTS : 0, is_root ? 0 : PARTS);

  fill();
  MPI_Gather(out, LENGTH, MPI_INT, expected, LENGTH, MPI_INT, root, MPI_COMM_WORLD);
  must(MPIX_Pgather_init(out, PARTS, COUNT, MPI_INT, in, PARTS, COUNT, MPI_INT, root,
                         MPI_COMM_WORLD, MPI_INFO_NULL, &request));
  run(&request, PARTS, is_root ? size * PARTS : 0);
  must(MPIX_Pgatherv_init(out, PARTS, COUNT, MPI_INT, in, partitions, counts, places, MPI_INT, root,
                          MPI_COMM_WORLD, MPI_INFO_NULL, &request));
  run(&request, PARTS, is_root ? size * PARTS : 0);

  fill();
  MPI_Scatter(out, LENGTH, MPI_INT, expected, LENGTH, MPI_INT, root, MPI_COMM_WORLD);
  must(MPIX_Pscatter_init(out, PARTS, COUNT, MPI_INT, in, PARTS, COUNT, MPI_INT, root,
                          MPI_COMM_WORLD, MPI_INFO_NULL, &request));
  run(&request, is_root ? size * PARTS : 0, PARTS);
  must(MPIX_Pscatterv_init(out, partitions, counts, places, MPI_INT, in, PARTS, COUNT, MPI_INT,
                           root, MPI_COMM_WORLD, MPI_INFO_NULL, &request));
  run(&request, is_root ? size * PARTS : 0, PARTS);

  fill();
  MPI_Reduce(out, expected, LENGTH, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);
  must(MPIX_Preduce_init(out, in, PARTS, COUNT, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD,
                         MPI_INFO_NULL, &request));
  run(&request, PARTS, is_root ? PARTS : 0);
}

static void for_all(void) {
  MPIX_Request request;
  fill();
  MPI_Allgather(out, LENGTH, MPI_INT, expected, LENGTH, MPI_INT, MPI_COMM_WORLD);
  must(MPIX_Pallgather_init(out, PARTS, COUNT, MPI_INT, in, PARTS, COUNT, MPI_INT, MPI_COMM_WORLD,
                            MPI_INFO_NULL, &request));
  run(&request, PARTS, size * PARTS);
  must(MPIX_Pallgatherv_init(out, PARTS, COUNT, MPI_INT, in, partitions, counts, places, MPI_INT,
                             MPI_COMM_WORLD, MPI_INFO_NULL, &request));
  run(&request, PARTS, size * PARTS);

  MPI_Alltoall(out, LENGTH, MPI_INT, expected, LENGTH, MPI_INT, MPI_COMM_WORLD);
  must(MPIX_Palloall_init(out, PARTS, COUNT, MPI_INT, in, PARTS, COUNT, MPI_INT, MPI_COMM_WORLD,
                          MPI_INFO_NULL, &request));
  run(&request, size * PARTS, size * PARTS);
  must(MPIX_Palloallv_init(out, partitions, counts, places, MPI_INT, in, partitions, counts, places,
                           MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &request));
  run(&request, size * PARTS, size * PARTS);
  must(MPIX_Palltoallw_init(out, partitions, counts, byte_places, types, in, partitions, counts,
                            byte_places, types, MPI_COMM_WORLD, MPI_INFO_NULL, &request));
  run(&request, size * PARTS, size * PARTS);
}

static void reductions(void) {
  MPIX_Request request;
  int k, whole[MOST_RANKS];
  fill();
  MPI_Allreduce(out, expected, LENGTH, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  must(MPIX_Pallreduce_init(out, in, PARTS, COUNT, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                            &request));
  run(&request, PARTS, PARTS);
  MPI_Scan(out, expected, LENGTH, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  must(MPIX_Pscan_init(out, in, PARTS, COUNT, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                       &request));
  run(&request, PARTS, PARTS);
  MPI_Exscan(out, expected, LENGTH, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (k = 0; k < LENGTH && rank == 0; ++k)
    expected[k] = -1;
  must(MPIX_Pexscan_init(out, in, PARTS, COUNT, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                         &request));
  run(&request, PARTS, PARTS);
  MPI_Reduce_scatter_block(out, expected, LENGTH, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  must(MPIX_Preduce_scatter_block_init(out, in, PARTS, COUNT, MPI_INT, MPI_SUM, MPI_COMM_WORLD,
                                       MPI_INFO_NULL, &request));
  run(&request, size * PARTS, PARTS);
  for (k = 0; k < size; ++k)
    whole[k] = LENGTH;
  MPI_Reduce_scatter(out, expected, whole, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  must(MPIX_Preduce_scatter_init(out, in, partitions, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD,
                                 MPI_INFO_NULL, &request));
  run(&request, size * PARTS, PARTS);
}

/* Runs an operation on `in` twice and compares its first elements with those of `expected`. */
static void run_in_place(MPIX_Request* request, int length) {
  int epoch, k;
  for (epoch = 0; epoch < 2; ++epoch) {
    must(MPIX_Start(request));
    for (k = 0; k < size * LENGTH; ++k)
      in[k] = out[k];
    must(MPIX_Pready_range(0, size * PARTS - 1, *request));
    must(MPIX_Wait(request, MPI_STATUS_IGNORE));
    for (k = 0; k < length; ++k)
      wrong += in[k] != expected[k];
  }
  must(MPIX_Request_free(request));
}

static void in_place(void) {
  MPIX_Request request;
  fill();
  MPI_Alltoall(out, LENGTH, MPI_INT, expected, LENGTH, MPI_INT, MPI_COMM_WORLD);
  must(MPIX_Palltoall_init(MPI_IN_PLACE, 0, 0, MPI_INT, in, PARTS, COUNT, MPI_INT, MPI_COMM_WORLD,
                           MPI_INFO_NULL, &request));
  run_in_place(&request, size * LENGTH);
  must(MPIX_Palltoallv_init(MPI_IN_PLACE, NULL, NULL, NULL, MPI_INT, in, partitions, counts, places,
                            MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &request));
  run_in_place(&request, size * LENGTH);
  must(MPIX_Palltoallw_init(MPI_IN_PLACE, NULL, NULL, NULL, NULL, in, partitions, counts,
                            byte_places, types, MPI_COMM_WORLD, MPI_INFO_NULL, &request));
  run_in_place(&request, size * LENGTH);
  MPI_Reduce_scatter_block(out, expected, LENGTH, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  must(MPIX_Preduce_scatter_block_init(MPI_IN_PLACE, in, PARTS, COUNT, MPI_INT, MPI_SUM,
                                       MPI_COMM_WORLD, MPI_INFO_NULL, &request));
  run_in_place(&request, LENGTH);
  must(MPIX_Preduce_scatter_init(MPI_IN_PLACE, in, partitions, counts, MPI_INT, MPI_SUM,
                                 MPI_COMM_WORLD, MPI_INFO_NULL, &request));
  run_in_place(&request, LENGTH);
}

static void neighbors(void) {
  MPIX_Request request;
  MPI_Comm ring;
  MPI_Info info;
  int k, next[2], before[2];
  int const weights[2] = {1, 1};
  next[0] = before[1] = (rank + 1) % size;
  next[1] = before[0] = (rank + size - 1) % size;
  MUST_REFUSE(MPIX_Pneighbor_allgather_init(out, PARTS, COUNT, MPI_INT, in, PARTS, COUNT, MPI_INT,
                                            MPI_COMM_WORLD, MPI_INFO_NULL, &request),
              "MPIX_Pneighbor_allgather_init: the communicator is no graph");
  if (size < 3)
    return;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, before, weights, 2, next, weights,
                                 MPI_INFO_NULL, 0, &ring);
  MPI_Comm_set_errhandler(ring, MPI_ERRORS_RETURN);
  MPI_Info_create(&info);
  MPI_Info_set(info, MPIX_EACH_PARTITION_PAIR_SAME, "true");
  fill();
  for (k = 0; k < LENGTH; ++k) {
    expected[k] = 10000 * (before[0] + 1) + k;
    expected[LENGTH + k] = 10000 * (before[1] + 1) + k;
  }
  must(MPIX_Pneighbor_allgather_init(out, PARTS, COUNT, MPI_INT, in, PARTS, COUNT, MPI_INT, ring,
                                     info, &request));
  run(&request, PARTS, 2 * PARTS);
  must(MPIX_Pneighbor_allgatherv_init(out, PARTS, COUNT, MPI_INT, in, partitions, counts, places,
                                      MPI_INT, ring, info, &request));
  run(&request, PARTS, 2 * PARTS);
  for (k = 0; k < LENGTH; ++k)
    expected[LENGTH + k] += LENGTH;
  must(MPIX_Pneighbor_alltoall_init(out, PARTS, COUNT, MPI_INT, in, PARTS, COUNT, MPI_INT, ring,
                                    info, &request));
  run(&request, 2 * PARTS, 2 * PARTS);
  must(MPIX_Pneighbor_alltoallv_init(out, partitions, counts, places, MPI_INT, in, partitions,
                                     counts, places, MPI_INT, ring, info, &request));
  run(&request, 2 * PARTS, 2 * PARTS);
  must(MPIX_Pneighbor_alltoallw_init(out, partitions, counts, byte_places, types, in, partitions,
                                     counts, byte_places, types, ring, info, &request));
  run(&request, 2 * PARTS, 2 * PARTS);
  MPI_Info_set(info, MPIX_EACH_PARTITION_PAIR_SAME, "perhaps");
  MUST_REFUSE(MPIX_Pneighbor_alltoall_init(out, PARTS, COUNT, MPI_INT, in, PARTS, COUNT, MPI_INT,
                                           ring, info, &request),
              "MPIX_EACH_PARTITION_PAIR_SAME is 'perhaps' (expected true or false)");
  if (size > 3)
    MUST_REFUSE(MPIX_Psend_init(out, PARTS, COUNT, MPI_INT, (rank + 2) % size, 0, ring,
                                MPI_INFO_NULL, &request),
                "no neighbor of rank");
  MPI_Info_free(&info);
  MPI_Comm_free(&ring);
}

/* What is wrong on one rank is the same error on all. */
/* Between the even ranks, whose first is the root, and the odd ones. */
static void sides(void) {
  MPIX_Request request;
  MPI_Comm half, both;
  int const even = rank % 2 == 0;
  int const root = !even ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
  int const is_root = root == MPI_ROOT, remote = even ? size / 2 : size - size / 2;
  if (size < 2)
    return;
  MPI_Comm_split(MPI_COMM_WORLD, even, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, even, 7, &both);
  MPI_Comm_set_errhandler(both, MPI_ERRORS_RETURN);

  fill();
  MPI_Gather(out, LENGTH, MPI_INT, expected, LENGTH, MPI_INT, root, both);
  must(MPIX_Pgatherv_init(out, PARTS, COUNT, MPI_INT, in, partitions, counts, places, MPI_INT, root,
                          both, MPI_INFO_NULL, &request));
  run(&request, even ? 0 : PARTS, is_root ? remote * PARTS : 0);

  fill();
  MPI_Reduce(out, expected, LENGTH, MPI_INT, MPI_SUM, root, both);
  must(MPIX_Preduce_init(out, in, PARTS, COUNT, MPI_INT, MPI_SUM, root, both, MPI_INFO_NULL,
                         &request));
  run(&request, even ? 0 : PARTS, is_root ? PARTS : 0);

  fill();
  MPI_Alltoall(out, LENGTH, MPI_INT, expected, LENGTH, MPI_INT, both);
  must(MPIX_Palltoallv_init(out, partitions, counts, places, MPI_INT, in, partitions, counts,
                            places, MPI_INT, both, MPI_INFO_NULL, &request));
  run(&request, remote * PARTS, remote * PARTS);

  MUST_REFUSE(MPIX_Pscan_init(out, in, PARTS, COUNT, MPI_INT, MPI_SUM, both, MPI_INFO_NULL,
                              &request),
              "has no meaning on a bipartite communicator");
  MPI_Comm_free(&both);
  MPI_Comm_free(&half);
}

static void refusals(void) {
  MPIX_Request request;
  MPI_Info info, mine;
  int const is_wrong = rank == size - 1;
  int const root = is_wrong ? -3 : 0;
  MPI_Datatype const type = is_wrong ? MPI_DATATYPE_NULL : MPI_INT;
  MPI_Info_create(&info);
  mine = is_wrong ? info : MPI_INFO_NULL;
  MPI_Info_set(info, MPIX_ALL_SEND_PARTITIONS_SAME, "perhaps");
  MUST_REFUSE(MPIX_Pallreduce_init(out, in, PARTS, COUNT, MPI_INT, MPI_SUM, MPI_COMM_WORLD, mine,
                                   &request),
              "is 'perhaps' (expected true or false)");
  MUST_REFUSE(MPIX_Palltoall_init(out, PARTS, COUNT, MPI_INT, in, PARTS, COUNT, MPI_INT,
                                  MPI_COMM_WORLD, mine, &request),
              "is 'perhaps' (expected true or false)");
  MPI_Info_set(info, MPIX_ALL_SEND_PARTITIONS_SAME, "true");
  MPI_Info_set(info, SEAM_PARTITION_MESSAGES, "0");
  MUST_REFUSE(MPIX_Pscan_init(out, in, PARTS, COUNT, MPI_INT, MPI_SUM, MPI_COMM_WORLD, mine,
                              &request),
              "is '0' (expected 1 or more)");
  MPI_Info_free(&info);
  MUST_REFUSE(MPIX_Pgatherv_init(out, PARTS, COUNT, MPI_INT, in, partitions, counts, places,
                                 MPI_INT, root, MPI_COMM_WORLD, MPI_INFO_NULL, &request),
              "root -3");
  MUST_REFUSE(MPIX_Pscatterv_init(out, partitions, counts, places, MPI_INT, in, PARTS, COUNT,
                                  MPI_INT, root, MPI_COMM_WORLD, MPI_INFO_NULL, &request),
              "root -3");
  MUST_REFUSE(MPIX_Pallgatherv_init(out, PARTS, COUNT, MPI_INT, in, partitions, counts, places,
                                    type, MPI_COMM_WORLD, MPI_INFO_NULL, &request),
              "MPI_Type_get_extent failed");
  MUST_REFUSE(MPIX_Palltoallv_init(out, partitions, counts, places, type, in, partitions, counts,
                                   places, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &request),
              "MPI_Type_get_extent failed");
  MUST_REFUSE(MPIX_Preduce_scatter_init(out, in, partitions, counts, type, MPI_SUM, MPI_COMM_WORLD,
                                        MPI_INFO_NULL, &request),
              "MPI_Type_get_extent failed");
  MUST_REFUSE(MPIX_Preduce_scatter_block_init(out, in, PARTS, COUNT, type, MPI_SUM, MPI_COMM_WORLD,
                                              MPI_INFO_NULL, &request),
              "MPI_Type_get_extent failed");
  MUST_REFUSE(MPIX_Pallreduce_init(out, in, PARTS, COUNT, MPI_INT, MPI_MAXLOC, MPI_COMM_WORLD,
                                   MPI_INFO_NULL, &request),
              "maximum with place of MPI_INT (expected");
}

int main(int argc, char** argv) {
  int r;
  MPI_Comm fresh;
  begin(&argc, &argv);
  for (r = 0; r < size; ++r) {
    partitions[r] = PARTS;
    counts[r] = COUNT;
    places[r] = (MPI_Aint)r * LENGTH;
    byte_places[r] = places[r] * (MPI_Aint)sizeof(int);
    types[r] = MPI_INT;
  }
  MPI_Comm_dup(MPI_COMM_WORLD, &fresh);
  between_two(fresh);
  MPI_Comm_free(&fresh);
  point_to_point();
  for (r = 0; r < size; ++r)
    rooted(r);
  for_all();
  reductions();
  in_place();
  neighbors();
  sides();
  refusals();
  return end("partitioned");
}
