package plain

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"notakto/match"
	"notakto/rules/strategy"
	"notakto/sshapp/client"
	"notakto/sshapp/idle"
	"notakto/sshapp/lineedit"
	"notakto/sshapp/start"
	"notakto/sshapp/wording"
)

// session is one player at this front end. All of it belongs to the goroutine of [Serve].
type session struct {
	ctx      context.Context
	cfg      Config
	player   match.Player
	out      lineWriter
	typing   typing
	idle     idle.Rule
	client   *client.Session
	tables   tables
	queue    *queueing
	away     away
	reported reported
	asked    *question
	level    strategy.Level // of the computer, chosen last; zero if none was
	done     bool
	end      error // why, if neither the player nor the input ended the session
}

// tables are those that the session has to do with.
type tables struct {
	current    table    // that the player is at
	background table    // of a match that is kept open
	reviewed   table    // of the last match that ended here
	left       table    // that the player stepped away from last
	found      match.ID // a match that waits for the player to come over
}

// away is the matches that the player is away from, as far as is known.
type away struct {
	matches []client.OwnMatch
	lookAt  time.Time // when they are looked at again; zero for never
}

// reported is what was printed, so that it is not printed again.
type reported struct {
	cutOff bool       // that nothing can be recorded at this server
	warned warned     // that the time for a move is short
	listed []match.ID // the matches in progress, by number
}

// typing is what the player types.
type typing struct {
	lines  lineedit.Editor
	chunks chan []byte // of keys; closed at the end
	line   string      // the last one, as it was typed
	ended  bool        // whether that has come
}

func newSession(ctx context.Context, d Config) *session {
	d.Host = cmp.Or(d.Host, wording.NoHost)
	return &session{
		ctx: ctx, cfg: d, client: client.New(d.Manager), player: d.Player, typing: typing{chunks: make(chan []byte)},
		out: lineWriter{out: d.Out, echo: d.Echo, ascii: d.ASCII}, idle: idle.NewRule(d.Idle),
		level: d.Start.Level,
	}
}

func (s *session) printLine(sentences ...string) { s.out.printLine(sentences...) }

func (s *session) welcome() {
	s.printLine("Notakto, line by line. You are "+s.player.Name+".", s.renamedText(), s.deletionText(), s.runningText())
	for _, state := range s.cfg.Manager.TakeMissed(s.player.ID) {
		at := table{&client.Table{Side: state.Side(s.player.ID), Snapshot: &match.Snapshot{State: state}}}
		s.printLine("A match ended while you were away:", wording.Terms(at.Terms)+", against "+at.who(at.Opponent())+
			".", at.ending(),
			"To hear it again, type watch "+string(at.ID)+".")
	}
	s.watchBackground()
}

// renamedText says that the name is not the user name of the login; empty if it is.
func (s *session) renamedText() string {
	if !s.cfg.Renamed {
		return ""
	}
	const cut = "Your user name cannot be shown as it is. "
	if s.cfg.Host == wording.NoHost {
		return cut + "Log in as another user to change that."
	}
	return cut + "For another name: ssh -l NAME " + s.cfg.Host + " plain."
}

// beginAt goes where the session is to start, or says why it cannot.
func (s *session) beginAt(from start.Start) error {
	switch from.At {
	case start.Queue:
		return s.seekOpponent(from.Accepts())
	case start.Computer:
		return s.playComputer(from.Table(), from.Side)
	case start.Private:
		return s.openPrivate(from.Table())
	case start.Code:
		return s.joinByCode(from.Code)
	case start.Match:
		return s.watch(from.Match)
	}
	s.printLine("Type play to wait for an opponent, computer to play the computer, rules to hear the rules, or help.")
	return nil
}

// question is what the player is to answer with yes or no.
type question struct {
	yes func(*session)
	no  string // what is said when nothing is done
}

// answer takes a line for the answer to a question, if one was asked. A line that is neither yes nor no means no, and
// is obeyed then.
func (s *session) answer(text string) (answered bool) {
	asked := s.asked
	if s.asked = nil; asked == nil {
		return false
	}
	switch strings.ToLower(text) {
	case "yes", "y":
		asked.yes(s)
		return true
	case "no", "n":
		s.printLine(asked.no)
		return true
	default:
		s.printLine(asked.no)
		return false
	}
}

func (s *session) ask(words string, q question) {
	s.asked = &q
	s.printLine(words, "Type yes or no.")
}

// report says why something cannot be done, if so. When the server stops, the outcome is not known, and nothing is
// printed.
func (s *session) report(err error) {
	if err != nil && s.ctx.Err() == nil {
		s.printLine(errorText(err))
	}
}

// errorText says why something cannot be done, and what to do.
func errorText(err error) string {
	switch {
	case errors.Is(err, errNoMatchToWatch):
		return noOpenMatch
	case errors.Is(err, errTwoTables):
		return "Two of your matches are open here: type leave to step away from this one first."
	default:
		return wording.ForError(err).Full
	}
}
