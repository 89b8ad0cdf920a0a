/* The 9-point stencil of [Traeff2021] figure 1b: its text line by line, in which MPI's names mean
 * seam's, with what it leaves to the reader: declarations, the blocks behind `...`, and numbers in
 * the matrix whose way can be followed. Exits with 0 if all halos are right.
 *
 * Three slips of the figure are mended: recvcount is 1, as sendcount; local is a short, as it is
 * reduced; and the displacements that it gives for block 4 are those of block 6, whose vector
 * points down and left. */
#include <seam/c/orthogonal.h>

#include <stdio.h>
#include <stdlib.h>

#define MPI_Dist_graph_create_adjacent Seam_Dist_graph_create_adjacent
#define MPI_Alltoallw Seam_Alltoallw
#define MPI_Allreduce Seam_Allreduce

enum { n = 6 };

/* The number of a cell of the whole grid, or -1 beyond its borders. */
static double number_of(int const order[], int row, int column) {
  int const rows = n * order[0], columns = n * order[1];
  int const inside = row >= 0 && row < rows && column >= 0 && column < columns;
  return inside ? row * columns + column : -1;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm comm = MPI_COMM_WORLD, cartcomm, basecomm;
  int p, pp, d, i, reorder, order[2] = {0, 0}, period[2];
  int sendcount[8], recvcount[8];
  MPI_Aint senddisp[8], recvdisp[8];
  MPI_Datatype sendtype[8], recvtype[8];

  MPI_Comm_size(comm, &p);
  d = 2; // number of dimensions
  MPI_Dims_create(p, d, order);
  period[0] = 0;
  period[1] = 0;
  Cart_name(comm, d, ROWMAJOR, order, period, &pp);

  double matrix[n + 2][n + 2];
  int t = 8;
  int ranks[t];

  int target[] = {0, 1, 0, -1, -1, 0, 1, 0, -1, 1, 1, 1, 1, -1, -1, -1};

  int r;
  MPI_Comm_rank(comm, &r);
  Cart_allranks_relative(comm, r, t, target, ranks);

  reorder = 1; // reorder?
  MPI_Dist_graph_create_adjacent(comm, t, ranks, MPI_UNWEIGHTED, t, ranks, MPI_UNWEIGHTED,
                                 MPI_INFO_NULL, reorder, &cartcomm);

  Comm_base(cartcomm, &basecomm);

  // datatypes for matrix borders
  MPI_Datatype ROW, COL, COR;
  MPI_Type_contiguous(n, MPI_DOUBLE, &ROW);
  MPI_Type_vector(n, 1, n + 2, MPI_DOUBLE, &COL);
  MPI_Type_contiguous(1, MPI_DOUBLE, &COR);
  MPI_Type_commit(&ROW);
  MPI_Type_commit(&COL);
  MPI_Type_commit(&COR);

  senddisp[0] = 1 * (n + 2) + n, sendtype[0] = COL;
  recvdisp[0] = 1 * (n + 2) + n + 1, recvtype[0] = COL;
  senddisp[1] = 1 * (n + 2) + 1, sendtype[1] = COL;
  recvdisp[1] = 1 * (n + 2), recvtype[1] = COL;
  senddisp[2] = 1 * (n + 2) + 1, sendtype[2] = ROW;
  recvdisp[2] = 1, recvtype[2] = ROW;
  senddisp[3] = n * (n + 2) + 1, sendtype[3] = ROW;
  recvdisp[3] = (n + 1) * (n + 2) + 1, recvtype[3] = ROW;
  senddisp[4] = 1 * (n + 2) + n, sendtype[4] = COR;
  recvdisp[4] = n + 1, recvtype[4] = COR;
  senddisp[5] = n * (n + 2) + n, sendtype[5] = COR;
  recvdisp[5] = (n + 1) * (n + 2) + n + 1, recvtype[5] = COR;
  senddisp[6] = n * (n + 2) + 1, sendtype[6] = COR;
  recvdisp[6] = (n + 1) * (n + 2), recvtype[6] = COR;
  senddisp[7] = 1 * (n + 2) + 1, sendtype[7] = COR;
  recvdisp[7] = 0, recvtype[7] = COR;
  // counts and byte offsets
  for (i = 0; i < t; i++) {
    sendcount[i] = 1;
    recvcount[i] = 1;
    senddisp[i] *= (MPI_Aint)sizeof(double);
    recvdisp[i] *= (MPI_Aint)sizeof(double);
  }

  // reordered processes have the place of their new rank
  int coordinates[2], wrong = 0, steps = 0;
  MPI_Comm_rank(cartcomm, &r);
  Cart_coordinates(comm, r, coordinates);

  short iterate = 1;
  while (iterate) {
    // compute ...
    for (int row = 0; row < n + 2; row++)
      for (int column = 0; column < n + 2; column++) {
        int const own = row >= 1 && row <= n && column >= 1 && column <= n;
        matrix[row][column] =
            own ? number_of(order, coordinates[0] * n + row - 1, coordinates[1] * n + column - 1)
                : -1;
      }

    // update
    MPI_Alltoallw(matrix, sendcount, senddisp, sendtype, matrix, recvcount, recvdisp, recvtype,
                  cartcomm);

    for (int row = 0; row < n + 2; row++)
      for (int column = 0; column < n + 2; column++)
        wrong += matrix[row][column] !=
                 number_of(order, coordinates[0] * n + row - 1, coordinates[1] * n + column - 1);

    short local = ++steps < 5 && wrong == 0; // local convergence check
    MPI_Allreduce(&local, &iterate, 1, MPI_SHORT, MPI_LAND, basecomm);
  }

  int all_wrong = 0;
  MPI_Allreduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, basecomm);
  if (r == 0)
    printf("nine_point: %d wrong cells after %d steps on %d processes\n", all_wrong, steps, p);
  MPI_Type_free(&ROW);
  MPI_Type_free(&COL);
  MPI_Type_free(&COR);
  MPI_Comm_free(&cartcomm);
  MPI_Comm_free(&basecomm);
  MPI_Finalize();
  return all_wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
