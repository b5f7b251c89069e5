// Package picture shows screens where there is no terminal: one screen as an SVG, and a match, frame by frame, as an
// asciicast. Both are made from what the full-screen front end draws.
package picture
