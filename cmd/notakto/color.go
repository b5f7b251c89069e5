package main

import (
	"io"
	"os"

	"charm.land/fang/v2"
	"github.com/charmbracelet/colorprofile"
)

// ignore prevents fang from writing an error: [command.Report] always does.
func ignore(io.Writer, fang.Styles, error) {}

// isColorTerminal reports whether f may be sent colours: it is a terminal that supports them, and NO_COLOR is not set.
// Otherwise a library would still send bold, and query the terminal for its background.
func isColorTerminal(f *os.File) bool {
	term := os.Getenv("TERM")
	if os.Getenv("NO_COLOR") != "" || term == "" || term == "dumb" {
		return false
	}
	return colorprofile.Detect(f, []string{"TERM=xterm"}) > colorprofile.NoTTY
}
