package bot

import (
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"time"

	"notakto/match"
	"notakto/match/manager"
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
