package tui

import (
	tea "charm.land/bubbletea/v2"

	"notakto/rules"
	"notakto/sshapp/client"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

// inviteScreen shows the code of the player's private table until an opponent sits down.
type inviteScreen struct {
	env   *env
	table *client.Table
}

func (i *inviteScreen) shownTable() *client.Table { return i.table }

func (i *inviteScreen) update(r *Root, msg tea.Msg) tea.Cmd {
	switch msg.(type) {
	case snapshotMsg, tableClosedMsg:
		switch {
		case i.table.Closed || i.table.IsGone():
			return r.enterLobby("The table has been closed.")
		case i.table.HasStarted():
			return r.show(newTable(i.env, i.table))
		}
	case tea.KeyPressMsg:
		return r.runAction(i.actions())
	}
	return nil
}

func (i *inviteScreen) actions() []action {
	return []action{{
		key: &i.env.keys.lobby, short: "close the table", long: "close the table",
		run: func(r *Root) tea.Cmd {
			return r.ask(dialog{
				question: "Close this table?", lines: []string{"Its code stops working."},
				yes: i.env.giveUp(i.table), givesUp: true, yesText: "close it", noText: "keep waiting",
			})
		},
	}}
}

func (i *inviteScreen) draw(s *draw.Canvas) {
	const below = 5 // rows
	s.Page()
	area, code, heading := s.Header("Private table", i.env.player.Name), string(i.table.Code), "Your private table: "
	heading += wording.Terms(i.table.Terms)
	scale := s.Pick(0, 1, 2)
	width, height := draw.LargeSize(code, scale)
	y := area.Y + 1
	if s.IsRoomy() {
		card := area.Middle(height + 4 + below).Column(max(width+10, draw.Columns(heading)+8))
		card.Height = height + 4
		inner := s.Card(card, draw.Cursor, heading, draw.Strong)
		s.Large(card.X+(card.Width-width)/2, inner.Y+1, draw.Own, code, scale)
		y = card.Y + card.Height + 1
	} else {
		s.TextCenter(area.X, area.Width, area.Y, draw.Strong, heading)
		s.Large(area.X+(area.Width-width)/2, y+1, draw.Own, code, scale)
		y += height + 2
	}
	const friend = "Your friend chooses Challenge and types this code"
	command := wording.GameCommand(i.env.host, "join "+code)
	if command == "" {
		y = s.TextCenter(area.X, area.Width, y, draw.Plain, friend+",\nor adds \"join "+code+"\" to the ssh command.")
	} else {
		y = s.TextCenter(area.X, area.Width, y, draw.Plain, friend+", or runs:")
		y = s.TextCenter(area.X, area.Width, y, draw.Own, command)
	}
	order := "You move first."
	if i.table.Side == rules.Second {
		order = "You move second."
	}
	y += s.Pick(0, 1, 1)
	s.TextCenter(area.X, area.Width, y, draw.Faint, order+" The match begins when your friend joins.")
}

func (i *inviteScreen) notice() (string, draw.Role) { return "", draw.Plain }

func (i *inviteScreen) title() string { return "Waiting for your friend" }
