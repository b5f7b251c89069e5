package tui

import (
	"fmt"
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

// lobbyScreen is where a session begins: one's own matches to go back to, and what else there is to do.
type lobbyScreen struct {
	session   *session
	myMatches []myMatch // which come before the entries
	at        int       // the chosen line
	touched   bool
	boards    selector
}

// entry is something to do from the lobby.
type entry struct {
	name, note string
	to         navigation
}

func newLobby(s *session) *lobbyScreen {
	return &lobbyScreen{session: s, boards: boardsSelector(s.choices.terms), myMatches: slices.Clone(s.myMatches)}
}

func (l *lobbyScreen) entries() [6]entry {
	play := entry{"Play someone", "Sit down opposite whoever waits, or wait for the next one to come.", toWaiting{}}
	if l.session.queue.IsWaiting() {
		play = entry{"Back to the queue", "You are waiting for an opponent, and have kept your place.", toWaiting{}}
	}
	return [6]entry{
		play,
		{"Play the computer", "Five levels, from random to perfect; one to nine boards, or tic-tac-toe.", toComputer{}},
		{"Private table", "Make a table and pass its code on, or sit down with a code.", toPrivate{}},
		{"Watch", "Look on while others play.", toWatch{}},
		{"How to play", "The rules in a minute, with a board to try them on.", toHowTo{}},
		{"Quit", fmt.Sprintf("Your seats are kept; you have %d s when it is your turn.", wording.Seconds(l.session.grace)), quit{}},
	}
}

func (l *lobbyScreen) update(msg tea.Msg) (navigation, tea.Cmd) {
	switch msg := msg.(type) {
	case running:
		l.setMyMatches(l.session.myMatches)
	case failed:
		return nil, l.session.commands.running(l.session.player.ID)
	case tea.KeyPressMsg:
		return l.press(msg)
	}
	return nil, nil
}

func (l *lobbyScreen) press(press tea.KeyPressMsg) (navigation, tea.Cmd) {
	keys, lines := l.session.keys, len(l.myMatches)+len(l.entries())
	switch {
	case key.Matches(press, keys.up):
		l.at = (l.at + lines - 1) % lines
	case key.Matches(press, keys.down):
		l.at = (l.at + 1) % lines
	case key.Matches(press, keys.left):
		l.turn(-1)
	case key.Matches(press, keys.right):
		l.turn(1)
	case key.Matches(press, keys.enter):
		return l.choose(l.at), nil
	case key.Matches(press, keys.shortcuts):
		if digit := int(press.String()[0] - '1'); digit < len(l.entries()) {
			return l.choose(len(l.myMatches) + digit), nil
		}
	case key.Matches(press, keys.quit):
		return ask{quitDialog(nil, l.session)}, nil
	}
	l.touched = true
	return nil, nil
}

// turn changes the boards to be played on.
func (l *lobbyScreen) turn(by int) {
	if !l.session.queue.IsWaiting() {
		l.boards.turn(by)
		l.session.choices.terms = l.boards.terms()
	}
}

func (l *lobbyScreen) choose(line int) navigation {
	if line < len(l.myMatches) {
		return toMatch{l.myMatches[line].id}
	}
	return l.entries()[line-len(l.myMatches)].to
}

func (l *lobbyScreen) notice() (string, draw.Role) { return "", draw.Plain }

func (l *lobbyScreen) title() string { return "" }

// ShortHelp is part of help.KeyMap.
func (l *lobbyScreen) ShortHelp() []key.Binding {
	k := l.session.keys
	return []key.Binding{k.choose, k.enter, renamed(k.change, "boards"), k.theme, k.quit, k.help}
}

// FullHelp is part of help.KeyMap.
func (l *lobbyScreen) FullHelp() [][]key.Binding {
	k := l.session.keys
	return [][]key.Binding{{k.choose, k.shortcuts, renamed(k.change, "boards"), k.enter, k.quit}, k.settings()}
}
