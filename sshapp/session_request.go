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

// Errors of a command that no front end can run. A client that uses scp or any subsystem, such as sftp, gets
// errNoFiles.
var (
	errQuotes      = errors.New("the quotes in the command do not match")
	errLongCommand = errors.New("the command line is too long: at most 4096 bytes are read")
	errNoShell     = errors.New("shell completion is not available over SSH")
	errNoFiles     = errors.New("there are no files here to send or to fetch; to play, log in without a command")
)

const maxCommand = 4096

// Limits on the env requests that do not count in channel.requestLimit, before a session begins. Variables that the
// server drops count too. A user that sends all variables (SendEnv *) stays below these limits.
const (
	maxEnvRequests = 1000
	maxEnvBytes    = 1 << 20
	envOverhead    = 64 // bytes of a request around its payload, at most
)

// sessionRequest holds a client's requests on a session channel. After isStarted is set, only countEnv changes a
// sessionRequest.
type sessionRequest struct {
	terminal    *ssh.Pty // nil without a terminal
	env         terminal.Environ
	envRequests int
	envBytes    int
	command     string
	isTooLong   bool // the command was cut
	isSubsystem bool // a file transfer
	isStarted   bool // the front end has been chosen
}

func (r *sessionRequest) apply(request *gossh.Request) (ok bool) {
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
		// Accepted to let the session send the error.
		if r.isTooLong = len(r.command) > maxCommand; r.isTooLong {
			r.command = strings.Clone(r.command[:maxCommand])
		}
		return true
	case "subsystem": // accepted to let the session send the error
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

// countEnv counts a request that sets a variable, and reports whether it is exempt from the limit of requests.
func (r *sessionRequest) countEnv(payload []byte) bool {
	r.envRequests++
	r.envBytes += len(payload)
	return !r.isStarted && r.envRequests <= maxEnvRequests && r.envBytes <= maxEnvBytes
}

// words splits the command as a shell would. If the quotes do not match, the result is nil.
func (r *sessionRequest) words() []string {
	words, err := shlex.Split(r.command, true)
	if err != nil {
		return nil
	}
	return words
}

// argv returns the command to run, or an error for the client. Without a command, a terminal that cannot show the
// full screen gets the command plain.
func (r *sessionRequest) argv() ([]string, error) {
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

func (r *sessionRequest) showsScreens() bool { return r.terminal != nil && r.terminal.Term != "dumb" }

func (r *sessionRequest) isInteractive() bool {
	argv := r.words()
	return !r.isSubsystem && (r.terminal != nil || len(argv) > 0 && argv[0] == "plain")
}

// frontEnd returns the name of the session's front end. A command that leads to the full screen counts as a command.
func (r *sessionRequest) frontEnd() string {
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

// loggedCommand returns the first word of the command if it is a command of the player's role, otherwise "unknown".
// Other words may hold the code of a guest's seat. With the code, any player could take the seat.
func (r *sessionRequest) loggedCommand(role cli.Role) string {
	switch argv := strings.Fields(r.command); {
	case len(argv) == 0:
		return ""
	case slices.Contains(player.Names(), argv[0]), argv[0] == "admin" && role != cli.Player:
		return argv[0]
	default:
		return "unknown"
	}
}
