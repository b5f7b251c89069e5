package tui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"notakto/rules"
	"notakto/sshapp/client"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

// inviteScreen is the player's private table before a guest has come: it shows the code.
type inviteScreen struct {
	session *session
	table   *client.Table
}

func newInvite(s *session, at *client.Table) *inviteScreen {
	return &inviteScreen{session: s, table: at}
}

func (i *inviteScreen) at() *client.Table { return i.table }

func (i *inviteScreen) update(msg tea.Msg) (navigation, tea.Cmd) {
	switch msg := msg.(type) {
	case *snapshotMsg, tableClosedMsg:
		switch {
		case i.table.Closed || i.table.IsGone():
			return toLobby{"That table was closed."}, nil
		case i.table.Started():
			return toTable{i.table}, nil
		}
	case tea.KeyPressMsg:
		if key.Matches(msg, i.session.keys.leave) {
			return ask{newDialog(i.session, dialog{
				question: "Close this table?", lines: []string{"Its code stops working."},
				yes: giveUp{i.table}, yesText: "clear it", noText: "keep waiting",
			})}, nil
		}
	}
	return nil, nil
}

func (i *inviteScreen) draw(s *draw.Canvas) {
	area := s.Header("Private table", i.session.player.Name).Column(56)
	x, y := area.X, area.Y+1
	if s.Roomy() {
		y += area.Height / 6
	}
	s.Text(x, y, draw.Strong, "Your private table: "+wording.Variant(i.table.Variant))
	code := string(i.table.Code)
	for at := range len(code) {
		s.Box(draw.Rect{X: x + 6*at, Y: y + 2, Width: 5, Height: 3}, draw.Cursor)
		s.Text(x+6*at+2, y+3, draw.Strong, code[at:at+1])
	}
	order := "You move first."
	if i.table.Side == rules.Second {
		order = "You move second."
	}
	pass := "Pass this code on. It is typed under Private table, or: ssh -t " + i.session.host + " join " + code
	y = s.Paragraph(x, y+6, area.Width, draw.Plain, pass)
	s.Paragraph(x, y+1, area.Width, draw.Faint, order+" The match begins, and your bell rings, when someone sits down.")
}

func (i *inviteScreen) notice() (string, draw.Role) { return "", draw.Plain }

func (i *inviteScreen) title() string { return "Waiting for your opponent" }

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
