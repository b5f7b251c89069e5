package sshapp

import (
	"crypto/ed25519"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"notakto/match/journaltest"
	"notakto/rules"
)

const (
	crowd        = 500  // bots at once
	crowdMatches = 5000 // that they play
	crowdTime    = 4 * time.Minute
)

// BenchmarkBots is a crowd of bots, each a player with a key and a connection of its own, that meet in the queue and
// play matches to their ends without a pause. Every match has to be the same at both seats. The clients share the
// process and its cores with the server, so that the figures are of both. One operation is all the matches.
func BenchmarkBots(b *testing.B) {
	h := startServer(b, func(o *options) { o.MaxSessionsPerAddress = crowd })
	bots := make([]*crowdBot, crowd)
	for i := range bots {
		bots[i] = newCrowdBot(b, h.dial(fmt.Sprintf("bot%d", i), crowdKey(b, i)), uint64(i))
	}
	hall := new(hall)
	for b.Loop() {
		hall.tickets.Store(0)
		hall.playAll(b, h, bots)
	}
	moves, delays := hall.check(b)
	b.ReportMetric(float64(moves)/b.Elapsed().Seconds(), "moves/s")
	b.ReportMetric(float64(len(hall.seats)/2), "matches")
	waits := make([]time.Duration, len(hall.seats))
	for i, seat := range hall.seats {
		waits[i] = seat.wait
	}
	slices.Sort(waits)
	b.ReportMetric(percentile(waits, 50), "queue-p50-ms")
	b.ReportMetric(percentile(delays, 50), "p50-ms")
	b.ReportMetric(percentile(delays, 99), "p99-ms")
	b.ReportMetric(0, "ns/op") // says nothing here
}

func crowdKey(b *testing.B, number int) gossh.Signer {
	b.Helper()
	seed := binary.BigEndian.AppendUint64(make([]byte, ed25519.SeedSize-8), uint64(number)+1)
	signer, err := gossh.NewSignerFromKey(ed25519.NewKeyFromSeed(seed))
	if err != nil {
		b.Fatal(err)
	}
	return signer
}

// percentile is one of durations that are sorted, in milliseconds.
func percentile(sorted []time.Duration, percent int) float64 {
	return float64(sorted[len(sorted)*percent/100]) / float64(time.Millisecond)
}

// hall is where the bots take tickets and hand in what they were told.
type hall struct {
	tickets atomic.Int64
	mu      sync.Mutex
	seats   []*seatLog
}

// ticket is a place at a match yet to be played, and its variant; every match has two. The bot that takes the
// second one joins the bot that waits in the queue, so that no bot is left over.
func (h *hall) ticket() (boards int64, more bool) {
	n := h.tickets.Add(1) - 1
	return n/2%3 + 1, n < 2*crowdMatches
}

// playAll has the bots play until there are no tickets left.
func (h *hall) playAll(b *testing.B, s *testServer, bots []*crowdBot) {
	b.Helper()
	ended := make(chan error, len(bots))
	for _, bot := range bots {
		go func() { ended <- h.playOn(bot) }()
	}
	late := time.After(crowdTime)
	for range bots {
		select {
		case err := <-ended:
			if err != nil {
				b.Fatalf("%v\n%s", err, s.log)
			}
		case <-late:
			b.Fatalf("the matches did not end within %v; %d seats have", crowdTime, h.done())
		}
	}
}

func (h *hall) playOn(bot *crowdBot) error {
	for {
		boards, more := h.ticket()
		if !more {
			return nil
		}
		seat, err := bot.play(fmt.Sprintf("notakto/%d", boards))
		if err != nil {
			return err
		}
		h.mu.Lock()
		h.seats = append(h.seats, seat)
		h.mu.Unlock()
	}
}

func (h *hall) done() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.seats)
}

// check compares the two seats of every match. It returns the number of moves, and for each how long it took to the
// other seat.
func (h *hall) check(b *testing.B) (moves int, delays []time.Duration) {
	b.Helper()
	waiting := make(map[string]*seatLog)
	for _, seat := range h.seats {
		other := waiting[seat.match]
		if other == nil {
			waiting[seat.match] = seat
			continue
		}
		delete(waiting, seat.match)
		if err := seat.differs(other); err != nil {
			b.Error(err)
		}
		moves += len(seat.moves)
		delays = append(delays, append(seat.delays(other), other.delays(seat)...)...)
	}
	if len(waiting) != 0 || len(h.seats) == 0 || len(h.seats)%(2*crowdMatches) != 0 || moves != len(delays) {
		b.Fatalf("%d seats, %d of them without another; %d moves, %d of them timed", len(h.seats), len(waiting),
			moves, len(delays))
	}
	slices.Sort(delays)
	return moves, delays
}

// botFrontEnd is a bot.
type botFrontEnd struct {
	*seat
	*talk
	match string // its ID
}

// botEvent is any event of the protocol that tells of a match.
type botEvent struct {
	Event    string
	Code     string
	Match    string
	Variant  string
	Message  string
	Seat     rules.Side
	Ply      int
	Move     string
	Died     *string
	Turn     rules.Side
	Moves    []string
	Position string
	Over     bool
	Winner   rules.Side
	Reason   string
}

func (b *botFrontEnd) opens(request string) {
	b.talk = newTalk(b.testServer.t, b.dial(b.name, newKey(b.testServer.t, b.key)), "bot")
	b.types(request)
}

// next waits for the next event of a kind. It is told of no error.
func (b *botFrontEnd) next(kind string) botEvent {
	b.testServer.t.Helper()
	for {
		line := b.expects()
		var e botEvent
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			b.testServer.t.Fatalf("%s is told %q: %v", b.name, line, err)
		}
		switch e.Event {
		case kind:
			return e
		case "error", "match", "move", "end":
			b.testServer.t.Fatalf("%s is told %q, and waits for %q", b.name, line, kind)
		}
	}
}

func (b *botFrontEnd) invites() string {
	b.opens(`{"do":"create","variant":"notakto/2"}`)
	return b.next("table").Code
}

func (b *botFrontEnd) joins(code string) { b.opens(fmt.Sprintf(`{"do":"join","code":%q}`, code)) }

func (b *botFrontEnd) begins() rules.Side {
	e := b.next("match")
	b.match, b.side = e.Match, e.Seat
	return b.side
}

func (b *botFrontEnd) plays(move string) {
	b.types(fmt.Sprintf(`{"do":"move","match":%q,"move":%q}`, b.match, move))
}

// sees takes the next event, which has to be this move's.
func (b *botFrontEnd) sees(m turn) {
	b.testServer.t.Helper()
	want := botEvent{Event: "move", Match: b.match, Ply: m.ply, Seat: m.side, Move: m.move.String(), Turn: m.next()}
	if board := int(m.move.Board); m.after.Dead(board) {
		name := rules.BoardName(board)
		want.Died = &name
	}
	if e := b.next("move"); !reflect.DeepEqual(e, want) {
		b.testServer.t.Fatalf("%s is told %+v, want %+v", b.name, e, want)
	}
}

// ends takes the event of the end, and asks for the match once more.
func (b *botFrontEnd) ends(match []turn) {
	b.testServer.t.Helper()
	last := match[len(match)-1]
	want := botEvent{Event: "end", Match: b.match, Winner: last.winner(), Reason: "boards"}
	if e := b.next("end"); !reflect.DeepEqual(e, want) {
		b.testServer.t.Errorf("%s is told %+v, want %+v", b.name, e, want)
	}
	moves := make([]string, len(match))
	for i, m := range match {
		moves[i] = m.move.String()
	}
	b.types(fmt.Sprintf(`{"do":"state","match":%q}`, b.match))
	want = botEvent{
		Event: "match", Match: b.match, Variant: "notakto/2", Seat: b.side, Moves: moves, Position: last.after.String(),
		Over: true,
	}
	if e := b.next("match"); !reflect.DeepEqual(e, want) {
		b.testServer.t.Errorf("%s is told %+v, want %+v", b.name, e, want)
	}
}

// pair is two bots at a new match of theirs, who moves first before who moves second, and the match.
func (s *testServer) pair() (first, second verbs, id string) {
	s.t.Helper()
	alice, bob := s.bot("alice", 1), s.bot("bob", 2)
	code := alice.says(`{"do":"create","variant":"notakto/2"}`, "table").Code
	begun := bob.says(fmt.Sprintf(`{"do":"join","code":%q}`, code), "match")
	alice.gets("match")
	if begun.Seat == 1 {
		return bob, alice, begun.Match
	}
	return alice, bob, begun.Match
}

func moveOf(id, move string) string {
	return fmt.Sprintf(`{"do":"move","match":%q,"move":%q}`, id, move)
}

// A server that is about to stop begins nothing new, gives back who waits, and lets matches go on.
func TestBotsAreNotifiedOfADrain(t *testing.T) {
	h := startServer(t)
	first, second, id := h.pair()
	carol := h.bot("carol", 3)
	carol.says(`{"do":"seek"}`, "seeking")
	h.manager.Drain()
	carol.gets("cancelled")
	for _, request := range []string{
		`{"do":"create"}`, `{"do":"seek"}`, `{"do":"computer","level":"random"}`, `{"do":"seek","variant":"tictactoe"}`,
	} {
		carol.says(request, "error draining")
	}
	first.says(moveOf(id, "A5"), "move")
	second.gets("move")
	second.says(fmt.Sprintf(`{"do":"resign","match":%q}`, id), "end")
	first.gets("end")
	first.says(fmt.Sprintf(`{"do":"rematch","match":%q}`, id), "error draining")
}

// What bots say too fast waits, and is done.
func TestBotsThatSayTooMuch(t *testing.T) {
	besideOthers(t)
	const pace, lines = 8 << 10, 130
	h := startServer(t, func(o *options) { o.MaxInputRate = pace })
	alice, began := h.bot("alice", 1), time.Now()
	alice.types(strings.TrimSuffix(strings.Repeat(`{"do":"ping"}`+"\n", lines), "\n"))
	for range lines {
		alice.gets("pong")
	}
	const price = lines*linePrice - budgetBurst*pace
	if took := time.Since(began); took < price*time.Second/pace {
		t.Errorf("%d lines were done within %v", lines, took)
	}
}

// A bot that tries codes is stopped, and plays on.
func TestBotsThatGuessCodes(t *testing.T) {
	const free, slow = 20, 200 // wrong codes: at once, and if each takes the server seconds
	alice := startServer(t).bot("alice", 1)
	for tried := range slow {
		alice.types(fmt.Sprintf(`{"do":"join","code":"%04d"}`, tried))
		switch kind, e := alice.next(); {
		case kind == "error rate_limited" && tried >= free:
			alice.says(`{"do":"computer","level":"random","seat":1}`, "match")
			return
		case kind != "error no_such_table":
			t.Fatalf("wrong code %d is answered by %+v", tried, e)
		}
	}
	t.Errorf("%d codes could be tried", slow)
}

var errDisk = errors.New("the disk is full")

// What fails inside is no bot's business: it is told that it failed, the log why, and the match goes on from where it
// was.
func TestBotsGetInternalErrors(t *testing.T) {
	journal := journaltest.NewFaulty(0)
	h := startServer(t, func(o *options) { o.Journal = journal })
	first, second, id := h.pair()
	journal.Fail(errDisk)
	for range 2 {
		if e := first.says(moveOf(id, "A5"), "error internal"); strings.Contains(e.Message, errDisk.Error()) {
			t.Errorf("the bot is told %q", e.Message)
		}
	}
	second.says(fmt.Sprintf(`{"do":"resign","match":%q}`, id), "error internal")
	first.says(`{"do":"ping"}`, "pong")
	if state := first.says(fmt.Sprintf(`{"do":"state","match":%q}`, id), "match"); len(state.Moves) != 0 || state.Over {
		t.Errorf("the match stands at %+v", state)
	}
	journal.Fail(nil)
	for i, bot := range []verbs{first, second} {
		if e := bot.says(moveOf(id, []string{"A5", "A1"}[i]), "move"); e.Ply != i+1 {
			t.Errorf("the move is %+v", e)
		}
		if other := []verbs{second, first}[i].gets("move"); other.Ply != i+1 {
			t.Errorf("the other sees %+v", other)
		}
	}
	if log := h.log.String(); !strings.Contains(log, errDisk.Error()) ||
		!strings.Contains(log, string(h.player(1, "").ID)) {
		t.Errorf("the log is\n%s", log)
	}
}

// verbs is a bot that says lines and looks at what it is told.
type verbs struct{ *talk }

// next skips presence and notices, and takes the next event with its kind; of an error that is "error CODE".
func (v verbs) next() (kind string, e botEvent) {
	v.t.Helper()
	for {
		line := v.expects()
		e = botEvent{}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			v.t.Fatalf("told %q: %v", line, err)
		}
		switch e.Event {
		case "presence", "notice":
		case "error":
			return "error " + e.Code, e
		default:
			return e.Event, e
		}
	}
}

// gets takes the next event, which has to be of a kind.
func (v verbs) gets(kind string) botEvent {
	v.t.Helper()
	got, e := v.next()
	if got != kind {
		v.t.Fatalf("told %q of %+v, want %q", got, e, kind)
	}
	return e
}

func (v verbs) says(line, kind string) botEvent {
	v.t.Helper()
	v.types(line)
	return v.gets(kind)
}

func (s *testServer) bot(name string, key byte) verbs {
	s.t.Helper()
	v := verbs{newTalk(s.t, s.dial(name, newKey(s.t, key)), "bot")}
	v.gets("welcome")
	return v
}

// Every verb of the bot protocol, and every error code that a bot brings about by itself, over SSH. The others are in
// bot_trouble_test.go.
func TestEveryVerbOfTheBotProtocol(t *testing.T) {
	h := startServer(t)
	alice, bob, carol := h.bot("alice", 1), h.bot("bob", 2), h.bot("carol", 3)
	for _, row := range [][2]string{
		{`{"do":"ping","n":7}`, "pong"},
		{`nonsense`, "error bad_json"},
		{strings.Repeat("x", 5000), "error line_too_long"},
		{`{"do":"dance"}`, "error unknown_do"},
		{`{"do":"seek","variant":"chess"}`, "error bad_variant"},
		{`{"do":"computer","level":"brilliant"}`, "error bad_level"},
		{`{"do":"seek","variant":"notakto/9"}`, "seeking"},
		{`{"do":"seek","variant":"notakto/9"}`, "error already_seeking"},
		{`{"do":"cancel"}`, "cancelled"},
		{`{"do":"join","code":"0000"}`, "error no_such_table"},
		{`{"do":"state","match":"zzz"}`, "error no_such_match"},
	} {
		alice.says(row[0], row[1])
	}
	code := alice.says(`{"do":"create","variant":"notakto/2"}`, "table").Code
	join := fmt.Sprintf(`{"do":"join","code":%q}`, code)
	alice.says(join, "error own_table")
	begun := bob.says(join, "match")
	carol.says(join, "error table_full")
	first, second := alice, bob
	if begun.Seat == 1 {
		first, second = bob, alice
	}
	alice.gets("match")
	playEveryRefusal(h, begun.Match, first, second, carol)
}

func playEveryRefusal(h *testServer, id string, first, second, carol verbs) {
	h.t.Helper()
	about := func(do, more string) string { return fmt.Sprintf(`{"do":%q,"match":%q%s}`, do, id, more) }
	move := func(m string) string { return about("move", fmt.Sprintf(`,"move":%q`, m)) }
	if seat := carol.says(about("watch", ""), "match").Seat; seat != 0 {
		h.t.Errorf("a spectator has seat %d", seat)
	}
	carol.says(move("A5"), "error not_seated")
	second.says(move("A5"), "error not_your_turn")
	first.says(move("five"), "error bad_move")
	first.says(move("Z5"), "error no_such_board")
	first.says(move("A0"), "error no_such_cell")
	for i, m := range []string{"A5", "A1", "A9"} {
		mover, other := first, second
		if i%2 == 1 {
			mover, other = second, first
		}
		mover.says(move(strings.ToLower(m)), "move")
		other.gets("move")
		carol.gets("move")
		if i == 0 {
			second.says(move("A5"), "error cell_taken")
		}
	}
	second.says(move("A2"), "error board_dead")
	second.says(about("state", ""), "match")
	second.says(about("resign", ""), "end")
	first.gets("end")
	carol.gets("end")
	first.says(move("B5"), "error match_over")
	first.types(about("rematch", ""))
	second.types(about("rematch", ""))
	if again := first.gets("match"); again.Seat != 2 || second.gets("match").Seat != 1 {
		h.t.Error("the seats are not swapped")
	} else {
		first.says(fmt.Sprintf(`{"do":"leave","match":%q}`, again.Match), "end")
	}
	for range 8 {
		carol.says(`{"do":"computer","variant":"notakto/1","level":"random","seat":1}`, "match")
	}
	carol.says(`{"do":"computer","level":"perfect"}`, "error too_many")
}
