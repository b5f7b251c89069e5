package tui

import (
	"sync"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"notakto/sshapp/tui/draw"
)

// keyMap is every key there is. Each screen's hints and the help are made from it.
type keyMap struct {
	// These go about on a screen, and from one to another.
	up, down, left, right key.Binding
	enter, place, back    key.Binding
	move, choose, change  key.Binding // hints for several of the above together
	byLetters, bySpace    key.Binding // hints for what the above are bound to as well
	first, last           key.Binding

	digit, shortcuts, clearBoard key.Binding // of a board, and of a list

	// These are for matches.
	leave, lobby, rematch key.Binding
	review, nextMistake   key.Binding
	share, playOn, theory key.Binding
	computer, switchTable key.Binding
	joinWaiting, seen     key.Binding
	leaveQueue            key.Binding // on every screen
	yes, no               key.Binding // of a question
	table                 []tableKey  // most needed first

	// These mean the same everywhere.
	help, theme, mouse key.Binding
	digits, bell       key.Binding
	motion, quit, cut  key.Binding
}

func bind(keys []string, name, what string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(name, what))
}

// Sessions with terminals that show the same signs share one key map.
var (
	utf8Keys  = sync.OnceValue(func() *keyMap { return newKeyMap("←↑↓→", "↑↓", "←→") })
	asciiKeys = sync.OnceValue(func() *keyMap { return newKeyMap("arrows", "up/down", "left/right") })
)

// keysFor are the keys, named with the signs that a theme's terminal can show.
func keysFor(theme *draw.Theme) *keyMap {
	if theme.Charset() != draw.ASCII {
		return utf8Keys()
	}
	return asciiKeys()
}

// newKeyMap names the keys; the arrow keys by the given names, all together and two by two.
func newKeyMap(arrows, upDown, sideways string) *keyMap {
	k := &keyMap{
		up:    bind([]string{"up", "k", "w"}, upDown, "move"),
		down:  bind([]string{"down", "j", "s"}, upDown, "move"),
		left:  bind([]string{"left", "h", "a"}, sideways, "change"),
		right: bind([]string{"right", "l", "d"}, sideways, "change"),

		enter:  bind([]string{"enter", "kpenter", "space"}, "Enter", "go"),
		place:  bind([]string{"enter", "kpenter", "space"}, "Enter", "place X"),
		back:   bind([]string{"esc", "q", "backspace"}, "Esc", "back"),
		move:   bind([]string{"up", "down", "left", "right", "h", "j", "k", "l", "w", "a", "s", "d"}, arrows, "move"),
		choose: bind([]string{"up", "down", "j", "k", "w", "s"}, upDown, "choose"),
		change: bind([]string{"left", "right", "h", "l", "a", "d"}, sideways, "change"),

		byLetters: bind([]string{"h", "j", "k", "l", "w", "a", "s", "d"}, "hjkl wasd", "move"),
		bySpace:   bind([]string{"space"}, "Space", "place X"),

		first: bind([]string{"home", "pgup"}, "Home", "the first"),
		last:  bind([]string{"end", "pgdown", "G"}, "End", "the last"),

		digit:      bind(letters('1', '9'), "1-9", "place X"),
		shortcuts:  bind(letters('1', '9'), "1-9", "choose"),
		clearBoard: bind([]string{"c", "backspace", "delete"}, "c", "clear"),

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

		help:   bind([]string{"?", "f1"}, "?", "help"),
		theme:  bind([]string{"t"}, "t", "colours"),
		mouse:  bind([]string{"m"}, "m", "mouse"),
		digits: bind([]string{"p"}, "p", "digits"),
		bell:   bind([]string{"b"}, "b", "bell"),
		motion: bind([]string{"z"}, "z", "motion"),
		quit:   bind([]string{"q", "esc"}, "q", "quit"),
		cut:    bind([]string{"ctrl+c"}, "Ctrl-C", "quit"),
	}
	k.table = k.newTableKeys()
	return k
}

// letters are the one-character names of keys, from first to last.
func letters(first, last byte) []string {
	names := make([]string, 0, last-first+1)
	for c := first; c <= last; c++ {
		names = append(names, string(rune(c)))
	}
	return names
}

// keyNamed is the press of a key by its name in hints; false for a name of several keys.
func keyNamed(name string) (tea.KeyPressMsg, bool) {
	code := rune(0)
	switch name {
	case "Enter":
		code = tea.KeyEnter
	case "Esc":
		code = tea.KeyEscape
	case "Tab":
		code = tea.KeyTab
	case "←":
		code = tea.KeyLeft
	case "→":
		code = tea.KeyRight
	case "↑":
		code = tea.KeyUp
	case "↓":
		code = tea.KeyDown
	}
	if code != 0 || len(name) != 1 {
		return tea.KeyPressMsg{Code: code}, code != 0
	}
	return tea.KeyPressMsg{Code: rune(name[0]), Text: name}, true
}

// renamed is a copy of a binding under another description.
func renamed(b key.Binding, what string) key.Binding {
	b.SetHelp(b.Help().Key, what)
	return b
}
