package plain

import (
	"context"
	"io"
	"time"

	"notakto/match"
	"notakto/match/account"
	"notakto/match/history"
	"notakto/match/manager"
	"notakto/sshapp/start"
)

// Config is what a session needs.
type Config struct {
	Player   match.Player
	Accounts *account.Accounts
	Caller   account.Caller // who decides about the player's account; no key for a guest
	Manager  *manager.Manager
	History  *history.Store // nil where there is none
	In       io.Reader      // what the player types, a line a command
	// a Write that does not return holds up this session and nothing else; the caller has to make it fail some time
	Out     io.Writer
	ASCII   bool // the player's locale knows no other characters: a question mark stands for them
	Renamed bool // the player's name is not the user name of the login
	Start   start.Start
	Host    string // the server in commands to copy; HOST by default

	// Echo is for a client that sends each key and shows none of them, as with a terminal at the other end. Typed
	// characters are then shown, and a backspace takes the last one back. It is the one case in which a control
	// character, the backspace, is sent.
	Echo bool
	// Idle is how long a player may type nothing before the session ends, after a warning; zero is for ever. Who waits
	// for the opponent's move is not idle.
	Idle time.Duration
	// InTurn does what takes long when others have had their turn, unless the client has gone by then; do must not wait.
	// Nil does it at once.
	InTurn func(do func())
	// Notices are sentences of those who look after the server; nil without any.
	Notices <-chan string
}

// Serve is a whole session. It returns when the player quits, the input or ctx ends, or a Write fails; the player has
// then left every table and the queue. The errors are that of the Write, what kept the player from the place to start
// from, which nothing is said about, and the cause of ctx's end if it has one of its own: the player reads that and
// what becomes of the matches. A Read of In that is under way goes on until In ends, which is for the caller to see to.
func Serve(ctx context.Context, d Config) error {
	ctx, end := context.WithCancel(ctx)
	defer end()
	s := newSession(ctx, d)
	defer s.client.Close()
	go read(ctx, d.In, s.typing.chunks)
	s.welcome()
	if err := s.beginAt(d.Start); err != nil && ctx.Err() == nil {
		return err
	}
	return s.loop()
}
