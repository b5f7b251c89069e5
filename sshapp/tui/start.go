package tui

import (
	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/sshapp/start"
)

// beginAt is the first command of a session that starts elsewhere than in the lobby, which it falls back to.
func beginAt(r *Root, from start.Start) tea.Cmd {
	s := r.session
	if from.Terms != (match.Terms{}) {
		s.choices.terms = from.Terms
	}
	if from.Level != 0 {
		s.choices.level = from.Level
	}
	switch from.At {
	case start.Queue:
		return s.commands.seek(s.player, s.choices.terms)
	case start.Computer:
		return s.commands.playComputer(s.player, s.choices.terms, s.choices.level, from.Side)
	case start.Private:
		return s.commands.openPrivate(s.player, s.choices.terms)
	case start.Code:
		return s.commands.join(s.player, from.Code)
	case start.Match:
		return watchFrom(r, from.Match)
	default:
		return nil
	}
}

func watchFrom(r *Root, id match.ID) tea.Cmd {
	if id != "" {
		return r.session.commands.watch(id, r.session.player.ID)
	}
	if matches := r.session.commands.manager.List(); len(matches) > 0 {
		return r.session.commands.watch(matches[0].ID, r.session.player.ID)
	}
	return r.show(newWatch(r.session))
}
