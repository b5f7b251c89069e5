package plain

import (
	"slices"
	"strings"

	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/wording"
)

const moveHelp = "B5 and the like: places a mark, on board B in cell 5. " +
	"The cells are like a numeric keypad: 7 8 9 at the top, 1 2 3 at the bottom."

// helpCommand names what suits where the player is; all of it, or one command, is explained on request.
func (s *session) helpCommand(words []string) {
	switch {
	case len(words) == 0:
		s.printLine("You can type: " + s.usefulCommands() + ".")
		s.printLine("help all explains every command, and help with a word explains that one. Enter alone says how " +
			"things stand.")
	case words[0] == "all":
		s.printLine(moveHelp)
		for _, c := range commands() {
			s.printLine(c.typed() + ": " + c.about + ".")
		}
	default:
		s.explainWord(words[0])
	}
}

func (s *session) explainWord(word string) {
	if c, known := find(word); known {
		s.printLine(c.typed() + ": " + c.about + ".")
		return
	}
	if _, err := rules.DefaultVariant().ParseMove(word); err == nil {
		s.printLine(moveHelp)
		return
	}
	s.printLine(noCommand(word) + " Type help to hear the commands.")
}

// usefulCommands are the commands that make sense where the player is.
func (s *session) usefulCommands() string {
	here, useful := s.placeOf(), []string(nil)
	if here == atMatch {
		useful = append(useful, "a move such as "+s.tables.current.exampleMove())
	}
	for _, c := range commands() {
		if c.where&here != 0 {
			useful = append(useful, c.name)
		}
	}
	return strings.Join(useful, ", ")
}

// placeOf is where the player is.
func (s *session) placeOf() place {
	switch at := s.tables.current; {
	case at.IsPlaying():
		return atMatch
	case at.IsInviting():
		return atInvitation
	case !at.isNone() && at.Over():
		return atEnd
	case !at.isNone():
		return watching
	case s.queue.isWaiting():
		return inQueue
	default:
		return inLobby
	}
}

// exampleMove is a move that can be typed at a table: one that kills no board, if there is one.
func (at table) exampleMove() string {
	legal := at.Position.Legal()
	if len(legal) == 0 {
		return "B5"
	}
	safe := slices.DeleteFunc(slices.Clone(legal), at.Position.Kills)
	if len(safe) > 0 {
		legal = safe
	}
	return at.Variant.FormatMove(legal[len(legal)/2])
}

func (s *session) rulesCommand(_ []string) {
	limits := s.cfg.Manager.TimeLimits()
	for _, line := range append(Rules(), wording.MoveLimits(limits.FirstMove, limits.LaterMove)) {
		s.printLine(line)
	}
}

// Rules is how the games go, a line each.
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
		s.printLine(level.String() + ": " + wording.Level(level))
	}
	s.printLine("Each wins about two games of three against the one before. Older levels are "+
		listText(wording.LevelNames(strategy.Levels()[len(ladder):]))+".",
		"Type computer and a level. Without a level it is "+s.nextRung().String()+".")
}
