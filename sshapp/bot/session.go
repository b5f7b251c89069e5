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
	"slices"
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

const (
	maxUnsent = 64      // lines
	batchSize = 4 << 10 // bytes that are written at once, give or take a line
)

// outbox is what was said and not written yet. Its one writer takes as many lines at once as there are, so that a busy
// session costs few packets.
type outbox struct {
	ctx   context.Context
	stall time.Duration
	lines chan []byte
	done  chan struct{} // closed when the writer has ended
	err   error         // why, if it was not finish; to be read once done is closed
	slow  bool
}

func newOutbox(ctx context.Context, stall time.Duration) *outbox {
	return &outbox{ctx: ctx, stall: stall, lines: make(chan []byte, maxUnsent), done: make(chan struct{})}
}

// run writes until finish was called and everything is written, or a write fails.
func (o *outbox) run(out io.Writer) {
	o.err = ErrInternal // if Write panics
	defer close(o.done)
	batch := make([]byte, 0, batchSize)
	for first := range o.lines {
		batch = o.gather(append(batch[:0], first...))
		if _, o.err = out.Write(batch); o.err != nil {
			return
		}
	}
	o.err = nil
}

// gather adds the lines that are there already.
func (o *outbox) gather(batch []byte) []byte {
	for len(batch) < batchSize {
		select {
		case text, open := <-o.lines:
			if !open {
				return batch
			}
			batch = append(batch, text...)
		default:
			return batch
		}
	}
	return batch
}

// put queues a line. If the queue stays full for too long the bot is too slow: [ErrSlow].
func (o *outbox) put(text []byte) error {
	select {
	case o.lines <- text:
		return nil
	default:
	}
	timer := time.NewTimer(o.stall)
	defer timer.Stop()
	select {
	case o.lines <- text:
		return nil
	case <-o.done:
		return o.err
	case <-o.ctx.Done():
		return errStopped
	case <-timer.C:
		o.slow = true
		return ErrSlow
	}
}

// finish waits until everything is written, though not for ever. Nothing may be put after it.
func (o *outbox) finish() error {
	close(o.lines)
	if o.slow {
		return ErrSlow
	}
	timer := time.NewTimer(o.stall)
	defer timer.Stop()
	select {
	case <-o.done:
		return o.err
	case <-timer.C:
		return ErrSlow
	}
}

// alarm is when the next look at an idle bot is due; nil for never.
func (s *session) alarm() <-chan time.Time {
	if s.timer == nil {
		return nil
	}
	return s.timer.C
}

// awaitsOpponents reports whether it is not the bot's turn anywhere, and an opponent's in one of its matches.
func (s *session) awaitsOpponents() bool {
	return slices.ContainsFunc(s.tables, func(t *table) bool {
		return t.IsTheirTurn()
	}) && !slices.ContainsFunc(s.tables, func(t *table) bool { return t.IsMyTurn() })
}

// checkIdle warns a bot that has said nothing for long, and then ends its session.
func (s *session) checkIdle() {
	switch s.idle.Check(s.awaitsOpponents()) {
	case idle.Nothing:
	case idle.Warn:
		s.notice(fmt.Sprintf("still there? any line keeps you here, a ping for one; if not, goodbye in %v", s.idle.Warning()))
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
	s.notice(message)
}

// queueClosed is sent to a bot that waits when the server stops: a place in the queue does not outlast the session.
const queueClosed = "you wait for an opponent no longer: seek again when you have come back"
