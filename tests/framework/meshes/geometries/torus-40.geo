// The torus in format 4.0, text.
Mesh.MshFileVersion = 4.0;
Mesh.Binary = 0;
Include "torus.geo";
