// The torus in format 2.2, binary.
Mesh.MshFileVersion = 2.2;
Mesh.Binary = 1;
Include "torus.geo";
