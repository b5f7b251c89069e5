package tui

import (
	"sync"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"notakto/rules"
)

// keyMap holds the bindings of all keys. The help text of a binding is the default; a screen may give another one.
type keyMap struct {
	// These go about on a screen, and from one to another.
	up, down, left, right key.Binding
	enter, back           key.Binding
	move, choose, change  key.Binding // groups of the keys above
	byLetters, bySpace    key.Binding // only for hints: other keys for move and enter
	first, last           key.Binding

	withoutLetters struct{ choose, change, back, escape key.Binding } // where letters are typed

	digit, clearBoard      key.Binding
	boards                 [rules.MaxBoards]key.Binding // boards[n-1] serves matches of n boards
	nextBoard, boardBefore key.Binding

	// These are for matches.
	deadly, resign, leave key.Binding
	lobby, rematch        key.Binding
	review, nextMistake   key.Binding
	share, playOn, theory key.Binding
	computer, switchTable key.Binding
	joinWaiting, seen     key.Binding
	leaveQueue            key.Binding // on every screen
	yes, no               key.Binding // of a question

	// These mean the same everywhere.
	help, theme, mouse   key.Binding
	digits, bell, motion key.Binding
	settings             key.Binding // all of the five above
	quit, cut            key.Binding
}

func bind(keys []string, name, what string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(name, what))
}

// Sessions with terminals that show the same signs share one key map.
var (
	utf8Keys  = sync.OnceValue(func() *keyMap { return newKeyMap("←↑↓→", "↑↓", "←→") })
	asciiKeys = sync.OnceValue(func() *keyMap { return newKeyMap("arrows", "up/down", "left/right") })
)

// newKeyMap returns the key map. arrows names the four arrow keys in hints, upDown and sideways two of them each.
func newKeyMap(arrows, upDown, sideways string) *keyMap {
	k := &keyMap{
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

		digit:       bind(letters('1', '9'), "1-9", "place X"),
		clearBoard:  bind([]string{"c", "backspace", "delete"}, "c", "clear"),
		nextBoard:   bind([]string{"tab"}, "Tab", "next board"),
		boardBefore: bind([]string{"shift+tab"}, "Shift-Tab", "previous board"),

		deadly:      bind([]string{"x"}, "x", "show deadly"),
		resign:      bind([]string{"r"}, "r", "resign"),
		leave:       bind([]string{"q", "esc"}, "q", "leave"),
		lobby:       bind([]string{"q", "esc"}, "Esc", "back"),
		rematch:     bind([]string{"enter", "kpenter"}, "Enter", "rematch"),
		review:      bind([]string{"v"}, "v", "review"),
		nextMistake: bind([]string{"n"}, "n", "next slip"),
		share:       bind([]string{"s"}, "s", "share"),
		playOn:      bind([]string{"p"}, "p", "play on"),
		theory:      bind([]string{"g"}, "g", "theory"),
		computer:    bind([]string{"c", "enter", "kpenter"}, "c", "play the computer"),
		switchTable: bind([]string{"o"}, "o", "your match"),
		joinWaiting: bind([]string{"g"}, "g", "join"),
		leaveQueue:  bind([]string{"e"}, "e", "leave the queue"),
		seen:        bind([]string{"x"}, "x", "seen"),
		yes:         bind([]string{"y", "Y"}, "y", "yes"),
		no:          bind([]string{"n", "N", "esc", "q"}, "n", "no"),

		help:     bind([]string{"?", "f1"}, "?", "help"),
		theme:    bind([]string{"t"}, "t", "colours"),
		mouse:    bind([]string{"m"}, "m", "mouse"),
		digits:   bind([]string{"p"}, "p", "digits"),
		bell:     bind([]string{"b"}, "b", "bell"),
		motion:   bind([]string{"z"}, "z", "motion"),
		settings: bind([]string{"t", "m", "p", "b", "z"}, "", ""),
		quit:     bind([]string{"q", "esc"}, "q", "quit"),
		cut:      bind([]string{"ctrl+c"}, "Ctrl-C", "quit"),
	}
	k.withoutLetters.choose = bind([]string{"up", "shift+tab", "down", "tab"}, upDown, "choose")
	k.withoutLetters.change = bind([]string{"left", "right"}, sideways, "change")
	k.withoutLetters.back = bind([]string{"esc", "backspace"}, "Esc", "back")
	k.withoutLetters.escape = bind([]string{"esc"}, "Esc", "back")
	for i := range k.boards { // also boards that a match lacks: the table answers that there is none
		k.boards[i] = bind(letters('A', 'I'), "A-"+rules.BoardName(i), "to board")
	}
	return k
}

// letters returns the one-character names of keys, from first to last.
func letters(first, last byte) []string {
	names := make([]string, 0, last-first+1)
	for c := first; c <= last; c++ {
		names = append(names, string(rune(c)))
	}
	return names
}

// keyNamed returns the press of the key with a name in hints. It reports false for a name of several keys.
func keyNamed(name string) (tea.KeyPressMsg, bool) {
	code, isNamed := map[string]rune{
		"Enter": tea.KeyEnter, "Esc": tea.KeyEscape, "Tab": tea.KeyTab,
		"←": tea.KeyLeft, "→": tea.KeyRight, "↑": tea.KeyUp, "↓": tea.KeyDown,
	}[name]
	if isNamed || len(name) != 1 {
		return tea.KeyPressMsg{Code: code}, isNamed
	}
	return tea.KeyPressMsg{Code: rune(name[0]), Text: name}, true
}
