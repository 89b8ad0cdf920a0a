// The torus in format 2.2, text.
Mesh.MshFileVersion = 2.2;
Mesh.Binary = 0;
Include "torus.geo";
