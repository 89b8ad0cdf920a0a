// A block with a bore and a bulge, fine along the rim of the bore: tetrahedra with curved sides of
// the domain.
// gmsh -3 bracket.geo -setnumber cells 1000000 -o bracket.msh
DefineConstant[ cells = {10000, Min 100, Name "Tetrahedra, about"} ];
SetFactory("OpenCASCADE");

h = 0.305 * (10000 / cells)^(1 / 3); // length of edges far from the bore

Box(1) = {0, 0, 0, 3, 2, 1};
Sphere(2) = {3, 1, 0.5, 0.7};
BooleanUnion(3) = { Volume{1}; Delete; }{ Volume{2}; Delete; };
Cylinder(4) = {1, 1, -1, 0, 0, 3, 0.4};
BooleanDifference(5) = { Volume{3}; Delete; }{ Volume{4}; Delete; };

bore() = Surface In BoundingBox {0.5, 0.5, -0.1, 1.5, 1.5, 1.1};
Field[1] = Distance;
Field[1].SurfacesList = {bore()};
Field[2] = Threshold;
Field[2].InField = 1;
Field[2].SizeMin = 0.25 * h;
Field[2].SizeMax = h;
Field[2].DistMin = 0.05;
Field[2].DistMax = 1;
Background Field = 2;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.MeshSizeFromPoints = 0;

all() = Boundary{ Volume{5}; };
all() -= bore();
Physical Surface("outside", 1) = {all()};
Physical Surface("bore", 2) = {bore()};
Physical Volume("body", 10) = {5};
