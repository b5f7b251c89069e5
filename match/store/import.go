package store

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"notakto/match"
	"notakto/match/account"
	"notakto/match/internal/codec"
	"notakto/rules/strategy"
)

// The errors of [Import]. The lines before the one that failed are imported.
var (
	// ErrBadExport says that a line is not a line of an export.
	ErrBadExport = errors.New("the line is no exported match of this version")
	// ErrOtherContent says that the store has another match of the same name.
	ErrOtherContent = errors.New("there is another match of this name already")
	// ErrOtherAccounts says that a store has other accounts than an export.
	ErrOtherAccounts = errors.New("the server has accounts of its own: import into a new data directory")
)

// maxLine is the largest length of a line of an export, in bytes.
const maxLine = 1 << 20

// importing is the state of an import.
type importing struct {
	store    *Store
	accounts *account.Directory // nil before the first finished match; no events of accounts may be added after that
	stop     func()             // closes accounts
	batch    []*importedRow     // not committed yet
	names    map[match.ID]bool  // of the matches in batch
	there    []account.Event    // what the store had before the first event of accounts in the export
	next     uint64             // the sequence of the next event of accounts to add; 0 before the first
	added    int                // matches
	known    int                // matches that were there already
}

// importedRow is a match or an event of the accounts, from one line.
type importedRow struct {
	id         match.ID      // empty for an event of the accounts
	events     []match.Event // of the match
	isLive     bool          // the match goes into the log, not into the archive
	isFinished bool          // see the function isFinished
	state      match.State
	reviews    []strategy.MoveReview // if isFinished
	account    account.Event
	body       []byte   // the encoded record or event of the accounts
	bodies     [][]byte // the encoded events of a live match
}

// Import adds the matches and accounts of an export, which [Export], [ExportAll] or release 1.0 wrote. It returns the
// number of matches that it added, and of those that were there already. Other goroutines may use the store.
//
// Errors: [ErrBadExport], [ErrOtherContent], [ErrOtherAccounts], and those that wrap [match.ErrUnavailable]. The text
// of an error has a line number and the number of matches that were added. Lines are committed in batches, so a failed
// commit may concern an earlier line.
func Import(ctx context.Context, s *Store, r io.Reader) (added, known int, err error) {
	i := &importing{store: s, stop: func() {}, names: make(map[match.ID]bool)}
	defer func() { i.stop() }()
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	n := 1
	for ; err == nil && lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		if err = i.line(ctx, lines.Bytes()); err != nil {
			break
		}
	}
	if err == nil && errors.Is(lines.Err(), bufio.ErrTooLong) {
		err = fmt.Errorf("%w: it has more than %d bytes", ErrBadExport, maxLine)
	}
	err = cmp.Or(err, lines.Err())
	if failed := i.flush(ctx); err == nil {
		err = failed
	}
	if err != nil {
		err = fmt.Errorf("line %d: %w; %d matches were added before it", n, err, i.added)
	}
	return i.added, i.known, err
}

// line adds what a line holds to the batch, unless the store has it.
func (i *importing) line(ctx context.Context, line []byte) error {
	var form struct {
		Format string `json:"format"`
	}
	if err := json.Unmarshal(line, &form); err != nil {
		return fmt.Errorf("%w: %w", ErrBadExport, err)
	}
	switch form.Format {
	case exportFormat:
		var m exported
		if err := json.Unmarshal(line, &m); err != nil {
			return fmt.Errorf("%w: %w", ErrBadExport, err)
		}
		return i.finished(ctx, m)
	case liveFormat:
		var m exportedLive
		if err := json.Unmarshal(line, &m); err != nil {
			return fmt.Errorf("%w: %w", ErrBadExport, err)
		}
		return i.live(ctx, m)
	case accountFormat:
		var e exportedAccount
		if err := json.Unmarshal(line, &e); err != nil {
			return fmt.Errorf("%w: %w", ErrBadExport, err)
		}
		return i.account(ctx, e)
	default:
		return fmt.Errorf("%w (it has the format %.40q)", ErrBadExport, form.Format)
	}
}

// decode returns the events of a record of a match. The error is [ErrBadExport] if no server can have written them.
func (i *importing) decode(id match.ID, record []byte) ([]match.Event, error) {
	r, err := codec.DecodeRecord(record)
	if err != nil || r.ID != id || !isName(string(id)) || len(r.Events) == 0 {
		return nil, fmt.Errorf("%w (%.40q)", ErrBadExport, id)
	}
	if err := checkWritable(r.Events); err != nil {
		return nil, fmt.Errorf("%w: %w (%s)", ErrBadExport, err, id)
	}
	return r.Events, nil
}

// openAccounts commits the batch and opens the directory of accounts, if it is not open.
func (i *importing) openAccounts(ctx context.Context) (err error) {
	if i.accounts != nil {
		return nil
	}
	if err := i.flush(ctx); err != nil {
		return err
	}
	accounts, stop, err := account.Open(ctx, i.store.Accounts(), nil, i.store.Now)
	if err == nil {
		i.accounts, i.stop = accounts, stop
	}
	return err
}

func (i *importing) finished(ctx context.Context, m exported) error {
	events, err := i.decode(m.Match, m.Record)
	if err == nil {
		err = i.openAccounts(ctx)
	}
	if err != nil {
		return err
	}
	again, ok, err := exportOf(func(p match.Player) match.Player { return p }, events)
	if err != nil || !ok || !again.isSame(m) {
		return fmt.Errorf("%w: its record is of another game (%s)", ErrBadExport, m.Match)
	}
	there, err := i.lookUp(ctx, m.Match)
	if err != nil {
		return err
	}
	if there != nil {
		// A player may have been deleted since the export.
		shown, _, err1 := exportOf(i.accounts.Shown, events)
		other, ok, err2 := exportOf(i.accounts.Shown, there)
		if err1 != nil || err2 != nil || !ok || !other.isSame(shown) {
			return fmt.Errorf("%w (%s)", ErrOtherContent, m.Match)
		}
		i.known++
		return nil
	}
	row := &importedRow{id: m.Match, events: events, state: again.state, body: m.Record}
	return i.add(ctx, row)
}

func (i *importing) live(ctx context.Context, m exportedLive) error {
	events, err := i.decode(m.Match, m.Record)
	if err != nil {
		return err
	}
	there, err := i.lookUp(ctx, m.Match)
	if err != nil {
		return err
	}
	if there != nil {
		same, err := codec.EncodeRecord(codec.Record{ID: m.Match, Events: there[:min(len(there), len(events))]})
		if err != nil || !bytes.Equal(same, m.Record) {
			return fmt.Errorf("%w (%s)", ErrOtherContent, m.Match)
		}
		i.known++
		return nil
	}
	row := &importedRow{id: m.Match, events: events, isLive: true}
	log := liveMatch{}
	for _, e := range events {
		body, err := codec.EncodeEvents([]match.Event{e})
		if err != nil {
			return fmt.Errorf("%w: %w", ErrBadExport, err)
		}
		row.bodies = append(row.bodies, body)
		log.fold(e)
	}
	if !log.isOdd {
		row.state = log.state
	}
	return i.add(ctx, row)
}

// lookUp returns the events of a match in the store; nil if the store has no match of this name.
func (i *importing) lookUp(ctx context.Context, id match.ID) ([]match.Event, error) {
	if i.names[id] {
		if err := i.flush(ctx); err != nil {
			return nil, err
		}
	}
	events, err := i.store.Load(ctx, id, 0)
	if errors.Is(err, match.ErrNoSuchMatch) {
		return nil, nil
	}
	return events, err
}

func (i *importing) account(ctx context.Context, e exportedAccount) error {
	event, err := account.Decode(e.Entry)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrBadExport, err)
	}
	if i.next == 0 {
		i.there = i.store.accountEvents()
		i.next = uint64(len(i.there)) + 1
	}
	switch {
	case e.Seq == i.next && i.accounts == nil:
		event.Seq, event.At = e.Seq, e.At
		i.next++
		return i.add(ctx, &importedRow{account: event, body: e.Entry})
	case e.Seq == 0 || e.Seq > uint64(len(i.there)):
		return fmt.Errorf("%w: event %d of the accounts stands in the place of event %d", ErrBadExport, e.Seq, i.next)
	}
	there, err := account.Encode(i.there[e.Seq-1])
	var same bytes.Buffer
	if err != nil || json.Compact(&same, e.Entry) != nil || !bytes.Equal(there, same.Bytes()) {
		return ErrOtherAccounts
	}
	return nil
}

// add adds a row to the batch, and commits the batch when it is full.
func (i *importing) add(ctx context.Context, row *importedRow) error {
	if row.isFinished = isFinished(&row.state); row.isFinished {
		row.reviews = strategy.Review(row.state.Start, row.state.Moves)
	}
	if i.batch = append(i.batch, row); row.id != "" {
		i.names[row.id] = true
	}
	if len(i.batch) < maxHeavy {
		return nil
	}
	return i.flush(ctx)
}

// flush commits the batch. After an error the rows of the batch are dropped.
func (i *importing) flush(ctx context.Context) error {
	batch := i.batch
	i.batch = nil
	clear(i.names)
	if len(batch) == 0 {
		return nil
	}
	s := i.store
	err := s.do(ctx, &request{keys: []string{accountKey}, isHeavy: true, ask: func(g *group) {
		for _, row := range batch {
			if row.id != "" {
				g.known.askArchived(row.id)
			}
			if row.isFinished {
				g.known.askRatings(&row.state)
			}
		}
	}, decide: func(g *group) error {
		for n, end := 0, uint64(len(s.memory.accounts)); n < len(batch); n++ {
			switch row := batch[n]; {
			case row.id == "" && row.account.Seq != end+1:
				return account.Conflict(row.account.Seq)
			case row.id == "":
				end++
			case g.known.archived[row.id] || s.memory.live[row.id] != nil:
				return fmt.Errorf("%w (%s)", ErrOtherContent, row.id)
			}
		}
		for _, row := range batch {
			if e := row.account; row.id == "" {
				g.addAt(e.At, accountRow, string(e.Account), int64(e.Seq), row.body)
			} else {
				row.addMatch(g)
			}
		}
		return nil
	}})
	for _, row := range batch {
		if err == nil && row.id != "" {
			i.added++
		}
	}
	return err
}

// importedSeq is the seq of an imported record, instead of the number of events. So no server delivers these events.
const importedSeq = 0

// addMatch adds the rows and the history of a match to a group.
func (row *importedRow) addMatch(g *group) {
	if row.isLive {
		for n, e := range row.events {
			g.addAt(e.At, eventRow, string(row.id), int64(e.Seq), row.bodies[n])
		}
	} else {
		g.add(archiveRow, string(row.id), importedSeq, row.body)
	}
	if row.isFinished {
		g.results.add(g, &row.state, row.reviews, g.position)
	}
}

// The longest name and identifier that a server records, in bytes, and how far the clocks of servers may differ.
const (
	maxNameBytes = 256
	maxIDBytes   = 128
	clocksDiffer = time.Hour
)

// checkWritable returns an error if no server can have recorded the events. Their names are shown to players, so they
// must be printable; times must not lie in the future.
func checkWritable(events []match.Event) error {
	for _, e := range events {
		switch name := e.Player.Name; {
		case !utf8.ValidString(name), len(name) > maxNameBytes,
			strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }):
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
