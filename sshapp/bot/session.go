package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime/debug"
	"slices"
	"time"

	"notakto/match"
	"notakto/match/manager"
	"notakto/match/store"
	"notakto/sshapp/bot/botproto"
	"notakto/sshapp/client"
	"notakto/sshapp/idle"
)

// Errors of a session that did not end with its input or its context.
var (
	// ErrBadLines says that the bot sent nothing but bad lines for a while.
	ErrBadLines = errors.New("too many bad lines in a row")
	// ErrSlow says that the bot did not read what it was sent.
	ErrSlow = errors.New("the bot does not read what it is sent")
	// ErrInternal says that the session had a fault of its own, which is logged.
	ErrInternal = errors.New("the session had a fault")
)

// Config holds the parts and settings of a session. Player, Manager, In and Out are required.
type Config struct {
	Player  match.Player
	Manager *manager.Manager
	History *store.History // nil if the server keeps no history
	In      io.Reader
	Out     io.Writer
	Log     *slog.Logger // of faults; nil logs nothing
	Limits  Limits
	OnLimit func(error)   // is called when one of the limits refuses the bot something; may be nil
	Notices <-chan string // of administrators; nil for none
}

// Limits are the limits of a session. A zero field stands for its default.
type Limits struct {
	Tables int           // 32: tables open at once, of matches that are not over
	Stall  time.Duration // 10 s: the time that the bot may read nothing
	Idle   time.Duration // no limit: the time without input, unless the bot waits for an opponent's move
}

// Serve runs a bot's session until its input or ctx ends. The end of the input is no error. The end of ctx returns its
// cause, which the bot receives too with what becomes of its matches, unless the cause is context.Canceled. Other
// errors are [ErrBadLines], [ErrSlow], [idle.ErrIdle], [ErrInternal] and the error of writing Out.
//
// When Serve returns, every seat and every place in the queue has been given back, and all output written if possible.
// A Read or a Write that still waits keeps its goroutine, so the caller closes In and Out.
func Serve(ctx context.Context, config Config) error {
	config.Limits.Tables = cmp.Or(config.Limits.Tables, 32)
	config.Limits.Stall = cmp.Or(config.Limits.Stall, 10*time.Second)
	if config.Log == nil {
		config.Log = slog.New(slog.DiscardHandler)
	}
	if config.OnLimit == nil {
		config.OnLimit = func(error) {}
	}
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

// session is one bot's session. It joins the parts and passes each request to its part. One goroutine owns the session
// and all parts.
type session struct {
	ctx    context.Context
	config *Config
	client *client.Session
	player match.Player // the player for the next seats and seeks; a guest's code changes it
	end    error        // why the session is over; nil while it runs, or after a failed send: see ending
	idle   idle.Rule
	alarm  *time.Timer // of the idle rule; stopped if there is no limit

	out    *outbox
	tables *tables
	queue  *queue
	inbox  *inbox
}

func newSession(ctx context.Context, config *Config) *session {
	s := &session{
		ctx: ctx, config: config, client: client.New(config.Manager), player: config.Player,
		idle: idle.NewRule(config.Limits.Idle),
		out: &outbox{
			ctx: ctx, config: config, lines: make(chan []byte, maxUnsent), done: make(chan struct{}),
		},
	}
	s.client.IsBot = true
	s.tables = &tables{ctx: ctx, config: config, client: s.client, out: s.out, idle: &s.idle}
	s.queue = &queue{ctx: ctx, client: s.client, out: s.out, tables: s.tables}
	lines := make(chan line)
	s.inbox = &inbox{lines: lines, done: make(chan func(), 1)}
	s.alarm = time.NewTimer(time.Until(s.idle.Next()))
	if config.Limits.Idle == 0 {
		s.alarm.Stop()
	}
	go s.recoverPanic("reading", func() { readLines(ctx, config.In, lines) })
	go s.recoverPanic("writing", s.out.run)
	return s
}

// recoverPanic calls run and logs a panic in it, which ends nothing else.
func (s *session) recoverPanic(what string, run func()) {
	defer func() {
		if fault := recover(); fault != nil {
			s.logFault(what, fault)
		}
	}()
	run()
}

func (s *session) logFault(what string, fault any) {
	s.config.Log.Error("a bot's session had a fault", "event", "panic",
		"in", what, "player", string(s.config.Player.ID), "fault", fault,
		"stack", string(debug.Stack()))
}

// run runs the session to its end. It logs a panic and returns [ErrInternal].
func (s *session) run() (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			s.logFault("the session", fault)
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

// ending returns why the session is over, or nil while it runs.
func (s *session) ending() error {
	if s.end != nil {
		return s.end
	}
	return s.out.failed
}

// step handles the next event, and then the waiting lines that need to wait no longer.
func (s *session) step() {
	select {
	case <-s.ctx.Done():
		s.end = errStopped
	case <-s.out.done:
		s.end = s.out.err
	case l, open := <-s.inbox.input():
		s.idle.Activity()
		s.takeLine(l, open)
	case finish := <-s.inbox.done:
		finish()
	case <-s.client.Changed():
		s.queue.catchUp()
		for _, at := range slices.Clone(s.tables.open) {
			s.tables.catchUp(at)
		}
	case <-s.alarm.C:
		s.checkIdle()
	case text := <-s.config.Notices:
		s.out.notice(text)
	}
	for len(s.inbox.waiting) > 0 && !s.inbox.busy && s.ending() == nil {
		l := s.inbox.waiting[0]
		// The player can seek again only once the lobby has released the old place.
		if l.request.Do == botproto.DoSeek && s.queue.place.IsLeaving() {
			break
		}
		s.inbox.waiting = s.inbox.waiting[1:]
		s.doLine(l)
	}
	if s.inbox.isFinished() && s.ending() == nil {
		s.end = errInput
	}
}

// takeLine carries out a line at once if it is about a seat of this session and no waiting line is about the same
// match. Every other line waits for those before it.
func (s *session) takeLine(l line, open bool) {
	if !open {
		s.inbox.lines = nil
		return
	}
	if id := l.request.about(); id != "" && s.tables.find(id).IsSeated() && !s.inbox.hasLineAbout(id) {
		s.doLine(l)
		return
	}
	s.inbox.waiting = append(s.inbox.waiting, l)
}

// doLine does the request of a line, or sends the error. Too many bad lines in a row end the session.
func (s *session) doLine(l line) {
	err := l.err
	if err == nil {
		err = s.dispatch(l.request)
	}
	if err != nil {
		s.out.refuse(err, l.request.Do)
	}
	if s.inbox.bad++; !isBadLine(err) {
		s.inbox.bad = 0
	}
	if s.inbox.bad >= maxBad && s.ending() == nil {
		s.out.notice(fmt.Sprintf("those were %d bad lines in a row: goodbye", maxBad))
		s.end = ErrBadLines
	}
}

// dispatch does one request. Unless it starts a job, it has sent the direct answer when it returns.
func (s *session) dispatch(r request) (err error) {
	p, t, later := s.player, s.tables, job(nil)
	switch r.Do {
	case botproto.DoComputer:
		err = t.playComputer(p, r)
	case botproto.DoSeek:
		later, err = s.queue.seek(p, r)
	case botproto.DoCancel:
		later = s.queue.cancel()
	case botproto.DoCreate:
		err = t.create(p, r)
	case botproto.DoJoin:
		later, err = s.join(r)
	case botproto.DoMove:
		err = t.move(p.ID, r)
	case botproto.DoResign:
		err = t.resign(p.ID, r)
	case botproto.DoRematch:
		err = t.rematch(p.ID, r)
	case botproto.DoWatch:
		err = t.watch(p.ID, r)
	case botproto.DoLeave:
		err = t.leave(p.ID, r)
	case botproto.DoState:
		err = t.state(p.ID, r)
	case botproto.DoPing:
		var pong botproto.Pong
		if pong.N, err = r.Number("n"); err == nil {
			s.out.send(pong)
		}
	default:
		if !r.Has("do") {
			return errNoDo
		}
		return fmt.Errorf("%w: %.40q", errUnknownDo, r.Do)
	}
	if later != nil {
		s.start(later, r.Do)
	}
	return err
}

// job does the part of a request that may take seconds, in its own goroutine. The session's goroutine then calls
// finish, and sends its error to the bot.
type job func() (finish func() error)

// start runs a job. Only one job runs at a time, and the lines after it wait.
func (s *session) start(run job, do botproto.Verb) {
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

// join checks the request and starts a job that follows the code. The code may lead to the seat of another identity.
// Then the seats of the former identity are kept, and its place in the queue is given up.
func (s *session) join(r request) (job, error) {
	code, err := r.Text("code")
	if err != nil {
		return nil, err
	}
	if err := s.tables.checkLimit(); err != nil {
		return nil, err
	}
	p := s.player
	return func() func() error {
		id, player, err := s.client.Join(s.ctx, p, match.Code(code))
		return func() error {
			if err != nil {
				return err
			}
			if player.ID != p.ID {
				s.queue.place.Leave()()
				s.queue.catchUp()
				s.player = player
				s.out.welcome(player)
			}
			_, err = s.tables.sit(player.ID, id)
			return err
		}
	}, nil
}

// checkIdle warns a bot that has sent nothing for long, and later ends its session.
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
	s.alarm.Reset(time.Until(s.idle.Next()))
}

// exitNotice tells the bot why the session ends and what becomes of its matches, if the bot did not end the session. It
// sends nothing if the client has gone.
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
