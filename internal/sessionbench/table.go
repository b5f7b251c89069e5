package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"text/tabwriter"
	"time"
)

// figures are the results of a run.
type figures struct {
	sessions         map[string]session // by the name of the kind
	moves            float64            // a second
	idle             float64            // CPU without a session, in percent of a core
	crashed, stopped time.Duration      // start with the archive, after a crash and after a stop
	binary           int64              // bytes
}

// row is a figure. echo is 0 if an echo has no such figure. A goal with an x is a multiple of the echo's figure.
type row struct {
	name        string
	value, echo float64
	goal        string
}

func (f *figures) rows(o options) []row {
	ms := func(d time.Duration) float64 { return 1000 * d.Seconds() }
	us := func(d time.Duration) float64 { return 1e6 * d.Seconds() }
	echo, lobby, table := f.sessions["echo"], f.sessions["lobby"], f.sessions["table"]
	return []row{
		{"memory of a session in the lobby, KB", lobby.memory, echo.memory, "x1.3"},
		{"  play, KB", f.sessions["play"].memory, 0, "as the lobby"},
		{"  plain, KB", f.sessions["plain"].memory, 0, "as the lobby"},
		{"  bot, KB", f.sessions["bot"].memory, 0, "as the lobby"},
		{"  watch, KB", f.sessions["watch"].memory, 0, "as the lobby"},
		{"  at a table with the computer, KB", table.memory, 0, ""},
		{"goroutines of a session", lobby.goroutines, echo.goroutines, "8"},
		{"CPU of a login, ms", ms(lobby.login), ms(echo.login), "x1.5"},
		{"CPU of a key in the lobby, µs", us(lobby.key), us(echo.key), "x1.6"},
		{"  at a table, µs", us(table.key), us(echo.key), "x1.6"},
		{fmt.Sprintf("key to frame, p99, %d in the lobby, ms", o.crowd), ms(lobby.p99), ms(echo.p99), "x5"},
		{"  at a table, ms", ms(table.p99), ms(echo.p99), "x5"},
		{"idle CPU without a session, %", f.idle, 0, "0.05"},
		{fmt.Sprintf("  with %d in the lobby, %%", o.sessions), lobby.rest, echo.rest, "0.5"},
		{fmt.Sprintf("moves a second, %d matches", o.matches), f.moves, 0, "10000"},
		{"start, ms", ms(f.stopped), 0, "300"},
		{"  after a crash, ms", ms(f.crashed), 0, "300"},
		{"binary, stripped, MiB", float64(f.binary) / (1 << 20), 0, "26"},
	}
}

// print writes the table in Markdown.
func (f *figures) print(out io.Writer, o options) error {
	load, _ := os.ReadFile("/proc/loadavg")
	fmt.Fprintf(out, "%d cores, %s, %s/%s, %d sessions, windows of %d s, load %.5s\n\n", runtime.NumCPU(),
		runtime.Version(), runtime.GOOS, runtime.GOARCH, o.sessions, o.seconds, load)
	table := tabwriter.NewWriter(out, 0, 0, 1, ' ', 0)
	fmt.Fprintln(table, "| figure\t| notakto\t| echo\t| ratio\t| goal\t|")
	fmt.Fprintln(table, "|"+strings.Repeat(" ---\t|", 5))
	for _, r := range f.rows(o) {
		if r.value == 0 && o.only != "" { // not measured
			continue
		}
		var echo, ratio string
		if r.echo > 0 {
			echo, ratio = amount(r.echo), fmt.Sprintf("x%.2f", r.value/r.echo)
		}
		fmt.Fprintf(table, "| %s\t| %s\t| %s\t| %s\t| %s\t|\n", r.name, amount(r.value), echo, ratio, r.goal)
	}
	return table.Flush()
}

// amount formats a number with about three digits.
func amount(n float64) string {
	switch {
	case n >= 100:
		return fmt.Sprintf("%.0f", n)
	case n >= 10:
		return fmt.Sprintf("%.1f", n)
	}
	return fmt.Sprintf("%.2f", n)
}
