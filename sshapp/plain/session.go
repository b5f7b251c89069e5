package plain

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"notakto/match"
	"notakto/match/account"
	"notakto/match/manager"
	"notakto/match/store"
	"notakto/rules/strategy"
	"notakto/sshapp/client"
	"notakto/sshapp/idle"
	"notakto/sshapp/lineedit"
	"notakto/sshapp/start"
	"notakto/sshapp/wording"
)

// Config holds the parts and settings of a session.
type Config struct {
	Player   match.Player
	Accounts *account.Accounts
	Caller   account.Caller // that decides about the player's account; without a key for a guest
	Manager  *manager.Manager
	History  *store.History // nil where there is none
	In       io.Reader      // what the player types, a line a command
	// A Write that does not return holds up only this session. The caller has to make it fail in time.
	Out     io.Writer
	ASCII   bool // the player's locale knows no other characters: a question mark stands for them
	Renamed bool // the player's name is not the user name of the login
	Start   start.Start
	Host    string // the server in commands to copy; HOST by default

	// Echo is for a client that sends each key and does not show keys itself, as with a terminal at the other end. The
	// session shows typed characters, and a backspace removes the last one. Only then does it send a control character,
	// the backspace.
	Echo bool
	// Idle is the time without input after which the session ends, after a warning. Zero is no limit. A player who
	// waits for the opponent's move is not idle.
	Idle time.Duration
	// InTurn runs do, which takes long, when others have had their turn, unless the client has gone by then. do must
	// not wait. If InTurn is nil, do runs at once.
	InTurn func(do func())
	// Notices are sentences of administrators for the player. Nil for none.
	Notices <-chan string
}

// Serve runs a session. It returns when the player quits, the input or ctx ends, or a Write fails. By then the player
// has left every table and the queue. The errors are that of the Write, [idle.ErrIdle], the error that kept the player
// from cfg.Start, and the cause of ctx's end unless it is context.Canceled. The caller has to report the error of
// cfg.Start. Serve prints the cause of ctx's end and what becomes of the matches. A Read of In that waits goes on until
// the caller ends In.
func Serve(ctx context.Context, cfg Config) error {
	ctx, end := context.WithCancel(ctx)
	defer end()
	cfg.Host = cmp.Or(cfg.Host, wording.NoHost)
	s := newSession(ctx, cfg)
	defer s.player.client.Close()
	go read(ctx, cfg.In, s.chunks)
	s.welcome()
	if err := s.beginAt(cfg.Start); err != nil && ctx.Err() == nil {
		return err
	}
	return s.loop()
}

// session joins the parts. It waits for events, passes each to its part, and runs commands. All of it belongs to the
// goroutine of [Serve].
type session struct {
	ctx       context.Context
	cfg       Config
	player    player
	out       printer
	idle      idle.Rule
	tables    tables
	queue     queue
	elsewhere elsewhere
	lists     lists

	chunks chan []byte // of keys; nil once the input has ended
	typing lineedit.Editor
	line   string         // the last one, as it was typed
	level  strategy.Level // of the computer, chosen last; zero if none was
	done   bool
	end    error // why, if neither the player nor the input ended the session
}

func newSession(ctx context.Context, cfg Config) *session {
	s := &session{
		ctx: ctx, cfg: cfg,
		player: player{
			Player: cfg.Player, ctx: ctx, client: client.New(cfg.Manager), manager: cfg.Manager, history: cfg.History,
			accounts: cfg.Accounts, caller: cfg.Caller, host: cfg.Host,
		},
		out: printer{ctx: ctx, out: cfg.Out, echo: cfg.Echo, ascii: cfg.ASCII}, idle: idle.NewRule(cfg.Idle),
		chunks: make(chan []byte), level: cfg.Start.Level,
	}
	s.queue = queue{player: &s.player, out: &s.out}
	s.elsewhere = elsewhere{player: &s.player, out: &s.out}
	s.lists = lists{player: &s.player, out: &s.out, queue: &s.queue}
	s.tables = tables{
		player: &s.player, out: &s.out, queue: &s.queue, elsewhere: &s.elsewhere, idle: &s.idle,
	}
	return s
}

// welcome says who the player is, which matches are in progress, and how the others ended while the player was away.
func (s *session) welcome() {
	renamed, running := "", ""
	if s.cfg.Renamed {
		renamed = "Your user name cannot be shown as it is. For another name: ssh -l NAME " + s.cfg.Host + " plain."
		if s.cfg.Host == wording.NoHost {
			renamed = "Your user name cannot be shown as it is. Log in as another user to change that."
		}
	}
	switch own := s.player.ownMatches(); len(own) {
	case 0:
	case 1:
		running = "You have a match in progress: " + s.player.aboutOwn(own[0]) + ". Type go to return to it."
	default:
		running = "You have " + strconv.Itoa(len(own)) +
			" matches in progress: type mine to hear them, and go to return to the most urgent."
	}
	s.out.printLine("Notakto, line by line. You are "+s.player.Name+".", renamed, s.player.deletionText(), running)
	s.elsewhere.tellUnseen()
	s.elsewhere.startPolling(s.tables.isOpen)
}

// beginAt goes where the session is to start, or says why it cannot.
func (s *session) beginAt(from start.Start) error {
	switch from.At {
	case start.Queue:
		return s.seekOpponent(from.Accepts(), false)
	case start.Computer:
		return s.playComputer(from.Table(), from.Side)
	case start.Private:
		return s.openPrivate(from.Table())
	case start.Code:
		return s.joinByCode(from.Code)
	case start.Match:
		return s.tables.watch(from.Match)
	}
	const others = "rules, or help."
	if waiting := s.cfg.Manager.Lobby().Waiting(s.player.ID).First; len(waiting) > 0 {
		s.out.printLine(wording.WaitsFor(waiting[0].Name, waiting[0].Accepts)+": type "+playText(waiting[0])+" to join.",
			"Type play to wait for an opponent, computer to play the computer, "+others)
		return nil
	}
	s.out.printLine("Nobody is waiting: type computer to play the computer, play to wait for an opponent, " + others)
	return nil
}

// loop prints changes and runs commands until the session is over.
func (s *session) loop() error {
	for {
		// News is printed first, so that a command refers to what the player has read.
		if s.ctx.Err() == nil { // else the server may be stopping, and all players leave
			s.tables.catchUp()
			s.goToFound(s.queue.catchUp())
		}
		line, typed := s.typing.Next()
		switch {
		case s.ctx.Err() != nil:
			s.stopSession()
		case typed:
			s.out.entered(line.Text)
			s.execute(line)
		case s.chunks == nil:
			s.leaveAll()
		}
		if err := s.out.flush(s.typing.Partial()); err != nil {
			return err
		}
		if s.done {
			return s.end
		}
		if !typed {
			s.wait()
		}
	}
}

// wait waits for the next thing to happen and takes it in.
func (s *session) wait() {
	due := time.Now().Add(time.Hour) // if there is nothing: any time will do
	for _, next := range [...]time.Time{
		s.idle.Next(), s.queue.offerAt(), s.queue.CheckAt(), s.elsewhere.lookAt, s.tables.warnAt(s.cfg.Manager.Now()),
	} {
		if !next.IsZero() && next.Before(due) {
			due = next
		}
	}
	alarm := time.NewTimer(time.Until(due))
	defer alarm.Stop()
	select {
	case <-s.ctx.Done():
	case text := <-s.cfg.Notices:
		s.out.printLine(text)
	case chunk, open := <-s.chunks:
		s.idle.Activity()
		s.queue.Activity()
		if s.typing.Feed(chunk); !open {
			s.typing.Finish()
			s.chunks = nil
		}
	case <-s.player.client.Changed(): // the loop takes in what came
	case <-alarm.C:
		s.queue.offerComputer(s.tables.busy() != "")
		s.queue.check()
		s.elsewhere.poll(s.tables.isOpen)
		s.tables.warnOfLimit()
		s.checkIdle()
	}
}

// read sends what is typed to chunks, piece by piece. It reads the next piece when the last one was received.
func read(ctx context.Context, in io.Reader, chunks chan<- []byte) {
	defer close(chunks)
	buffer := make([]byte, 256)
	for {
		n, err := in.Read(buffer)
		if n > 0 {
			select {
			case chunks <- slices.Clone(buffer[:n]):
			case <-ctx.Done():
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// execute does what a line says.
func (s *session) execute(line lineedit.Line) {
	words := typedWords(line.Text)
	s.line = line.Text
	if !line.End {
		s.elsewhere.acknowledge()
	}
	switch {
	case line.End:
		s.leaveAll()
	case line.Long:
		s.out.printLine("That line is too long. Type help to hear the commands.")
	case s.tables.answer(strings.Join(words, " ")), s.queue.answer(strings.Join(words, " ")):
	case len(words) == 0:
		s.out.printLine(s.tables.status())
	default:
		s.runCommand(words)
	}
}

// typedWords returns the words of a line in lower case. It removes quotes around a word and punctuation behind it,
// which dictated and copied lines have. Full-width letters and digits count as their usual forms.
func typedWords(line string) []string {
	words := strings.Fields(strings.ToLower(clean(strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case '！' <= r && r <= '～':
			return r - '！' + '!'
		default:
			return r
		}
	}, line))))
	for i, word := range words {
		if bare := strings.TrimRight(strings.Trim(word, "\"'`“”‘’„«»"), ".,;:!"); bare != "" {
			words[i] = bare
		}
	}
	return words
}

func (s *session) checkIdle() {
	waits := s.tables.current.IsTheirTurn() || s.tables.background.IsTheirTurn() ||
		s.elsewhere.AwaitsOpponent()
	switch s.idle.Check(waits) {
	case idle.Nothing:
	case idle.Warn:
		s.out.printLine("Still there? Press Enter to stay; if not, goodbye in " + seconds(s.idle.Warning()) + ".")
	case idle.End:
		s.out.printLine("You were away for a while.")
		s.leaveAll()
		s.end = idle.ErrIdle
	}
}

// leaveAll ends the session. It says which seats are kept and what was played.
func (s *session) leaveAll() {
	s.done = true
	tally := s.player.client.Tally()
	played, rating := wording.Results(tally.Won, tally.Lost, tally.Drawn), ""
	if played != "" {
		played = "You " + played + "."
		if tally.Rated.Match != "" {
			rating = "Your rating: " + wording.RatedPairLine(tally.Rated, tally.Standing) + "."
		}
	}
	s.out.printLine(s.tables.keptAtEnd(), s.tables.waysBack(), played, rating, "Goodbye.")
}

// stopSession ends the session because its context has ended: the client has gone, or the server ends it, and says
// why.
func (s *session) stopSession() {
	cause := context.Cause(s.ctx)
	if errors.Is(cause, context.Canceled) {
		s.leaveAll()
		return
	}
	n, queue := len(s.player.matches()), ""
	kept := wording.KeptAtStop(n)
	if n == 1 && s.tables.current.IsInviting() {
		kept = "Your table is kept, and its code."
	}
	if s.queue.IsWaiting() { // a place in the queue does not outlast the session
		queue = "You were removed from the queue: type play again when you have come back."
	}
	s.done, s.end = true, cause
	s.out.printLine(wording.Capital(cause.Error())+".", kept, s.tables.waysBack(), queue, "Goodbye.")
}
