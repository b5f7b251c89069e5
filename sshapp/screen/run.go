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

// Config configures Run. OnResize and OnNotice register a function to call for each new size or notice. The function
// does not block.
type Config struct {
	Screens  tui.Config
	Client   terminal.Terminal
	Output   *terminal.StallWriter
	Windows  <-chan ssh.Window // the newest window size, with room for one
	OnResize func(func())
	Notices  <-chan string // messages of operators
	OnNotice func(func())
	Pay      func(context.Context, int) // waits until the session may process so many keys
	OnPaste  func(on bool)              // called when a paste begins (true) and ends (false)
	OnReject func(limit.Reason, error)  // called when the session ends because the player is idle or types too fast
	Log      *slog.Logger
	Idle     time.Duration // time without a key until the session ends, 0 for no limit
	Turns    *limit.Turns
	Network  netip.Prefix // charged for Turns
	Buffers  *Buffers
	Latency  *stats.Histogram // from a key to the frame that shows its effect, or nil
}

// Run plays the game until the player leaves, the input ends or ctx ends. When ctx ends, the player reads its cause.
// When Run returns, the terminal is restored. The key reader has ended too, unless the client keeps its channel
// open. In that case the reader ends with the connection.
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
	sizes := &resizer{windows: config.Windows, send: r.program.Send}
	config.OnResize(sizes.wake)
	if len(config.Windows) > 0 {
		sizes.wake() // a size has come before
	}
	defer sizes.stop()
	notices := &announcer{notices: config.Notices, send: r.program.Send}
	config.OnNotice(notices.wake)
	if len(config.Notices) > 0 {
		notices.wake() // a notice has come before
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
	screens := c.Screens
	screens.Send = func(msg tea.Msg) { go r.program.Send(msg) }
	r.model = &programModel{
		root: tui.New(screens),
		writer: &screenWriter{
			terminal: c.Output, caps: caps, buffers: c.Buffers, latency: c.Latency,
			onPanic: r.logPanic("screen writer"), done: make(chan struct{}),
		},
		turns: c.Turns, network: c.Network, window: size{client.Window.Width, client.Window.Height},
		onIdle: func() { c.OnReject(limit.Idled, idle.ErrIdle) },
	}
	canvas := r.model.window.canvas()
	r.program = tea.NewProgram(r.model,
		tea.WithInput(nil),
		tea.WithOutput(io.Discard),
		tea.WithoutRenderer(),
		tea.WithoutSignalHandler(),
		tea.WithFPS(1),
		tea.WithEnvironment([]string{"TERM=" + client.Name}),
		tea.WithColorProfile(client.Profile),
		tea.WithWindowSize(canvas.width, canvas.height),
		tea.WithFilter(dropNoise),
	)
	r.model.writer.onFree = func() { r.program.Send(writerReady{}) }
	r.model.start = r.start
	r.model.stopTicker = func() { _ = r.program.ReleaseTerminal() }
	r.idle = idle.NewTimer(c.Idle, func(timer *idle.Timer) { r.program.Send(idleMsg{timer}) })
	return r
}

// dropNoise drops messages that would only cause a needless frame.
func dropNoise(_ tea.Model, msg tea.Msg) tea.Msg {
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

// start runs a command, or each command of a batch, in a goroutine of its own. Bubble Tea would keep one
// goroutine more for each batch until all its commands have ended, and commands of a table wait for long.
func (r *runner) start(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	go func() {
		defer func() {
			if fault := recover(); fault != nil {
				r.logPanic("command")(fault)
				r.program.Send(exitMsg(wording.InternalFault))
			}
		}()
		switch msg := cmd().(type) {
		case nil:
		case tea.BatchMsg:
			for _, cmd := range msg {
				r.start(cmd)
			}
		default:
			r.program.Send(msg)
		}
	}()
}

func (r *runner) readKeys(ctx context.Context, typed io.Reader) {
	defer r.program.Quit()
	logPanic := r.logPanic("keys")
	reader := keys.NewReader(func(event uv.Event) {
		if _, isFocus := event.(uv.FocusEvent); !isFocus {
			r.idle.Activity()
			r.model.pressedAt.CompareAndSwap(0, time.Now().UnixNano())
		}
		r.program.Send(keyMsg(event))
	}, func(fault any) {
		logPanic(fault)
		r.program.Send(exitMsg(wording.InternalFault))
	})
	reader.OnKeys = func(n int) { r.config.Pay(ctx, n) }
	reader.OnPaste = r.config.OnPaste
	err := reader.Run(ctx, typed)
	if err != nil {
		r.config.OnReject(limit.KeyFlood, err)
		r.program.Send(exitMsg(wording.SessionEnded(err)))
	}
}

// usualKeys returns the messages of keys without modifiers that players press most, by their codes. They are made once,
// because Bubble Tea would make a new one of each event.
var usualKeys = sync.OnceValue(func() map[rune]tea.Msg {
	all := make(map[rune]tea.Msg)
	for _, code := range []rune{
		tea.KeyUp, tea.KeyDown, tea.KeyLeft, tea.KeyRight, tea.KeyEnter, tea.KeyTab, tea.KeyBackspace,
	} {
		all[code] = tea.KeyPressMsg{Code: code}
	}
	for char := ' '; char <= '~'; char++ {
		all[char] = tea.KeyPressMsg{Code: char, Text: string(char)}
	}
	return all
})

func keyMsg(event uv.Event) tea.Msg {
	press, ok := event.(uv.KeyPressEvent)
	if !ok {
		return event
	}
	if usual, ok := usualKeys()[press.Code].(tea.KeyPressMsg); ok && usual == tea.KeyPressMsg(press) {
		return usualKeys()[press.Code]
	}
	return event
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

// announcer sends the messages of operators in their order. Between two messages, no goroutine waits.
type announcer struct {
	notices <-chan string
	send    func(tea.Msg) // may block, but returns at once after the program has ended

	mu sync.Mutex // held from the receipt of a notice until it is sent
}

func (a *announcer) wake() { time.AfterFunc(0, a.announce) }

func (a *announcer) announce() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for {
		select {
		case text := <-a.notices:
			a.send(tui.Announcement(text))
		default:
			return
		}
	}
}

const resizePause = 100 * time.Millisecond

// resizer sends the newest size of a window, at most once per resizePause. Between two sizes, no goroutine waits.
type resizer struct {
	windows <-chan ssh.Window
	send    func(tea.Msg) // may block, but returns at once after the program has ended

	mu          sync.Mutex
	timer       *time.Timer // nil until the size changes
	isScheduled bool

	isStopped bool
	last      time.Time
}

func (r *resizer) wake() {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch wait := max(0, resizePause-time.Since(r.last)); {
	case r.isScheduled || r.isStopped:
		return
	case r.timer == nil:
		r.timer = time.AfterFunc(wait, r.sendSize)
	default:
		r.timer.Reset(wait)
	}
	r.isScheduled = true
}

func (r *resizer) sendSize() {
	r.mu.Lock()
	r.isScheduled, r.last = false, time.Now()
	r.mu.Unlock()
	select {
	case window, open := <-r.windows:
		if open {
			r.send(windowMsg{window.Width, window.Height})
		}
	default:
	}
}

func (r *resizer) stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.isStopped = true; r.timer != nil {
		r.timer.Stop()
	}
}
