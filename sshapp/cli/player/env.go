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

// Env tells the commands about their call and its client.
type Env struct {
	Name    string // what the user types before a command, such as "notakto" or "ssh HOST"
	Host    string // the server in commands to copy, by default HOST
	Version Version
	Echo    bool           // the command must show typed text, because the client does not
	Server  *Server        // nil without a server
	LeadTo  func(FrontEnd) // receives the front end that a command leads to

	// EndInput makes the present Read of the command's input and every later one return the error. An Env with EndInput
	// needs a Server, because Server.Idle limits the wait for input. With a nil EndInput a command waits for input without
	// limit.
	EndInput func(error)

	// Data adds the flags that name a server's data, for a local command. The result opens the data.
	Data func(*pflag.FlagSet) (open func(context.Context) (*store.Store, error))
}

// Server is the server from the view of one player.
type Server struct {
	Player   match.Player
	Accounts *account.Accounts
	History  *store.History  // may be nil
	Progress *store.Progress // may be nil
	Caller   account.Caller  // identifies the player in changes of the account
	Manager  *manager.Manager
	Screens  bool            // the client's terminal can show the full screen
	Renamed  bool            // the player's name differs from the user name of the login
	Idle     time.Duration   // time without input after which the session ends
	InTurn   func(do func()) // as in [plain.Config]

	NotifyURL string // as in [plain.Config]
}

// FrontEnd is the front end that a command line leads to. The player stays there until the session ends.
type FrontEnd struct {
	Kind   FrontEndKind
	Player match.Player // the guest that a code belongs to, or else the player of the [Server]
	Start  start.Start  // where the game starts
}

// FrontEndKind selects a front end.
type FrontEndKind uint8

// The front ends.
const (
	Screen FrontEndKind = iota // the full screen
	Plain                      // the game line by line
	Bot                        // the bot protocol
)

const about = `Play Notakto, the game of noughts and crosses without noughts, over SSH.

To play on the full screen: ssh -t HOST`

// Root returns the root of all commands. Its own action says how to play. The caller may replace the action and add
// commands.
func Root(e Env) cli.Command {
	e.Host = cmp.Or(e.Host, wording.NoHost)
	root := cli.Command{
		Use: "notakto", Long: about,
		Run: func(_ context.Context, c *cli.Call, _ []string) (cli.Answer, error) {
			return cli.Answer{}, cli.Usage(errors.Join(c.Help(), fmt.Errorf("the game needs a terminal: ssh -t %s; "+
				"without one, play line by line: ssh %s plain", e.Host, e.Host)))
		},
		Sub: []cli.Command{
			e.play(), e.challenge(), e.challenges(), e.accept(), e.decline(), e.withdraw(),
			e.block(), e.unblock(), e.blocked(), e.join(),
			e.watch(), e.daily(), e.rush(), e.slips(), e.learn(), e.plain(), e.bot(), e.matches(),
			e.moves(), e.move(), e.results(), e.analyse(),
			e.opening(), e.card(), e.cast(), e.show(), e.profile(), e.history(), e.ladder(), e.classic(), e.rules(), e.version(),
			e.me(), e.name(), e.key(), e.notify(),
		},
	}
	if e.Host == wording.NoHost {
		root.Long += "\nHOST is what you type after ssh, such as -p 2222 localhost."
	}
	root.Long = strings.ReplaceAll(root.Long, wording.NoHost, e.Host)
	root.ReplaceInExamples(wording.NoHost, e.Host)
	return root
}

// Names returns the sorted names of the commands of [Root], and of the command help.
func Names() []string {
	return []string{
		"accept", "analyse", "block", "blocked", "bot", "card", "cast", "challenge", "challenges", "classic", "daily",
		"decline", "help", "history", "join", "key", "ladder", "learn", "matches", "me", "move", "moves", "name",
		"notify", "opening", "plain", "play", "profile", "results", "rules", "rush", "show", "slips", "unblock",
		"version", "watch", "withdraw",
	}
}

// onServer returns an action that calls do and rewords its error for players. Without a server the action returns an
// error that says where to ask.
func (e Env) onServer(do cli.Action) cli.Action {
	return func(ctx context.Context, c *cli.Call, args []string) (cli.Answer, error) {
		if e.Server == nil {
			return cli.Answer{}, needsServerError(strings.TrimPrefix(c.Path, e.Name+" "))
		}
		a, err := do(ctx, c, args)
		return a, UserError(err, e.Host)
	}
}

// needsServerError returns the error of a command that only a server can run. line is the command with its arguments.
func needsServerError(line string) error {
	return fmt.Errorf("this command needs a server: ssh HOST %s", line)
}

// errTimedOut reports an outcome that is unknown, because the server did not answer in time.
var errTimedOut = errors.New("the server took too long; try again in a moment")

// unknownMatchError is the name of a match that does not exist.
type unknownMatchError match.ID

func (u unknownMatchError) Error() string { return "there is no match " + string(u) }

// UserError returns err in words for players. host is the server in commands to copy.
func UserError(err error, host string) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, context.DeadlineExceeded):
		return errTimedOut
	}
	if unknown := unknownMatchError(""); errors.As(err, &unknown) {
		return fmt.Errorf("there is no match %.40q: ssh %s matches lists those in progress, and history "+
			"your finished ones", string(unknown), host)
	}
	if said := wording.Explain(err); said.Known {
		return errors.New(said.Message)
	}
	return err
}

// runInTurn calls do through InTurn, or at once without a server. If ctx has ended, runInTurn returns the cause, and
// InTurn may have dropped do.
func (s *Server) runInTurn(ctx context.Context, do func()) error {
	if s == nil || s.InTurn == nil {
		do()
	} else {
		s.InTurn(do)
	}
	return context.Cause(ctx)
}

// input returns a reader of the command's input. With Echo, the reader echoes lines and lets the player edit them.
// With EndInput, Read fails with the cause when ctx ends. After Server.Idle without input, Read fails with
// [idle.ErrIdle]. input writes a warning to c.Err some time before.
func (e Env) input(ctx context.Context, c *cli.Call) io.Reader {
	typed := c.In
	if e.EndInput != nil { // without EndInput, a signal can end the process
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
		typed = activityReader{c.In, timer}
	}
	if e.Echo {
		return lineedit.NewReader(typed, c.Out)
	}
	return typed
}

type activityReader struct {
	io.Reader
	timer *idle.Timer
}

func (a activityReader) Read(p []byte) (int, error) {
	n, err := a.Reader.Read(p)
	a.timer.Activity()
	return n, err
}
