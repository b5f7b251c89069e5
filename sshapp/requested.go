package sshapp

import (
	"errors"
	"slices"
	"strings"

	"charm.land/ssh"
	"github.com/anmitsu/go-shlex"
	gossh "golang.org/x/crypto/ssh"

	"notakto/sshapp/cli"
	"notakto/sshapp/cli/player"
	"notakto/sshapp/terminal"
)

// The errors of a command that no front end can run.
var (
	// errQuotes says that a command line cannot be split into words.
	errQuotes      = errors.New("the quotes in the command do not match")
	errLongCommand = errors.New("the command line is too long: at most 4096 bytes are read")
	errNoShell     = errors.New("shell completion is not available over SSH")
	// errNoFiles is for scp and for every subsystem, such as sftp.
	errNoFiles = errors.New("there are no files here to send or to fetch; to play, log in without a command")
)

// maxCommand is the longest command line that is read.
const maxCommand = 4096

// The limits up to which a client may set variables for free before its session begins, whether or not the server keeps
// them. A user who sends all variables (SendEnv *) stays below these limits.
const (
	maxEnvRequests = 1000
	maxEnvBytes    = 1 << 20
	envOverhead    = 64 // bytes of a request around its payload, at most
)

// requested holds what a client has asked for on a session channel. It does not change once the front end has begun.
type requested struct {
	terminal    *ssh.Pty // nil without a terminal
	env         terminal.Environ
	envRequests int
	envBytes    int
	command     string
	isTooLong   bool // the command was cut
	isSubsystem bool // a file transfer, which is refused
	isStarted   bool // the front end has been chosen
}

// take does what a request asks for, or refuses it.
func (r *requested) take(request *gossh.Request) (ok bool) {
	if r.isStarted { // the session relies on r not to change
		return false
	}
	switch request.Type {
	case "shell":
		r.isStarted = true
		return true
	case "exec":
		var payload struct{ Command string }
		if gossh.Unmarshal(request.Payload, &payload) != nil {
			return false
		}
		r.isStarted, r.command = true, payload.Command
		// accepted, so that the session can send the error
		if r.isTooLong = len(r.command) > maxCommand; r.isTooLong {
			r.command = strings.Clone(r.command[:maxCommand])
		}
		return true
	case "subsystem": // accepted, so that the session can send the error
		r.isStarted, r.isSubsystem = true, true
		return true
	case "pty-req":
		pty, ok := terminal.ReadPTY(request.Payload)
		if !ok || r.terminal != nil {
			return false
		}
		r.terminal = &pty
		return true
	case "env":
		r.env, ok = r.env.With(request.Payload)
		return ok
	}
	return false
}

// countEnv counts a request that sets a variable, and reports whether it is free. A free request does not count against
// the limit of requests. A flood is not free.
func (r *requested) countEnv(payload []byte) bool {
	r.envRequests++
	r.envBytes += len(payload)
	return !r.isStarted && r.envRequests <= maxEnvRequests && r.envBytes <= maxEnvBytes
}

// words splits the command as a shell would. It returns nil if the quotes do not match.
func (r *requested) words() []string {
	words, err := shlex.Split(r.command, true)
	if err != nil {
		return nil
	}
	return words
}

// argv returns the command to run, or why there is none. Without a command, a terminal that cannot show the full screen
// gets the command plain.
func (r *requested) argv() ([]string, error) {
	argv := r.words()
	switch {
	case r.isTooLong:
		return nil, errLongCommand
	case argv == nil && r.command != "":
		return nil, errQuotes
	case cli.IsCompletionRequest(argv):
		return nil, errNoShell
	case r.isSubsystem || len(argv) > 0 && argv[0] == "scp":
		return nil, cli.Failure(errNoFiles)
	case len(argv) == 0 && r.terminal != nil:
		return []string{"plain"}, nil
	}
	return argv, nil
}

// showsScreens reports whether the client has a terminal that can show the full screen.
func (r *requested) showsScreens() bool { return r.terminal != nil && r.terminal.Term != "dumb" }

// isInteractive reports whether a person uses the session, and can be asked to wait.
func (r *requested) isInteractive() bool {
	argv := r.words()
	return !r.isSubsystem && (r.terminal != nil || len(argv) > 0 && argv[0] == "plain")
}

// frontEnd returns the name of the session's front end. A command that leads to the full screen counts as a command.
func (r *requested) frontEnd() string {
	argv := strings.Fields(r.command)
	switch {
	case r.isSubsystem:
		return frontEndCommand
	case len(argv) == 0 && r.showsScreens():
		return frontEndScreen
	case len(argv) == 0 && r.terminal != nil, len(argv) > 0 && argv[0] == frontEndPlain:
		return frontEndPlain
	case len(argv) > 0 && argv[0] == frontEndBot:
		return frontEndBot
	default:
		return frontEndCommand
	}
}

// loggedCommand returns the first word of the command if it is a command of the player's role, else "unknown". The
// other words may hold the code of a guest's seat. With the code, any player could take the seat.
func (r *requested) loggedCommand(role cli.Role) string {
	switch argv := strings.Fields(r.command); {
	case len(argv) == 0:
		return ""
	case slices.Contains(player.Names(), argv[0]), argv[0] == "admin" && role != cli.Player:
		return argv[0]
	default:
		return "unknown"
	}
}
