// The unit square with triangles joined to quadrilaterals where that goes well.
Include "unit-triangles.geo";
Mesh.RecombinationAlgorithm = 0;
Recombine Surface {1};
