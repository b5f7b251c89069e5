package store

import (
	"bufio"
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

	"notakto/match"
	"notakto/match/account"
	"notakto/match/internal/codec"
	"notakto/rules"
)

const (
	exportFormat   = "notakto-match/1"         // a finished match
	liveFormat     = "notakto-live/1"          // a live match, in progress or over
	accountFormat  = "notakto-account-event/1" // an event of the accounts
	progressFormat = "notakto-progress/1"      // a row of the progress of an account
)

// exported is a finished match as a line of an export. docs/commands.md promises its fields and their order.
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

	state match.State
}

type exportedPlayer struct {
	Account match.PlayerID `json:"account"`
	Name    string         `json:"name"`
}

type exportedLive struct {
	Format string   `json:"format"`
	Match  match.ID `json:"match"`
	Record []byte   `json:"record"` // the events until now
}

type exportedAccount struct {
	Format string          `json:"format"`
	Seq    uint64          `json:"seq"`
	At     time.Time       `json:"at"`
	Entry  json.RawMessage `json:"entry"` // as [account.Encode] returns it
}

// Export writes the finished matches that ended at the time since or later, and returns their number. Archived matches
// come first, then matches that are not archived, by the times of their last events. Export writes a line of JSON for
// each match, or the tag pairs and the notation of the game if text is set.
//
// A deleted account is written as other players see it. Matches that never began or cannot be read are left out.
// Other goroutines may use the store.
func Export(ctx context.Context, s *Store, w io.Writer, since time.Time, text bool) (n int, err error) {
	accounts, stop, err := account.Open(ctx, s.Accounts(), nil, s.Now)
	if err != nil {
		return 0, err
	}
	defer stop()
	out := bufio.NewWriter(w)
	write := func(events []match.Event) error {
		m, ok, err := exportOf(accounts.Shown, events)
		if err != nil || !ok || m.Ended.Before(since) {
			return err
		}
		n++
		if text {
			return m.writeText(out)
		}
		return writeLine(out, m)
	}
	var live [][]match.Event
	err = s.eachMatch(ctx, func(m storedMatch) error {
		if m.isArchived {
			return write(m.events)
		}
		if m.damage == nil {
			live = append(live, m.events)
		}
		return nil
	})
	sortByEnd(live)
	for _, events := range live {
		if err == nil {
			err = write(events)
		}
	}
	return n, errors.Join(err, out.Flush())
}

// ExportAll writes everything that another store needs to continue. First come the events of accounts, then the
// finished matches in the order of their ends because ratings depend on it, the matches in progress, and the progress
// of accounts. ExportAll leaves out unreadable matches, archived matches that never began, and the progress of deleted
// accounts.
//
// No other goroutine or server may use the store until ExportAll returns. The error is [match.ErrDamaged] if an
// event of the accounts cannot be read.
func ExportAll(ctx context.Context, s *Store, w io.Writer) error {
	out := bufio.NewWriter(w)
	for _, e := range s.accountEvents() {
		if e.Kind == account.Unreadable {
			return fmt.Errorf("%w: event %d of the accounts", match.ErrDamaged, e.Seq)
		}
		entry, err := account.Encode(e)
		if err == nil {
			err = writeLine(out, exportedAccount{accountFormat, e.Seq, e.At.UTC(), entry})
		}
		if err != nil {
			return err
		}
	}
	directory, stop, err := account.Open(ctx, s.Accounts(), nil, s.Now)
	if err != nil {
		return err
	}
	defer stop()
	type ended struct {
		at     time.Time
		id     match.ID
		isLive bool
	}
	var over []ended
	var live [][]match.Event
	err = s.eachMatch(ctx, func(m storedMatch) error {
		one, isOver, _ := exportOf(directory.Shown, m.events) // a match that cannot be encoded is not over
		switch {
		case isOver:
			over = append(over, ended{one.state.EndedAt, m.id, !m.isArchived})
		case !m.isArchived && m.damage == nil:
			live = append(live, m.events)
		}
		return nil
	})
	if err != nil {
		return err
	}
	slices.SortFunc(over, func(a, b ended) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.id, b.id)) })
	for _, m := range over {
		events, err := s.Load(ctx, m.id, 0)
		if err == nil && m.isLive {
			err = writeLive(out, events)
		} else if err == nil {
			var one exported
			if one, _, err = exportOf(directory.Shown, events); err == nil {
				err = writeLine(out, one)
			}
		}
		if err != nil {
			return err
		}
	}
	sortByEnd(live)
	for _, events := range live {
		if err := writeLive(out, events); err != nil {
			return err
		}
	}
	if err := s.exportProgress(ctx, directory, out); err != nil {
		return err
	}
	return out.Flush()
}

const progressPage = 1000 // rows

// exportProgress writes the progress of all accounts that are not erased. It reads in pages and writes between them,
// because PostgreSQL counts the time of a slow writer as that of the statement.
func (s *Store) exportProgress(ctx context.Context, directory *account.Directory, w io.Writer) error {
	query := selectProgress + fmt.Sprintf(
		`WHERE (p.account, p.kind, p.item) > ($1, $2, $3) ORDER BY p.account, p.kind, p.item LIMIT %d`, progressPage)
	rows := []progressRow{{}}
	for len(rows) > 0 {
		last := rows[len(rows)-1]
		rows = nil
		err := s.Progress().each(ctx, query, []any{string(last.Account), last.Kind, last.Item}, func(scan scan) error {
			r := progressRow{Format: progressFormat}
			err := r.scan(scan, new([2]match.Player))
			rows = append(rows, r)
			return err
		})
		if err != nil {
			return err
		}
		for _, r := range rows {
			if directory.Shown(match.Player{ID: r.Account}).ID != r.Account {
				continue
			}
			r.At = r.At.UTC()
			if err := writeLine(w, r); err != nil {
				return err
			}
		}
	}
	return nil
}

func writeLive(w io.Writer, events []match.Event) error {
	record, err := codec.EncodeRecord(codec.Record{ID: events[0].Match, Events: events})
	if err != nil {
		return err
	}
	return writeLine(w, exportedLive{liveFormat, events[0].Match, record})
}

func sortByEnd(logs [][]match.Event) {
	slices.SortFunc(logs, func(a, b []match.Event) int {
		return cmp.Or(a[len(a)-1].At.Compare(b[len(b)-1].At), cmp.Compare(a[0].Match, b[0].Match))
	})
}

func writeLine(w io.Writer, line any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(line)
}

// exportOf returns a match for an export, with the players as shown returns them. ok is false if the match did not
// begin, is not over, or cannot be read.
func exportOf(shown func(match.Player) match.Player, events []match.Event) (m exported, ok bool, err error) {
	state, began := match.State{}, time.Time{}
	events = slices.Clone(events)
	for i := range events {
		events[i].Player = shown(events[i].Player)
		if state, err = state.Apply(events[i]); err != nil {
			return m, false, nil
		}
		if began.IsZero() && state.HasStarted() {
			began = events[i].At
		}
	}
	if !state.HasStarted() || !state.IsOver() {
		return m, false, nil
	}
	m = exported{
		Format: exportFormat, Match: state.ID, Variant: state.Variant.String(), Began: began.UTC().Truncate(time.Millisecond),
		Ended: state.EndedAt.UTC().Truncate(time.Millisecond), Winner: state.Outcome.Winner,
		Reason: state.Outcome.Reason.String(), Game: gameOf(&state), state: state,
	}
	for i, side := range rules.Sides() {
		p := state.Seat(side).Player
		m.Players[i] = exportedPlayer{p.ID, p.Name}
	}
	m.Record, err = codec.EncodeRecord(codec.Record{ID: state.ID, Events: events})
	return m, err == nil, err
}

// isSame reports whether two exports describe one match alike. Their records may differ, because a match can be
// exported before its table closes.
func (m exported) isSame(other exported) bool {
	m.Record, other.Record = nil, nil
	m.state, other.state = match.State{}, match.State{}
	return reflect.DeepEqual(m, other)
}

// gameOf returns the notation of a match from the empty boards. The first moves are the marks of the
// opening, an even number. The moves of the match follow.
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
