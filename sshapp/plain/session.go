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
	"notakto/match/lobby"
	"notakto/match/manager"
	"notakto/match/store"
	"notakto/rules/strategy"
	"notakto/sshapp/client"
	"notakto/sshapp/idle"
	"notakto/sshapp/lineedit"
	"notakto/sshapp/start"
	"notakto/sshapp/wording"
)

// Config holds the player, the parts of the server and the settings of a session.
type Config struct {
	Player   match.Player
	Accounts *account.Accounts
	Caller   account.Caller // identifies the player in changes of the account, without a Key for a guest
	Manager  *manager.Manager
	History  *store.History  // nil on a server without a history
	Progress *store.Progress // nil to keep no progress
	In       io.Reader       // one command a line
	// A Write that blocks holds up only this session. The caller must make it fail in time.
	Out     io.Writer
	ASCII   bool // replace other characters with question marks
	Renamed bool // the player's name differs from the user name of the login
	Start   start.Start
	Host    string // server name in commands to copy, default HOST

	// Echo shows the typed characters, for a client that sends each key and shows no keys itself. A backspace removes
	// the last one. The session sends control characters only with Echo, and only the backspace.
	Echo bool
	// Idle is the time without input after which the session ends, with a warning before. Zero means no limit. Waiting
	// for the opponent's move does not count as idle.
	Idle time.Duration
	// InTurn limits long computations. InTurn runs do after other sessions have had their turn, or drops do if the
	// client has gone. do must not block. If InTurn is nil, do runs at once.
	InTurn    func(do func())
	NotifyURL string // the endpoint of package notify, "" without one
	// Notices delivers sentences of administrators to print, and may be nil.
	Notices <-chan string
}

// Serve runs a session until the player quits, the input or ctx ends, or a Write fails. By its return the player has
// left every table and the queue.
//
// Serve returns the error of the Write, [idle.ErrIdle], the error that kept the player from cfg.Start, or the cause of
// ctx's end unless that is context.Canceled. Serve prints the cause of ctx's end and what becomes of the matches, and
// leaves the error of cfg.Start to its caller. It returns that error before its first Write, so that the next session
// tells the player the results that are unseen now. A pending Read of In continues until the caller ends In.
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

// session waits for events, passes them to its parts and runs commands, all on the goroutine of [Serve].
type session struct {
	ctx        context.Context
	cfg        Config
	player     player
	out        printer
	idle       idle.Rule
	tables     tables
	queue      queue
	elsewhere  elsewhere
	challenges challenges
	lists      lists
	exercises  exercises

	chunks    chan []byte // pieces of the input, nil after its end
	typing    lineedit.Editor
	typedLine string         // as typed, since a name keeps its capitals
	lastLevel strategy.Level // of the computer, chosen last, zero without a choice
	done      bool
	endErr    error // nil if the player or the input ended the session
}

func newSession(ctx context.Context, cfg Config) *session {
	s := &session{
		ctx: ctx, cfg: cfg,
		player: player{
			ctx: ctx, client: client.New(cfg.Manager), manager: cfg.Manager, history: cfg.History,
			accounts: cfg.Accounts, caller: cfg.Caller, host: cfg.Host,
		},
		out: printer{ctx: ctx, out: cfg.Out, echo: cfg.Echo, ascii: cfg.ASCII}, idle: idle.NewRule(cfg.Idle),
		chunks: make(chan []byte), lastLevel: cfg.Start.Level,
	}
	s.player.become(cfg.Player) // a command may have followed a guest's code
	s.queue = queue{player: &s.player, out: &s.out}
	s.elsewhere = elsewhere{player: &s.player, out: &s.out}
	s.challenges = challenges{player: &s.player, out: &s.out, tables: &s.tables}
	s.lists = lists{player: &s.player, out: &s.out, queue: &s.queue}
	s.exercises = exercises{player: &s.player, out: &s.out, kept: cfg.Progress, inTurn: cfg.InTurn}
	s.tables = tables{
		player: &s.player, out: &s.out, queue: &s.queue, elsewhere: &s.elsewhere, idle: &s.idle,
	}
	return s
}

func (s *session) welcome() {
	renamed, fullScreen, running := "", "", ""
	if s.cfg.Renamed {
		renamed = "Your user name cannot be shown as it is. For another name: ssh -l NAME " + s.cfg.Host + " plain."
		if s.cfg.Host == wording.NoHost {
			renamed = "Your user name cannot be shown as it is. Log in as another user to change that."
		}
	}
	if s.cfg.Start.At != start.Lobby && !s.cfg.Echo { // the player has not asked for lines, and has no terminal
		fullScreen = "With ssh -t you get the full screen."
	}
	switch own := s.player.ownMatches(); len(own) {
	case 0:
	case 1:
		running = "You have a match in progress: " + s.player.aboutOwn(own[0]) + ". Type go to return to it."
	default:
		running = "You have " + strconv.Itoa(len(own)) + " matches in progress: type mine to hear them"
		if waiting := s.player.client.WaitingMatches(s.player.ID); len(waiting) > 0 {
			opponent := waiting[0].Opponent(s.player.ID).Name
			running += ". " + wording.YourMove(len(waiting), opponent) + ": type next."
		} else {
			running += ", and go to return to one."
		}
	}
	s.out.printLine("Notakto, line by line. You are "+s.player.Name+".", fullScreen, renamed, s.player.deletionText(),
		running)
	s.elsewhere.tellUnseen()
	s.challenges.tellNews()
	s.elsewhere.startPolling(s.tables.isOpen)
	if s.cfg.Start.At == start.Lobby {
		s.out.printLine(s.exercises.hint())
	}
}

// beginAt goes where the session is to start. In the lobby it tells the player what to type.
func (s *session) beginAt(from start.Start) error {
	switch from.At {
	case start.Queue:
		return s.seekOpponent(from.Accepts(), lobby.Options{})
	case start.Computer:
		return s.playComputer(from.Table(), from.Side)
	case start.Private:
		return s.openPrivate(from.Table())
	case start.Code:
		return s.joinByCode(from.Code)
	case start.Match:
		return s.tables.watch(from.Match)
	case start.Learn:
		if from.Lesson == 0 {
			return s.exercises.tellLessons()
		}
		return s.exercises.begin(from.At, from.Lesson)
	case start.Daily, start.Rush, start.Slips:
		err := s.exercises.begin(from.At, from.Day)
		if errors.Is(err, client.ErrNoSlips) { // The player stays in the lobby.
			s.out.report(err)
			return nil
		}
		return err
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

func (s *session) loop() error {
	for {
		// Changes are printed before the next command, because the command refers to what the player has read. A stopping
		// server removes all players from their tables, and that is not printed.
		if s.ctx.Err() == nil {
			s.tables.catchUp()
			s.goToFound(s.queue.catchUp())
			s.challenges.tellNews()
			s.exercises.catchUp(s.tables.current.IsUnfinished())
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
			return s.endErr
		}
		if !typed {
			s.wait()
		}
	}
}

func (s *session) wait() {
	due := time.Now().Add(time.Hour) // an arbitrary limit
	for _, next := range [...]time.Time{
		s.idle.Next(), s.queue.offerAt(), s.queue.CheckAt(), s.elsewhere.nextPoll, s.tables.warnAt(s.cfg.Manager.Now()),
		s.exercises.endsAt(),
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
		s.queue.RecordActivity()
		if s.typing.Feed(chunk); !open {
			s.typing.Finish()
			s.chunks = nil
		}
	case <-s.player.client.Changed(): // loop polls the tables and the queue
	case <-alarm.C:
		s.queue.offerComputer(s.tables.busyText() != "")
		s.queue.warnOrLeave()
		s.elsewhere.poll(s.tables.isOpen)
		s.tables.warnOfLimit()
		s.checkIdle()
	}
}

// read sends the input to chunks, at most one Read ahead of the session.
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

func (s *session) execute(line lineedit.Line) {
	words := typedWords(line.Text)
	s.typedLine = line.Text
	if !line.End {
		s.elsewhere.lookedAt = time.Now()
		s.elsewhere.acknowledge()
	}
	switch {
	case line.End:
		s.leaveAll()
	case line.Long:
		s.out.printLine("That line is too long. Type help to hear the commands.")
	case s.tables.answerGiveUp(strings.Join(words, " ")), s.queue.answer(strings.Join(words, " ")):
	case len(words) == 0 && s.exercises.open != nil:
		s.exercises.ask()
	case len(words) == 0:
		s.out.printLine(s.tables.status())
	default:
		s.runCommand(words)
	}
}

// typedWords returns the words of a line in lower case, without quotes around a word and punctuation behind it,
// since dictated and copied lines have those. Full-width letters and digits count as their usual forms.
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
		s.elsewhere.IsOpponentsTurn()
	switch s.idle.Check(waits) {
	case idle.Nothing:
	case idle.Warn:
		s.out.printLine("Still there? Press Enter to stay; if not, goodbye in " + seconds(s.idle.Warning()) + ".")
	case idle.End:
		s.out.printLine("You were away for a while.")
		s.leaveAll()
		s.endErr = idle.ErrIdle
	}
}

func (s *session) leaveAll() {
	s.done = true
	score := s.player.client.Score()
	played, rating := wording.Results(score.Won, score.Lost, score.Drawn), ""
	if played != "" {
		played = "You " + played + "."
		if score.Rated.Match != "" {
			rating = "Your rating: " + spoken(wording.RatedPairLine(score.Rated, score.Standing)) + "."
		}
	}
	s.out.printLine(s.tables.keptText(), s.tables.waysBack(), played, rating, "Goodbye.")
}

// stopSession ends the session after the end of its context. The client has gone, or the server ends the session and
// the cause says why.
func (s *session) stopSession() {
	cause := context.Cause(s.ctx)
	if errors.Is(cause, context.Canceled) {
		s.leaveAll()
		return
	}
	n, queue := len(s.player.matchIDs()), ""
	kept := wording.KeptAtStop(n)
	if n == 1 && s.tables.current.IsInviting() {
		kept = "Your table and its code are kept."
	}
	// A place in the queue does not outlast the session.
	if s.queue.IsWaiting() {
		queue = "You were removed from the queue: type play again when you are back."
	}
	s.done, s.endErr = true, cause
	s.out.printLine(wording.Capital(cause.Error())+".", kept, s.tables.waysBack(), queue, "Goodbye.")
}
