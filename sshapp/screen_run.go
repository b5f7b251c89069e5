package sshapp

import (
	"cmp"
	"context"
	"errors"
	"io"

	"notakto/sshapp/keys"
	"notakto/sshapp/limit"
	"notakto/sshapp/names"
	"notakto/sshapp/terminal"
	"notakto/sshapp/tui/draw"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"notakto/sshapp/render"
	"notakto/sshapp/start"
	"notakto/sshapp/tui"
)

// runner is the session runner: one player's screens on one terminal. It owns a goroutine beside the one it runs on,
// the key reader (keys), and a second one while the screen writer draws. Both end before it does, save a key reader
// whose client does not close the channel: that one ends with the connection, which [channel.run] sees to.
type runner struct {
	program *tea.Program
	model   *programModel
	idle    *idleRule
}

// serveScreen is the front end of a session with a terminal; typed is its input, and from is where the game begins.
func serveScreen(s *Server, sess *channel, typed io.Reader, from start.Start) {
	ctx, end := context.WithCancel(context.Background())
	defer end()
	sess.conn.roundTrip.measure(sess.serverConn)
	g := newRunner(s, sess, from)
	defer g.idle.stop()
	defer g.close()
	defer context.AfterFunc(sess.life.ctx, func() { g.end(context.Cause(sess.life.ctx)) })() // at once, whatever the client has typed ahead
	defer context.AfterFunc(s.stopping.draining, func() { g.program.Send(exitMsg(shutdownText)) })()

	go readKeys(ctx, s, sess, typed, g)
	sizes := newResizer(sess, g.program.Send)
	defer sizes.stop()
	if _, err := g.program.Run(); err != nil {
		s.log.Error("game ended by a fault", "session", sessionID(sess), "error", err)
		g.model.exitMessage = internalErrorText
	}
}

func newRunner(s *Server, sess *channel, from start.Start) *runner {
	client := terminal.Describe(sess)
	window := size{client.Window.Width, client.Window.Height}
	caps := render.FromTerm(client.Name)
	caps.UTF8 = client.UTF8
	model := &programModel{
		root: tui.New(tui.Config{
			Player:  playerOf(sess),
			Manager: s.manager,
			Theme:   s.themes.For(draw.Auto, client.Profile, client.UTF8),
			Start:   from,
			Host:    s.host,

			RoundTrip: sess.conn.roundTrip.least,
			Renamed:   names.IsRenamed(playerOf(sess), sess.User()),
		}),
		writer: (&screenWriter{
			terminal: newStallWriter(s, sess, sess.Channel), caps: caps, buffers: &s.buffers,
			fault: logPanic(s, sess, "pen"),
		}).ready(),
		turns:   s.turns,
		network: limit.LargestNetworkOf(sess.conn.Source),
		window:  window,
		onIdle:  func() { sess.conn.reject(limit.Idled, "session", sessionID(sess)) },
	}
	canvas := canvasOf(window)
	program := tea.NewProgram(model,
		tea.WithInput(nil),
		tea.WithOutput(io.Discard),
		tea.WithoutRenderer(),
		tea.WithoutSignalHandler(),
		tea.WithFPS(1),
		tea.WithEnvironment([]string{"TERM=" + client.Name}),
		tea.WithColorProfile(client.Profile),
		tea.WithWindowSize(canvas.width, canvas.height),
		tea.WithFilter(withoutNoise),
	)
	model.writer.freed = func() { program.Send(writerReady{}) }
	model.stopTicker = func() { _ = program.ReleaseTerminal() }
	return &runner{program: program, model: model, idle: newIdleRule(s.settings.Idle, program.Send)}
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
func (g *runner) end(cause error) {
	if errors.Is(cause, context.Canceled) {
		g.program.Quit()
	} else {
		g.program.Send(exitMsg(ended(cause)))
	}
}

// ended is what a player reads whose session the server has ended.
func ended(cause error) string { return "The session has ended: " + cause.Error() + "." }

// readKeys reads what the player types. The game ends with it.
func readKeys(ctx context.Context, s *Server, sess *channel, typed io.Reader, g *runner) {
	defer g.program.Quit()
	blame := logPanic(s, sess, "keys")
	reader := keys.NewReader(g.press, func(fault any) {
		blame(fault)
		g.program.Send(exitMsg(internalErrorText))
	})
	reader.Pay = func(n int) { sess.cost.pay(ctx, n*keyPrice) }
	err := reader.Run(ctx, typed)
	if err != nil {
		sess.conn.reject(limit.KeyFlood, "session", sessionID(sess), "because", err)
		g.program.Send(exitMsg(ended(err)))
	}
}

// press hands one event of the key reader to the program, with a mouse's place counted from the canvas.
func (g *runner) press(event uv.Event) {
	g.idle.pressed()
	g.program.Send(event)
}

// shutdownText is what players read first when the server stops. What becomes of their matches follows.
const shutdownText = "The server is stopping; please come back in a moment."

// internalErrorText is what a player reads whose session a fault of ours has ended.
const internalErrorText = "A fault in the server has ended this session; it is in the server's log. Your matches go on: please come back."

// close leaves the table and restores the terminal.
func (g *runner) close() {
	exitMessage := cmp.Or(g.model.exitMessage, g.model.root.WaysBack())
	g.model.root.Close()
	if exitMessage != "" {
		exitMessage += "\n"
	}
	g.model.writer.close(exitMessage)
}
