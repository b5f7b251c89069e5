package main

import (
	"io"
	"os"

	"charm.land/fang/v2"
	"github.com/charmbracelet/colorprofile"
)

// ignore keeps fang from writing an error: [command.Report] does, in every case alike.
func ignore(io.Writer, fang.Styles, error) {}

// isColorTerminal reports whether f may be sent colours: it is a terminal that can show them, and no setting says that
// they are not wanted. Without NO_COLOR's decision here a library would still send bold, and ask the terminal for its
// background.
func isColorTerminal(f *os.File) bool {
	term := os.Getenv("TERM")
	if os.Getenv("NO_COLOR") != "" || term == "" || term == "dumb" {
		return false
	}
	return colorprofile.Detect(f, []string{"TERM=xterm"}) > colorprofile.NoTTY
}
