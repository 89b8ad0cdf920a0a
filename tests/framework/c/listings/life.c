/* Conway's Game of Life of [Traeff2021] listing 7: its text line by line, in which MPI's names mean
 * seam's, with one cell for each process; `forever` is some generations, and every process plays
 * the whole game besides, to compare. Exits with 0 if all cells are right.
 *
 * A slip of the listing is mended: its Cart_allranks is called as Cart_allranks_relative. */
#include <seam/c/orthogonal.h>

#include <stdio.h>
#include <stdlib.h>

#define MPI_Dist_graph_create_adjacent Seam_Dist_graph_create_adjacent
#define MPI_Allreduce Seam_Allreduce

static int alive_at(short const* cells, int const order[], int row, int column) {
  int const inside = row >= 0 && row < order[0] && column >= 0 && column < order[1];
  return inside ? cells[row * order[1] + column] : 0;
}

/* The generation after `cells`. */
static void play(short const* cells, short* next, int const order[]) {
  for (int cell = 0; cell < order[0] * order[1]; cell++) {
    int around = 0;
    for (int i = -1; i <= 1; i++)
      for (int j = -1; j <= 1; j++)
        if (i != 0 || j != 0)
          around += alive_at(cells, order, cell / order[1] + i, cell % order[1] + j);
    next[cell] = around == 3 || (around == 2 && cells[cell]);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm comm = MPI_COMM_WORLD, cartcomm, basecomm;
  int pp, reorder, order[2] = {0, 0}, period[2];

  int p;
  MPI_Comm_size(comm, &p);

  int d = 2; // number of dimensions
  MPI_Dims_create(p, d, order);
  period[0] = 0;
  period[1] = 0;
  Cart_name(comm, d, ROWMAJOR, order, period, &pp);

  int r;
  MPI_Comm_rank(comm, &r);

  int t;
  Cart_neighbors_count(comm, r, CHEBYCHEV_DISTANCE, 1, 1, &t);

  int target[d * t + 1]; // one more, as C has no arrays of none
  Cart_neighbors(comm, r, CHEBYCHEV_DISTANCE, 1, 1, t, target);

  int ranks[t + 1];
  Cart_allranks_relative(comm, r, t, target, ranks);

  reorder = 1; // reorder?
  MPI_Dist_graph_create_adjacent(comm, t, ranks, MPI_UNWEIGHTED, t, ranks, MPI_UNWEIGHTED,
                                 MPI_INFO_NULL, reorder, &cartcomm);

  // reordered processes have the cell of their new rank
  MPI_Comm_rank(cartcomm, &r);
  short cells[p], next[p];
  for (int cell = 0; cell < p; cell++)
    cells[cell] = cell % 3 != 2;
  int wrong = 0;

  short state, live;
  state = cells[r];

  short forever = 20;
  while (forever--) {
    MPI_Allreduce(&state, &live, 1, MPI_SHORT, MPI_SUM, cartcomm);
    if (live < 2 || live > 3)
      state = 0;
    else if (live == 3)
      state = 1;

    play(cells, next, order);
    for (int cell = 0; cell < p; cell++)
      cells[cell] = next[cell];
    wrong += state != cells[r];
  }

  int all_wrong = 0;
  Comm_base(cartcomm, &basecomm);
  MPI_Allreduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, basecomm);
  if (r == 0)
    printf("life: %d wrong cells on %d processes\n", all_wrong, p);
  MPI_Comm_free(&cartcomm);
  MPI_Comm_free(&basecomm);
  MPI_Finalize();
  return all_wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
