package sshapp

import (
	"cmp"
	"context"
	"errors"
	"io"

	"notakto/sshapp/names"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"notakto/sshapp/frame"
	"notakto/sshapp/start"
	"notakto/sshapp/tui"
)

// game is the session runner: one player's screens on one terminal. It owns a goroutine beside the one it runs on, the pump (keys), and
// a second one while the pen draws. Both end before it does, save a pump whose client does not close the channel: that one ends with the
// connection, which [channel.run] sees to.
type game struct {
	program *tea.Program
	stage   *stage
	idle    *idleRule
}

// serveGame is the door of a session with a terminal; typed is its input, and from is where the game begins.
func (s *Server) serveGame(sess *channel, typed io.Reader, from start.Place) {
	ctx, end := context.WithCancel(context.Background())
	defer end()
	g := s.newGame(sess, from)
	defer g.idle.stop()
	defer g.close()
	defer context.AfterFunc(sess.life, func() { g.end(context.Cause(sess.life)) })() // at once, whatever the client has typed ahead
	defer context.AfterFunc(s.stopping, func() { g.program.Send(farewellMsg(goodbye)) })()

	go s.readKeys(ctx, sess, typed, g)
	sizes := newResizer(sess, g.program.Send)
	defer sizes.stop()
	if _, err := g.program.Run(); err != nil {
		s.log.Error("game ended by a fault", "session", sessionID(sess), "error", err)
		g.stage.farewell = apology
	}
}

func (s *Server) newGame(sess *channel, from start.Place) *game {
	terminal := terminalOf(sess)
	caps := frame.FromTerm(terminal.name)
	caps.UTF8 = terminal.utf8
	stage := &stage{
		root: tui.New(tui.Config{
			Player:  playerOf(sess),
			Manager: s.manager,
			Theme:   s.themes.For(tui.Auto, terminal.profile, terminal.utf8),
			Start:   from,
			Host:    s.host,
			Renamed: names.IsRenamed(playerOf(sess), sess.User()),
		}),
		pen: (&pen{
			terminal: s.patiently(sess, sess.Channel), caps: caps, crew: s.crew,
			fault: s.blames(sess, "pen"),
		}).ready(),
		turns:    s.turns,
		network:  largestNetworkOf(sess.link.source),
		window:   terminal.window,
		sentHome: func() { sess.link.note(idled, "session", sessionID(sess)) },
	}
	canvas := canvasOf(terminal.window)
	program := tea.NewProgram(stage,
		tea.WithInput(nil),
		tea.WithOutput(io.Discard),
		tea.WithoutRenderer(),
		tea.WithoutSignalHandler(),
		tea.WithFPS(1),
		tea.WithEnvironment([]string{"TERM=" + terminal.name}),
		tea.WithColorProfile(terminal.profile),
		tea.WithWindowSize(canvas.width, canvas.height),
		tea.WithFilter(withoutNoise),
	)
	stage.pen.freed = func() { program.Send(penFreed{}) }
	stage.stopTicker = func() { _ = program.ReleaseTerminal() }
	return &game{program: program, stage: stage, idle: newIdleRule(s.settings.Idle, program.Send)}
}

// withoutNoise keeps from the program what it would only draw for in vain.
func withoutNoise(_ tea.Model, msg tea.Msg) tea.Msg {
	switch msg.(type) {
	case tea.EnvMsg, tea.ColorProfileMsg:
		return nil
	}
	return msg
}

// end ends the game because the client has closed its channel, or for a cause that the player is told.
func (g *game) end(cause error) {
	if errors.Is(cause, context.Canceled) {
		g.program.Quit()
	} else {
		g.program.Send(farewellMsg(ended(cause)))
	}
}

// ended is what a player reads whose session the server has ended.
func ended(cause error) string { return "The session has ended: " + cause.Error() + "." }

// readKeys reads what the player types. The game ends with it.
func (s *Server) readKeys(ctx context.Context, sess *channel, typed io.Reader, g *game) {
	defer g.program.Quit()
	blame := s.blames(sess, "keys")
	keys := newPump(g.press, func(fault any) {
		blame(fault)
		g.program.Send(farewellMsg(apology))
	})
	keys.pay = func(n int) { sess.pay(ctx, n*keyPrice) }
	err := keys.run(ctx, typed)
	if err != nil {
		sess.link.note(keyFlood, "session", sessionID(sess), "because", err)
		g.program.Send(farewellMsg(ended(err)))
	}
}

// press hands one event of the pump to the program, with a mouse's place counted from the canvas.
func (g *game) press(event uv.Event) {
	g.idle.pressed()
	g.program.Send(event)
}

// goodbye is what players read first when the server stops. What becomes of their matches follows.
const goodbye = "The server is stopping; please come back in a moment."

// apology is what a player reads whose session a fault of ours has ended.
const apology = "A fault in the server has ended this session; it is in the server's log. Your matches go on: please come back."

// close leaves the table and restores the terminal.
func (g *game) close() {
	farewell := cmp.Or(g.stage.farewell, g.stage.root.WaysBack())
	g.stage.root.Close()
	if farewell != "" {
		farewell += "\n"
	}
	g.stage.pen.close(farewell)
}
