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
	"notakto/match/store"
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
	History *store.History // nil where there is none
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

func (c Config) withDefaults() Config {
	l := &c.Limits
	l.Tables = cmp.Or(l.Tables, 32)
	l.Stall = cmp.Or(l.Stall, 10*time.Second)
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.OnLimit == nil {
		c.OnLimit = func(error) {}
	}
	return c
}

// Serve runs one bot's session until its input ends, which is no error, or ctx does: the cause is the error, and unless
// that is context.Canceled the bot receives it, and what becomes of its matches. Other errors are [ErrBadLines],
// [ErrSlow], [idle.ErrIdle], [ErrInternal] and what kept Out from being written. When Serve returns every seat and
// place in the queue has been given back, and all output written if it could be. A Read or a Write that is still under
// way then keeps its goroutine until it returns: the caller closes In and Out.
func Serve(ctx context.Context, config Config) error {
	config = config.withDefaults()
	inner, end := context.WithCancel(ctx)
	defer end()
	s := newSession(inner, &config)
	err := s.run()
	if s.inbox.busy {
		s.recoverPanic("ending", func() { (<-s.inbox.done)() })
	}
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

// session is one bot at the front end. It joins the parts below, and hands each request to the part that does it. One
// goroutine owns it and them.
type session struct {
	ctx    context.Context
	config *Config
	client *client.Session
	player match.Player // who sits down and waits from now on; a guest's code changes it
	end    error        // why the session is over; nil if it is not, or if an event could not be sent
	idle   idle.Rule
	timer  *time.Timer // of the rule; nil if there is no limit
	cases  []reflect.SelectCase

	out    *outbox
	tables *tables
	queue  *queue
	inbox  *inbox
}

func newSession(ctx context.Context, config *Config) *session {
	s := &session{
		ctx: ctx, config: config, client: client.New(config.Manager), player: config.Player,
		idle: idle.NewRule(config.Limits.Idle), out: newOutbox(ctx, config),
	}
	s.client.IsBot = true
	s.tables = &tables{ctx: ctx, config: config, client: s.client, out: s.out, idle: &s.idle}
	s.queue = &queue{ctx: ctx, client: s.client, out: s.out, tables: s.tables}
	lines := make(chan line)
	s.inbox = &inbox{lines: lines, done: make(chan func(), 1)}
	if next := s.idle.Next(); !next.IsZero() {
		s.timer = time.NewTimer(time.Until(next))
	}
	go s.recoverPanic("reading", func() { readLines(ctx, config.In, lines) })
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

// The places of the channels in step, before those of the tables.
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
	var alarm <-chan time.Time
	if s.timer != nil {
		alarm = s.timer.C
	}
	s.cases = append(s.cases[:0],
		receive(s.ctx.Done()), receive(s.out.done), receive(s.inbox.input()), receive(s.inbox.done),
		receive(s.queue.place.Status()), receive(alarm), receive(s.config.Notices))
	for _, at := range s.tables.open {
		s.cases = append(s.cases, receive(at.Snapshots()))
	}
	switch chosen, value, open := reflect.Select(s.cases); chosen {
	case onStop:
		s.end = errStopped
	case onUnwritable:
		s.end = s.out.err
	case onLine:
		s.idle.Activity()
		l, _ := value.Interface().(line)
		s.takeLine(l, open)
	case onDone:
		finish, _ := value.Interface().(func())
		finish()
	case onSeek:
		status, _ := value.Interface().(lobby.SeekStatus)
		s.queue.onStatus(status, open)
	case onAlarm:
		s.checkIdle()
	case onNotice:
		s.out.notice(value.String())
	default:
		snapshot, _ := value.Interface().(*match.Snapshot)
		s.tables.onSnapshot(s.tables.open[chosen-onTable], snapshot, open)
	}
	s.doWaiting()
}

func receive[T any](from <-chan T) reflect.SelectCase {
	return reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(from)}
}

// takeLine does a line about a match at once if it may, and has every other line wait for those before it.
func (s *session) takeLine(l line, open bool) {
	switch {
	case !open:
		s.inbox.lines = nil
	case s.mayPass(l.request):
		s.doLine(l)
	default:
		s.inbox.waiting = append(s.inbox.waiting, l)
	}
}

// mayPass reports whether a line need not wait for those before it: it is about a seat that the session has taken, and
// they are not.
func (s *session) mayPass(r request) bool {
	id := r.about()
	if id == "" {
		return false
	}
	at := s.tables.find(id)
	return at != nil && at.IsSeated() && !s.inbox.hasAbout(id)
}

// doWaiting does the lines that wait until one still has to. Once the input has ended and all is done, so is the
// session.
func (s *session) doWaiting() {
	for len(s.inbox.waiting) > 0 && !s.inbox.busy && s.ending() == nil {
		l := s.inbox.waiting[0]
		// Until the place that was given up is gone, its player can have no other.
		if l.request.Do == botproto.DoSeek && s.queue.place.IsLeaving() {
			return
		}
		s.inbox.waiting = s.inbox.waiting[1:]
		s.doLine(l)
	}
	if s.inbox.isFinished() && s.ending() == nil {
		s.end = errInput
	}
}

// doLine does what a line asks for, or says why not. Too many bad lines in a row end the session.
func (s *session) doLine(l line) {
	err := l.err
	if err == nil {
		err = s.dispatch(l.request)
	}
	if err != nil {
		s.out.refuse(err, l.request.Do)
	}
	if s.inbox.countBad(err) >= maxBad && s.ending() == nil {
		s.out.notice(fmt.Sprintf("those were %d bad lines in a row: goodbye", maxBad))
		s.end = ErrBadLines
	}
}

// dispatch does one request. What it leads to at once has been said when it returns, unless the session is busy with
// its job then.
func (s *session) dispatch(r request) error {
	v, known := verbOf(r.Do)
	switch {
	case !r.Has("do"):
		return errNoDo
	case !known:
		return fmt.Errorf("%w: %.40q", errUnknownDo, r.Do)
	}
	later, err := v.do(s, r)
	if err == nil && later != nil {
		s.aside(r.Do, later)
	}
	return err
}

// aside runs the job of a request. There is one at a time: the lines after it wait.
func (s *session) aside(do botproto.Verb, run job) {
	s.inbox.busy = true
	go func() {
		finish := func() error { return ErrInternal }
		s.recoverPanic(string(do), func() { finish = run() })
		s.inbox.done <- func() {
			s.inbox.busy = false
			if err := finish(); err != nil {
				s.out.refuse(err, do)
			}
		}
	}()
}

// checkIdle warns a bot that has said nothing for long, and then ends its session.
func (s *session) checkIdle() {
	switch s.idle.Check(s.tables.awaitsOpponents()) {
	case idle.Nothing:
	case idle.Warn:
		s.out.notice(fmt.Sprintf("still there? any line keeps you here, a ping for one; if not, goodbye in %v",
			s.idle.Warning()))
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
	if s.queue.place.IsWaiting() {
		message += "; " + queueClosed
	}
	s.out.notice(message)
}
