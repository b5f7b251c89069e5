package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"reflect"
	"runtime/debug"
	"time"

	"notakto/match"
	"notakto/match/lobby"
	"notakto/match/manager"
	"notakto/sshapp/bot/botproto"
	"notakto/sshapp/client"
	"notakto/sshapp/idle"
)

// Why a session ended that the bot did not end.
var (
	// ErrBadLines says that the bot sent nothing but bad lines for a while.
	ErrBadLines = errors.New("too many bad lines in a row")
	// ErrSlow says that the bot did not read what it was sent.
	ErrSlow = errors.New("the bot does not read what it is sent")
	// ErrInternal says that the session had a fault of its own, which is logged.
	ErrInternal = errors.New("the session had a fault")
)

// Config is what a bot's session needs. Player, Manager, In and Out have to be there.
type Config struct {
	Player  match.Player
	Manager *manager.Manager
	In      io.Reader
	Out     io.Writer
	Log     *slog.Logger // of faults; nothing is logged
	Limits  Limits
	OnLimit func(error)   // is called when one of the limits refuses the bot something; may be nil
	Notices <-chan string // of those who look after the server; nil without any
}

// Limits are what one session may ask for. The zero value of every field stands for its default.
type Limits struct {
	Tables int           // 32: tables open at once, of matches that are not over
	Stall  time.Duration // 10 s: how long the bot may leave unread what it is sent
	Idle   time.Duration // for ever: how long it may say nothing, if it is not the turn of an opponent of its
}

func (d Config) withDefaults() Config {
	l := &d.Limits
	l.Tables = cmp.Or(l.Tables, 32)
	l.Stall = cmp.Or(l.Stall, 10*time.Second)
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	if d.OnLimit == nil {
		d.OnLimit = func(error) {}
	}
	return d
}

// Serve runs one bot's session until its input ends, which is no error, or ctx does: the cause is the error, and unless
// that is context.Canceled the bot receives it, and what becomes of its matches. Other errors are [ErrBadLines],
// [ErrSlow], [idle.ErrIdle], [ErrInternal] and what kept Out from being written. When Serve returns every seat and
// place in the queue has been given back, and all output written if it could be. A Read or a Write that is still under
// way then keeps its goroutine until it returns: the caller closes In and Out.
func Serve(ctx context.Context, d Config) error {
	d = d.withDefaults()
	inner, end := context.WithCancel(ctx)
	defer end()
	s := newSession(inner, d)
	err := s.run()
	s.settle()
	if ctx.Err() != nil && errors.Is(err, errStopped) {
		err = context.Cause(ctx)
		s.exitNotice(err)
	}
	s.client.Close()
	if unsent := s.out.finish(); err == nil {
		err = unsent
	}
	return err
}

var (
	errStopped = errors.New("the context has ended")
	errInput   = errors.New("the input has ended")
)

// session is one bot at the front end. One goroutine owns it.
type session struct {
	config        *Config
	ctx           context.Context
	player        match.Player // whose seats are taken from now on; a guest's code changes it
	requests      requests
	out           *outbox
	idle          idle.Rule
	timer         *time.Timer // of the rule; nil if there is no limit
	bad           int         // lines in a row
	client        *client.Session
	seek          *client.Queue
	tables        []*table   // in the order in which they were opened
	closedMatches []match.ID // of those that were over when they closed, the latest
	end           error      // why the session is over; nil if it is not, or if a line could not be sent
	cases         []reflect.SelectCase
}

func newSession(ctx context.Context, d Config) *session {
	lines := make(chan line)
	s := &session{
		config: &d, client: client.New(d.Manager), ctx: ctx, player: d.Player,
		requests: requests{lines: lines, done: make(chan func(), 1)},
		out:      newOutbox(ctx, &d),
		idle:     idle.NewRule(d.Limits.Idle),
	}
	s.client.IsBot = true
	if next := s.idle.Next(); !next.IsZero() {
		s.timer = time.NewTimer(time.Until(next))
	}
	go s.recoverPanic("reading", func() { readLines(ctx, d.In, lines) })
	go s.recoverPanic("writing", s.out.run)
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
			s.out.refuse(ErrInternal, "")
			err = ErrInternal
		}
	}()
	s.out.welcome(s.player)
	for s.ending() == nil {
		s.step()
	}
	if err := s.ending(); !errors.Is(err, errInput) {
		return err
	}
	return nil
}

// ending returns why the session is over; nil while it is not.
func (s *session) ending() error {
	if s.end != nil {
		return s.end
	}
	return s.out.failed
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
		s.out.notice(value.String())
	default:
		snapshot, _ := value.Interface().(*match.Snapshot)
		s.onSnapshot(s.tables[chosen-onTable], snapshot, open)
	}
	s.goOn()
}

func receive[T any](from <-chan T) reflect.SelectCase {
	return reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(from)}
}

// goOn does the lines of the queue until one has to wait. Once the input has ended and all is done, so is the session.
func (s *session) goOn() {
	for len(s.requests.queue) > 0 && s.ending() == nil && !s.requests.busy {
		l := s.requests.queue[0]
		// Until the place that was given up is gone, its player can have no other.
		if l.request.Do == botproto.DoSeek && s.seek.IsLeaving() {
			return
		}
		s.requests.queue = s.requests.queue[1:]
		s.doLine(l)
	}
	if s.requests.lines == nil && len(s.requests.queue) == 0 && !s.requests.busy && s.ending() == nil {
		s.end = errInput
	}
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
				s.out.refuse(err, do)
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

// alarm is when the next look at an idle bot is due; nil for never.
func (s *session) alarm() <-chan time.Time {
	if s.timer == nil {
		return nil
	}
	return s.timer.C
}

// checkIdle warns a bot that has said nothing for long, and then ends its session.
func (s *session) checkIdle() {
	switch s.idle.Check(s.awaitsOpponents()) {
	case idle.Nothing:
	case idle.Warn:
		s.out.notice(fmt.Sprintf("still there? any line keeps you here, a ping for one; if not, goodbye in %v", s.idle.Warning()))
	case idle.End:
		s.exitNotice(idle.ErrIdle)
		s.end = idle.ErrIdle
		return
	}
	s.timer.Reset(time.Until(s.idle.Next()))
}

// exitNotice sends why the session ends although the bot did not end it, and what becomes of the matches that it has
// on. It sends nothing if the client has gone.
func (s *session) exitNotice(cause error) {
	if errors.Is(cause, context.Canceled) {
		return
	}
	message := cause.Error()
	switch n := len(s.config.Manager.MatchesOf(s.player.ID)); n {
	case 0:
	case 1:
		message += ": your match is kept, goes on where it stands, and is in the welcome then"
	default:
		message += fmt.Sprintf(": your %d matches are kept, go on where they stand, and are in the welcome then", n)
	}
	if s.seek.IsWaiting() {
		message += "; " + queueClosed
	}
	s.out.notice(message)
}

// queueClosed is sent to a bot that waits when the server stops: a place in the queue does not outlast the session.
const queueClosed = "you wait for an opponent no longer: seek again when you have come back"
