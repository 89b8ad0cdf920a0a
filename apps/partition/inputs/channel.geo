// A channel with a cylinder and a wing behind it, fine along their surfaces and in their wakes.
// gmsh -2 channel.geo -setnumber cells 100000 -o channel.msh
DefineConstant[ cells = {10000, Min 100, Name "Triangles, about"} ];
SetFactory("Built-in");

h = 0.52 * Sqrt(10000 / cells); // length of edges far from all surfaces

Point(1) = {-4, -3, 0, h};
Point(2) = {12, -3, 0, h};
Point(3) = {12, 3, 0, h};
Point(4) = {-4, 3, 0, h};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};

r = 0.5;
Point(10) = {0, 0, 0, 0.04 * h};
Point(11) = {r, 0, 0, 0.04 * h};
Point(12) = {0, r, 0, 0.04 * h};
Point(13) = {-r, 0, 0, 0.04 * h};
Point(14) = {0, -r, 0, 0.04 * h};
Circle(11) = {11, 10, 12};
Circle(12) = {12, 10, 13};
Circle(13) = {13, 10, 14};
Circle(14) = {14, 10, 11};

// The wing: a spline with a sharp trailing edge.
Point(21) = {5, 0.6, 0, 0.02 * h};
Point(22) = {3.9, 1.05, 0, 0.05 * h};
Point(23) = {3, 1, 0, 0.03 * h};
Point(24) = {3.9, 0.8, 0, 0.05 * h};
Spline(21) = {21, 22, 23};
Spline(22) = {23, 24, 21};

Curve Loop(1) = {1, 2, 3, 4};
Curve Loop(2) = {11, 12, 13, 14};
Curve Loop(3) = {21, 22};
Plane Surface(1) = {1, 2, 3};

Physical Curve("inlet", 1) = {4};
Physical Curve("outlet", 2) = {2};
Physical Curve("walls", 3) = {1, 3};
Physical Curve("cylinder", 4) = {11, 12, 13, 14};
Physical Curve("wing", 5) = {21, 22};
Physical Surface("fluid", 10) = {1};
