// Package picture shows screens where there is no terminal: as an SVG.
package picture
