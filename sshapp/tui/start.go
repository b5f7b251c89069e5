package tui

import (
	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/rules"
	"notakto/rules/strategy"
)

// Door is where a session begins.
type Door uint8

// The doors. Each but the lobby is what a player could have chosen there.
const (
	AtLobby    Door = iota
	AtQueue         // wait for an opponent: Variant
	AtComputer      // play the computer: Variant, Level, Side
	AtPrivate       // make a private table: Variant
	AtCode          // sit down by a code: Code
	AtMatch         // look on: Match, or the busiest one
)

// Start is where a session begins. The zero value is the lobby.
type Start struct {
	Door    Door
	Variant rules.Variant  // zero for the default
	Level   strategy.Level // zero for Club
	Side    rules.Side     // nobody's to draw lots
	Code    match.Code
	Match   match.ID
}

// begin is the first command of a session that starts elsewhere than in the lobby, which it falls back to.
func (r *Root) begin(start Start) tea.Cmd {
	s := r.session
	if start.Variant.Valid() {
		s.variant = start.Variant
	}
	if start.Level != 0 {
		s.level = start.Level
	}
	switch start.Door {
	case AtQueue:
		return s.wishes.seek(s.player, s.variant)
	case AtComputer:
		return s.wishes.playComputer(s.player, s.variant, s.level, start.Side)
	case AtPrivate:
		return s.wishes.openPrivate(s.player, s.variant)
	case AtCode:
		return s.wishes.join(s.player, start.Code)
	case AtMatch:
		return r.watchFrom(start.Match)
	default:
		return nil
	}
}

func (r *Root) watchFrom(id match.ID) tea.Cmd {
	if id != "" {
		return r.session.wishes.watch(id, r.session.player.ID)
	}
	if matches := r.session.wishes.manager.List(); len(matches) > 0 {
		return r.session.wishes.watch(matches[0].ID, r.session.player.ID)
	}
	return r.show(newWatch(r.session))
}
