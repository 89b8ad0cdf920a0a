// The unit cube, its ends tagged 1 and 2 along x, 3 and 4 along y, 5 and 6 along z.
DefineConstant[ cells = {1000, Min 10, Name "Tetrahedra, about"} ];
SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0, 1, 1, 1};
Mesh.MeshSizeMax = 2.04 / cells^(1 / 3);
Mesh.MeshSizeMin = 2.04 / cells^(1 / 3);
e = 0.001;
Physical Surface(1) = {Surface In BoundingBox {-e, -e, -e, e, 1 + e, 1 + e}};
Physical Surface(2) = {Surface In BoundingBox {1 - e, -e, -e, 1 + e, 1 + e, 1 + e}};
Physical Surface(3) = {Surface In BoundingBox {-e, -e, -e, 1 + e, e, 1 + e}};
Physical Surface(4) = {Surface In BoundingBox {-e, 1 - e, -e, 1 + e, 1 + e, 1 + e}};
Physical Surface(5) = {Surface In BoundingBox {-e, -e, -e, 1 + e, 1 + e, e}};
Physical Surface(6) = {Surface In BoundingBox {-e, -e, 1 - e, 1 + e, 1 + e, 1 + e}};
Physical Volume(10) = {1};
