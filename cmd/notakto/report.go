package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"

	"charm.land/fang/v2"
	"github.com/charmbracelet/colorprofile"
)

// The exit statuses.
const (
	done      = 0
	didFail   = 1
	misspoken = 2
)

// report writes err as one line without any escape code and returns the exit status.
func report(w io.Writer, err error) int {
	if err == nil {
		return done
	}
	if errors.As(err, new(failure)) {
		_, _ = fmt.Fprintf(w, "notakto: %s\n", oneLine(err))
		return didFail
	}
	_, _ = fmt.Fprintf(w, "notakto: %s (notakto --help lists what there is)\n", oneLine(err))
	return misspoken
}

// oneLine joins the lines of joined errors and keeps what a path or an argument holds from driving the terminal.
func oneLine(err error) string {
	text := strings.ReplaceAll(strings.TrimSpace(err.Error()), "\n", "; ")
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, text)
}

// ignore keeps fang from writing an error: report does, in every case alike.
func ignore(io.Writer, fang.Styles, error) {}

// styled reports whether f may be sent colours: it is a terminal that can show them, and nobody said that they are not wanted. Without
// NO_COLOR's decision here a library would still send bold, and ask the terminal for its background.
func styled(f *os.File) bool {
	term := os.Getenv("TERM")
	if os.Getenv("NO_COLOR") != "" || term == "" || term == "dumb" {
		return false
	}
	return colorprofile.Detect(f, []string{"TERM=xterm"}) > colorprofile.NoTTY
}
