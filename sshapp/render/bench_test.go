package render

import "testing"

// One key changes a cell of the cursor in two lines.
func BenchmarkDrawOneCell(b *testing.B) {
	one := table{cursor: "A5", marks: map[string]bool{"A1": true, "B7": true}}.frame()
	other := cloned(one)
	other.Grid.Text(20, one.Grid.Height()-1, 0, "X")
	benchmarkDraw(b, one, other)
}

func BenchmarkDrawCursorMove(b *testing.B) {
	marks := map[string]bool{"A1": true, "B7": true}
	benchmarkDraw(b, table{cursor: "A5", marks: marks}.frame(), table{cursor: "A6", marks: marks}.frame())
}

func benchmarkDraw(b *testing.B, frames ...Frame) {
	b.Helper()
	s := NewScreen(FromTerm("xterm-256color"), 80, 24)
	var buffer []byte
	n := 0
	b.ReportAllocs()
	for b.Loop() {
		buffer = s.Draw(buffer[:0], frames[n%len(frames)])
		n++
	}
	b.ReportMetric(float64(len(buffer)), "bytes/draw")
}

func BenchmarkRepaint(b *testing.B) {
	f := table{cursor: "A5", marks: map[string]bool{"A1": true, "B7": true}}.frame()
	s := NewScreen(FromTerm("xterm-256color"), 80, 24)
	var buffer []byte
	b.ReportAllocs()
	for b.Loop() {
		s.Resize(80, 24)
		buffer = s.Draw(buffer[:0], f)
	}
	b.ReportMetric(float64(len(buffer)), "bytes/draw")
}

// Every line of both frames is unpacked and compared.
func BenchmarkEveryLineChanges(b *testing.B) {
	one := table{cursor: "A5"}.frame()
	other := table{cursor: "C1", dead: "ABC", marks: map[string]bool{"A1": true, "B5": true, "C9": true}}.frame()
	benchmarkDraw(b, one, other)
}
