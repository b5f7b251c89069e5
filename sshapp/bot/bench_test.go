package bot

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"testing"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/manager"
)

// BenchmarkMatch measures a match of notakto/1 with five moves. Two bots play rematches.
func BenchmarkMatch(b *testing.B) {
	m := manager.New(manager.Config{Seed: 1})
	defer m.Close()
	done := make(chan error, 2)
	for _, p := range []match.Player{ann(), bob()} {
		in, say := io.Pipe()
		events, out := io.Pipe()
		go func() {
			_ = Serve(b.Context(), Config{Player: p, Manager: m, In: in, Out: out})
		}()
		go func() { done <- playRematches(events, say, b.N) }()
		defer func() {
			_ = say.Close()
			_ = events.Close()
		}()
	}
	b.ReportAllocs()
	for range 2 {
		testkit.OK(b, <-done)
	}
}

func playRematches(events io.Reader, say io.Writer, matches int) error {
	if _, err := fmt.Fprintln(say, `{"do":"seek","variant":"notakto/1"}`); err != nil {
		return err
	}
	seat, moves := 0, []string{"5", "1", "6", "7", "4"}
	for lines := bufio.NewScanner(events); matches > 0 && lines.Scan(); {
		var e struct {
			Event, Match    string
			Seat, Turn, Ply int
			Moves           []string // before the match event
		}
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			return err
		}
		var err error
		switch {
		case e.Event == "error":
			return fmt.Errorf("the bot is told %s", lines.Text())
		case e.Event == "end":
			matches--
			_, err = fmt.Fprintf(say, `{"do":"rematch","match":%q}`+"\n", e.Match)
		case e.Event == "match":
			seat = e.Seat
		}
		if err == nil && e.Turn != 0 && e.Turn == seat {
			_, err = fmt.Fprintf(say, `{"do":"move","match":%q,"move":%q}`+"\n", e.Match, moves[e.Ply+len(e.Moves)])
		}
		if err != nil {
			return err
		}
	}
	return nil
}
