/* The 9-point stencil of [Traeff2021] figure 1b: set-up, update and convergence check as in the
 * paper, with numbers in the matrix whose way can be followed. (The figure's recvcount of 0 is a
 * slip for 1.) Exits with 0 if all halos are right. */
#include <seam/mapping/orthogonal.h>

#include <stdio.h>
#include <stdlib.h>

enum { n = 6, d = 2, t = 8 };

/* The number of a cell of the whole grid, or -1 beyond its borders. */
static double number_of(const int order[], int row, int column) {
  const int rows = n * order[0], columns = n * order[1];
  const int inside = row >= 0 && row < rows && column >= 0 && column < columns;
  return inside ? row * columns + column : -1;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm comm = MPI_COMM_WORLD, cartcomm, basecomm;
  int p, pp, r, i;
  MPI_Comm_size(comm, &p);
  int order[d] = {0, 0}, period[d] = {0, 0};
  MPI_Dims_create(p, d, order);
  Cart_name(comm, d, ROWMAJOR, order, period, &pp);

  double matrix[n + 2][n + 2];
  int ranks[t];
  const int target[] = {0, 1, 0, -1, -1, 0, 1, 0, -1, 1, 1, 1, 1, -1, -1, -1};
  MPI_Comm_rank(comm, &r);
  Cart_allranks_relative(comm, r, t, target, ranks);
  /* What leaves along a vector arrives from the process that lies against it. */
  int against[d * t], sources[t];
  for (i = 0; i < d * t; i++)
    against[i] = -target[i];
  Cart_allranks_relative(comm, r, t, against, sources);

  const int reorder = 1;
  Seam_Dist_graph_create_adjacent(comm, t, sources, MPI_UNWEIGHTED, t, ranks, MPI_UNWEIGHTED,
                                  MPI_INFO_NULL, reorder, &cartcomm);
  Comm_base(cartcomm, &basecomm);

  MPI_Datatype ROW, COL, COR = MPI_DOUBLE;
  MPI_Type_contiguous(n, MPI_DOUBLE, &ROW);
  MPI_Type_vector(n, 1, n + 2, MPI_DOUBLE, &COL);
  MPI_Type_commit(&ROW);
  MPI_Type_commit(&COL);

  int sendcount[t], recvcount[t];
  MPI_Aint senddisp[t], recvdisp[t];
  MPI_Datatype types[t];
  for (i = 0; i < t; i++) {
    const int di = target[2 * i], dj = target[2 * i + 1];
    /* The rim on the side of the vector leaves; it arrives beyond the side opposite. */
    senddisp[i] = (di > 0 ? n : 1) * (n + 2) + (dj > 0 ? n : 1);
    recvdisp[i] = (di > 0 ? 0 : di < 0 ? n + 1 : 1) * (n + 2) + (dj > 0 ? 0 : dj < 0 ? n + 1 : 1);
    types[i] = di != 0 && dj != 0 ? COR : di != 0 ? ROW : COL;
    sendcount[i] = 1;
    recvcount[i] = 1;
    senddisp[i] *= (MPI_Aint)sizeof(double);
    recvdisp[i] *= (MPI_Aint)sizeof(double);
  }

  int coordinates[d], wrong = 0, steps = 0;
  Cart_coordinates(comm, r, coordinates);
  short iterate = 1;
  while (iterate) {
    for (int row = 0; row < n + 2; row++)
      for (int column = 0; column < n + 2; column++) {
        const int own = row >= 1 && row <= n && column >= 1 && column <= n;
        matrix[row][column] = own ? number_of(order, coordinates[0] * n + row - 1,
                                              coordinates[1] * n + column - 1)
                                  : -1;
      }

    Seam_Alltoallw(matrix, sendcount, senddisp, types, matrix, recvcount, recvdisp, types,
                   cartcomm);

    for (int row = 0; row < n + 2; row++)
      for (int column = 0; column < n + 2; column++)
        wrong += matrix[row][column] != number_of(order, coordinates[0] * n + row - 1,
                                                  coordinates[1] * n + column - 1);

    short local = ++steps < 5 && wrong == 0;
    Seam_Allreduce(&local, &iterate, 1, MPI_SHORT, MPI_LAND, basecomm);
  }

  int all_wrong = 0;
  Seam_Allreduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, basecomm);
  if (r == 0)
    printf("nine_point: %d wrong cells after %d steps on %d processes\n", all_wrong, steps, p);
  MPI_Type_free(&ROW);
  MPI_Type_free(&COL);
  MPI_Comm_free(&cartcomm);
  MPI_Comm_free(&basecomm);
  MPI_Finalize();
  return all_wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
