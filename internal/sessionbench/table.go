package main

import (
	"fmt"
	"io"
	"runtime"
	"text/tabwriter"
	"time"
)

// figures are the results of a run.
type figures struct {
	echo, lobby, table      session
	play, plain, bot, watch session
	moves, syncs            float64       // a second
	idle                    float64       // CPU without a session, in percent of a core
	crashed, stopped        time.Duration // start with the archive, after a crash and after a stop
	binary                  int64         // bytes
}

// row is a figure with its unit and its goal. A goal is a largest value, a multiple of the echo's figure, or a smallest
// value.
type row struct {
	name, unit  string
	value, echo float64 // echo is 0 if an echo has no such figure
	goal        float64 // 0 for none
	isMinimum   bool
	isRatio     bool
}

func (f *figures) rows(o options) []row {
	const mib = 1 << 20
	ms := func(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
	us := func(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }
	e, lobby := f.echo, f.lobby.memory
	return []row{
		{
			name: "memory of a session in the lobby", unit: "KB", value: lobby, echo: e.memory, goal: 1.3,
			isRatio: true,
		},
		{name: "  play", unit: "KB", value: f.play.memory, goal: lobby},
		{name: "  plain", unit: "KB", value: f.plain.memory, goal: lobby},
		{name: "  bot", unit: "KB", value: f.bot.memory, goal: lobby},
		{name: "  watch", unit: "KB", value: f.watch.memory, goal: lobby},
		{name: "  at a table with the computer", unit: "KB", value: f.table.memory},
		{name: "goroutines of a session", value: f.lobby.goroutines, echo: e.goroutines, goal: 8},
		{name: "CPU of a login", unit: "ms", value: ms(f.lobby.login), echo: ms(e.login), goal: 1.5, isRatio: true},
		{
			name: "CPU of a key in the lobby", unit: "µs", value: us(f.lobby.key), echo: us(e.key), goal: 1.6,
			isRatio: true,
		},
		{name: "  at a table", unit: "µs", value: us(f.table.key), echo: us(e.key)},
		{
			name: fmt.Sprintf("key to frame, p99, %d in the lobby", o.crowd), unit: "ms", value: ms(f.lobby.p99),
			echo: ms(e.p99), goal: 5, isRatio: true,
		},
		{name: "  at a table", unit: "ms", value: ms(f.table.p99), echo: ms(e.p99), goal: 5, isRatio: true},
		{name: "idle CPU without a session", unit: "%", value: f.idle, goal: 0.05},
		{
			name: fmt.Sprintf("  with %d in the lobby", o.sessions), unit: "%", value: f.lobby.rest, echo: e.rest,
			goal: 0.5,
		},
		{
			name: fmt.Sprintf("moves a second, %d matches", o.matches), value: f.moves, goal: 10_000, isMinimum: true,
		},
		{name: "  syncs of the disk a second", value: f.syncs},
		{name: "start with the archive", unit: "ms", value: ms(f.stopped), goal: 300},
		{name: "  after a crash", unit: "ms", value: ms(f.crashed), goal: 300},
		{name: "binary, stripped", unit: "MiB", value: float64(f.binary) / mib, goal: 26},
	}
}

// print writes the table in Markdown.
func (f *figures) print(out io.Writer, o options) error {
	fmt.Fprintf(out, "%d cores, %s, %s/%s, %d sessions, windows of %d s, load %s\n\n", runtime.NumCPU(),
		runtime.Version(), runtime.GOOS, runtime.GOARCH, o.sessions, o.seconds, load())
	table := tabwriter.NewWriter(out, 0, 0, 1, ' ', 0)
	fmt.Fprintln(table, "| figure\t| notakto\t| echo\t| ratio\t| goal\t| met\t|")
	fmt.Fprintln(table, "| ---\t| ---\t| ---\t| ---\t| ---\t| ---\t|")
	for _, r := range f.rows(o) {
		if r.value == 0 && o.only != "" { // not measured
			continue
		}
		fmt.Fprintln(table, r.text())
	}
	return table.Flush()
}

func (r row) text() string {
	var echo, ratio, goal, met string
	if r.echo > 0 {
		echo, ratio = amount(r.echo), fmt.Sprintf("x%.2f", r.value/r.echo)
	}
	isMet := r.value <= r.goal
	switch {
	case r.goal == 0:
	case r.isRatio:
		goal, isMet = fmt.Sprintf("x%g", r.goal), r.value <= r.goal*r.echo
	case r.isMinimum:
		goal, isMet = "≥ "+amount(r.goal), r.value >= r.goal
	default:
		goal = "≤ " + amount(r.goal)
	}
	if r.goal > 0 {
		met = "no"
		if isMet {
			met = "yes"
		}
	}
	name := r.name
	if r.unit != "" {
		name += ", " + r.unit
	}
	return fmt.Sprintf("| %s\t| %s\t| %s\t| %s\t| %s\t| %s\t|", name, amount(r.value), echo, ratio, goal, met)
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
