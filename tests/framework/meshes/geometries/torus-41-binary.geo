// The torus in format 4.1, binary.
Mesh.MshFileVersion = 4.1;
Mesh.Binary = 1;
Include "torus.geo";
