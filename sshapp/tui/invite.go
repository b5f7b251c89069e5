package tui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"notakto/rules"
	"notakto/sshapp/wording"
)

// inviteScreen is one's own private table while nobody sits opposite: it shows the code.
type inviteScreen struct {
	session *session
	table   *tableHandle
}

func newInvite(s *session, at *tableHandle) *inviteScreen {
	return &inviteScreen{session: s, table: at}
}

func (i *inviteScreen) at() *tableHandle { return i.table }

func (i *inviteScreen) update(msg tea.Msg) (navigation, tea.Cmd) {
	switch msg := msg.(type) {
	case *snapshotMsg, tableClosedMsg:
		switch {
		case i.table.Closed || i.table.absent:
			return toLobby{"That table was cleared."}, nil
		case i.table.Started():
			return toTable{i.table}, nil
		}
	case tea.KeyPressMsg:
		if key.Matches(msg, i.session.keys.leave) {
			return ask{newDialog(dialog{
				question: "Clear this table?", lines: []string{"Its code stops working."},
				yes: giveUp{i.table}, yesText: "clear it", noText: "keep waiting",
			})}, nil
		}
	}
	return nil, nil
}

func (i *inviteScreen) draw(s *canvas) {
	area := s.header("Private table", i.session.player.Name).column(56)
	x, y := area.x, area.y+1
	if s.roomy() {
		y += area.height / 6
	}
	s.text(x, y, strong, "Your private table: "+wording.Variant(i.table.Variant))
	code := string(i.table.Code)
	for at := range len(code) {
		s.box(rect{x + 6*at, y + 2, 5, 3}, cursor)
		s.text(x+6*at+2, y+3, strong, code[at:at+1])
	}
	order := "You move first."
	if i.table.side == rules.Second {
		order = "You move second."
	}
	pass := "Pass this code on. It is typed under Private table, or: ssh -t " + i.session.host + " join " + code
	y = s.paragraph(x, y+6, area.width, plain, pass)
	s.paragraph(x, y+1, area.width, faint, order+" The match begins, and your bell rings, when someone sits down.")
}

func (i *inviteScreen) notice() (string, role) { return "", plain }

func (i *inviteScreen) title() string { return "Waiting for your guest" }

// ShortHelp is part of help.KeyMap.
func (i *inviteScreen) ShortHelp() []key.Binding {
	k := i.session.keys
	return []key.Binding{renamed(k.leave, "clear the table"), k.help}
}

// FullHelp is part of help.KeyMap.
func (i *inviteScreen) FullHelp() [][]key.Binding {
	k := i.session.keys
	return [][]key.Binding{{renamed(k.leave, "clear the table")}, k.settings()}
}
