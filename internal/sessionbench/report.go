package main

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"
	"time"
)

// Result is the measurements of one server.
type Result struct {
	Server        string        `json:"server"`
	Memory        int64         `json:"memory_bytes_a_session"`          // resident, after a collection
	Lobby         int64         `json:"memory_bytes_a_session_in_lobby"` // 0 if the table is the first screen
	Played        int64         `json:"memory_bytes_a_session_after_keys"`
	Grown         int64         `json:"memory_bytes_a_session_grown"` // resident, directly after the logins
	Heap          int64         `json:"heap_bytes_a_session"`
	Stacks        int64         `json:"stack_bytes_a_session"`
	Goroutines    float64       `json:"goroutines_a_session"`
	OpenSeconds   float64       `json:"seconds_to_first_frame_of_all"`
	IdleCPU       float64       `json:"idle_cpu_percent"`
	IdleBytes     int64         `json:"idle_bytes"` // sent by the server in the idle window, all sessions together
	Keys          int           `json:"keys"`
	KeysPerSecond float64       `json:"keys_per_second_reached"`
	Unanswered    int           `json:"keys_unanswered"`
	P50           time.Duration `json:"key_to_frame_p50_ns"`
	P99           time.Duration `json:"key_to_frame_p99_ns"`
	QuietSeconds  int           `json:"quiet_seconds"` // in which other processes used less than a tenth of a core
	QuietP50      time.Duration `json:"key_to_frame_p50_ns_quiet"`
	QuietP99      time.Duration `json:"key_to_frame_p99_ns_quiet"`
	LoadCPU       float64       `json:"load_cpu_percent"`
	ClientCPU     float64       `json:"clients_load_cpu_percent"`
	OtherCPU      float64       `json:"others_load_cpu_percent"` // all other processes of the machine
	KeyBytes      float64       `json:"bytes_a_cursor_move"`
	InsideBytes   float64       `json:"bytes_a_cursor_move_inside_a_board"`
	AcrossBytes   float64       `json:"bytes_a_cursor_move_to_another_board"`
	MoveBytes     float64       `json:"bytes_a_move_played"` // 0 if the server has no moves
	AnswerBytes   float64       `json:"bytes_an_answer"`     // the opponent's move; 0 if the server has no opponent
}

// Report is a whole run.
type Report struct {
	Options Options  `json:"options"`
	Results []Result `json:"results"`
}

// row is one figure of a result: its name, its text, and, if it is comparable with the echo's, its number.
type row struct {
	name   string
	text   func(Result) string
	number func(Result) float64
}

func rows() []row {
	return []row{
		{"memory a session", func(r Result) string {
			return kilobytes(r.Memory)
		}, func(r Result) float64 { return float64(r.Memory) }},
		{"  in the lobby", func(r Result) string {
			return kilobytes(r.Lobby)
		}, func(r Result) float64 { return float64(r.Lobby) }},
		{"  after the keys", func(r Result) string {
			return kilobytes(r.Played)
		}, func(r Result) float64 { return float64(r.Played) }},
		{"  before a collection", func(r Result) string {
			return kilobytes(r.Grown)
		}, func(r Result) float64 { return float64(r.Grown) }},
		{"  heap, stacks", func(r Result) string { return kilobytes(r.Heap) + ", " + kilobytes(r.Stacks) }, nil},
		{"  goroutines", func(r Result) string { return fmt.Sprintf("%.1f", r.Goroutines) }, nil},
		{"first frame of all", func(r Result) string { return fmt.Sprintf("%.1f s", r.OpenSeconds) }, nil},
		{"idle CPU", func(r Result) string { return percent(r.IdleCPU) }, func(r Result) float64 { return r.IdleCPU }},
		{"  bytes sent while idle", func(r Result) string { return fmt.Sprint(r.IdleBytes) }, nil},
		{"key to frame p50", func(r Result) string {
			return milliseconds(r.P50)
		}, func(r Result) float64 { return float64(r.P50) }},
		{"key to frame p99", func(r Result) string {
			return milliseconds(r.P99)
		}, func(r Result) float64 { return float64(r.P99) }},
		{"  in quiet seconds", Result.quiet, nil},
		{"  keys a second", func(r Result) string { return fmt.Sprintf("%.0f", r.KeysPerSecond) }, nil},
		{"  keys unanswered", func(r Result) string { return fmt.Sprint(r.Unanswered) }, nil},
		{"  CPU, server", func(r Result) string { return percent(r.LoadCPU) }, func(r Result) float64 { return r.LoadCPU }},
		{"  CPU, clients", func(r Result) string { return percent(r.ClientCPU) }, nil},
		{"  CPU, others", func(r Result) string { return percent(r.OtherCPU) }, nil},
		{"bytes a cursor move", func(r Result) string { return size(r.KeyBytes) }, nil},
		{"  inside a board", func(r Result) string { return size(r.InsideBytes) }, nil},
		{"  to another board", func(r Result) string { return size(r.AcrossBytes) }, nil},
		{"bytes a move played", func(r Result) string { return size(r.MoveBytes) }, nil},
		{"bytes an opponent's move", func(r Result) string { return size(r.AnswerBytes) }, nil},
	}
}

// quiet returns the time to a frame while no other program was busy.
func (r Result) quiet() string {
	if r.QuietSeconds == 0 {
		return "none"
	}
	return fmt.Sprintf("%s, %s (%d s)", milliseconds(r.QuietP50), milliseconds(r.QuietP99), r.QuietSeconds)
}

func size(count float64) string {
	if count == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f", count)
}

func kilobytes(bytes int64) string {
	if bytes == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f KB", float64(bytes)/1024)
}

func percent(share float64) string { return fmt.Sprintf("%.2f %%", share) }

func milliseconds(d time.Duration) string {
	return fmt.Sprintf("%.2f ms", float64(d)/float64(time.Millisecond))
}

// print writes the figures of one server, one per line.
func (r Result) print(out io.Writer) {
	fmt.Fprintln(out, r.Server)
	for _, row := range rows() {
		fmt.Fprintf(out, "  %-26s%s\n", row.name, row.text(r))
	}
}

func (r Report) printJSON(out io.Writer) error {
	encoder := json.NewEncoder(out)
	encoder.SetIndent("", "  ")
	return encoder.Encode(r)
}

// printTable writes all servers side by side, each figure with its ratio to the echo's if that was measured.
func (r Report) printTable(out io.Writer) error {
	o := r.Options
	fmt.Fprintf(out, "\n%d sessions, %dx%d, %d keys a second for %d s; CPU in percent of one core\n\n",
		o.Sessions, o.Width, o.Height, o.Rate, o.Seconds)
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, result := range r.Results {
		fmt.Fprintf(table, "\t%s\tto echo", result.Server)
	}
	fmt.Fprintln(table)
	floor := r.floor()
	for _, row := range rows() {
		fmt.Fprint(table, row.name)
		for _, result := range r.Results {
			fmt.Fprintf(table, "\t%s\t%s", row.text(result), row.ratio(result, floor))
		}
		fmt.Fprintln(table)
	}
	return table.Flush()
}

// floor returns the echo's result, or nil if it was not measured.
func (r Report) floor() *Result {
	for i := range r.Results {
		if r.Results[i].Server == "echo" {
			return &r.Results[i]
		}
	}
	return nil
}

func (r row) ratio(result Result, floor *Result) string {
	if floor == nil || r.number == nil || r.number(*floor) == 0 {
		return ""
	}
	return fmt.Sprintf("x%.1f", r.number(result)/r.number(*floor))
}
