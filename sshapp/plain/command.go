package plain

import (
	"cmp"
	"slices"
	"strings"

	"notakto/match/account"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/client"
	"notakto/sshapp/notify"
	"notakto/sshapp/start"
	"notakto/sshapp/wording"
)

type command struct {
	name    string     // one word
	alias   string     // a second word for the command, or ""
	usage   string     // how the command is typed, "" for its name alone
	purpose string     // the end of a sentence, such as "explains the rules"
	helpIn  situations // when help names the command
	run     func(words []string)
}

// situations is a set of situations of a player.
type situations uint16

const (
	inLobby situations = 1 << iota
	inQueue
	atInvitation // at a private table without an opponent
	atMatch      // in a match of the player's own
	atEnd        // at a match that is over, seated or watching
	watching
	atExercise
	atSlips // an exercise with questions that can be skipped
	atLesson
	anywhere = inLobby | inQueue | atInvitation | atMatch | atEnd | watching | anyExercise

	anyExercise = atExercise | atSlips | atLesson
)

// commands returns all commands except the moves. The command help names them in this order.
func (s *session) commands() []command {
	return []command{
		{
			"help", "?", "help, help all, help WORD",
			"says what you can type, explains every command, or explains one", 0, s.helpCommand,
		},
		{"rules", "", "", "explains the rules", inLobby, s.rulesCommand},
		{
			"play", "", "play, play N, play tictactoe, play rated, play people, play programs, play anyway",
			"finds an opponent for 1 to 5 boards, 3 by preference, or for the boards that you name, such as play 9 or " +
				"play 3 5; with a clock if you add one, such as play 3 5+0; play rated finds a rated pair, two games for your " +
				"rating; play people and play programs meet only those; play anyway also accepts an opponent that " +
				"lately did not move in time",
			inLobby | atEnd, s.playCommand,
		},
		{"tictactoe", "tic-tac-toe", "", "finds an opponent for tic-tac-toe", inLobby,
			func([]string) { s.playCommand([]string{"tictactoe"}) }},
		{
			"computer", "", "computer LEVEL, and if you like N boards or tictactoe, and first or second",
			"plays the computer, such as computer steady 3 boards first; with a clock if you add one, such as " +
				"computer steady 5+0", inLobby | inQueue | atEnd, s.computerCommand,
		},
		{"levels", "", "", "lists the computer's levels", inLobby, s.levelsCommand},
		{
			"private", "", "private, private N, private tictactoe",
			"makes a private table and says its code; with a clock if you add one, such as private 3+2 or private 1d",
			inLobby | atEnd, s.privateCommand,
		},
		{
			"join", "", "join CODE",
			"sits down at a private table, or brings a guest back to a seat", inLobby | atEnd, s.joinCommand,
		},
		{
			"challenge", "", "challenge NAME, challenge NAME N CLOCK, challenge anyone, challenge NAME rated",
			"challenges a player, or anyone, to a match with three days for each move, or with the clock that you " +
				"add, such as challenge ann 5 boards 3+2", inLobby, s.challengeCommand,
		},
		{"challenges", "", "", "lists the open challenges", inLobby | inQueue, s.challenges.listCommand},
		{"accept", "", "accept NAME", "accepts a challenge, and goes to its match", 0, s.acceptCommand},
		{
			"withdraw", "", "withdraw NAME, withdraw anyone", "withdraws your challenge", 0,
			s.challenges.named("withdraw", client.Challenger.Withdraw),
		},
		{
			"block", "", "block NAME", "hides you and a player from each other; the player is not told", 0,
			s.challenges.named("block", client.Challenger.Block),
		},
		{
			"unblock", "", "unblock NAME", "lifts a block", 0,
			s.challenges.named("unblock", client.Challenger.Unblock),
		},
		{"blocked", "", "", "lists the players that you have blocked", 0, s.challenges.blockedCommand},
		{
			"matches", "", "",
			"lists the waiting players, and the matches in progress by number", inLobby | inQueue, s.lists.matchesCommand,
		},
		{
			"watch", "", "watch, watch N, watch NAME",
			"shows the busiest match, or the match with this number in matches or this name; a finished match is " +
				"told by moves; while there is no match, two levels of the computer show the game",
			inLobby | inQueue | atEnd, s.watchCommand,
		},
		{
			"daily", "", "daily, daily N",
			"asks the three puzzles of the day, with one try each; daily N is practice with those of an earlier day",
			inLobby | atEnd, s.exerciseCommand(start.Daily),
		},
		{
			"rush", "", "", "asks one puzzle after the other, for three minutes or until the third error",
			inLobby | atEnd, s.exerciseCommand(start.Rush),
		},
		{
			"slips", "", "", "asks positions of your own matches in which you missed a win, until you find it",
			inLobby | atEnd, s.exerciseCommand(start.Slips),
		},
		{
			"learn", "", "learn, learn N, learn N test",
			"lists the six lessons, or begins lesson N where you left it; three right answers in its test skip the lesson",
			inLobby | atEnd, s.learnCommand,
		},
		{"back", "", "", "goes back one step of a lesson", atLesson, s.exercises.backCommand},
		{"try", "", "", "shows the game in one minute: a match on one board, then one on two", inLobby, s.tryCommand},
		{"skip", "", "", "goes to the next of your slips without an answer", atSlips, s.exercises.skipCommand},
		{"history", "", "", "lists your finished matches, and your totals",
			inLobby | inQueue | atEnd, s.lists.historyCommand},
		{"ladder", "", "", "lists the best rated players, and your rank",
			inLobby | inQueue | atEnd, s.lists.ladderCommand},
		{
			"mine", "", "", "lists your own matches, by number", inLobby | inQueue | atInvitation | atMatch,
			s.tables.mineCommand,
		},
		{
			"go", "", "go, go N",
			"goes to your most urgent match, or to the match with this number in mine",
			inLobby | atInvitation | atMatch, s.tables.goCommand,
		},
		{
			"next", "n", "",
			"goes through the matches that wait for your move, the most urgent first; from a match that you watch, " +
				"watches the next one", inLobby | atMatch | atEnd | watching, s.tables.nextCommand,
		},

		{
			"boards", "board", "boards, boards B",
			"says what is on the boards, or on one board", atMatch | atEnd | watching | anyExercise,
			s.boardsCommand,
		},
		{"moves", "", "", "lists all moves so far", atMatch | atEnd | watching, s.tables.movesCommand},
		{
			"deadly", "", "",
			"lists the cells that kill a board; between people both players hear them", atMatch, s.tables.deadlyCommand,
		},
		{
			"turn", "", "", "says whose turn it is", atInvitation | atMatch | watching,
			func([]string) { s.out.printLine(s.tables.status()) },
		},
		{"clock", "clocks", "", "says how much time each player has left", atMatch | watching, s.tables.clockCommand},
		{
			"who", "", "",
			"lists the players at the table, and after a match its name", atInvitation | atMatch | atEnd | watching,
			s.tables.whoCommand,
		},
		{
			"takeback", "undo", "", "asks to take back your last move, or agrees to a takeback; the computer agrees three times",
			atMatch, s.tables.takebackCommand,
		},
		{
			"hint", "", "",
			"says a board, again its cell, and again why; between people both must agree, and a win against the computer " +
				"then counts for no level", atMatch, s.tables.hintCommand,
		},
		{
			"decline", "", "decline, decline NAME", "declines what your opponent asks for, or a challenge", atMatch,
			s.declineCommand,
		},
		{"resign", "", "", "resigns the match, after asking you", atMatch, s.tables.resignCommand},
		{"rematch", "", "", "asks for another match with the seats swapped, or accepts one", atEnd, s.rematchCommand},
		{
			"review", "", "review, review all, review N",
			"judges a finished match by perfect play: the slips, every move, or one move", atEnd,
			s.inTurn(s.reviewCommand),
		},
		{
			"theory", "", "theory N",
			"says what the boards of a finished match were worth before and after move N, in the mathematics of the game",
			atEnd, s.inTurn(s.theoryCommand),
		},
		{
			"playon", "", "playon N",
			"replays a finished match against the computer, from move N on", atEnd, s.playOnCommand,
		},
		{"share", "", "", "says a finished match in one line to share", atEnd, s.shareCommand},

		{
			"me", "", "", "tells your name and your account", inLobby,
			func([]string) { s.out.printLine(s.player.about()...) },
		},
		{"name", "", "name NEW", "claims a name, which is yours from your next login on", 0, s.nameCommand},
		{
			"notify", "", "notify, notify on, notify off",
			"sends you notices while you are away, such as that it is your move", 0, s.notifyCommand,
		},
		{"again", "", "", "says the last line again", 0, func([]string) { s.out.printLine(s.out.lastLine) }},
		{
			"leave", "", "leave, leave queue",
			"leaves the table, where your seat is kept, or the queue; leave queue leaves the queue from a table",
			anywhere &^ inLobby, s.leaveCommand,
		},
		{"quit", "exit", "", "ends the session; your seats are kept", anywhere, func([]string) { s.leaveAll() }},
	}
}

func (c command) typed() string { return cmp.Or(c.usage, c.name) }

func (c command) explain() string { return c.typed() + ": " + c.purpose + "." }

func (s *session) find(word string) (command, bool) {
	for _, c := range s.commands() {
		if word == c.name || word == c.alias && word != "" {
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
		if s.exercises.open != nil {
			s.exercises.answer(move)
		} else {
			s.tables.playMove(move)
		}
		return
	}
	if !s.tables.current.IsPlaying() {
		s.out.printLine(s.noCommand(words[0]))
		return
	}
	example := s.tables.current.exampleMove()
	if i := slices.IndexFunc(words, func(word string) bool { return typedMove(word) != "" }); i >= 0 {
		alone := typedMove(words[i])
		// The word names a cell without its board.
		if len(alone) < len(example) {
			alone = example + ", or another move,"
		}
		s.out.printLine("Type " + alone + " and nothing else.")
		return
	}
	s.out.printLine(strings.TrimSuffix(s.noCommand(words[0]), ".") + ", or a move such as " + example + ".")
}

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

// typedMove returns the notation of a move, or "" if word is no move. A move is a digit, or a digit and the letter
// of a board in either order.
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

const moveHelp = "B5 and other moves: place a mark, here on board B in cell 5. " +
	"The cells are like a numeric keypad: 7 8 9 at the top, 1 2 3 at the bottom."

// helpCommand names the commands that make sense where the player is. With a word it explains that command, or all.
func (s *session) helpCommand(words []string) {
	switch {
	case len(words) == 0:
		here, useful := s.tables.situation(), []string(nil)
		if s.exercises.open != nil {
			here = s.exercises.situation()
			useful = append(useful, "a move such as A5")
		}
		if here == atMatch {
			useful = append(useful, "a move such as "+s.tables.current.exampleMove())
		}
		for _, c := range s.commands() {
			if c.helpIn&here != 0 {
				useful = append(useful, c.name)
			}
		}
		s.out.printLine("You can type: " + listText(useful) + ".")
		s.out.printLine("Type help all to hear every command, or help and a word for one command. Press Enter alone to " +
			"hear how things stand.")
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
	s.out.printLines(append(RulesText(), wording.MoveLimits(limits.FirstMove, limits.LaterMove)))
}

// RulesText returns the rules of both games as lines to print.
func RulesText() []string {
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
	s.out.printLine("Each level wins about two games of three against the level before. Older levels are "+
		listText(wording.LevelNames(strategy.Levels()[len(ladder):]))+".",
		"Type computer and a level. Without a level it is "+s.nextLevel().String()+".")
}

// nameCommand claims a name for the account. The name shows from the next login on.
func (s *session) nameCommand(words []string) {
	p := &s.player
	if len(words) == 0 {
		s.out.printLine(p.about()...)
		return
	}
	name := strings.Join(strings.Fields(s.typedLine)[1:], " ")
	var err error
	switch {
	case p.caller.Key == "":
		err = account.ErrGuest
	case name != p.accounts.ClaimedName(p.ID):
		ctx, cancel := p.callContext()
		defer cancel()
		err = p.accounts.Claim(ctx, p.caller, name)
	}
	if err != nil {
		s.out.printLine(errorText(err))
		return
	}
	s.out.printLine(wording.NameClaimed(name, p.Name))
}

func (s *session) notifyCommand(words []string) {
	p := &s.player
	ctx, cancel := p.callContext()
	defer cancel()
	setting, err := notify.Choose(ctx, p.accounts, p.caller, s.cfg.NotifyURL, strings.Join(words, " "))
	if err != nil {
		s.out.printLine(errorText(err))
		return
	}
	s.out.printLine(setting.Text("type notify on.")...)
}

func (s *session) boardsCommand(words []string) {
	if s.exercises.open != nil {
		s.exercises.boards(words)
		return
	}
	s.tables.boardsCommand(words)
}

func (s *session) leaveCommand(words []string) {
	isQueue := slices.Equal(words, []string{"queue"})
	switch {
	case !isQueue && s.exercises.open != nil:
		s.exercises.leave()
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
