package bot

import (
	"context"
	"errors"
	"reflect"
	"runtime/debug"
	"time"

	"notakto/match"
	"notakto/match/lobby"
	"notakto/sshapp/bot/botproto"
	"notakto/sshapp/client"
	"notakto/sshapp/idle"
)

// maxBad is how many bad lines in a row end a session.
const maxBad = 20

var (
	errStopped = errors.New("the context has ended")
	errInput   = errors.New("the input has ended")
)

// session is one bot at the front end. One goroutine owns it.
type session struct {
	config        Config
	ctx           context.Context
	player        match.Player // whose seats are taken from now on; a guest's code changes it
	requests      requests
	out           *outbox
	idle          idle.Rule
	timer         *time.Timer // of the rule; nil if there is no limit
	bad           int         // lines in a row
	cutOff        bool        // the bot was sent that nothing can be recorded at this server
	client        *client.Session
	seek          *client.Queue
	tables        []*table   // in the order in which they were opened
	closedMatches []match.ID // of those that were over when they closed, the latest
	end           error      // why the session is over; nil while it is not
	cases         []reflect.SelectCase
}

// requests are the lines of a bot on their way.
type requests struct {
	lines <-chan line // nil once the input has ended
	queue []line      // read and not begun, because a line before them is not done
	busy  bool        // a line is being done by a goroutine of its own
	done  chan func() // what that goroutine hands back; there is room for it
}

func newSession(ctx context.Context, d Config) *session {
	lines := make(chan line)
	s := &session{
		config: d, client: client.New(d.Manager), ctx: ctx, player: d.Player,
		requests: requests{lines: lines, done: make(chan func(), 1)},
		out:      newOutbox(ctx, d.Limits.Stall),
		idle:     idle.NewRule(d.Limits.Idle),
	}
	s.client.IsBot = true
	if next := s.idle.Next(); !next.IsZero() {
		s.timer = time.NewTimer(time.Until(next))
	}
	go s.recoverPanic("reading", func() { readLines(ctx, d.In, lines) })
	go s.recoverPanic("writing", func() { s.out.run(d.Out) })
	return s
}

// recoverPanic runs a goroutine of the session; a panic in it ends nothing else.
func (s *session) recoverPanic(what string, run func()) {
	defer func() {
		if fault := recover(); fault != nil {
			s.fault(what, fault)
		}
	}()
	run()
}

func (s *session) fault(what string, fault any) {
	s.config.Log.Error("a bot's session had a fault", "event", "panic",
		"in", what, "player", string(s.config.Player.ID), "fault", fault,
		"stack", string(debug.Stack()))
}

// run runs the session to its end. A panic is that of this session only.
func (s *session) run() (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			s.fault("the session", fault)
			s.refuse(ErrInternal, "")
			err = ErrInternal
		}
	}()
	s.welcome()
	for s.end == nil {
		s.step()
	}
	if errors.Is(s.end, errInput) {
		return nil
	}
	return s.end
}

// The places of the channels in await, before those of the tables.
const (
	onStop = iota
	onUnwritable
	onLine
	onDone
	onSeek
	onAlarm
	onNotice
	onTable
)

// step takes the next thing that happens. The tables come and go, which is why it is no plain select.
func (s *session) step() {
	s.cases = append(s.cases[:0],
		receive(s.ctx.Done()), receive(s.out.done), receive(s.input()), receive(s.requests.done),
		receive(s.seek.Status()), receive(s.alarm()), receive(s.config.Notices))
	for _, t := range s.tables {
		s.cases = append(s.cases, receive(t.Snapshots()))
	}
	switch chosen, value, open := reflect.Select(s.cases); chosen {
	case onStop:
		s.end = errStopped
	case onUnwritable:
		s.end = s.out.err
	case onLine:
		s.idle.Activity()
		s.handleLine(value, open)
	case onDone:
		finish, _ := value.Interface().(func())
		finish()
	case onSeek:
		status, _ := value.Interface().(lobby.SeekStatus)
		s.onSeekStatus(status, open)
	case onAlarm:
		s.checkIdle()
	case onNotice:
		s.notice(value.String())
	default:
		snapshot, _ := value.Interface().(*match.Snapshot)
		s.onSnapshot(s.tables[chosen-onTable], snapshot, open)
	}
	s.goOn()
}

func receive[T any](from <-chan T) reflect.SelectCase {
	return reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(from)}
}

// aside runs a part of a line that may take seconds in a goroutine of its own. What run returns is called by the
// session's goroutine afterwards; its error is answered. There is one such goroutine at a time.
func (s *session) aside(do botproto.Verb, run func() (finish func() error)) {
	s.requests.busy = true
	go func() {
		finish := func() error { return ErrInternal }
		s.recoverPanic(string(do), func() { finish = run() })
		s.requests.done <- func() {
			s.requests.busy = false
			if err := finish(); err != nil {
				s.refuse(err, do)
			}
		}
	}()
}

// settle waits for the line that is being done by a goroutine of its own.
func (s *session) settle() {
	if s.requests.busy {
		s.recoverPanic("ending", func() { (<-s.requests.done)() })
	}
}

// send sends an event.
func (s *session) send(event botproto.Event) {
	text, err := botproto.Encode(event)
	if err == nil {
		err = s.out.put(text)
	}
	if err != nil && s.end == nil {
		s.end = err
	}
}

func (s *session) notice(message string) { s.send(botproto.Notice{Message: message}) }

// tellCutOff sends once that nothing can be recorded at this server, and once that this is over.
func (s *session) tellCutOff(is bool) {
	switch {
	case is == s.cutOff:
	case is:
		s.notice("nothing can be recorded at this server just now, and what it tells may be old: wait for the next " +
			"notice, or connect again")
	default:
		s.notice("this server can record again")
	}
	s.cutOff = is
}

func (s *session) welcome() {
	matches := s.config.Manager.MatchesOf(s.player.ID)
	if matches == nil {
		matches = []match.ID{}
	}
	s.send(botproto.Welcome{Protocol: botproto.Version, Player: describe(s.player), Matches: matches})
}
