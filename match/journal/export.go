package journal

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"notakto/match"
	"notakto/match/internal/codec"
	"notakto/rules"
)

// exportFormat names the form of an exported match.
const exportFormat = "notakto-match/1"

// The errors of an import. The matches of the lines before are imported.
var (
	// ErrBadExport says that a line is no exported match.
	ErrBadExport = errors.New("the line is no exported match of this version")
	// ErrOtherContent says that another match of the same name is there.
	ErrOtherContent = errors.New("there is another match of this name already")
)

// exported is a finished match as a line of an export. Its fields and their order are a promise (docs/commands.md).
type exported struct {
	Format  string            `json:"format"`
	Match   match.ID          `json:"match"`
	Variant string            `json:"variant"`
	Players [2]exportedPlayer `json:"players"`
	Began   time.Time         `json:"began"`
	Ended   time.Time         `json:"ended"`
	Winner  rules.Side        `json:"winner"`
	Reason  string            `json:"reason"`
	Game    string            `json:"game"`
	Record  []byte            `json:"record"` // all events, for an import
}

type exportedPlayer struct {
	Account match.PlayerID `json:"account"`
	Name    string         `json:"name"`
}

// Export writes every match that began and has ended at a time or later, oldest first, and returns how many those are:
// one JSON object a line, or tag pairs and the notation of the game. A deleted account is shown as to other players.
// Matches that cannot be read are left out. Other goroutines may use the store.
func Export(ctx context.Context, s *Store, w io.Writer, since time.Time, text bool) (n int, err error) {
	out := bufio.NewWriter(w)
	write := func(events []match.Event) error {
		m, ok, err := s.exportOf(events)
		if err != nil || !ok || m.Ended.Before(since) {
			return err
		}
		n++
		if text {
			return m.writeText(out)
		}
		line := json.NewEncoder(out)
		line.SetEscapeHTML(false)
		return line.Encode(m)
	}
	others, err := readAll(ctx, s, 0, func(m match.ArchivedMatch) error { return write(m.Events) })
	var rest [][]match.Event
	for _, log := range others {
		if len(log.events) > 0 && log.damage == nil {
			rest = append(rest, log.events)
		}
	}
	slices.SortFunc(rest, func(a, b []match.Event) int {
		return cmp.Or(a[len(a)-1].At.Compare(b[len(b)-1].At), cmp.Compare(a[0].Match, b[0].Match))
	})
	for _, events := range rest {
		if err == nil {
			err = write(events)
		}
	}
	return n, errors.Join(err, out.Flush())
}

// exportOf returns a match for an export, unless it did not begin or is not over.
func (s *Store) exportOf(events []match.Event) (m exported, ok bool, err error) {
	state, began := match.State{}, time.Time{}
	events = slices.Clone(events)
	for i := range events {
		events[i].Player = s.accounts.Shown(events[i].Player)
		if state, err = state.Apply(events[i]); err != nil {
			return m, false, nil // it cannot be read
		}
		if began.IsZero() && state.Started() {
			began = events[i].At
		}
	}
	if !state.Started() || !state.Over() {
		return m, false, nil
	}
	m = exported{
		Format: exportFormat, Match: state.ID, Variant: state.Variant.String(), Began: began.UTC().Truncate(time.Millisecond),
		Ended: state.EndedAt.UTC().Truncate(time.Millisecond), Winner: state.Outcome.Winner,
		Reason: state.Outcome.Reason.String(), Game: gameOf(&state),
	}
	for i, side := range rules.Sides() {
		p := state.SeatState(side).Player
		m.Players[i] = exportedPlayer{p.ID, p.Name}
	}
	m.Record, err = codec.EncodeRecord(codec.Record{ID: state.ID, Events: events})
	return m, err == nil, err
}

// isSame reports whether two exports tell the same of a match. What happened after its end may differ: it can be
// exported before its table closes.
func (m exported) isSame(other exported) bool {
	m.Record, other.Record = nil, nil
	return reflect.DeepEqual(m, other)
}

// gameOf returns the notation of a match from the empty boards. The marks of an opening, of which there are as many of
// each player, come first.
func gameOf(s *match.State) string {
	game := rules.Game{Variant: s.Variant}
	for board := range s.Variant.Boards() {
		for cell := rules.Cell(1); cell <= 9; cell++ {
			if s.Start.At(board, cell) != rules.Empty {
				game.Moves = append(game.Moves, rules.Move{Board: uint8(board), Cell: cell})
			}
		}
	}
	game.Moves = append(game.Moves, s.Moves...)
	return game.String()
}

// writeText writes a match as tag pairs, a line with its game, and an empty line.
func (m *exported) writeText(w io.Writer) error {
	var b strings.Builder
	for _, tag := range [...][2]string{
		{"Match", string(m.Match)}, {"Variant", m.Variant}, {"First", m.Players[0].Name}, {"Second", m.Players[1].Name},
		{"Began", m.Began.Format(time.RFC3339)}, {"Ended", m.Ended.Format(time.RFC3339)},
		{"Winner", fmt.Sprint(int(m.Winner))}, {"Reason", m.Reason},
	} {
		fmt.Fprintf(&b, "[%s %q]\n", tag[0], tag[1])
	}
	_, err := io.WriteString(w, b.String()+m.Game+"\n\n")
	return err
}

// maxLine is how long a line of an export may be: its record is in base64, and the game in it once more.
const maxLine = 4 * maxRecord

// Import puts the matches of an export, as JSON, into the archive. It returns how many it added, and how many were
// there already. [ErrBadExport], [ErrOtherContent], and those that wrap [match.ErrUnavailable]; the error names the
// line, and says how many matches were added before it. It reads no more than a line ahead. Other goroutines may use
// the store.
func Import(ctx context.Context, s *Store, r io.Reader) (added, known int, err error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	n := 1
	for ; err == nil && lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		var isNew bool
		if isNew, err = importLine(ctx, s, lines.Bytes()); err != nil {
			break
		}
		if isNew {
			added++
		} else {
			known++
		}
	}
	if err == nil && errors.Is(lines.Err(), bufio.ErrTooLong) {
		err = fmt.Errorf("%w: it has more than %d bytes", ErrBadExport, maxLine)
	}
	if err = cmp.Or(err, lines.Err()); err != nil {
		err = fmt.Errorf("line %d: %w; %d matches were added before it", n, err, added)
	}
	return added, known, err
}

// importLine adds a match unless it is there.
func importLine(ctx context.Context, s *Store, line []byte) (isNew bool, err error) {
	var m exported
	if err := json.Unmarshal(line, &m); err != nil {
		return false, fmt.Errorf("%w: %w", ErrBadExport, err)
	}
	return importMatch(ctx, s, m)
}

// importMatch adds a match unless it is there.
func importMatch(ctx context.Context, s *Store, m exported) (isNew bool, err error) {
	r, err := codec.DecodeRecord(m.Record)
	if err != nil || m.Format != exportFormat || r.ID != m.Match || !nameable(r.ID) {
		return false, fmt.Errorf("%w (%.40q)", ErrBadExport, m.Match)
	}
	if err := isWritable(r.Events); err != nil {
		return false, fmt.Errorf("%w: %w (%s)", ErrBadExport, err, m.Match)
	}
	if again, ok, err := s.exportOf(r.Events); err != nil || !ok || !again.isSame(m) {
		return false, fmt.Errorf("%w: its record is of another game (%s)", ErrBadExport, m.Match)
	}
	events, err := s.Load(ctx, r.ID, 0)
	if err == nil {
		there, ok, err := s.exportOf(events)
		if err == nil && (!ok || !there.isSame(m)) {
			err = fmt.Errorf("%w (%s)", ErrOtherContent, r.ID)
		}
		return false, err
	}
	if !errors.Is(err, match.ErrNoSuchMatch) {
		return false, err
	}
	return true, s.archiver.store(ctx, codec.Record{ID: r.ID, Events: r.Events})
}

// The bounds of what a server writes itself about a player, in bytes, and how far the clocks of servers may differ.
const (
	maxNameBytes = 256
	maxIDBytes   = 128
	clocksDiffer = time.Hour
)

// isWritable returns why events are not those of a match that a server has recorded: the names in them are shown to
// players, and the times of matches are compared with the time of today.
func isWritable(events []match.Event) error {
	for _, e := range events {
		switch name := e.Player.Name; {
		case !utf8.ValidString(name), len(name) > maxNameBytes, strings.ContainsFunc(name, isUnprintable):
			return fmt.Errorf("a player cannot have the name %.60q", name)
		case e.At.After(time.Now().Add(clocksDiffer)):
			return fmt.Errorf("it is of %s, which is to come", e.At.UTC().Format(time.RFC3339))
		}
		for _, id := range [...]string{string(e.Player.ID), string(e.Code), string(e.Next), string(e.Node)} {
			if len(id) > maxIDBytes || strings.ContainsFunc(id, func(r rune) bool { return r < ' ' || '~' < r }) {
				return fmt.Errorf("no server gives the identifier %.60q", id)
			}
		}
	}
	return nil
}

func isUnprintable(r rune) bool { return !unicode.IsPrint(r) }
