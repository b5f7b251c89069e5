// Package player has the commands that people, scripts and bots type after `ssh HOST`. The local program has them
// too.
//
// An [Env] says what a command line can use: a terminal, and the [Server] from the view of its player. [Root]
// returns the commands for an Env. Package cli runs one of them. A command that leads to the game or to the bot
// protocol passes a [FrontEnd] to LeadTo and returns. The caller runs the front end, because its session may last
// for hours.
//
// Commands that need a server exist without one too. They print their help, but fail with a text that says where
// to ask. The fields that --json prints, and their order, are a promise (docs/commands.md).
//
// Commands run in the goroutine of the caller and start no other one.
package player

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"notakto/match"
	"notakto/match/account"
	"notakto/match/manager"
	"notakto/match/store"
	"notakto/sshapp/cli"
	"notakto/sshapp/idle"
	"notakto/sshapp/lineedit"
	"notakto/sshapp/start"
	"notakto/sshapp/wording"
)

// Env says what the commands of a command line can use.
type Env struct {
	Name    string // what the user types before the command: "notakto", or "ssh HOST"
	Host    string // the server in commands to copy; HOST by default
	Version Version
	Echo    bool           // the client does not show what the user types, so the command has to
	Server  *Server        // nil without a server
	LeadTo  func(FrontEnd) // is called with the front end that the command line leads to

	// EndInput makes every Read of the command's input return an error, including a Read that waits. If EndInput is
	// nil, a command waits for input without limit.
	EndInput func(error)

	// Data adds the flags of a local command that name a server's data, and returns a function that opens it.
	Data func(*pflag.FlagSet) (open func(context.Context) (*store.Store, error))
}

// Server is the server from the view of one player.
type Server struct {
	Player   match.Player
	Accounts *account.Accounts
	History  *store.History // nil if the server keeps no history
	Caller   account.Caller // the client that changes the player's account
	Manager  *manager.Manager
	Screens  bool            // the client's terminal can show the full screen
	Renamed  bool            // the player's name is not the user name of the login
	Idle     time.Duration   // time without input after which a session ends
	InTurn   func(do func()) // as in [plain.Config]; nil to call do at once
}

// FrontEnd names the front end to which a command line leads. The player stays there until the session ends.
type FrontEnd struct {
	Kind   FrontEndKind
	Player match.Player // the guest whose code was followed, otherwise the player of the [Server]
	Start  start.Start  // where the game starts
}

// FrontEndKind is one of the front ends.
type FrontEndKind uint8

// The front ends.
const (
	Screen FrontEndKind = iota // the full screen
	Plain                      // the game line by line
	Bot                        // the bot protocol
)

const about = `Play Notakto, the game of noughts and crosses without noughts, over SSH.

With a terminal and no command, the game begins: ssh -t HOST`

// Root returns the root of all commands. Its own action says how to play. The caller may replace the action and
// add commands.
func Root(e Env) cli.Command {
	e.Host = cmp.Or(e.Host, wording.NoHost)
	root := cli.Command{
		Use: "notakto", Long: about,
		Run: func(_ context.Context, c *cli.Call, _ []string) (cli.Answer, error) {
			return cli.Answer{}, cli.Usage(errors.Join(c.Help(), fmt.Errorf("the game needs a terminal, ssh -t %s; "+
				"without one, ssh %s plain is played line by line", e.Host, e.Host)))
		},
		Sub: []cli.Command{
			e.play(), e.join(), e.watch(), e.plain(), e.bot(), e.matches(), e.analyse(), e.opening(), e.card(), e.cast(),
			e.show(), e.profile(), e.history(), e.ladder(), e.classic(), e.rules(), e.version(), e.me(), e.name(), e.key(),
		},
	}
	if e.Host == wording.NoHost {
		root.Long += "\nHOST is what you type after ssh, such as -p 2222 localhost."
	}
	root.Long = strings.ReplaceAll(root.Long, wording.NoHost, e.Host)
	e.nameHost(root.Sub)
	return root
}

// nameHost writes the server's address into examples.
func (e Env) nameHost(commands []cli.Command) {
	for i := range commands {
		commands[i].Example = strings.ReplaceAll(commands[i].Example, wording.NoHost, e.Host)
		e.nameHost(commands[i].Sub)
	}
}

// Names returns the names of the commands that every front end has, sorted.
func Names() []string {
	return []string{
		"analyse", "bot", "card", "cast", "classic", "help", "history", "join", "key", "ladder", "matches", "me", "name",
		"opening", "plain", "play", "profile", "rules", "show", "version", "watch",
	}
}

// onServer returns an action that calls do and rewords its error for players. Without a server it returns an error
// that says where to ask.
func (e Env) onServer(do cli.Action) cli.Action {
	return func(ctx context.Context, c *cli.Call, args []string) (cli.Answer, error) {
		if e.Server == nil {
			return cli.Answer{}, needsServerError(strings.TrimPrefix(c.Path, e.Name+" "))
		}
		a, err := do(ctx, c, args)
		return a, UserError(err, e.Host)
	}
}

// needsServerError returns the error of a command that only a server can run. line is the command with its
// arguments.
func needsServerError(line string) error {
	return fmt.Errorf("this command needs a server: ssh HOST %s", line)
}

// errLate says that the server has not answered in time, so the outcome is unknown.
var errLate = errors.New("the server took too long; try again in a moment")

// unknownMatchError is the name of a match that does not exist.
type unknownMatchError match.ID

func (u unknownMatchError) Error() string { return "there is no match " + string(u) }

// UserError returns an error in words for players. host is the server in commands to copy.
func UserError(err error, host string) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, context.DeadlineExceeded):
		return errLate
	}
	if unknown := unknownMatchError(""); errors.As(err, &unknown) {
		return fmt.Errorf("there is no match %.40q; ssh %s matches lists those in progress, and the end of a match "+
			"tells its name", string(unknown), host)
	}
	if said := wording.ForError(err); said.Known {
		return errors.New(said.Message)
	}
	return err
}

// inTurn calls do in the player's turn. It returns the cause if ctx has ended, in which case do
// may not have been called.
func (s *Server) inTurn(ctx context.Context, do func()) error {
	if s.InTurn == nil {
		do()
	} else {
		s.InTurn(do)
	}
	return context.Cause(ctx)
}

// input returns a reader of the command's input. If e.Echo is set, the reader echoes the lines and lets the player
// edit them. If EndInput is set, Read fails with the cause when ctx ends, and with [idle.ErrIdle] after
// Server.Idle without input. The reader writes a warning to c.Err before.
func (e Env) input(ctx context.Context, c *cli.Call) io.Reader {
	typed := c.In
	if e.EndInput != nil { // without it, a signal can end the process
		timer := idle.NewTimer(e.Server.Idle, func(timer *idle.Timer) {
			switch action, left := timer.Check(false); action {
			case idle.End:
				e.EndInput(idle.ErrIdle)
			case idle.Warn:
				_, _ = fmt.Fprintf(c.Err, "\nStill there? Type a line to stay; if not, goodbye in %s.\n", left)
			case idle.Nothing:
			}
		})
		context.AfterFunc(ctx, func() {
			timer.Stop()
			e.EndInput(context.Cause(ctx))
		})
		typed = activeReader{c.In, timer}
	}
	if e.Echo {
		return lineedit.NewReader(typed, c.Out)
	}
	return typed
}

// activeReader is a reader that reports activity to a timer.
type activeReader struct {
	io.Reader
	timer *idle.Timer
}

func (a activeReader) Read(p []byte) (int, error) {
	n, err := a.Reader.Read(p)
	a.timer.Activity()
	return n, err
}
