// A square of 2 by 1 that repeats itself in both directions, of about `cells` triangles.
DefineConstant[ cells = {200, Name "cells"} ];
h = Sqrt(2 * 2.3 / cells);
Point(1) = {0, 0, 0, h};
Point(2) = {2, 0, 0, h};
Point(3) = {2, 1, 0, h / 2};
Point(4) = {0, 1, 0, h / 2};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {4, 3};
Line(4) = {1, 4};
Curve Loop(1) = {1, 2, -3, -4};
Plane Surface(1) = {1};
Periodic Curve {2} = {4} Translate {2, 0, 0};
Periodic Curve {3} = {1} Translate {0, 1, 0};
Physical Curve("bottom and top") = {1, 3};
Physical Curve("sides") = {2, 4};
Physical Surface("the square") = {1};
