/* Luby's maximal independent set of [Ibanez2015] listing 2, and by it the coloring of section 5.1,
 * on graphs of processes. Afterwards everybody looks at everybody's colors. */
#include <seam/c/sparse.h>

#include <stdio.h>
#include <stdlib.h>

/* Any generator does; this one is as short as they come. */
static unsigned random_state;
static void seed_random(unsigned seed) { random_state = seed * 2654435761u + 1; }
static unsigned next_random(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 17;
  random_state ^= random_state << 5;
  return random_state;
}

static int mpi_max_int(MPI_Comm comm, int value) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_MAX, comm);
  return value;
}

int luby_mis(unsigned nneigh, int const neigh[], int in_V) {
  int in_I = 0;
  int in_Vp = in_V;
  while (mpi_max_int(comm_mpi(), in_Vp)) {
    unsigned pi = next_random();
    for (unsigned i = 0; i < nneigh; ++i) {
      COMM_PACK(in_Vp, neigh[i]);
      COMM_PACK(pi, neigh[i]);
    }
    comm_exch();
    int is_min = 1;
    while (comm_recv()) {
      int neigh_in_Vp;
      COMM_UNPACK(neigh_in_Vp);
      unsigned neighpi;
      COMM_UNPACK(neighpi);
      if (neigh_in_Vp && (!(pi < neighpi)))
        is_min = 0;
    }
    int in_Ip = in_Vp && is_min;
    in_I = in_I || in_Ip;
    for (unsigned i = 0; i < nneigh; ++i)
      COMM_PACK(in_Ip, neigh[i]);
    comm_exch();
    int in_Y = in_Ip;
    while (comm_recv()) {
      int neigh_in_Ip;
      COMM_UNPACK(neigh_in_Ip);
      if (in_Vp && neigh_in_Ip)
        in_Y = 1;
    }
    in_Vp = in_Vp && (!in_Y);
  }
  return in_I;
}

/* The color of the calling process: the first set that it gets into. */
static int color_of(unsigned nneigh, int const neigh[]) {
  int const none = -1;
  int color = none;
  for (int set = 0; mpi_max_int(comm_mpi(), color == none); ++set)
    if (luby_mis(nneigh, neigh, color == none))
      color = set;
  return color;
}

/* Three symmetric graphs: a ring, a star, and one that looks like neither. */
static int are_neighbors(int graph, int i, int j, int p) {
  if (i == j)
    return 0;
  if (graph == 0)
    return (i + 1) % p == j || (j + 1) % p == i;
  return graph == 1 ? i == 0 || j == 0 : (i * j + i + j) % 3 != 1;
}

/* Whether two neighbors have the same color, or somebody could have had a lower one. */
static int count_wrong(int graph, int const* colors, int p) {
  int wrong = 0;
  for (int i = 0; i < p; ++i)
    for (int lower = 0; lower <= colors[i]; ++lower) {
      int among_neighbors = 0;
      for (int j = 0; j < p; ++j)
        among_neighbors += are_neighbors(graph, i, j, p) && colors[j] == lower;
      wrong += lower == colors[i] ? among_neighbors > 0 : among_neighbors == 0;
    }
  return wrong;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int wrong = 0;
  for (int graph = 0; graph < 3; ++graph) {
    comm_init(MPI_COMM_WORLD);
    seed_random((unsigned)(comm_rank() + 1));
    int const p = comm_size();
    int* neigh = malloc(sizeof(int) * (size_t)p);
    int* colors = malloc(sizeof(int) * (size_t)p);
    unsigned nneigh = 0;
    for (int j = 0; j < p; ++j)
      if (are_neighbors(graph, comm_rank(), j, p))
        neigh[nneigh++] = j;
    int color = color_of(nneigh, neigh);
    MPI_Allgather(&color, 1, MPI_INT, colors, 1, MPI_INT, comm_mpi());
    wrong += count_wrong(graph, colors, p);
    free(neigh);
    free(colors);
    comm_finalize();
  }
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    printf("luby_mis: %d wrong colors\n", wrong);
  MPI_Finalize();
  return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
