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
	"notakto/match/account"
	"notakto/match/manager"
	"notakto/match/store"
	"notakto/sshapp/bot/botproto"
	"notakto/sshapp/client"
	"notakto/sshapp/idle"
)

// Errors of Serve that the bot or a fault of the session causes.
var (
	// ErrBadLines is returned after maxBad bad lines in a row.
	ErrBadLines = errors.New("too many bad lines in a row")
	// ErrSlow is returned if the bot does not read its events.
	ErrSlow = errors.New("the bot does not read what it is sent")
	// ErrInternal is returned after a panic in the session, with the details in the log.
	ErrInternal = errors.New("the session had a fault")
)

// Config holds the parts and settings of a session. Player, Manager, Accounts, In and Out are required.
type Config struct {
	Player   match.Player
	Manager  *manager.Manager
	Accounts *account.Accounts // names of players for challenges
	History  *store.History    // nil on a server without a history
	In       io.Reader
	Out      io.Writer
	Log      *slog.Logger // nil to log no faults
	Limits   Limits
	OnLimit  func(error)   // called when a limit of Limits refuses a request, may be nil
	Notices  <-chan string // sentences of administrators, may be nil
}

// Limits are the limits of a session. A zero field stands for its default.
type Limits struct {
	Tables int           // open tables of matches in progress, default 32
	Stall  time.Duration // maximum time without a read by the bot, default 10 s
	Idle   time.Duration // the time without input, except during an opponent's turn, default no limit
}

// Serve runs a bot's session until its input or ctx ends. The end of the input is no error. At the end of ctx, Serve
// returns the cause. Unless the cause is context.Canceled, the bot first receives the cause and what becomes of its
// matches. Other errors are [ErrBadLines], [ErrSlow], [idle.ErrIdle], [ErrInternal] and an error of Out.
//
// When Serve returns, it has given up every seat and place in the queue, and written all output if possible. The
// caller must close In and Out after that, because a pending Read or Write keeps its goroutine.
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
	if s.inbox.jobRunning {
		s.recoverPanic("ending", func() { (<-s.inbox.jobDone)() })
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
	errStopped    = errors.New("the context has ended")
	errInputEnded = errors.New("the input has ended")
)

// session passes each request to the part that carries it out. One goroutine owns the session and its parts.
type session struct {
	ctx      context.Context
	config   *Config
	client   *client.Session
	player   match.Player // for new seats and seeks, changed by a guest's code
	endCause error        // nil while the session runs, or after a failed send (see ending)
	idle     idle.Rule
	alarm    *time.Timer // fires when idle is due, stopped if Limits.Idle is 0

	out        *outbox
	tables     *tables
	queue      *queue
	challenges *challenges
	inbox      *inbox
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
	s.challenges = &challenges{ctx: ctx, config: config, client: s.client, out: s.out, tables: s.tables}
	lines := make(chan line)
	s.inbox = &inbox{lines: lines, jobDone: make(chan func(), 1)}
	s.alarm = time.NewTimer(time.Until(s.idle.Next()))
	if config.Limits.Idle == 0 {
		s.alarm.Stop()
	}
	go s.recoverPanic("reading", func() { readLines(ctx, config.In, lines) })
	go s.recoverPanic("writing", s.out.run)
	return s
}

// recoverPanic calls run and contains a panic.
func (s *session) recoverPanic(what string, run func()) {
	defer func() {
		if fault := recover(); fault != nil {
			s.logPanic(what, fault)
		}
	}()
	run()
}

func (s *session) logPanic(what string, fault any) {
	s.config.Log.Error("a bot's session had a fault", "event", "panic",
		"in", what, "player", string(s.config.Player.ID), "fault", fault,
		"stack", string(debug.Stack()))
}

// run runs the session to its end. After a panic it returns ErrInternal.
func (s *session) run() (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			s.logPanic("the session", fault)
			s.out.refuse(ErrInternal, "")
			err = ErrInternal
		}
	}()
	s.out.welcome(s.player)
	s.challenges.tellNews(s.player.ID)
	for s.ending() == nil {
		s.step()
	}
	if err := s.ending(); !errors.Is(err, errInputEnded) {
		return err
	}
	return nil
}

// ending returns why the session is over, nil while it runs.
func (s *session) ending() error {
	if s.endCause != nil {
		return s.endCause
	}
	return s.out.sendErr
}

// step handles the next event, then every waiting line that can be done now.
func (s *session) step() {
	select {
	case <-s.ctx.Done():
		s.endCause = errStopped
	case <-s.out.done:
		s.endCause = s.out.err
	case l, open := <-s.inbox.input():
		s.idle.Activity()
		s.handleLine(l, open)
	case finish := <-s.inbox.jobDone:
		finish()
	case <-s.client.Changed():
		s.queue.catchUp()
		for _, at := range slices.Clone(s.tables.open) {
			s.tables.catchUp(at)
		}
		s.challenges.tellNews(s.player.ID)
	case <-s.alarm.C:
		s.checkIdle()
	case text := <-s.config.Notices:
		s.out.notice(text)
	}
	for len(s.inbox.waiting) > 0 && !s.inbox.jobRunning && s.ending() == nil {
		l := s.inbox.waiting[0]
		// The player can seek again only after the lobby has released the old place.
		if l.request.Do == botproto.DoSeek && s.queue.place.IsLeaving() {
			break
		}
		s.inbox.waiting = s.inbox.waiting[1:]
		s.executeLine(l)
	}
	if s.inbox.isFinished() && s.ending() == nil {
		s.endCause = errInputEnded
	}
}

// handleLine executes a line at once if it is about a seat of this session and no waiting line is about that match.
// Other lines wait for the lines before them.
func (s *session) handleLine(l line, open bool) {
	if !open {
		s.inbox.lines = nil
		return
	}
	if id := l.request.targetMatch(); id != "" && s.tables.find(id).IsSeated() && !s.inbox.hasLineAbout(id) {
		s.executeLine(l)
		return
	}
	s.inbox.waiting = append(s.inbox.waiting, l)
}

// executeLine carries out the request of a line and sends its error. maxBad bad lines in a row end the session.
func (s *session) executeLine(l line) {
	err := l.err
	if err == nil {
		err = s.dispatch(l.request)
	}
	if err != nil {
		s.out.refuse(err, l.request.Do)
	}
	if s.inbox.badInRow++; !isBadLine(err) {
		s.inbox.badInRow = 0
	}
	if s.inbox.badInRow >= maxBad && s.ending() == nil {
		s.out.notice(fmt.Sprintf("those were %d bad lines in a row: goodbye", maxBad))
		s.endCause = ErrBadLines
	}
}

// dispatch carries out one request and sends its answer. executeLine sends an error. For a request with a job, the
// job's finish sends the answer later.
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
	case botproto.DoTakeback:
		err = t.request(p.ID, r, match.TakebackOffered)
	case botproto.DoHint:
		err = t.hint(p.ID, r)
	case botproto.DoDecline:
		err = s.challenges.decline(p.ID, r)
	case botproto.DoChallenge:
		err = s.challenges.challenge(p, r)
	case botproto.DoAccept:
		err = s.challenges.accept(p, r)
	case botproto.DoBoard:
		s.challenges.board(p.ID)
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

// job does the slow part of a request in its own goroutine. The session then calls finish and sends its error to the
// bot.
type job func() (finish func() error)

// start runs a job. Lines that handleLine queues wait until the job is done.
func (s *session) start(run job, do botproto.Verb) {
	s.inbox.jobRunning = true
	go func() {
		finish := func() error { return ErrInternal }
		s.recoverPanic(string(do), func() { finish = run() })
		s.inbox.jobDone <- func() {
			s.inbox.jobRunning = false
			if err := finish(); err != nil {
				s.out.refuse(err, do)
			}
		}
	}()
}

// join returns a job that takes the seat that a code stands for. A guest's code may lead to the seat of another
// identity. The seats of the old identity are then kept, but its place in the queue is given up.
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
				s.challenges.tellNews(player.ID)
			}
			_, err = s.tables.sit(player.ID, id)
			return err
		}
	}, nil
}

// checkIdle warns an idle bot, and later ends its session.
func (s *session) checkIdle() {
	switch s.idle.Check(s.tables.awaitsOpponents()) {
	case idle.Nothing:
	case idle.Warn:
		s.out.notice(fmt.Sprintf("still there? send any line, such as a ping, to stay; if not, goodbye in %v",
			s.idle.Warning()))
	case idle.End:
		s.exitNotice(idle.ErrIdle)
		s.endCause = idle.ErrIdle
		return
	}
	s.alarm.Reset(time.Until(s.idle.Next()))
}

// exitNotice tells the bot why the server ends the session, and what becomes of the bot's matches. After
// context.Canceled the client has gone, and exitNotice sends no event.
func (s *session) exitNotice(cause error) {
	if errors.Is(cause, context.Canceled) {
		return
	}
	message := cause.Error()
	switch n := len(s.config.Manager.PlayerMatches(s.player.ID)); n {
	case 0:
	case 1:
		message += ": your match is kept as it stands, and is in the next welcome"
	default:
		message += fmt.Sprintf(": your %d matches are kept as they stand, and are in the next welcome", n)
	}
	if s.queue.place.IsWaiting() {
		message += "; " + queueClosed
	}
	s.out.notice(message)
}
