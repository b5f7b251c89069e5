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
			return toLobby{"The table has been closed."}, nil
		case i.table.Started():
			return toTable{i.table}, nil
		}
	case tea.KeyPressMsg:
		if key.Matches(msg, i.session.keys.leave) {
			return ask{newDialog(i.session, dialog{
				question: "Close this table?", lines: []string{"Its code stops working."},
				yes: giveUp{i.table}, yesText: "close it", noText: "keep waiting",
			})}, nil
		}
	}
	return nil, nil
}

func (i *inviteScreen) draw(s *draw.Canvas) {
	area := s.Header("Private table", i.session.player.Name)
	x, width, code := area.X, area.Width, string(i.table.Code)
	y := drawStart(s, i.table.Variant, area, 10)
	s.TextCenter(x, width, y, draw.Strong, "Your private table: "+wording.Variant(i.table.Variant))
	gap := 0
	if s.Roomy() {
		gap = 1
	}
	y += 1 + gap
	left := x + (width-6*len(code)+1)/2
	for at := range len(code) {
		s.Box(draw.Rect{X: left + 6*at, Y: y, Width: 5, Height: 3}, draw.Cursor)
		s.Text(left+6*at+2, y+1, draw.Strong, code[at:at+1])
	}
	order := "You move first."
	if i.table.Side == rules.Second {
		order = "You move second."
	}
	y = s.TextCenter(x, width, y+3+gap, draw.Plain, "Give this code to a friend, to be typed under Private table, or in:")
	y = s.TextCenter(x, width, y, draw.Strong, "ssh -t "+i.session.host+" join "+code)
	s.TextCenter(x, width, y+1, draw.Faint, order+" The match begins when your guest sits down.")
}

func (i *inviteScreen) notice() (string, draw.Role) { return "", draw.Plain }

func (i *inviteScreen) title() string { return "Waiting for your opponent" }

// ShortHelp is part of help.KeyMap.
func (i *inviteScreen) ShortHelp() []key.Binding {
	k := i.session.keys
	return []key.Binding{renamed(k.leave, "close the table"), k.help}
}

// FullHelp is part of help.KeyMap.
func (i *inviteScreen) FullHelp() [][]key.Binding {
	k := i.session.keys
	return [][]key.Binding{{renamed(k.leave, "close the table")}, settingsOf(i.session)}
}
