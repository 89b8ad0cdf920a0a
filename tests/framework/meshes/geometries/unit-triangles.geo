// The unit square, its ends tagged 1 and 2 along x, 3 and 4 along y.
DefineConstant[ cells = {1000, Min 10, Name "Triangles, about"} ];
h = 1.52 / Sqrt(cells);
Point(1) = {0, 0, 0, h};
Point(2) = {1, 0, 0, h};
Point(3) = {1, 1, 0, h};
Point(4) = {0, 1, 0, h};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Physical Curve(1) = {4};
Physical Curve(2) = {2};
Physical Curve(3) = {1};
Physical Curve(4) = {3};
Physical Surface(10) = {1};
