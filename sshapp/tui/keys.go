package tui

import (
	"sync"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"notakto/rules"
)

// keyMap holds the bindings of all keys. An action may replace the help text of its binding.
type keyMap struct {
	// Moves on a screen and between screens.
	up, down, left, right key.Binding
	enter, back           key.Binding
	move, choose, change  key.Binding // groups of the keys above
	byLetters, bySpace    key.Binding // other keys for move and enter, only for hints
	first, last           key.Binding

	withoutLetters struct{ choose, change, move, back, escape key.Binding } // for a screen that takes letters as text

	digit                  key.Binding
	boards                 [rules.MaxBoards]key.Binding // boards[n-1] serves matches of n boards
	smallBoards            key.Binding                  // letters without another meaning
	nextBoard, boardBefore key.Binding

	// Matches and the queue.
	deadly, resign, leave key.Binding
	takeback, hint        key.Binding // also agree to the opponent's request
	decline               key.Binding
	lobby, rematch        key.Binding
	nextMatch             key.Binding // of a spectator, or to the next match that waits for the player
	review, nextMistake   key.Binding
	share, playOn, theory key.Binding
	computer, switchTable key.Binding
	joinWaiting           key.Binding
	results, allSeen      key.Binding // what ended while the player was away
	leaveQueue, accept    key.Binding // on every screen
	challenges, block     key.Binding // challenges makes a new one on their screen
	withdraw              key.Binding // also declines
	yes, no               key.Binding // answers to a question
	daily, slips, rush    key.Binding // in the lobby
	skip                  key.Binding
	learn, try            key.Binding
	knows, stepBack       key.Binding // of lessons

	// Every screen.
	help, theme, mouse key.Binding
	digits, alerts     key.Binding
	motion             key.Binding
	settings           key.Binding // the keys theme, mouse, digits, alerts and motion
	quit, interrupt    key.Binding
}

func bind(keys []string, name, what string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(name, what))
}

// Sessions with one character set share a key map.
var (
	utf8Keys  = sync.OnceValue(func() *keyMap { return newKeyMap("←↑↓→", "↑↓", "←→") })
	asciiKeys = sync.OnceValue(func() *keyMap { return newKeyMap("arrows", "up/down", "left/right") })
)

// newKeyMap returns a key map. In hints, arrows names the four arrow keys, and upDown and sideways name two arrow
// keys.
func newKeyMap(arrows, upDown, sideways string) *keyMap {
	keys := &keyMap{
		up:    bind([]string{"up", "k", "w", "shift+tab"}, upDown, "move"),
		down:  bind([]string{"down", "j", "s"}, upDown, "move"),
		left:  bind([]string{"left", "h", "a"}, sideways, "change"),
		right: bind([]string{"right", "l", "d"}, sideways, "change"),

		enter:  bind([]string{"enter", "kpenter", "space"}, "Enter", "go"),
		back:   bind([]string{"esc", "q", "backspace"}, "Esc", "back"),
		move:   bind([]string{"up", "down", "left", "right", "h", "j", "k", "l", "w", "a", "s", "d"}, arrows, "move"),
		choose: bind([]string{"up", "down", "j", "k", "w", "s"}, upDown, "choose"),
		change: bind([]string{"left", "right", "h", "l", "a", "d"}, sideways, "change"),

		byLetters: bind([]string{"h", "j", "k", "l", "w", "a", "s", "d"}, "hjkl wasd", "move"),
		bySpace:   bind([]string{"space"}, "Space", "place X"),

		first: bind([]string{"home", "pgup"}, "Home", "the first"),
		last:  bind([]string{"end", "pgdown", "G"}, "End", "the last"),

		digit:       bind(keyNames('1', '9'), "1-9", "place X"),
		smallBoards: bind([]string{"b", "c", "e", "f", "g"}, "", ""),
		nextBoard:   bind([]string{"tab"}, "Tab", "next board"),
		boardBefore: bind([]string{"shift+tab"}, "Shift-Tab", "previous board"),

		deadly:      bind([]string{"x"}, "x", "show deadly"),
		resign:      bind([]string{"r"}, "r", "resign"),
		takeback:    bind([]string{"u"}, "u", "take back"),
		hint:        bind([]string{"i"}, "i", "hint"),
		decline:     bind([]string{"n"}, "n", "decline"),
		leave:       bind([]string{"q", "esc"}, "q", "leave"),
		lobby:       bind([]string{"q", "esc"}, "Esc", "back"),
		rematch:     bind([]string{"enter", "kpenter"}, "Enter", "rematch"),
		nextMatch:   bind([]string{"n"}, "n", "next match"),
		review:      bind([]string{"v"}, "v", "review"),
		nextMistake: bind([]string{"n"}, "n", "next slip"),
		share:       bind([]string{"s"}, "s", "share"),
		playOn:      bind([]string{"p"}, "p", "play on"),
		theory:      bind([]string{"g"}, "g", "theory"),
		computer:    bind([]string{"c", "enter", "kpenter"}, "c", "play the computer"),
		switchTable: bind([]string{"o"}, "o", "your match"),
		joinWaiting: bind([]string{"g"}, "g", "join"),
		leaveQueue:  bind([]string{"e"}, "e", "leave the queue"),
		challenges:  bind([]string{"c"}, "c", "challenges"),
		block:       bind([]string{"b"}, "b", "block"),
		withdraw:    bind([]string{"x"}, "x", "decline"),
		accept:      bind([]string{"y", "Y"}, "y", "accept"),
		results:     bind([]string{"r"}, "r", "results"),
		allSeen:     bind([]string{"a"}, "a", "all seen"),
		daily:       bind([]string{"d"}, "d", "daily"),
		slips:       bind([]string{"f"}, "f", "fix slips"),
		rush:        bind([]string{"u"}, "u", "rush"),
		skip:        bind([]string{"n"}, "n", "skip"),
		learn:       bind([]string{"l"}, "l", "lessons"),
		try:         bind([]string{"y"}, "y", "try it"),
		knows:       bind([]string{"x"}, "x", "I know it"),
		stepBack:    bind([]string{"backspace"}, "Backspace", "back"),
		yes:         bind([]string{"y", "Y"}, "y", "yes"),
		no:          bind([]string{"n", "N", "esc", "q"}, "n", "no"),

		help:      bind([]string{"?", "f1"}, "?", "help"),
		theme:     bind([]string{"t"}, "t", "colours"),
		mouse:     bind([]string{"m"}, "m", "mouse"),
		digits:    bind([]string{"p"}, "p", "digits"),
		alerts:    bind([]string{"!"}, "!", "alerts"), // b may be meant for board B
		motion:    bind([]string{"z"}, "z", "motion"),
		settings:  bind([]string{"t", "m", "p", "!", "z"}, "", ""),
		quit:      bind([]string{"q", "esc"}, "q", "quit"),
		interrupt: bind([]string{"ctrl+c"}, "Ctrl-C", "quit"),
	}
	keys.withoutLetters.choose = bind([]string{"up", "shift+tab", "down", "tab"}, upDown, "choose")
	keys.withoutLetters.change = bind([]string{"left", "right"}, sideways, "change")
	keys.withoutLetters.move = bind([]string{"up", "down", "left", "right"}, arrows, "move")
	keys.withoutLetters.back = bind([]string{"esc", "backspace"}, "Esc", "back")
	keys.withoutLetters.escape = bind([]string{"esc"}, "Esc", "back")
	// The bindings have the letters of all boards, because pickBoard tells the player that a board is missing.
	for i := range keys.boards {
		keys.boards[i] = bind(keyNames('A', 'I'), "A-"+rules.BoardName(i), "to board")
	}
	return keys
}

func keyNames(first, last byte) []string {
	names := make([]string, 0, last-first+1)
	for c := first; c <= last; c++ {
		names = append(names, string(rune(c)))
	}
	return names
}

// nameOf returns msg.String(), for the usual keys without an allocation.
func nameOf(msg tea.KeyPressMsg) string {
	if msg.Mod == 0 && msg.Text == "" {
		switch msg.Code {
		case tea.KeyUp:
			return "up"
		case tea.KeyDown:
			return "down"
		case tea.KeyLeft:
			return "left"
		case tea.KeyRight:
			return "right"
		case tea.KeyEnter:
			return "enter"
		case tea.KeyTab:
			return "tab"
		case tea.KeyEscape:
			return "esc"
		case tea.KeyBackspace:
			return "backspace"
		}
	}
	return msg.String()
}

// keyNamed returns the key press for a name in a hint. The result is false for a name of several keys, and for a name
// that keyNamed does not know.
func keyNamed(name string) (tea.KeyPressMsg, bool) {
	code, isNamed := map[string]rune{
		"Enter": tea.KeyEnter, "Esc": tea.KeyEscape, "Tab": tea.KeyTab, "Backspace": tea.KeyBackspace,
		"←": tea.KeyLeft, "→": tea.KeyRight, "↑": tea.KeyUp, "↓": tea.KeyDown,
	}[name]
	if isNamed || len(name) != 1 {
		return tea.KeyPressMsg{Code: code}, isNamed
	}
	return tea.KeyPressMsg{Code: rune(name[0]), Text: name}, true
}
