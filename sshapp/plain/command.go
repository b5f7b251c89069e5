package plain

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"notakto/match/account"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/wording"
)

// command is a word that the player may type.
type command struct {
	name  string
	also  string // another word for it
	usage string // how it is typed, if not by its name alone
	about string // what it does, as the end of a sentence
	where place  // where help names it
	run   func(words []string)
}

// place is a set of places where a player may be.
type place uint8

const (
	inLobby place = 1 << iota
	inQueue
	atInvitation // a private table without a guest
	atMatch      // a match of the player's own in progress
	atEnd        // a match that is over, the player's own or not
	watching
	anywhere = inLobby | inQueue | atInvitation | atMatch | atEnd | watching
)

// commands returns all commands except the moves, in the order in which help names them.
func (s *session) commands() []command {
	return []command{
		{
			"help", "?", "help, help all, help WORD",
			"says what can be typed here, explains every command, or one of them", 0, s.helpCommand,
		},
		{"rules", "", "", "explains the rules", inLobby, s.rulesCommand},
		{
			"play", "", "play, play N, play tictactoe, play rated, play anyway",
			"waits for an opponent: for 1 to 5 boards, best 3, or for what you name, such as play 9, or play 3 5; " +
				"add a clock to play with one, such as play 3 5+0; play rated waits for a rated pair, two games for your rating; " +
				"play anyway plays with one too who lately did not move in time",
			inLobby | atEnd, s.playCommand,
		},
		{"tictactoe", "tic-tac-toe", "", "waits for an opponent for tic-tac-toe", inLobby,
			func([]string) { s.playCommand([]string{"tictactoe"}) }},
		{
			"computer", "", "computer LEVEL, and if you like N boards or tictactoe, and first or second",
			"plays the computer, such as computer steady 3 boards first; add a clock to play with one, such as " +
				"computer steady 5+0", inLobby | inQueue | atEnd, s.computerCommand,
		},
		{"levels", "", "", "says the levels of the computer", inLobby, s.levelsCommand},
		{
			"private", "", "private, private N, private tictactoe",
			"makes a private table and says its code; add a clock to play with one, such as private 3+2 or private 1d",
			inLobby | atEnd, s.privateCommand,
		},
		{
			"join", "", "join CODE",
			"sits down at a private table, or brings a guest back to a seat", inLobby | atEnd, s.joinCommand,
		},
		{
			"matches", "", "",
			"says who waits for an opponent, and the matches in progress, by number", inLobby | inQueue, s.lists.matchesCommand,
		},
		{
			"watch", "", "watch, watch N, watch NAME",
			"shows the busiest match, one by its number in matches, or one by its name; one that is over is told move by move",
			inLobby | inQueue | atEnd, s.watchCommand,
		},
		{"history", "", "", "says the matches that you have finished, and what they add up to",
			inLobby | inQueue | atEnd, s.lists.historyCommand},
		{"ladder", "", "", "says the players with the best ratings, and where you stand",
			inLobby | inQueue | atEnd, s.lists.ladderCommand},
		{
			"mine", "", "", "says your own matches, by number", inLobby | inQueue | atInvitation | atMatch,
			s.tables.mineCommand,
		},
		{
			"go", "", "go, go N",
			"goes to another match of yours: where your time to come back runs, or by its number in mine",
			inLobby | atInvitation | atMatch, s.tables.goCommand,
		},

		{
			"boards", "board", "boards, boards B",
			"says what stands on the boards, or on one of them", atMatch | atEnd | watching, s.tables.boardsCommand,
		},
		{"moves", "", "", "says all moves so far", atMatch | atEnd | watching, s.tables.movesCommand},
		{
			"deadly", "", "",
			"says the cells where a mark kills its board; between people both players hear it", atMatch, s.tables.deadlyCommand,
		},
		{
			"turn", "", "", "says whose turn it is", atInvitation | atMatch | watching,
			func([]string) { s.out.printLine(s.tables.status()) },
		},
		{"clock", "clocks", "", "says how much time each player has left", atMatch | watching, s.tables.clockCommand},
		{
			"who", "", "",
			"says who is at the table, and after a match what it is called", atInvitation | atMatch | atEnd | watching,
			s.tables.whoCommand,
		},
		{"resign", "", "", "gives the match up, after asking", atMatch, s.tables.resignCommand},
		{"rematch", "", "", "asks for another match with the seats swapped, or accepts one", atEnd, s.tables.rematchCommand},
		{
			"review", "", "review, review all, review N",
			"says after a match what perfect play makes of it: the slips, every move, or one move", atEnd,
			s.inTurn(s.reviewCommand),
		},
		{
			"theory", "", "theory N",
			"says after a match what the boards were worth before and after its move N, in the mathematics of the game",
			atEnd, s.inTurn(s.theoryCommand),
		},
		{
			"playon", "", "playon N",
			"plays move N of a match that is over again, and from there on, against the computer", atEnd, s.playOnCommand,
		},
		{"share", "", "", "says a match that is over in one line, to be passed on", atEnd, s.inTurn(s.shareCommand)},

		{
			"me", "", "", "says who you are here", inLobby,
			func([]string) { s.out.printLine(s.player.about()...) },
		},
		{"name", "", "name NEW", "claims a name, under which you are shown from your next login on", 0, s.nameCommand},
		{"again", "", "", "says the last line again", 0, func([]string) { s.out.printLine(s.out.lastLine) }},
		{
			"leave", "", "leave, leave queue",
			"steps away from the table, where your seat is kept, or out of the queue; leave queue does that at a table too",
			anywhere &^ inLobby, s.leaveCommand,
		},
		{"quit", "exit", "", "ends the session; your seats are kept", anywhere, func([]string) { s.leaveAll() }},
	}
}

// typed says how a command is typed.
func (c command) typed() string { return cmp.Or(c.usage, c.name) }

// explain says how a command is typed and what it does.
func (c command) explain() string { return c.typed() + ": " + c.about + "." }

func (s *session) find(word string) (command, bool) {
	for _, c := range s.commands() {
		if word == c.name || word == c.also && word != "" {
			return c, true
		}
	}
	return command{}, false
}

func (s *session) runCommand(words []string) {
	if c, known := s.find(words[0]); known {
		c.run(words[1:])
		return
	}
	if move := typedMove(strings.Join(words, "")); move != "" {
		s.tables.playMove(move)
		return
	}
	if !s.tables.current.IsPlaying() {
		s.out.printLine(s.noCommand(words[0]))
		return
	}
	example := s.tables.current.exampleMove()
	if i := slices.IndexFunc(words, func(word string) bool { return typedMove(word) != "" }); i >= 0 {
		alone := typedMove(words[i])
		if len(alone) < len(example) { // the board is missing
			alone = example + ", or another move,"
		}
		s.out.printLine("A move is typed alone: type " + alone + " and nothing else.")
		return
	}
	s.out.printLine(strings.TrimSuffix(s.noCommand(words[0]), ".") + ", or a move such as " + example + ".")
}

// noCommand says that a word is no command, and which command the player may have meant.
func (s *session) noCommand(word string) string {
	var names []string
	for _, c := range s.commands() {
		names = append(names, c.name)
	}
	shown := word
	const most = 20
	if runes := []rune(word); len(runes) > most {
		shown = string(runes[:most]) + " and so on"
	}
	return "There is no command " + shown + cmp.Or(wording.Suggest("", word, names), ".") +
		" Type help to hear the commands."
}

// typedMove returns the notation of the move that a word names, or "". The word is a digit, or a board's letter and a
// digit in either order.
func typedMove(word string) string {
	switch {
	case len(word) == 1 && isDigit(word[0]), len(word) == 2 && isLetter(word[0]) && isDigit(word[1]):
		return word
	case len(word) == 2 && isDigit(word[0]) && isLetter(word[1]):
		return word[1:] + word[:1]
	default:
		return ""
	}
}

func isLetter(b byte) bool { return 'a' <= b && b <= 'z' }

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

const moveHelp = "B5 and the like: places a mark, on board B in cell 5. " +
	"The cells are like a numeric keypad: 7 8 9 at the top, 1 2 3 at the bottom."

// helpCommand names the commands that make sense where the player is. With a word it explains all commands, or one.
func (s *session) helpCommand(words []string) {
	switch {
	case len(words) == 0:
		here, useful := s.tables.place(), []string(nil)
		if here == atMatch {
			useful = append(useful, "a move such as "+s.tables.current.exampleMove())
		}
		for _, c := range s.commands() {
			if c.where&here != 0 {
				useful = append(useful, c.name)
			}
		}
		s.out.printLine("You can type: " + listText(useful) + ".")
		s.out.printLine("help all explains every command, and help with a word explains that one. Enter alone says how " +
			"things stand.")
	case words[0] == "all":
		s.out.printLine(moveHelp)
		for _, c := range s.commands() {
			s.out.printLine(c.explain())
		}
	default:
		_, err := rules.DefaultVariant().ParseMove(words[0])
		switch c, known := s.find(words[0]); {
		case known:
			s.out.printLine(c.explain())
		case err == nil:
			s.out.printLine(moveHelp)
		default:
			s.out.printLine(s.noCommand(words[0]))
		}
	}
}

func (s *session) rulesCommand(_ []string) {
	limits := s.cfg.Manager.TimeLimits()
	s.out.printLines(append(Rules(), wording.MoveLimits(limits.FirstMove, limits.LaterMove)))
}

// Rules returns the rules of both games, line by line.
func Rules() []string {
	return []string{
		"You and your opponent take turns placing an X on a board that is alive. Every X counts for both of you.",
		"Three Xs in a row, across, down or diagonally, kill a board. Nothing more can be placed on it.",
		"The player who kills the last board loses.",
		"The boards are A, B, C and so on. The cells of each are like a numeric keypad: 7 8 9 at the top, 4 5 6, and " +
			"1 2 3 at the bottom. A move is a board and a cell, such as B5.",
		"You can also play tic-tac-toe: O moves first, and three of your own marks in a row win. A move is a cell, " +
			"such as 5.",
	}
}

func (s *session) levelsCommand(_ []string) {
	ladder := strategy.Ladder()
	for _, level := range ladder {
		s.out.printLine(level.String() + ": " + wording.Level(level))
	}
	s.out.printLine("Each wins about two games of three against the one before. Older levels are "+
		listText(wording.LevelNames(strategy.Levels()[len(ladder):]))+".",
		"Type computer and a level. Without a level it is "+s.nextRung().String()+".")
}

// nameCommand claims a name, as it was typed, under which the player is shown from the next login on.
func (s *session) nameCommand(words []string) {
	p := &s.player
	if len(words) == 0 {
		s.out.printLine(p.about()...)
		return
	}
	name := strings.Join(strings.Fields(s.line)[1:], " ")
	var err error
	switch {
	case p.caller.Key == "":
		err = account.ErrGuest
	case name != p.accounts.NameOf(p.ID):
		ctx, cancel := p.callContext()
		defer cancel()
		err = p.accounts.Claim(ctx, p.caller, name)
	}
	var refusal account.Error
	switch {
	case err == nil:
		s.out.printLine(wording.NameClaimed(name, p.Name))
	case errors.As(err, &refusal):
		s.out.printLine(wording.Capital(refusal.Error()) + ".")
	default:
		s.out.printLine(wording.ForError(err).Full)
	}
}

// leaveCommand steps away from the table, or out of the queue.
func (s *session) leaveCommand(words []string) {
	isQueue := slices.Equal(words, []string{"queue"})
	switch {
	case isQueue && !s.queue.IsWaiting():
		s.out.printLine("You are not in the queue.")
	case !isQueue && !s.tables.current.isNone():
		s.tables.leave()
	case s.queue.IsWaiting():
		s.queue.stop()
	default:
		s.out.printLine("You are at no table. Type quit to end the session.")
	}
}
