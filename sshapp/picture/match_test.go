package picture_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/vt"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/rules"
	"notakto/sshapp/picture"
	"notakto/sshapp/render"
	"notakto/sshapp/tui"
	"notakto/sshapp/tui/draw"
)

// noon is the start of every match.
var noon = time.Date(2026, time.March, 1, 12, 0, 0, 0, time.UTC)

// historyOf returns the history of a game of <ann> and 明&, with five minutes between two events. If the game is not
// over, the second player resigns.
func historyOf(t testing.TB, game string) []match.State {
	t.Helper()
	g, err := rules.ParseGame(game)
	testkit.OK(t, err)
	events := []match.Event{
		{Kind: match.Opened, Terms: match.Terms{Variant: g.Variant}},
		{Kind: match.Seated, Seat: rules.First, Player: match.Player{ID: "a", Name: "<ann>"}},
		{Kind: match.Seated, Seat: rules.Second, Player: match.Player{ID: "b", Name: "明&"}},
	}
	for i, m := range g.Moves {
		events = append(events, match.Event{Kind: match.Moved, Seat: rules.Side(1 + i%2), Move: m},
			match.Event{Kind: match.Left, Seat: rules.First}, match.Event{Kind: match.Returned, Seat: rules.First})
	}
	if !g.Position.Outcome().IsOver() {
		events = append(events, match.Event{Kind: match.Resigned, Seat: rules.Second})
	}
	var history []match.State
	state := match.State{}
	for i, e := range events {
		e.Match, e.Seq, e.At = "c6zl3rq7s7", uint64(i+1), noon.Add(time.Duration(i-2)*5*time.Minute)
		if state, err = state.Apply(e); err != nil {
			t.Fatal(err)
		}
		history = append(history, state)
		if state.IsOver() {
			break
		}
	}
	return history
}

const shortGame = "notakto/1: A5 A1 A9"

func gridOf(s *match.State) *render.Grid {
	var grid render.Grid
	tui.RenderMatch(&grid, 80, 24, draw.NewTheme(draw.Auto, colorprofile.TrueColor, draw.Unicode), s)
	return &grid
}

// The card of a match shows the result with all words, in the colours of both backgrounds.
func TestCard(t *testing.T) {
	history := historyOf(t, shortGame)
	card := string(picture.MatchSVG(history, "play.example"))
	texts := textsOf(t, card)
	for word := range strings.FieldsSeq(gridOf(&history[len(history)-1]).String()) {
		if strings.ContainsAny(word, "─▀▄█") || word == "Notakto" {
			continue
		}
		testkit.Contains(t, texts, word)
	}
	const label, command = "Notakto: 明& won. <ann> made three in a row.", "ssh -t play.example watch c6zl3rq7s7"
	testkit.Contains(t, texts, label, command)
	light, dark, _ := strings.Cut(card, "@media")
	if !strings.Contains(light, "{fill:#8f5a00}") || !strings.Contains(dark, "{fill:#f2b84b}") {
		t.Errorf("no amber in\n%s", card)
	}
	testkit.Equal(t, string(picture.MatchSVG(history, "play.example")), card, "a second card differs")
	unknown := string(picture.MatchSVG(history, "HOST"))
	if !strings.Contains(unknown, "Notakto, match c6zl3rq7s7") || strings.Contains(unknown, "ssh") {
		t.Error("a card of an unknown server says how to get there")
	}
}

// castEvent is a line of an asciicast after the first.
type castEvent struct {
	after float64
	sent  string
}

// parsed reads an asciicast as a player of casts does.
func parsed(t *testing.T, cast []byte) (header map[string]any, events []castEvent) {
	t.Helper()
	for i, line := range strings.Split(strings.TrimSuffix(string(cast), "\n"), "\n") {
		var event [3]any
		into := any(&event)
		if i == 0 {
			into = &header
		}
		if err := json.Unmarshal([]byte(line), into); err != nil {
			t.Fatalf("line %d: %v in %q", i+1, err, line)
		}
		if i == 0 {
			continue
		}
		after, isNumber := event[0].(float64)
		sent, isText := event[2].(string)
		if !isNumber || event[1] != "o" || !isText {
			t.Fatalf("line %d is no output: %q", i+1, line)
		}
		events = append(events, castEvent{after, sent})
	}
	return header, events
}

// A terminal that plays a cast shows each position as a spectator saw it, and the result at the end.
func TestCast(t *testing.T) {
	for _, game := range []string{shortGame, "notakto/3: A5 B5 A1 B1 A9 C6", "tictactoe: 5 1", "notakto/2:"} {
		history := historyOf(t, game)
		header, events := parsed(t, picture.MatchCast(history, "play.example"))
		if header["version"] != 3.0 || header["timestamp"] != float64(noon.Unix()) || header["idle_time_limit"] != 2.0 {
			t.Errorf("%s: the header is %v", game, header)
		}
		shown := slices.DeleteFunc(slices.Clone(history[2:]), func(s match.State) bool {
			return !s.IsOver() && s.TurnSince != noon.Add(time.Duration(s.Seq-3)*5*time.Minute) // the turn is not new
		})
		if len(events) != len(shown)+1 {
			t.Fatalf("%s: %d events for %d positions", game, len(events), len(shown))
		}
		terminal := vt.NewEmulator(80, 24)
		defer terminal.Close()
		for i, e := range events[:len(shown)] {
			if _, err := terminal.Write([]byte(e.sent)); err != nil {
				t.Fatal(err)
			}
			if got, want := terminal.String(), gridOf(&shown[i]).String(); trimmed(got) != trimmed(want) {
				t.Errorf("%s: frame %d is\n%s\nwant\n%s", game, i, got, want)
			}
		}
		if first, second := events[0].after, events[1].after; first != 0 || second != 300 {
			t.Errorf("%s: the pauses begin with %g and %g seconds", game, first, second)
		}
		before := terminal.String()
		_, err := terminal.Write([]byte(events[len(shown)].sent))
		if err != nil || terminal.String() != before || terminal.IsAltScreen() {
			t.Errorf("%s: at its end the cast shows %v\n%s", game, err, terminal)
		}
	}
}

// trimmed removes the blanks at the ends of a screen's lines.
func trimmed(screen string) string {
	var lines []string
	for line := range strings.SplitSeq(screen, "\n") {
		lines = append(lines, strings.TrimRight(line, " "))
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

// The output for the longest match has a size limit.
func TestTheLongestMatchIsBounded(t *testing.T) {
	v, err := rules.Notakto(rules.MaxBoards)
	testkit.OK(t, err)
	position, game := v.Start(), v.String()+":"
	for !position.Outcome().IsOver() { // boards die as late as possible
		move := position.LegalMoves()[0]
		for _, m := range position.LegalMoves() {
			if next, err := position.Play(m); err == nil && !next.IsDead(int(m.Board)) {
				move = m
				break
			}
		}
		game += " " + v.FormatMove(move)
		if position, err = position.Play(move); err != nil {
			t.Fatal(err)
		}
	}
	history := historyOf(t, game)
	card, cast := picture.MatchSVG(history, "play.example"), picture.MatchCast(history, "play.example")
	if len(card) > 32<<10 || len(cast) > 64<<10 || bytes.Count(cast, []byte("\n")) != position.Plies()+3 {
		t.Errorf("%d moves are a card of %d bytes and a cast of %d", position.Plies(), len(card), len(cast))
	}
}
