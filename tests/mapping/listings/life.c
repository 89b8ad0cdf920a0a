/* Conway's Game of Life of [Traeff2021] listing 7, one cell for each process, by allreduce on a
 * graph; `forever` is some generations, and every process plays the whole game besides, to compare.
 * (The listing's Cart_allranks is a slip for Cart_allranks_relative.) */
#include <seam/mapping/orthogonal.h>

#include <stdio.h>
#include <stdlib.h>

static int alive_at(const short* cells, const int order[], int row, int column) {
  const int inside = row >= 0 && row < order[0] && column >= 0 && column < order[1];
  return inside ? cells[row * order[1] + column] : 0;
}

static short next_state(short state, int live) {
  if (live < 2 || live > 3)
    return 0;
  return live == 3 ? 1 : state;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm comm = MPI_COMM_WORLD, cartcomm, basecomm;
  int p, pp;
  MPI_Comm_size(comm, &p);

  const int d = 2;
  int order[2] = {0, 0}, period[2] = {0, 0};
  MPI_Dims_create(p, d, order);
  Cart_name(comm, d, ROWMAJOR, order, period, &pp);

  int r;
  MPI_Comm_rank(comm, &r);

  int t;
  Cart_neighbors_count(comm, r, CHEBYCHEV_DISTANCE, 1, 1, &t);
  int target[d * t + 1];
  Cart_neighbors(comm, r, CHEBYCHEV_DISTANCE, 1, 1, t, target);
  int ranks[t + 1];
  Cart_allranks_relative(comm, r, t, target, ranks);

  const int reorder = 1;
  Seam_Dist_graph_create_adjacent(comm, t, ranks, MPI_UNWEIGHTED, t, ranks, MPI_UNWEIGHTED,
                                  MPI_INFO_NULL, reorder, &cartcomm);
  Comm_base(cartcomm, &basecomm);

  short cells[p], next[p];
  for (int cell = 0; cell < p; cell++)
    cells[cell] = cell % 3 != 2;
  short state = cells[r], live;

  int wrong = 0;
  for (int generation = 0; generation < 20; generation++) {
    Seam_Allreduce(&state, &live, 1, MPI_SHORT, MPI_SUM, cartcomm);
    state = next_state(state, live);

    for (int cell = 0; cell < p; cell++) {
      int around = 0;
      for (int i = -1; i <= 1; i++)
        for (int j = -1; j <= 1; j++)
          if (i != 0 || j != 0)
            around += alive_at(cells, order, cell / order[1] + i, cell % order[1] + j);
      next[cell] = next_state(cells[cell], around);
    }
    for (int cell = 0; cell < p; cell++)
      cells[cell] = next[cell];
    wrong += state != cells[r];
  }

  int all_wrong = 0;
  Seam_Allreduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, basecomm);
  if (r == 0)
    printf("life: %d wrong cells on %d processes\n", all_wrong, p);
  MPI_Comm_free(&cartcomm);
  MPI_Comm_free(&basecomm);
  MPI_Finalize();
  return all_wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
