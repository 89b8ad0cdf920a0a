// A cube that repeats itself in all directions, of about `cells` tetrahedra.
DefineConstant[ cells = {500, Name "cells"} ];
SetFactory("OpenCASCADE");
h = 1.8 * (1 / cells) ^ (1 / 3);
Mesh.MeshSizeMin = h;
Mesh.MeshSizeMax = h;
Box(1) = {0, 0, 0, 1, 1, 1};
Periodic Surface {2} = {1} Translate {1, 0, 0};
Periodic Surface {4} = {3} Translate {0, 1, 0};
Periodic Surface {6} = {5} Translate {0, 0, 1};
Physical Volume("cube") = {1};
