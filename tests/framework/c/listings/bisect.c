/* Point cloud bisection of [Ibanez2015] listing 3: points inside a half-space to the first half of
 * the ranks, the others to the second, as many to each. The whole is repeated in halves until each
 * process is alone, on communicators of their own (section 5.2), and points are counted in the end.
 * (Where the listing divides by the sender's quotient, that of the destination's half is meant.) */
#include <seam/c/sparse.h>

#include <stdio.h>
#include <stdlib.h>

#define MIN(a, b) ((a) < (b) ? (a) : (b))

typedef struct {
  double x[3];
} point;
typedef struct {
  int rank, index;
} rcopy;
typedef struct {
  int axis;
  double at;
} plane;

static int plane_has(plane mp, point p) { return p.x[mp.axis] < mp.at; }

static unsigned count_local_in(unsigned n, point const* o, plane mp) {
  unsigned in = 0;
  for (unsigned i = 0; i < n; ++i)
    in += plane_has(mp, o[i]) ? 1 : 0;
  return in;
}

static unsigned long mpi_add_ulong(MPI_Comm comm, unsigned long value) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_UNSIGNED_LONG, MPI_SUM, comm);
  return value;
}

static unsigned long mpi_exscan_ulong(MPI_Comm comm, unsigned long value) {
  unsigned long before = 0;
  MPI_Exscan(&value, &before, 1, MPI_UNSIGNED_LONG, MPI_SUM, comm);
  return comm_rank() == 0 ? 0 : before;
}

static void bisect(unsigned* n, point** o, rcopy** rc, plane mp) {
  unsigned nn, i;
  unsigned long dest_i;
  int dest_rank;
  unsigned rank = (unsigned)comm_rank(), size = (unsigned)comm_size();
  unsigned pn = *n;
  point* po = *o;
  rcopy* prc = *rc;
  unsigned lin = count_local_in(pn, po, mp);
  unsigned lout = pn - lin;
  unsigned long tin = mpi_add_ulong(comm_mpi(), lin);
  unsigned long tout = mpi_add_ulong(comm_mpi(), lout);
  unsigned ranks_in = size / 2;
  int rank_is_in = (rank < ranks_in);
  unsigned ranks_out = size - ranks_in;
  unsigned long quo_in = tin / ranks_in, quo_out = tout / ranks_out;
  if (rank_is_in)
    nn = (unsigned)((rank == ranks_in - 1) ? quo_in + tin % ranks_in : quo_in);
  else
    nn = (unsigned)((rank == size - 1) ? quo_out + tout % ranks_out : quo_out);
  point* no = malloc(sizeof(point) * (nn + 1));
  rcopy* nrc = malloc(sizeof(rcopy) * (nn + 1));
  unsigned long in_i = mpi_exscan_ulong(comm_mpi(), lin);
  unsigned long out_i = mpi_exscan_ulong(comm_mpi(), lout);
  for (i = 0; i < pn; ++i) {
    if (plane_has(mp, po[i])) {
      dest_i = in_i++;
      dest_rank = (int)MIN(dest_i / quo_in, ranks_in - 1);
    } else {
      dest_i = out_i++;
      dest_rank = (int)MIN(dest_i / quo_out + ranks_in, size - 1);
    }
    COMM_PACK(dest_i, dest_rank);
    COMM_PACK(po[i], dest_rank);
    COMM_PACK(prc[i], dest_rank);
  }
  comm_exch();
  while (comm_recv()) {
    COMM_UNPACK(dest_i);
    if (rank_is_in)
      i = (unsigned)(dest_i - rank * quo_in);
    else
      i = (unsigned)(dest_i - (rank - ranks_in) * quo_out);
    COMM_UNPACK(no[i]);
    COMM_UNPACK(nrc[i]);
  }
  free(po);
  free(prc);
  *n = nn;
  *o = no;
  *rc = nrc;
}

static double uniform(unsigned* state) {
  *state = *state * 1664525u + 1013904223u;
  return (*state >> 8) / (double)(1u << 24);
}

/* Points that are not where they belong, after one cut. */
static unsigned count_wrong(unsigned n, point const* o, plane mp, int is_in) {
  unsigned wrong = 0;
  for (unsigned i = 0; i < n; ++i)
    wrong += plane_has(mp, o[i]) != is_in;
  return wrong;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int world_rank, world_size;
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &world_size);

  unsigned n = 200 + 50 * (unsigned)(world_rank % 3), state = (unsigned)world_rank + 1;
  point* o = malloc(sizeof(point) * n);
  rcopy* rc = malloc(sizeof(rcopy) * n);
  for (unsigned i = 0; i < n; ++i) {
    for (int a = 0; a < 3; ++a)
      o[i].x[a] = uniform(&state);
    rc[i].rank = world_rank;
    rc[i].index = (int)i;
  }
  unsigned long before[2] = {n, 0}, after[3] = {0, 0, 0};
  for (unsigned i = 0; i < n; ++i)
    before[1] += (unsigned long)(1000 * rc[i].rank + rc[i].index);

  unsigned long wrong = 0;
  MPI_Comm part = MPI_COMM_WORLD;
  double low[3] = {0, 0, 0}, high[3] = {1, 1, 1};
  for (int cut = 0, size = world_size; size > 1; ++cut) {
    int const axis = cut % 3;
    const plane mp = {axis, (low[axis] + high[axis]) / 2};
    comm_init(part);
    bisect(&n, &o, &rc, mp);
    int const is_in = comm_rank() < comm_size() / 2;
    comm_finalize();
    wrong += count_wrong(n, o, mp, is_in);
    *(is_in ? &high[axis] : &low[axis]) = mp.at;
    MPI_Comm half;
    MPI_Comm_split(part, is_in, world_rank, &half);
    if (part != MPI_COMM_WORLD)
      MPI_Comm_free(&part);
    part = half;
    MPI_Comm_size(part, &size);
  }
  if (part != MPI_COMM_WORLD)
    MPI_Comm_free(&part);

  after[0] = n;
  for (unsigned i = 0; i < n; ++i)
    after[1] += (unsigned long)(1000 * rc[i].rank + rc[i].index);
  after[2] = wrong;
  MPI_Allreduce(MPI_IN_PLACE, before, 2, MPI_UNSIGNED_LONG, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, after, 3, MPI_UNSIGNED_LONG, MPI_SUM, MPI_COMM_WORLD);
  int const lost = before[0] != after[0] || before[1] != after[1];
  if (world_rank == 0)
    printf("bisect: %lu wrong points, %s lost\n", after[2], lost ? "some" : "none");
  free(o);
  free(rc);
  MPI_Finalize();
  return after[2] == 0 && !lost ? EXIT_SUCCESS : EXIT_FAILURE;
}
