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
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"notakto/match"
	"notakto/match/account"
	"notakto/match/internal/codec"
	"notakto/match/progress"
	"notakto/rules/strategy"
)

// Errors of [Import].
var (
	// ErrBadExport says that a line is not a line of an export.
	ErrBadExport = errors.New("the line is not an exported match of this version")
	// ErrDifferentMatch says that the store has a different match with that ID.
	ErrDifferentMatch = errors.New("there is another match of this name already")
	// ErrDifferentAccounts says that the store has other accounts than the export.
	ErrDifferentAccounts = errors.New("the server has accounts of its own: import into a new data directory")
)

// maxImportBatch is the number of matches and account events that a commit imports.
const maxImportBatch = 50

// maxLine is the largest length of a line of an export in bytes.
const maxLine = 1 << 20

type importer struct {
	store    *Store
	accounts *account.Directory // nil until a finished match or progress. Import adds no account event after that.
	stop     func()
	batch    []*importedItem
	names    map[match.ID]bool // of the matches in batch
	progress []progressRow
	existing []account.Event // events that the store had before the import
	next     uint64          // sequence of the next event of the accounts, 0 before the first
	added    int             // matches
	known    int             // matches that the store had already
}

// importedItem is a match or an event of the accounts, from one line.
type importedItem struct {
	id         match.ID // empty for an event of the accounts
	events     []match.Event
	isLive     bool // the events go into table event, and no record goes into table archive
	isFinished bool
	state      match.State
	reviews    []strategy.MoveReview // if isFinished
	account    account.Event
	body       []byte   // the encoded record or event of the accounts
	bodies     [][]byte // the encoded events of a live match
}

// Import adds the matches, accounts and progress of an export that [Export], [ExportAll] or release 1.0 wrote. The
// results are the numbers of matches that were added and of matches that were there already. Other goroutines may use
// the store.
//
// Errors are [ErrBadExport], [ErrDifferentMatch], [ErrDifferentAccounts], and errors that wrap [match.ErrUnavailable].
// The text of an error has a line number and the number of added matches.
//
// Import commits lines in batches. After a line that cannot be imported, Import still commits the lines before it. If a
// commit fails, Import drops the whole batch, and the error may concern an earlier line than the numbered one.
func Import(ctx context.Context, s *Store, r io.Reader) (added, known int, err error) {
	i := &importer{store: s, stop: func() {}, names: make(map[match.ID]bool)}
	defer func() { i.stop() }()
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	n := 1
	for ; err == nil && lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		if err = i.importLine(ctx, lines.Bytes()); err != nil {
			break
		}
	}
	if err == nil && errors.Is(lines.Err(), bufio.ErrTooLong) {
		err = fmt.Errorf("%w: it has more than %d bytes", ErrBadExport, maxLine)
	}
	err = cmp.Or(err, lines.Err())
	if flushErr := i.flush(ctx); err == nil {
		err = flushErr
	} else if flushErr != nil {
		err = fmt.Errorf("%w; committing lines before it failed: %w", err, flushErr)
	}
	if err != nil {
		err = fmt.Errorf("line %d: %w; %d matches were added before it", n, err, i.added)
	}
	return i.added, i.known, err
}

func (i *importer) importLine(ctx context.Context, line []byte) error {
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
		return i.addFinished(ctx, m)
	case liveFormat:
		var m exportedLive
		if err := json.Unmarshal(line, &m); err != nil {
			return fmt.Errorf("%w: %w", ErrBadExport, err)
		}
		return i.addLive(ctx, m)
	case accountFormat:
		var e exportedAccount
		if err := json.Unmarshal(line, &e); err != nil {
			return fmt.Errorf("%w: %w", ErrBadExport, err)
		}
		return i.addAccountEvent(ctx, e)
	case progressFormat:
		var r progressRow
		if err := json.Unmarshal(line, &r); err != nil {
			return fmt.Errorf("%w: %w", ErrBadExport, err)
		}
		return i.addProgress(ctx, r)
	default:
		return fmt.Errorf("%w (it has the format %.40q)", ErrBadExport, form.Format)
	}
}

// decode returns the events of a record of a match. The error is [ErrBadExport] if no server can have written them.
func (i *importer) decode(id match.ID, record []byte) ([]match.Event, error) {
	r, err := codec.DecodeRecord(record)
	if err != nil || r.ID != id || !isIDText(string(id)) || len(r.Events) == 0 {
		return nil, fmt.Errorf("%w (%.40q)", ErrBadExport, id)
	}
	if err := checkWritable(r.Events); err != nil {
		return nil, fmt.Errorf("%w: %w (%s)", ErrBadExport, err, id)
	}
	return r.Events, nil
}

// openAccounts commits the batch and opens the directory of accounts, if it is not open.
func (i *importer) openAccounts(ctx context.Context) (err error) {
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

func (i *importer) addFinished(ctx context.Context, m exported) error {
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
			return fmt.Errorf("%w (%s)", ErrDifferentMatch, m.Match)
		}
		i.known++
		return nil
	}
	item := &importedItem{id: m.Match, events: events, state: again.state, body: m.Record}
	return i.add(ctx, item)
}

func (i *importer) addLive(ctx context.Context, m exportedLive) error {
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
			return fmt.Errorf("%w (%s)", ErrDifferentMatch, m.Match)
		}
		i.known++
		return nil
	}
	item := &importedItem{id: m.Match, events: events, isLive: true}
	live := liveMatch{}
	for _, e := range events {
		body, err := codec.EncodeEvents([]match.Event{e})
		if err != nil {
			return fmt.Errorf("%w: %w", ErrBadExport, err)
		}
		item.bodies = append(item.bodies, body)
		live.fold(e)
	}
	if !live.isInvalid {
		item.state = live.state
	}
	return i.add(ctx, item)
}

// lookUp returns the events of a match in the store, nil if the store does not have the match.
func (i *importer) lookUp(ctx context.Context, id match.ID) ([]match.Event, error) {
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

func (i *importer) addAccountEvent(ctx context.Context, e exportedAccount) error {
	event, err := account.Decode(e.Entry)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrBadExport, err)
	}
	if i.next == 0 {
		i.existing = i.store.accountEvents()
		i.next = uint64(len(i.existing)) + 1
	}
	switch {
	case e.Seq == i.next && i.accounts == nil:
		event.Seq, event.At = e.Seq, e.At
		i.next++
		return i.add(ctx, &importedItem{account: event, body: e.Entry})
	case e.Seq == 0 || e.Seq > uint64(len(i.existing)):
		return fmt.Errorf("%w: event %d of the accounts stands in the place of event %d", ErrBadExport, e.Seq, i.next)
	}
	there, err := account.Encode(i.existing[e.Seq-1])
	var same bytes.Buffer
	if err != nil || json.Compact(&same, e.Entry) != nil || !bytes.Equal(there, same.Bytes()) {
		return ErrDifferentAccounts
	}
	return nil
}

// addProgress leaves out the progress of an account that was deleted since the export. addProgress
// keeps a stored row, unless the imported row is a better run or lesson.
func (i *importer) addProgress(ctx context.Context, r progressRow) error {
	if err := i.openAccounts(ctx); err != nil {
		return err
	}
	owner := match.Player{ID: r.Account, Name: r.Detail}
	switch err := checkWritable([]match.Event{{Player: owner, Code: match.Code(r.Item), Next: r.Match, At: r.At}}); {
	case err != nil:
		return fmt.Errorf("%w: %w (the progress of %.40q)", ErrBadExport, err, r.Account)
	case !i.store.Progress().Keeps(owner), !r.addTo(new(progress.State), [2]match.Player{}):
		return fmt.Errorf("%w: %.40q is no progress (of %.40q)", ErrBadExport, r.Kind, r.Account)
	case i.accounts.Shown(owner).ID != r.Account:
		return nil
	}
	isSame := func(o progressRow) bool { return o.Account == r.Account && o.Kind == r.Kind && o.Item == r.Item }
	if len(i.progress) == maxGroup || slices.ContainsFunc(i.progress, isSame) {
		if err := i.flush(ctx); err != nil {
			return err
		}
	}
	i.progress = append(i.progress, r)
	return nil
}

func (i *importer) add(ctx context.Context, item *importedItem) error {
	if item.isFinished = isFinished(&item.state); item.isFinished {
		item.reviews = strategy.Review(item.state.Start, item.state.Moves)
	}
	if i.batch = append(i.batch, item); item.id != "" {
		i.names[item.id] = true
	}
	if len(i.batch) < maxImportBatch {
		return nil
	}
	return i.flush(ctx)
}

// flush commits the batch. After an error the items of the batch are dropped.
func (i *importer) flush(ctx context.Context) error {
	batch, rows := i.batch, i.progress
	i.batch, i.progress = nil, nil
	clear(i.names)
	if len(batch) == 0 && len(rows) == 0 {
		return nil
	}
	s, keys := i.store, []string{accountKey}
	for _, item := range batch {
		if item.id != "" {
			keys = append(keys, matchKey(item.id))
		}
	}
	for _, r := range rows {
		keys = append(keys, progressKey(r.Account))
	}
	err := s.do(ctx, &request{keys: keys, isHeavy: true, addQuestions: func(g *group) {
		for _, item := range batch {
			if item.id != "" {
				g.answers.askArchived(item.id)
			}
			if item.isFinished {
				g.answers.askRatings(&item.state)
			}
		}
	}, decide: func(g *group) error {
		for n, end := 0, uint64(len(s.memory.accounts)); n < len(batch); n++ {
			switch item := batch[n]; {
			case item.id == "" && item.account.Seq != end+1:
				return account.Conflict(item.account.Seq)
			case item.id == "":
				end++
			case g.answers.archived[item.id] || s.memory.live[item.id] != nil:
				return fmt.Errorf("%w (%s)", ErrDifferentMatch, item.id)
			}
		}
		for _, item := range batch {
			if e := item.account; item.id == "" {
				g.addAt(e.At, accountRow, string(e.Account), int64(e.Seq), item.body)
			} else {
				item.addMatch(g)
			}
		}
		for _, r := range rows {
			r.add(&g.batch)
		}
		return nil
	}})
	for _, item := range batch {
		if err == nil && item.id != "" {
			i.added++
		}
	}
	return err
}

// importedSeq is the seq of an imported record, in place of the number of events. With it, deliverRecord delivers no
// event.
const importedSeq = 0

func (item *importedItem) addMatch(g *group) {
	if item.isLive {
		for n, e := range item.events {
			g.addAt(e.At, eventRow, string(item.id), int64(e.Seq), item.bodies[n])
		}
	} else {
		g.add(archiveRow, string(item.id), importedSeq, item.body)
	}
	if item.isFinished {
		g.results.add(g, &item.state, item.reviews, g.position)
	}
}

const (
	maxNameBytes       = 256       // of a player
	maxIDBytes         = 128       // of players, codes, matches and nodes
	maxClockDifference = time.Hour // between servers, at most
)

// checkWritable returns an error if no server can have recorded the events. Names must be printable, because players
// see them. Times must not lie in the future.
func checkWritable(events []match.Event) error {
	for _, e := range events {
		switch name := e.Player.Name; {
		case !utf8.ValidString(name), len(name) > maxNameBytes,
			strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }):
			return fmt.Errorf("a player cannot have the name %.60q", name)
		case e.At.After(time.Now().Add(maxClockDifference)):
			return fmt.Errorf("it has the time %s, which is in the future", e.At.UTC().Format(time.RFC3339))
		}
		for _, id := range [...]string{string(e.Player.ID), string(e.Code), string(e.Next), string(e.Node)} {
			if len(id) > maxIDBytes || strings.ContainsFunc(id, func(r rune) bool { return r < ' ' || '~' < r }) {
				return fmt.Errorf("%.60q is not an identifier that a server gives", id)
			}
		}
	}
	return nil
}
