package player

import (
	"context"

	"notakto/match"
	"notakto/sshapp/bot"
	"notakto/sshapp/plain"
	"notakto/sshapp/start"
)

// FrontEnd is what a command line leads to: the front end at which the player stays until the session ends. It holds
// nothing of the tree, which is more memory than the rest of a session: the caller drops the tree before it serves the
// front end.
type FrontEnd struct {
	Kind   FrontEndKind
	Player match.Player // a guest whose code was followed, else that of the [Server]
	Start  start.Start  // of a game
}

// FrontEndKind is one of the front ends.
type FrontEndKind uint8

// The front ends.
const (
	Screen FrontEndKind = iota // the full screen, which the caller serves
	Plain                      // the game line by line
	Bot                        // the bot protocol
)

// leadToGame leads to a game of p on the full screen if the terminal can show it, and else line by line.
func (e Env) leadToGame(p match.Player, from start.Start) {
	kind := Plain
	if e.Server.Screens {
		kind = Screen
	}
	e.LeadTo(FrontEnd{kind, p, from})
}

// Serve serves a front end to which a command line has led, but not the full screen, until the session ends. What goes
// wrong is for [ReportFailure].
func (e Env) Serve(ctx context.Context, f FrontEnd) error {
	s := e.Server
	if f.Kind == Bot {
		return RuntimeError(e.userError(bot.Serve(ctx, bot.Config{
			Player: f.Player, Manager: s.Manager, History: s.History, In: e.lines(e.In), Out: e.Out, Log: s.Log,
			Limits: bot.Limits{Stall: s.Stall, Idle: s.Idle}, OnLimit: s.OnLimit, Notices: s.Notices,
		})))
	}
	return RuntimeError(e.userError(plain.Serve(ctx, plain.Config{
		Player: f.Player, Accounts: s.Accounts, Caller: s.Caller, Manager: s.Manager, History: s.History,
		In: e.In, Out: e.Out, Echo: e.Echo, ASCII: s.ASCII, Renamed: s.Renamed, Idle: s.Idle, Start: f.Start, Host: e.Host,
		InTurn: s.InTurn, Notices: s.Notices,
	})))
}
