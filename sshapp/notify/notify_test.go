package notify

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/store"
	"notakto/rules"
)

// skewed is a journal with a clock that a test moves on.
type skewed struct {
	match.Journal
	ahead atomic.Int64
}

func (s *skewed) Now() time.Time { return s.Journal.Now().Add(time.Duration(s.ahead.Load())) }

func (s *skewed) wait(d time.Duration) { s.ahead.Add(int64(d)) }

// endpoint takes notices as ntfy does. Its answer can be replaced.
type endpoint struct {
	*httptest.Server
	mu     sync.Mutex
	taken  []publication
	bodies string
	answer http.HandlerFunc
}

func (e *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	e.mu.Lock()
	answer := e.answer
	e.bodies += string(body)
	e.mu.Unlock()
	if answer != nil {
		answer(w, r)
		return
	}
	var p publication
	if err != nil || r.Method != http.MethodPost || r.URL.Path != "/" || json.Unmarshal(body, &p) != nil ||
		p.Topic == "" {
		http.Error(w, `{"code":40009,"http":400,"error":"invalid request"}`, http.StatusBadRequest)
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.taken = append(e.taken, p)
	_, _ = io.WriteString(w, `{"id":"sPs71M8A2T","event":"message","topic":"`+p.Topic+`"}`)
}

func (e *endpoint) set(answer http.HandlerFunc) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.answer = answer
}

func (e *endpoint) take() []publication {
	e.mu.Lock()
	defer e.mu.Unlock()
	all := e.taken
	e.taken = nil
	return all
}

// rig is a journal with a notifier. Ann, bob and cyd get notices, dan does not.
type rig struct {
	*testing.T
	*Notifier
	journal  *skewed
	endpoint *endpoint
	log      strings.Builder
}

func newRig(t *testing.T) *rig {
	t.Helper()
	s := testkit.Store(t)
	r := &rig{T: t, journal: &skewed{Journal: s}, endpoint: new(endpoint)}
	r.endpoint.Server = httptest.NewServer(r.endpoint)
	t.Cleanup(r.endpoint.Close)
	r.Notifier = r.another(s.Notices())
	return r
}

// another returns the notifier of another server, or of a restarted one.
func (r *rig) another(notices *store.Notices) *Notifier {
	r.Helper()
	n := newNotifier(Config{
		URL: strings.Replace(r.endpoint.URL, "://", "://ann:hidden@", 1), Host: "-p 2222 play.example",
		Journal: r.journal, Notices: notices,
		Topic: func(p match.PlayerID) string {
			return map[match.PlayerID]string{"id-ann": "topic-a", "id-bob": "topic-b", "id-cyd": "topic-c"}[p]
		},
		Blocks: func(by, other match.PlayerID) bool { return by == "id-bob" && other == "id-cyd" },
		Shown:  func(p match.Player) match.Player { return p },
		Log:    slog.New(slog.NewTextHandler(&r.log, nil)), Stats: new(Stats),
	})
	r.Cleanup(r.journal.Subscribe(n.follow))
	return n
}

func person(name string) match.Player {
	return match.Player{ID: match.PlayerID("id-" + name), Name: name}
}

func (r *rig) append(events ...match.Event) {
	r.Helper()
	_, err := r.journal.Append(r.Context(), events...)
	testkit.OK(r, err)
}

func (r *rig) terms(clock string) match.Terms {
	r.Helper()
	c, err := match.ParseClock(clock)
	testkit.OK(r, err)
	return match.Terms{Variant: rules.DefaultVariant(), Clock: c}
}

func (r *rig) begin(id match.ID, clock string, one, other string) {
	r.Helper()
	r.append(
		match.Event{Match: id, Seq: 1, Kind: match.Opened, Terms: r.terms(clock), Origin: match.QueueOrigin},
		match.Event{Match: id, Seq: 2, Kind: match.Seated, Seat: rules.First, Player: person(one)},
		match.Event{Match: id, Seq: 3, Kind: match.Seated, Seat: rules.Second, Player: person(other)},
	)
}

func annMoves() match.Event {
	return match.Event{Match: "slow", Seq: 4, Kind: match.Moved, Seat: rules.First, Move: rules.Move{Cell: 5}}
}

// passes lets time pass, with two rounds at its end, and returns what the endpoint has taken.
func (r *rig) passes(d time.Duration) []publication {
	r.Helper()
	r.journal.wait(d)
	r.round(r.Context())
	r.round(r.Context())
	return r.endpoint.take()
}

// want checks notices, which come in any order.
func (r *rig) want(got []publication, want ...publication) {
	r.Helper()
	for _, list := range [...][]publication{got, want} {
		slices.SortFunc(list, func(a, b publication) int { return cmp.Compare(a.Topic+a.Title, b.Topic+b.Title) })
	}
	if !slices.Equal(got, want) {
		r.Fatalf("the endpoint has %q, want %q", got, want)
	}
}

func yourMove(topic, against string) publication {
	return publication{topic, "Your move against " + against, "3 boards, 1 day a move.\nssh -p 2222 play.example moves"}
}

func TestAPlayerGetsOneNoticeForEachTurn(t *testing.T) {
	r := newRig(t)
	r.begin("slow", "1d", "ann", "bob")
	r.begin("live", "3+2", "ann", "bob")
	r.begin("deaf", "1d", "dan", "ann")
	r.want(r.passes(time.Second)) // a key may have been pressed just now
	r.want(r.passes(time.Minute), yourMove("topic-a", "bob"))
	r.append(annMoves())
	r.want(r.passes(time.Minute), yourMove("topic-b", "ann"))
	r.want(r.passes(time.Hour))
	quarter := yourMove("topic-b", "")
	quarter.Title = "A quarter of your time is left against ann"
	r.want(r.passes(3*24*time.Hour), quarter) // of a day and the bank of three days
	r.append(match.Event{Match: "slow", Seq: 5, Kind: match.Resigned, Seat: rules.Second})
	if r.want(r.passes(time.Hour)); len(r.matches) != 1 {
		t.Errorf("%d matches are followed", len(r.matches))
	}
	testkit.Equal(t, r.config.Stats.Get(Sent), 3)
	for _, secret := range []string{"id-", "hidden", "127.0.0.1"} {
		if strings.Contains(r.endpoint.bodies, secret) {
			t.Errorf("the bodies have %q: %s", secret, r.endpoint.bodies)
		}
	}
}

func (r *rig) challenge(id match.ID, clock string, maker, invited string) {
	r.Helper()
	opened := match.Event{Match: id, Seq: 1, Kind: match.Opened, Origin: match.ChallengeOrigin}
	opened.Terms = r.terms(clock)
	if invited != "" {
		opened.Player = person(invited)
	}
	r.append(opened, match.Event{Match: id, Seq: 2, Kind: match.Seated, Seat: rules.First, Player: person(maker)})
}

func TestAChallengedPlayerGetsANotice(t *testing.T) {
	r := newRig(t)
	r.challenge("live", "3+2", "bob", "ann")
	r.challenge("open", "1d", "bob", "")
	r.challenge("blocked", "1d", "cyd", "bob") // bob has blocked cyd
	r.challenge("blocker", "1d", "bob", "cyd")
	r.challenge("days", "1d", "cyd", "ann")
	r.append(match.Event{Match: "days", Seq: 3, Kind: match.Seated, Seat: rules.Second, Player: person("ann")})
	r.challenge("declined", "1d", "bob", "ann")
	r.append(match.Event{Match: "declined", Seq: 3, Kind: match.Cancelled, Seat: rules.Second})
	r.want(r.passes(time.Minute),
		publication{"topic-a", "bob challenges you", "3 boards, 3+2.\nssh -p 2222 play.example challenges"},
		yourMove("topic-c", "ann"))
	// The commands of a notice are a person's, who cannot accept a rated challenge of a program.
	r.append(match.Event{
		Match: "rated", Seq: 1, Kind: match.Opened, Origin: match.ChallengeOrigin, Player: person("ann"),
		Terms: match.RatedTerms(match.BotPool), Pair: match.FirstGame("seed"),
	}, match.Event{Match: "rated", Seq: 2, Kind: match.Seated, Seat: rules.First, Player: person("bob")})
	r.want(r.passes(time.Minute))
	r.append(match.Event{Match: "rated", Seq: 3, Kind: match.Cancelled, Seat: rules.First})
	r.append(match.Event{Match: "live", Seq: 3, Kind: match.Seated, Seat: rules.Second, Player: person("ann")})
	if r.want(r.passes(time.Minute)); len(r.matches) != 4 {
		t.Errorf("%d matches are followed", len(r.matches))
	}
	r.challenge("expired", "3+2", "bob", "ann") // while no server ran
	if got := r.passes(match.ChallengeLife); slices.ContainsFunc(got, func(p publication) bool {
		return strings.Contains(p.Title, "challenges")
	}) {
		t.Errorf("the endpoint has %q", got)
	}
}

// A maker who challenges and withdraws again and again could use up a player's notices of the day.
func TestAPlayerGetsOneNoticeADayForTheChallengesOfOneMaker(t *testing.T) {
	r := newRig(t)
	from := func(maker string) publication {
		return publication{"topic-a", maker + " challenges you", "3 boards, 3+2.\nssh -p 2222 play.example challenges"}
	}
	for n := range store.MaxNotices + 1 {
		id := match.ID(fmt.Sprint("again", n))
		r.challenge(id, "3+2", "bob", "ann")
		if got := r.passes(time.Minute); n == 0 {
			r.want(got, from("bob"))
		} else {
			r.want(got)
		}
		r.append(match.Event{Match: id, Seq: 3, Kind: match.Cancelled, Seat: rules.First})
	}
	r.challenge("other", "3+2", "cyd", "ann")
	r.want(r.passes(time.Minute), from("cyd"))

	for n := range store.MaxNotices { // strangers
		r.challenge(match.ID(fmt.Sprint("stranger", n)), "3+2", fmt.Sprint("stranger", n), "ann")
	}
	testkit.Equal(t, len(r.passes(time.Minute)), store.MaxChallengeNotices-2)
	r.begin("slow", "1d", "ann", "bob")
	r.want(r.passes(time.Minute), yourMove("topic-a", "bob"))

	today := occasion{kind: challengeOccasion, since: time.Now(), opponent: person("bob")}
	tomorrow := today
	tomorrow.since = today.since.Add(24 * time.Hour)
	if today.item() == tomorrow.item() || strings.Contains(today.item(), "bob") {
		t.Errorf("the items of two days are %q and %q", today.item(), tomorrow.item())
	}
}

func TestTwoServersSendOneNotice(t *testing.T) {
	r := newRig(t)
	r.begin("slow", "1d", "ann", "bob")
	other := r.another(r.config.Notices)
	r.journal.wait(time.Minute)
	var all sync.WaitGroup
	for _, n := range []*Notifier{r.Notifier, other} {
		all.Go(func() { n.round(t.Context()) })
	}
	all.Wait()
	r.want(r.endpoint.take(), yourMove("topic-a", "bob"))
	r.another(r.config.Notices).round(t.Context()) // after a restart
	r.want(r.endpoint.take())
}

func TestAPlayerWhoPressesKeysGetsNoNotice(t *testing.T) {
	r := newRig(t)
	other := r.another(r.config.Notices)
	r.journal.wait(-10 * time.Minute)
	other.Typed("id-ann")
	other.Typed("id-dan")
	r.journal.wait(8 * time.Minute)
	other.Typed("id-bob")
	other.round(t.Context())
	r.journal.wait(2 * time.Minute)
	r.begin("anns", "1d", "ann", "cyd")
	r.begin("bobs", "1d", "bob", "cyd")
	r.want(r.passes(time.Minute), yourMove("topic-a", "cyd")) // bob has pressed a key two minutes before
	r.Typed("id-bob")                                         // and has seen the match
	r.want(r.passes(10 * time.Minute))
	testkit.Equal(t, len(other.keys), 2, other.keys)
}

func TestAnEndpointThatFailsIsAskedAgain(t *testing.T) {
	for name, test := range map[string]struct {
		code, attempts int
	}{
		"overloaded": {http.StatusTooManyRequests, 4}, "broken": {http.StatusInternalServerError, 4},
		"gone": {http.StatusGone, 1}, "elsewhere": {http.StatusTemporaryRedirect, 1},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			attempts := 0
			r.endpoint.set(func(w http.ResponseWriter, _ *http.Request) {
				attempts++
				w.Header().Set("Location", r.endpoint.URL+"/other")
				w.WriteHeader(test.code)
			})
			r.begin("slow", "1d", "ann", "bob")
			for range 10 {
				r.passes(time.Minute)
			}
			if attempts != test.attempts || r.config.Stats.Get(Failed) != 1 || len(r.queue) > 0 {
				t.Errorf("%d attempts, %d failed, %d queued", attempts, r.config.Stats.Get(Failed), len(r.queue))
			}
			if text := r.log.String(); strings.Count(text, "notify-failed") != 1 || strings.Contains(text, "hidden") ||
				strings.Contains(text, "topic-") {
				t.Errorf("the log has %s", text)
			}
			r.endpoint.set(nil)
			r.append(annMoves())
			r.want(r.passes(time.Minute), yourMove("topic-b", "ann"))
		})
	}
}

// A closed endpoint, and one behind a URL that cannot be used, tell no password either.
func TestAnUnreachableEndpointIsNoSecretInTheLog(t *testing.T) {
	r := newRig(t)
	r.endpoint.Close()
	r.begin("slow", "1d", "ann", "bob")
	r.passes(time.Minute)
	if text := r.log.String(); !strings.Contains(text, "refused") || strings.Contains(text, "hidden") {
		t.Errorf("the log has %s", text)
	}
}

func TestASlowEndpointHoldsUpNoMove(t *testing.T) {
	r := newRig(t)
	entered, resume := make(chan struct{}, 1), make(chan struct{})
	r.endpoint.set(func(http.ResponseWriter, *http.Request) {
		entered <- struct{}{}
		<-resume
	})
	r.begin("slow", "1d", "ann", "bob")
	r.journal.wait(time.Minute)
	var round sync.WaitGroup
	round.Go(func() { r.round(t.Context()) })
	<-entered
	r.append(annMoves())
	r.Typed("id-ann")
	close(resume)
	round.Wait()
}

func TestAClosedNotifierFollowsNothing(t *testing.T) {
	r := newRig(t)
	n := Start(r.config)
	n.Close()
	n.Close()
	r.begin("slow", "1d", "ann", "bob")
	if len(n.matches) > 0 {
		t.Error("a closed notifier follows a match")
	}
}
