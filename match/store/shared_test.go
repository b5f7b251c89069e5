//go:build postgres

package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"notakto/match"
	"notakto/match/history"
	"notakto/match/journaltest"
	"notakto/match/progress"
	"notakto/rules"
)

// orders records the events that several stores deliver.
type orders struct {
	mu  sync.Mutex
	all [][]string
}

// follow records all events of stores.
func follow(stores ...*Store) *orders {
	o := &orders{all: make([][]string, len(stores))}
	for i, s := range stores {
		s.Subscribe(func(e match.Event) {
			o.mu.Lock()
			defer o.mu.Unlock()
			o.all[i] = append(o.all[i], fmt.Sprintf("%s/%d at %v", e.Match, e.Seq, e.At.UnixMilli()))
		})
	}
	return o
}

// of returns the events that a store has delivered.
func (o *orders) of(i int) []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.all[i])
}

// catchUp waits until stores have delivered the recorded events.
func catchUp(t *testing.T, stores ...*Store) {
	t.Helper()
	for _, s := range stores {
		ok(t, s.CatchUp(t.Context()))
	}
}

// Two servers deliver equal events with equal times in one order. If both record an event with one sequence, one of
// them is refused, and has the event of the winner by then.
func TestServersDeliverInOneOrder(t *testing.T) {
	url := database(t)
	stores := []*Store{share(t, url), share(t, url)}
	delivered := follow(stores...)
	const matches, events = 8, 40
	var won, lost atomic.Int64
	var all sync.WaitGroup
	for i, s := range stores {
		for w := range matches {
			all.Go(func() {
				both := match.ID(fmt.Sprint("both", w))
				for seq := range uint64(events) {
					if _, err := s.Append(t.Context(), left(match.ID(fmt.Sprintf("m%d-%d", i, w)), seq+1)); err != nil {
						t.Error(err)
					}
					switch _, err := s.Append(t.Context(), left(both, seq+1)); {
					case err == nil:
						won.Add(1)
					case errors.Is(err, match.ErrConflict):
						lost.Add(1)
						if there, err := s.Load(t.Context(), both, seq); err != nil || len(there) == 0 {
							t.Errorf("event %d was refused, and none came first: %v", seq+1, err)
						}
					default:
						t.Error(err)
					}
				}
			})
		}
	}
	all.Wait()
	catchUp(t, stores...)
	one, other := delivered.of(0), delivered.of(1)
	if len(one) != 3*matches*events || !slices.Equal(one, other) {
		t.Errorf("%d and %d events were delivered, in one order: %v", len(one), len(other), slices.Equal(one, other))
	}
	if won.Load() != matches*events || lost.Load() != matches*events {
		t.Errorf("%d were recorded, %d refused", won.Load(), lost.Load())
	}
}

// lossy is an engine that loses the connection at commits.
type lossy struct {
	*postgresEngine
	lose atomic.Pointer[func(commit func() error)] // called once instead of the next commit
}

func (l *lossy) commit(ctx context.Context, b *batch, h head) (isUnknown bool, err error) {
	lose := l.lose.Swap(nil)
	if lose == nil {
		return l.postgresEngine.commit(ctx, b, h)
	}
	old := &postgresEngine{config: l.config, log: l.log, conn: l.conn, hasLockedHead: true}
	l.conn = nil
	(*lose)(func() error {
		_, err := old.commit(context.Background(), b, h)
		old.disconnect()
		return err
	})
	return true, errors.New("the connection is lost")
}

func startOn(t *testing.T, e engine) *Store {
	t.Helper()
	s, err := start(t.Context(), e, slog.New(slog.DiscardHandler))
	ok(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func postgresOf(t *testing.T, url string) *postgresEngine {
	t.Helper()
	e, err := openPostgres(t.Context(), url, slog.New(slog.DiscardHandler))
	ok(t, err)
	return e
}

// A lost connection may still commit, before or after the server has connected again, or may not commit. In each
// case the event is recorded and delivered once, and acknowledged.
func TestALostConnection(t *testing.T) {
	url := database(t)
	e := &lossy{postgresEngine: postgresOf(t, url)}
	s, other := startOn(t, e), share(t, url)
	delivered := follow(s, other)
	seq := uint64(0)
	for name, lose := range map[string]func(commit func() error){
		"never sent": func(func() error) {},
		"committed":  func(commit func() error) { _ = commit() },
		"committed later": func(commit func() error) {
			time.AfterFunc(300*time.Millisecond, func() { _ = commit() }) // the network is slow
		},
	} {
		for range 3 {
			e.lose.Store(&lose)
			seq++
			if last, err := s.Append(t.Context(), left("m", seq)); err != nil || last.Seq != seq {
				t.Fatalf("%s: event %d: %v, %v", name, seq, last.Seq, err)
			}
		}
	}
	catchUp(t, s, other)
	if n := length(t, s, "m"); n != int(seq) || len(delivered.of(0)) != int(seq) {
		t.Errorf("%d events are recorded, %d delivered, %d acknowledged", n, len(delivered.of(0)), seq)
	}
	if !slices.Equal(delivered.of(0), delivered.of(1)) {
		t.Errorf("one server has %v, the other %v", delivered.of(0), delivered.of(1))
	}
}

// The event of another server may take the position of an event with an unknown outcome. The store must not confuse
// them.
func TestALostConnectionAndAnotherServer(t *testing.T) {
	url := database(t)
	e := &lossy{postgresEngine: postgresOf(t, url)}
	s, other := startOn(t, e), share(t, url)
	mustAppend(t, s, "m", 1, 1)
	lose := func(func() error) {
		ctx, stop := context.WithTimeout(context.Background(), 5*time.Second)
		defer stop()
		_, err := other.Append(ctx, match.Event{Match: "m", Seq: 2, Kind: match.Left, Seat: rules.Second})
		if err != nil {
			t.Error(err)
		}
	}
	e.lose.Store(&lose)
	errorIs(t, errOf(s.Append(t.Context(), left("m", 2))), match.ErrConflict)
	if events, err := s.Load(t.Context(), "m", 1); err != nil || len(events) != 1 || events[0].Seat != rules.Second {
		t.Errorf("%+v, %v", events, err)
	}
}

// A server that is behind when a match is archived delivers the last events from the record. The server reads missed
// rows in pages.
func TestAServerThatIsBehind(t *testing.T) {
	url := database(t)
	s, behind := share(t, url), share(t, url)
	mustAppend(t, s, "finished", 1, 2)
	catchUp(t, behind)
	wake, isHeld := make(chan struct{}), make(chan struct{})
	var once sync.Once
	behind.Subscribe(func(e match.Event) {
		if e.Match == "hold" {
			once.Do(func() {
				close(isHeld)
				<-wake
			})
		}
	})
	delivered := follow(s, behind)
	mustAppend(t, s, "hold", 1, 1)
	<-isHeld
	mustAppend(t, s, "finished", 3, 4)
	mustAppend(t, s, "never-seen", 1, 3)
	for _, id := range []match.ID{"finished", "never-seen"} {
		ok(t, s.Archive(t.Context(), id))
	}
	var all sync.WaitGroup
	for w := range 50 {
		all.Go(func() { mustAppend(t, s, match.ID(fmt.Sprint("w", w)), 1, maxRead/20) })
	}
	all.Wait()
	close(wake)
	mustAppend(t, behind, "w0", maxRead/20+1, maxRead/20+1) // more than maxRead rows to read when behind locks head
	catchUp(t, s, behind)
	one, other := delivered.of(0), delivered.of(1)
	slices.Sort(one)
	slices.Sort(other)
	if !slices.Equal(one, other) {
		t.Errorf("%d events were delivered at one server, %d at the other", len(one), len(other))
	}
	if n := length(t, behind, "finished"); n != 4 {
		t.Errorf("the match that is archived has %d events", n)
	}
	errorIs(t, errOf(behind.Append(t.Context(), left("finished", 5))), match.ErrArchived)
	if err := behind.Archive(t.Context(), "never-seen"); err != nil {
		t.Errorf("archived again: %v", err)
	}
}

// deaf is an engine behind a connection pool that drops notifications.
type deaf struct{ *postgresEngine }

func (deaf) listen(context.Context, func(int64)) {}

func TestPollingIsEnough(t *testing.T) {
	url := database(t)
	s, other := share(t, url), startOn(t, deaf{postgresOf(t, url)})
	heard := make(chan match.Event, 10)
	other.Subscribe(func(e match.Event) { heard <- e })
	mustAppend(t, s, "m", 1, 1)
	if e := <-heard; e.Match != "m" { // the test's timeout is the limit
		t.Errorf("heard %+v", e)
	}
}

// A notification makes a server deliver an event before its next poll.
func TestServersNotifyEachOther(t *testing.T) {
	url := database(t)
	s, other := share(t, url), share(t, url)
	heard := make(chan struct{}, 1)
	other.Subscribe(func(match.Event) { heard <- struct{}{} })
	began := time.Now()
	const events = 20
	for seq := range uint64(events) {
		mustAppend(t, s, "m", seq+1, seq+1)
		<-heard
	}
	if took := time.Since(began); took > events*pollInterval/2 {
		t.Errorf("%d events took %v", events, took)
	}
}

// Pairs that end at two servers at once are all rated. The two servers have one ladder, and a new server reads an
// equal one.
func TestRatingsAtTwoServers(t *testing.T) {
	url := database(t)
	stores := []*Store{share(t, url), share(t, url)}
	season := journaltest.SeasonGames()
	var all sync.WaitGroup
	for i, s := range stores {
		all.Go(func() {
			for n, m := range season {
				if n/2%2 != i { // both games of a pair at one server
					continue
				}
				if _, err := s.Append(t.Context(), m.Events...); err != nil {
					t.Error(err)
					return
				}
				if n%3 == 0 {
					ok(t, s.Archive(t.Context(), m.ID))
				}
			}
		})
	}
	all.Wait()
	catchUp(t, stores...)
	stores = append(stores, share(t, url))
	want := stores[0].History().Ladder(match.PeoplePool, 0, 100)
	if len(want) == 0 {
		t.Fatal("nobody is on the ladder")
	}
	pairs := 0
	for _, s := range stores {
		if got := s.History().Ladder(match.PeoplePool, 0, 100); !reflect.DeepEqual(got, want) {
			t.Errorf("the ladders are %+v and %+v", got, want)
		}
	}
	for _, name := range journaltest.SeasonNames() {
		p := journaltest.SeasonPlayer(name).ID
		s, err := stores[0].History().Standing(t.Context(), match.PeoplePool, p)
		ok(t, err)
		pairs += s.Won + s.Split + s.Lost
		if totals, err := stores[1].History().Totals(t.Context(), p); err != nil || totals.Matches != 4*2*9 {
			t.Errorf("%s has %+v, %v", name, totals, err)
		}
	}
	if pairs != len(season) { // two games and two players a pair
		t.Errorf("%d pairs were counted for %d games", pairs, len(season))
	}
}

// When a server delivers the end of a match that another server recorded, the rating and the unseen result are in
// the history already. The version of the history has grown.
func TestTheHistoryOfAnotherServer(t *testing.T) {
	url := database(t)
	one, other := share(t, url), share(t, url)
	games := journaltest.Pair(match.PeoplePool, "a", "ann", "bob", true)
	game := journaltest.Fold(t, games[1].Events...)
	before := other.History().Version()
	for _, m := range games {
		one.record(t, m.Events...)
	}
	one.record(t, lostAway("away", person("bob"))...)
	catchUp(t, other)
	if after := other.History().Version(); after != before+3 {
		t.Errorf("the version is %d, was %d", after, before)
	}
	pair, standing, err := other.History().RatedPair(t.Context(), &game, rules.Second)
	if err != nil || pair.After.String() != "1662?" || standing.Won != 1 {
		t.Errorf("the winner has %+v, %+v, %v", pair, standing, err)
	}
	if got := unseen(t, other, "ann"); got != "away" {
		t.Errorf("ann has not seen %q", got)
	}
	ok(t, other.History().MarkSeen(t.Context(), "ann", history.Entry{Match: "away"}))
	if got := unseen(t, one, "ann"); got != "" {
		t.Errorf("ann has seen %q at the other server", got)
	}
}

// Devices of a player at two servers answer at once. Both get the answer that was recorded first, and a slip moves by
// one step.
func TestProgressAtTwoServers(t *testing.T) {
	url := database(t)
	stores := []*Store{share(t, url), share(t, url)}
	ok(t, errOf(stores[0].Append(t.Context(), play(t, "slips", match.QueueOrigin, person("ann"), person("bob"),
		slipping, rules.First)...)))
	slip := progressOf(t, stores[1], "ann").Slips[0]
	for n := range 20 {
		var answers [2]progress.Answer
		var slips [2]progress.Slip
		var all sync.WaitGroup
		for i, s := range stores {
			all.Go(func() {
				a := answer(n, 0, i == 0, day(1+n))
				a.Move.Cell = rules.Cell(i + 1)
				answers[i] = mustAnswer(t, s, "ann", a)
				var err error
				slips[i], err = s.Progress().AnswerSlip(t.Context(), person("ann"), slip.Match, slip.Ply, n%4 != 3,
					slip.Due)
				if err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if !isSameAnswer(answers[0], answers[1]) {
			t.Errorf("the servers have recorded %+v", answers)
		}
		if !isSameSlip(slips[0], slips[1]) || slips[0].Solved != (slip.Solved+1)%4 {
			t.Errorf("the slip was %+v, is %+v", slip, slips)
		}
		slip = slips[0]
	}
	if one, other := progressOf(t, stores[0], "ann"), progressOf(t, stores[1], "ann"); !reflect.DeepEqual(one, other) {
		t.Errorf("the servers have %+v and %+v", one, other)
	}
}

// Servers share their entries, and a new server reads the valid ones.
func TestEntriesAreShared(t *testing.T) {
	url := database(t)
	s, other := share(t, url), share(t, url)
	heard := make(chan match.Entry, 10)
	other.Watch(func(e match.Entry) { heard <- e })
	put, err := s.Put(t.Context(), match.Entry{Key: "node.a", Text: []byte("up")})
	ok(t, err)
	if got := <-heard; !reflect.DeepEqual(got, put) {
		t.Errorf("heard %+v of %+v", got, put)
	}
	var late []match.Entry
	share(t, url).Watch(func(e match.Entry) { late = append(late, e) })()
	if len(late) != 1 || late[0].Key != put.Key || late[0].Revision != put.Revision {
		t.Errorf("a new server has %+v", late)
	}
	ok(t, other.Delete(t.Context(), put))
	if got := <-heard; got.Key != put.Key || got.Text != nil {
		t.Errorf("heard %+v", got)
	}
	errorIs(t, s.Delete(t.Context(), put), match.ErrConflict)
}

// PostgreSQL refuses a name with a zero byte, and the remaining requests of the group succeed.
func TestPostgresRefusesARow(t *testing.T) {
	s := share(t, database(t))
	testRefusedRow(t, s, func(g *group) error {
		g.add(auditRow, "a\x00b", 0, nil)
		return nil
	})
}

// execute changes a database as another program would.
func execute(t *testing.T, url, statement string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	ok(t, err)
	defer func() { _ = conn.Close(context.Background()) }()
	ok(t, errOf(conn.Exec(t.Context(), statement)))
}

func TestPostgresWithANewerSchema(t *testing.T) {
	url := database(t)
	testNewerSchema(t, share(t, url), Config{URL: url}, func(statement string) { execute(t, url, statement) })
}

// The store notices an older copy in the place of the database, because players have seen later events.
func TestADatabaseThatIsBehind(t *testing.T) {
	url := database(t)
	var log bytes.Buffer
	s := openWith(t, Config{URL: url, Log: slog.New(slog.NewTextHandler(&log, nil))})
	mustAppend(t, s, "m", 1, 5)
	execute(t, url, `BEGIN; DELETE FROM event WHERE seq = 5; UPDATE head SET position = 4; COMMIT`)
	_, err := s.Append(t.Context(), left("m", 6))
	if !errors.Is(err, ErrLostCommits) || !errors.Is(err, match.ErrUnavailable) {
		t.Errorf("the next event: %v", err)
	}
	<-s.Lost()
	errorIs(t, s.Stats().Alive(), ErrLostCommits)
	errorIs(t, s.Check(t.Context()), ErrLostCommits)
	if again := share(t, url); length(t, again, "m") != 4 {
		t.Error("a new server does not begin with what the database has")
	}
	if err := s.Close(); err != nil || !bytes.Contains(log.Bytes(), []byte("store-lost")) {
		t.Errorf("the log says %s, %v", &log, err)
	}
}

// moved is an engine with connections that lead to a server with another identity.
type moved struct {
	*postgresEngine
	to atomic.Pointer[string]
}

func (m *moved) begin(ctx context.Context, questions []question) (head, error) {
	h, err := m.postgresEngine.begin(ctx, questions)
	if to := m.to.Load(); to != nil {
		h.identity = *to
	}
	return h, err
}

func (m *moved) readHead(ctx context.Context) (head, error) {
	h, err := m.postgresEngine.readHead(ctx)
	if to := m.to.Load(); to != nil {
		h.identity = *to
	}
	return h, err
}

// After a failover a server continues only if the new database server has all rows of the old one.
func TestAFailover(t *testing.T) {
	url := database(t)
	e := &moved{postgresEngine: postgresOf(t, url)}
	s := startOn(t, e)
	mustAppend(t, s, "m", 1, 5)
	standby := "standby/2"
	e.to.Store(&standby)
	mustAppend(t, s, "m", 6, 7)
	execute(t, url, `UPDATE event SET at = at + 1 WHERE seq = 7`) // another event has its position
	behind := "standby/3"
	e.to.Store(&behind)
	errorIs(t, errOf(s.Append(t.Context(), left("m", 8))), ErrLostCommits)
}

// A database that stops at once after an entry has lost nothing, so the servers continue.
func TestTheDatabaseStopsAfterAnEntry(t *testing.T) {
	restart := os.Getenv("NOTAKTO_POSTGRES_RESTART")
	if restart == "" {
		t.Skip("NOTAKTO_POSTGRES_RESTART has no command")
	}
	s := share(t, database(t))
	for i := range 5 {
		ok(t, errOf(s.Put(t.Context(), match.Entry{Key: fmt.Sprint("node.", i), Text: []byte("up")})))
		if out, err := exec.Command("sh", "-c", restart).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		for s.Check(t.Context()) != nil { // the test's timeout is the limit
			if err := s.Stats().Alive(); err != nil {
				t.Fatalf("after entry %d: %v", i, err)
			}
			<-time.After(5 * time.Millisecond)
		}
	}
}
