package plain

import (
	"cmp"
	"context"
	"time"

	"notakto/match"
	"notakto/rules"
	"notakto/rules/strategy"
)

// patience is how long a wish may take before the player is told that it failed.
const patience = 15 * time.Second

// session is one player at this door. All of it belongs to the goroutine of [Serve].
type session struct {
	ctx     context.Context
	manager *match.Manager
	player  match.Player
	voice   voice
	typing  typing
	chunks  chan []byte // what is typed; closed at its end
	ended   bool        // whether the input has
	notices <-chan string
	idle    idle

	here     *sitting // the table that the player is at
	other    *sitting // a match that is kept open meanwhile
	reviewed *sitting // the last match that ended here
	queue    *queueing
	found    match.ID // a match that waits for the player to come over
	asked    *question
	listed   []match.ID // the matches in progress as they were last told
	level    strategy.Level
	done     bool
}

func newSession(ctx context.Context, d Door) *session {
	return &session{
		ctx: ctx, manager: d.Manager, player: d.Player, chunks: make(chan []byte), notices: d.Notices,
		voice: voice{out: d.Out, echo: d.Echo}, idle: newIdle(d.Idle), level: cmp.Or(d.Start.Level, strategy.Club),
	}
}

func (s *session) say(sentences ...string) { s.voice.say(sentences...) }

func (s *session) welcome() {
	s.say("Notakto, line by line. You are "+s.player.Name+".", s.running())
}

// begin goes where the session is to start; what cannot be had leaves the player in the lobby.
func (s *session) begin(start Start) {
	v := start.Variant
	if !v.Valid() {
		v = rules.DefaultVariant()
	}
	switch start.Place {
	case AtQueue:
		s.seek(v)
	case AtComputer:
		s.playComputer(v, start.Side)
	case AtPrivate:
		s.openPrivate(v)
	case AtCode:
		s.join(start.Code)
	case AtMatch:
		s.watch(start.Match)
	}
	if s.here == nil && s.queue == nil {
		s.say("Type play to wait for an opponent, computer to play the computer, rules to hear the rules, or help.")
	}
}

// loop tells news and obeys commands until the session is over.
func (s *session) loop() error {
	for {
		s.catchUp()
		line, typed := s.typing.next()
		switch {
		case s.ctx.Err() != nil:
			s.stop()
		case typed:
			s.voice.entered(line.text)
			s.obey(line)
		case s.ended:
			s.leaveAll()
		}
		if err := s.voice.flush(s.typing.partial()); err != nil || s.done {
			return err
		}
		if !typed {
			s.wait()
		}
	}
}

// catchUp tells what has come from the tables and the queue, so that a command means what the player has heard.
func (s *session) catchUp() {
	for _, at := range [2]*sitting{s.here, s.other} {
		select {
		case snapshot, open := <-at.mailbox():
			s.news(at, snapshot, open)
		default:
		}
	}
	select {
	case status, open := <-s.queue.status():
		s.queueNews(status, open)
	default:
	}
}

// wait waits for the next thing to happen and takes it in.
func (s *session) wait() {
	alarm := s.alarm()
	defer alarm.Stop()
	select {
	case <-s.ctx.Done():
	case chunk, open := <-s.chunks:
		s.typed(chunk, open)
	case snapshot, open := <-s.here.mailbox():
		s.news(s.here, snapshot, open)
	case snapshot, open := <-s.other.mailbox():
		s.news(s.other, snapshot, open)
	case status, open := <-s.queue.status():
		s.queueNews(status, open)
	case notice, open := <-s.notices:
		if !open {
			s.notices = nil
		}
		s.say(notice)
	case <-alarm.C:
		s.offerComputer()
		s.judgeIdle()
	}
}

func (s *session) typed(chunk []byte, open bool) {
	s.idle.reset()
	s.typing.feed(chunk)
	if !open {
		s.typing.finish()
		s.ended = true
		s.chunks = nil
	}
}

// alarm goes off when something is to be said though nothing happens.
func (s *session) alarm() *time.Timer {
	at := s.idle.next()
	if offer := s.queue.offerAt(); at.IsZero() || !offer.IsZero() && offer.Before(at) {
		at = offer
	}
	if at.IsZero() {
		at = time.Now().Add(time.Hour) // there is nothing: any time will do
	}
	return time.NewTimer(time.Until(at))
}

// close leaves every table and the queue.
func (s *session) close() {
	s.here.leave()
	s.other.leave()
	s.queue.cancel()
}
