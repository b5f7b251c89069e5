package bot

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"notakto/internal/logbuffer"
	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/account"
	"notakto/match/manager"
	"notakto/match/store"
	"notakto/sshapp/bot/botproto"
)

func ann() match.Player  { return match.Player{ID: "annannannannanna", Name: "ann"} }
func bob() match.Player  { return match.Player{ID: "bobbobbobbobbobb", Name: "bob"} }
func cleo() match.Player { return match.Player{ID: "cleocleocleocleo", Name: "cleo"} }
func guy() match.Player  { return match.Player{ID: "guest:guy", Name: "guy", Guest: true} }

// harness is a manager under test, on the clock of synctest.
type harness struct {
	*testing.T
	manager  *manager.Manager
	history  *store.History // only in inBubbleWithHistory
	accounts *account.Accounts
	limits   Limits
	refused  atomic.Int64 // requests that a limit of Limits refused
	clients  []*peer
}

func inBubble(t *testing.T, test func(*harness)) {
	t.Helper()
	inBubbleWith(t, manager.Config{}, test)
}

// noLimit turns the limit of a move off, for tests of other things.
const noLimit = 1000 * time.Hour

func inBubbleWith(t *testing.T, cfg manager.Config, test func(*harness)) {
	t.Helper()
	cfg.Seed = 7
	cfg.FirstMove, cfg.LaterMove = cmp.Or(cfg.FirstMove, noLimit), cmp.Or(cfg.LaterMove, noLimit)
	synctest.Test(t, func(t *testing.T) {
		b := &harness{T: t, manager: manager.New(cfg), accounts: testkit.Accounts(t)}
		defer func() {
			for _, c := range b.clients {
				c.received()
				if c.errors < c.invalid {
					c.Errorf("%d lines that do not follow the schema got %d errors", c.invalid, c.errors)
				}
				_ = c.in.Close()
				synctest.Wait()
				select {
				case err := <-c.done:
					if err != nil {
						c.Errorf("a session ended with %v", err)
					}
				default: // the test has seen the end
				}
				c.stop(nil)
			}
			b.manager.Close()
		}()
		test(b)
	})
}

func inBubbleWithHistory(t *testing.T, test func(*harness)) {
	t.Helper()
	inBubble(t, func(b *harness) {
		store := testkit.Store(b)
		b.manager.Close()
		b.history = store.History()
		b.manager = manager.New(manager.Config{
			Seed: 7, FirstMove: noLimit, LaterMove: noLimit, Journal: store,
		})
		test(b)
	})
}

// peer is the client's end of a session.
type peer struct {
	*harness
	player match.Player
	in     *io.PipeWriter
	out    logbuffer.Text
	stop   context.CancelCauseFunc
	done   chan error

	// Lines that do not follow the schema, and error events. Each such line must have been answered by an error.
	invalid, errors int
}

// enter opens a session and checks its welcome.
func (h *harness) enter(p match.Player) *peer {
	h.Helper()
	c := h.connect(p)
	c.expects(`welcome player.id="` + string(p.ID) + `" matches=[]`)
	return c
}

func (h *harness) connect(p match.Player) *peer {
	h.Helper()
	in, w := io.Pipe()
	c := &peer{harness: h, player: p, in: w, done: make(chan error, 1)}
	ctx, stop := context.WithCancelCause(h.Context())
	c.stop = stop
	go func() {
		c.done <- Serve(ctx, Config{
			Player: p, Manager: h.manager, Accounts: h.accounts, History: h.history, In: in, Out: &c.out,
			Limits: h.limits, OnLimit: func(error) { h.refused.Add(1) },
		})
		_ = in.Close()
	}()
	h.clients = append(h.clients, c)
	return c
}

func (p *peer) says(lines ...string) {
	p.Helper()
	for _, text := range lines {
		if checkMessage("request", text) != nil {
			p.invalid++
		}
		if _, err := io.WriteString(p.in, text+"\n"); err != nil {
			p.Fatalf("say %s: %v", text, err)
		}
	}
	synctest.Wait()
}

// about returns the request of a verb about a match.
func about(match, do string) string { return `{"do":"` + do + `","match":"` + match + `"}` }

// move returns the request for a move.
func move(match, move string) string {
	return `{"do":"move","match":"` + match + `","move":"` + move + `"}`
}

// asked sends a line and checks the events.
func (p *peer) asked(line string, wants ...string) []event {
	p.Helper()
	p.says(line)
	return p.expects(wants...)
}

// received waits until all goroutines are blocked, and returns the events since the last call.
func (p *peer) received() []event {
	p.Helper()
	synctest.Wait()
	var events []event
	for text := range strings.Lines(p.out.Take()) {
		if len(text) > botproto.MaxLine || !strings.HasSuffix(text, "\n") {
			p.Fatalf("not a line of the protocol: %q", text)
		}
		e := event{text: strings.TrimSuffix(text, "\n")}
		reader := json.NewDecoder(strings.NewReader(text))
		reader.UseNumber()
		if err := reader.Decode(&e.fields); err != nil {
			p.Fatalf("%q: %v", text, err)
		}
		if err := checkMessage("event", text); err != nil {
			p.Errorf("%s: %v", text, err)
		}
		if e.str("event") == "error" {
			p.errors++
		}
		events = append(events, e)
	}
	return events
}

// expects checks the events since the last check. An expected event is its name and some fields, such as "error
// code=bad_json do=move".
func (p *peer) expects(wants ...string) []event {
	p.Helper()
	events := p.received()
	if len(events) != len(wants) {
		p.Fatalf("heard %s\nwant %s", events, wants)
	}
	for i, want := range wants {
		events[i].is(p.T, want)
	}
	return events
}

// ends waits for the end of the session and checks its error.
func (p *peer) ends(want error) {
	p.Helper()
	synctest.Wait()
	select {
	case err := <-p.done:
		if !errors.Is(err, want) || (err == nil) != (want == nil) {
			p.Fatalf("the session ended with %v, want %v", err, want)
		}
	default:
		p.Fatal("the session goes on")
	}
}

func (p *peer) leaves() {
	p.Helper()
	_ = p.in.Close()
	p.ends(nil)
}

// event is a line that the server sent.
type event struct {
	text   string
	fields map[string]any
}

func (e event) String() string { return "\n  " + e.text }

func (e event) str(name string) string {
	text, _ := e.fields[name].(string)
	return text
}

// field returns a field as written in JSON. A name such as player.id reads a nested field.
func (e event) field(name string) string {
	var value any = e.fields
	for part := range strings.SplitSeq(name, ".") {
		object, _ := value.(map[string]any)
		var given bool
		if value, given = object[part]; !given {
			return "nothing"
		}
	}
	text, _ := json.Marshal(value)
	return string(text)
}

func (e event) tells(t *testing.T, text string) {
	t.Helper()
	testkit.Contains(t, e.str("message"), text)
}

func (e event) is(t *testing.T, want string) {
	t.Helper()
	kind, rest, _ := strings.Cut(want, " ")
	if got := e.str("event"); got != kind {
		t.Fatalf("the event is %s\nwant %s", e, want)
	}
	for field := range strings.FieldsSeq(rest) {
		name, value, _ := strings.Cut(field, "=")
		if got := e.field(name); got != value && got != `"`+value+`"` {
			t.Fatalf("%s of %s\nis %s, want %s", name, e, got, value)
		}
	}
}

func pass(d time.Duration) {
	<-time.After(d) // on the clock of synctest, in no real time
	synctest.Wait()
}

// pair returns two bots at a new match, in the order of their seats.
func (h *harness) pair(variant string) (first, second *peer, id string) {
	h.Helper()
	one, two, seek := h.enter(ann()), h.enter(bob()), `{"do":"seek","variant":"`+variant+`"}`
	one.asked(seek, "seeking variant="+variant)
	begun := two.asked(seek, "seeking", "match moves=[] turn=1 over=false variant="+variant)[1]
	one.expects("match match=" + begun.str("match"))
	if begun.field("seat") == "1" {
		one, two = two, one
	}
	return one, two, begun.str("match")
}
