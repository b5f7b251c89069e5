package screen

import (
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/netip"
	"runtime/debug"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/ssh"
	uv "github.com/charmbracelet/ultraviolet"

	"notakto/match/limit"
	"notakto/match/stats"
	"notakto/sshapp/idle"
	"notakto/sshapp/keys"
	"notakto/sshapp/render"
	"notakto/sshapp/terminal"
	"notakto/sshapp/tui"
	"notakto/sshapp/wording"
)

// Config configures Run.
type Config struct {
	Screens  tui.Config
	Client   terminal.Terminal
	Output   *terminal.StallWriter
	Windows  <-chan ssh.Window          // the newest window size; has room for one
	OnResize func(func())               // registers a non-blocking function to call when Windows has a new size
	Notices  <-chan string              // messages of operators
	OnNotice func(func())               // registers a non-blocking function to call when Notices has a new one
	Pay      func(context.Context, int) // waits until the session may process so many keys
	OnPaste  func(on bool)              // is told when a paste begins (true) and ends (false)
	OnReject func(limit.Reason, error)  // is called when the session ends because the player is idle or types too fast
	Log      *slog.Logger
	Idle     time.Duration // the time without a key after which the session ends; 0 is never
	Turns    *limit.Turns
	Network  netip.Prefix // the network to which Turns are charged
	Buffers  *Buffers
	Latency  *stats.Histogram // from a key to the frame that shows its effect; may be nil
}

// Run plays the game until the player leaves, the input ends or ctx ends. When ctx ends, the player reads its cause.
// When Run returns, the terminal is restored. The key reader has ended too, unless the client keeps its channel open:
// then the reader ends with the connection.
func Run(ctx context.Context, typed io.Reader, config *Config) {
	reading, end := context.WithCancel(context.Background())
	defer end()
	r := config.newRunner()
	defer r.idle.Stop()
	defer r.close()
	defer context.AfterFunc(ctx, func() { // at once, even if input of the client is waiting
		if cause := context.Cause(ctx); errors.Is(cause, context.Canceled) {
			r.program.Quit()
		} else {
			r.program.Send(exitMsg(wording.SessionEnded(cause)))
		}
	})()

	go r.readKeys(reading, typed)
	sizes := &resizer{windows: config.Windows, onResize: r.program.Send}
	config.OnResize(sizes.wake)
	if len(config.Windows) > 0 {
		sizes.wake() // a size has come before
	}
	defer sizes.stop()
	config.OnNotice(func() { time.AfterFunc(0, r.announce) })
	if len(config.Notices) > 0 {
		time.AfterFunc(0, r.announce)
	}
	r.run()
}

type runner struct {
	config  *Config
	program *tea.Program
	model   *programModel
	idle    *idle.Timer
}

func (c *Config) newRunner() *runner {
	r := &runner{config: c}
	client := c.Client
	caps := render.FromTerm(client.Name)
	caps.UTF8 = client.UTF8
	r.model = &programModel{
		root: tui.New(c.Screens),
		writer: &screenWriter{
			terminal: c.Output, caps: caps, buffers: c.Buffers, latency: c.Latency,
			onPanic: r.logPanic("screen writer"), done: make(chan struct{}),
		},
		turns: c.Turns, network: c.Network, window: size{client.Window.Width, client.Window.Height},
		onIdle: func() { c.OnReject(limit.Idled, idle.ErrIdle) },
	}
	canvas := r.model.window.canvasOf()
	r.program = tea.NewProgram(r.model,
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
	r.model.writer.freed = func() { r.program.Send(writerReady{}) }
	r.model.stopTicker = func() { _ = r.program.ReleaseTerminal() }
	r.idle = idle.NewTimer(c.Idle, func(timer *idle.Timer) { r.program.Send(idleMsg{timer}) })
	return r
}

// withoutNoise drops messages that would only cause a needless frame.
func withoutNoise(_ tea.Model, msg tea.Msg) tea.Msg {
	switch msg.(type) {
	case tea.EnvMsg, tea.ColorProfileMsg:
		return nil
	}
	return msg
}

func (r *runner) run() {
	if _, err := r.program.Run(); err != nil {
		r.config.Log.Error("game ended by a fault", "event", "session-fault", "error", err)
		r.model.exitMessage = wording.InternalFault
	}
}

func (r *runner) readKeys(ctx context.Context, typed io.Reader) {
	defer r.program.Quit()
	logPanic := r.logPanic("keys")
	reader := keys.NewReader(func(event uv.Event) {
		r.idle.Activity()
		r.model.pressedAt.CompareAndSwap(0, time.Now().UnixNano())
		r.program.Send(event)
	}, func(fault any) {
		logPanic(fault)
		r.program.Send(exitMsg(wording.InternalFault))
	})
	reader.Pay = func(n int) { r.config.Pay(ctx, n) }
	reader.OnPaste = r.config.OnPaste
	err := reader.Run(ctx, typed)
	if err != nil {
		r.config.OnReject(limit.KeyFlood, err)
		r.program.Send(exitMsg(wording.SessionEnded(err)))
	}
}

// announce sends the waiting messages of operators to the screens.
func (r *runner) announce() {
	for {
		select {
		case text := <-r.config.Notices:
			r.program.Send(tui.Announcement(text))
		default:
			return
		}
	}
}

func (r *runner) logPanic(part string) func(any) {
	return func(fault any) {
		r.config.Log.Error("session ended by a panic", "event", "panic", "in", part,
			"panic", fault, "stack", string(debug.Stack()))
	}
}

func (r *runner) close() {
	exitMessage := cmp.Or(r.model.exitMessage, r.model.root.QuitText())
	r.model.root.Close()
	if exitMessage != "" {
		exitMessage += "\n"
	}
	r.model.writer.close(exitMessage)
}

const resizePause = 100 * time.Millisecond

// resizer sends the newest size of a window, at most once per resizePause. It keeps no goroutine waiting.
type resizer struct {
	windows  <-chan ssh.Window
	onResize func(tea.Msg) // may block; returns at once after the program has ended

	mu    sync.Mutex
	timer *time.Timer // nil until the size changes
	due   bool

	stopped bool
	last    time.Time
}

// wake schedules the sending of the newest size, at least resizePause after the one before.
func (r *resizer) wake() {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch wait := max(0, resizePause-time.Since(r.last)); {
	case r.due || r.stopped:
		return
	case r.timer == nil:
		r.timer = time.AfterFunc(wait, r.send)
	default:
		r.timer.Reset(wait)
	}
	r.due = true
}

func (r *resizer) send() {
	r.mu.Lock()
	r.due, r.last = false, time.Now()
	r.mu.Unlock()
	select {
	case window, open := <-r.windows:
		if open {
			r.onResize(windowMsg{window.Width, window.Height})
		}
	default:
	}
}

func (r *resizer) stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stopped = true; r.timer != nil {
		r.timer.Stop()
	}
}
