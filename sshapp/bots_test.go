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

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/journaltest"
	"notakto/rules"
)

const (
	crowd        = 500  // bots at once
	crowdMatches = 5000 // that they play
	crowdTime    = 4 * time.Minute
)

// BenchmarkBots has a crowd of bots meet in the queue and play matches to the end without a pause. A bot has its own
// key and connection. The two seats of a match must be told the same moves. The clients share the process and its
// cores with the server, and the figures include both. One operation is all matches together.
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
	b.ReportMetric(0, "ns/op") // has no meaning here
}

func crowdKey(b *testing.B, number int) gossh.Signer {
	b.Helper()
	seed := binary.BigEndian.AppendUint64(make([]byte, ed25519.SeedSize-8), uint64(number)+1)
	signer, err := gossh.NewSignerFromKey(ed25519.NewKeyFromSeed(seed))
	testkit.OK(b, err)
	return signer
}

// percentile returns a percentile of sorted durations, in milliseconds.
func percentile(sorted []time.Duration, percent int) float64 {
	return float64(sorted[len(sorted)*percent/100]) / float64(time.Millisecond)
}

// hall gives tickets to the bots and collects the logs of their seats.
type hall struct {
	tickets atomic.Int64
	mu      sync.Mutex
	seats   []*seatLog
}

// ticket returns the variant of a match to play. Two tickets exist for a match, so the second bot joins the first
// one in the queue.
func (h *hall) ticket() (boards int64, more bool) {
	n := h.tickets.Add(1) - 1
	return n/2%3 + 1, n < 2*crowdMatches
}

// playAll has the bots play until no tickets are left.
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

// check compares the two seats of every match. The result is the number of moves, and the delay of each move to the
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
		testkit.OK(b, seat.differs(other))
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

type botFrontEnd struct {
	*seat
	*talk
	match string // its ID
}

// botEvent is any event of the protocol about a match.
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
	State    string
}

func (b *botFrontEnd) opens(request string) {
	b.talk = newTalk(b.testServer.t, b.dial(b.name, newKey(b.testServer.t, b.key)), "bot")
	b.types(request)
}

// next waits for the next event of a kind, and fails at an error event.
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

// sees takes the next event and compares it with the move m.
func (b *botFrontEnd) sees(m turn) {
	b.testServer.t.Helper()
	want := botEvent{Event: "move", Match: b.match, Ply: m.ply, Seat: m.side, Move: m.move.String(), Turn: m.next()}
	if board := int(m.move.Board); m.after.IsDead(board) {
		name := rules.BoardName(board)
		want.Died = &name
	}
	if e := b.next("move"); !reflect.DeepEqual(e, want) {
		b.testServer.t.Fatalf("%s is told %+v, want %+v", b.name, e, want)
	}
}

// ends takes the final event, and requests the match once more.
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

// pair returns two bots at a new match, the first mover first.
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

// A draining server begins no new match, removes waiting players from the queue, and lets matches go on.
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

// Lines that a bot sends too fast are delayed, not dropped.
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

// A bot that guesses codes is refused, and can play on.
func TestBotsThatGuessCodes(t *testing.T) {
	const free, slow = 20, 200 // wrong codes without a pause, and with long ones
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

// A bot is told only that an error is internal. The log has the cause, and the match goes on.
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
	testkit.Contains(t, h.log.String(), errDisk.Error(), string(h.player(1, "").ID))
}

// verbs is a bot that sends lines and compares the events that it gets.
type verbs struct{ *talk }

// next skips presence and notices, and returns the next event with its kind. The kind of an error is "error CODE".
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

// gets takes the next event and compares its kind.
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

// The test uses every verb, and every error code that a bot causes by itself. Other error codes are tested in
// package bot.
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
		{`{"do":"challenge","clock":"5+0"}`, "error bad_clock"},
		{`{"do":"challenge","opponent":"gus"}`, "error no_such_player"},
		{`{"do":"accept","match":"zzz"}`, "error no_such_match"},
		{`{"do":"board"}`, "board"},
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
	testkit.Equal(h.t, carol.says(about("watch", ""), "match").Seat, 0)
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

// A challenge waits for a bot that comes after a restart of the server.
func TestAChallengeBetweenBotsOutlivesTheServer(t *testing.T) {
	journal, accounts := match.NewMemory(), temporaryAccounts(nil)
	start := func() *testServer {
		return startServer(t, func(o *options) { o.Journal, o.accounts = journal, accounts })
	}
	h := start()
	alice := h.bot("alice", 1)
	challenge := fmt.Sprintf(`{"do":"challenge","opponent":%q,"variant":"notakto/1","clock":"5+0"}`, h.player(2, "").ID)
	id := alice.says(challenge, "challenge").Match
	testkit.OK(t, h.Stop(t.Context()))
	h.manager.Close()
	h = start()
	bob := h.bot("bob", 2)
	if e := bob.gets("challenge"); e.Match != id || e.State != "open" {
		t.Fatalf("bob is told %+v", e)
	}
	alice = h.bot("alice", 1)
	begun := bob.says(fmt.Sprintf(`{"do":"accept","match":%q}`, id), "match")
	if e := alice.gets("challenge"); e.Match != id || e.State != "accepted" {
		t.Fatalf("alice is told %+v", e)
	}
	alice.says(fmt.Sprintf(`{"do":"state","match":%q}`, id), "match")
	first, second := alice, bob
	if begun.Seat == 1 {
		first, second = bob, alice
	}
	first.says(moveOf(id, "A5"), "move")
	second.gets("move")
}
