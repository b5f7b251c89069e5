package plain

import (
	"cmp"
	"context"
	"time"

	"notakto/match"
	"notakto/match/manager"
	"notakto/rules/strategy"
	"notakto/sshapp/client"
	"notakto/sshapp/idle"
	"notakto/sshapp/lineedit"
	"notakto/sshapp/start"
	"notakto/sshapp/wording"
)

// session is one player at this front end. All of it belongs to the goroutine of [Serve].
type session struct {
	ctx     context.Context
	manager *manager.Manager
	player  match.Player
	out     lineWriter
	typing  typing
	idle    idle.Rule

	client          *client.Session
	table           table // the table that the player is at
	backgroundTable table // a match that is kept open meanwhile
	reviewed        table // the last match that ended here
	warned          warned
	queue           *queueing
	found           match.ID           // a match that waits for the player to come over
	background      []*backgroundMatch // the matches that the player is away from, as far as is known
	lookAt          time.Time          // when they are looked at again; zero for never
	cutOff          bool               // it was told that nothing can be recorded at this server
	asked           *question
	listed          []match.ID // the matches in progress as they were last told
	level           strategy.Level
	host            string // the server in commands to copy
	renamed         bool   // the player's name is not the user name of the login
	done            bool
	end             error // why, if neither the player nor the input ended the session
}

// typing is what the player types.
type typing struct {
	lines  lineedit.Editor
	chunks chan []byte // of keys; closed at the end
	ended  bool        // whether that has come
}

func newSession(ctx context.Context, d Config) *session {
	return &session{
		ctx: ctx, manager: d.Manager, client: client.New(d.Manager), player: d.Player, typing: typing{chunks: make(chan []byte)},
		out: lineWriter{out: d.Out, echo: d.Echo, ascii: d.ASCII}, idle: idle.NewRule(d.Idle),
		level: cmp.Or(d.Start.Level, strategy.Club), host: cmp.Or(d.Host, "HOST"), renamed: d.Renamed,
	}
}

func (s *session) printLine(sentences ...string) { s.out.printLine(sentences...) }

func (s *session) welcome() {
	s.printLine("Notakto, line by line. You are "+s.player.Name+".", s.renamedText(), s.running())
	for _, state := range s.manager.TakeMissed(s.player.ID) {
		at := table{&client.Table{Side: state.Side(s.player.ID), Snapshot: &match.Snapshot{State: state}}}
		s.printLine("A match ended while you were away:", wording.Variant(at.Variant)+", against "+at.who(at.Opponent())+".", at.ending(),
			"To hear it again, type watch "+string(at.ID)+".")
	}
	s.trackBackground()
}

// renamedText tells the player of a name that is not the user name of the login; empty if it is.
func (s *session) renamedText() string {
	if !s.renamed {
		return ""
	}
	return "Your user name cannot be shown as it is. For another name: ssh -l NAME " + s.host + " plain."
}

// begin goes where the session is to start, or says why it cannot.
func (s *session) begin(from start.Start) error {
	terms := cmp.Or(from.Terms, match.DefaultTerms())
	switch from.At {
	case start.Queue:
		return s.seek(terms)
	case start.Computer:
		return s.playComputer(terms, from.Side)
	case start.Private:
		return s.openPrivate(terms)
	case start.Code:
		return s.join(from.Code)
	case start.Match:
		return s.watch(from.Match)
	}
	s.printLine("Type play to wait for an opponent, computer to play the computer, rules to hear the rules, or help.")
	return nil
}
