package tui

import (
	"context"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"notakto/match"
	"notakto/match/lobby"
	"notakto/match/manager"
	"notakto/sshapp/client"
	"notakto/sshapp/tui/draw"
	"notakto/sshapp/wording"
)

// newsSource finds the news of the player's challenges.
type newsSource struct {
	follow  client.Challenges
	offered match.ID // the newest challenge to the player, while it is open
}

type newsMsg struct {
	player match.PlayerID
	news   []client.ChallengeNews
	gone   match.ID // the newest challenge to the player, when it is no longer open
}

func (n *newsSource) look(session *client.Session, p match.Player) newsMsg {
	msg := newsMsg{player: p.ID}
	if p.Guest {
		return msg
	}
	msg.news = n.follow.Look(session, p.ID)
	if n.offered != "" && !n.follow.IsOpen(n.offered) {
		msg.gone, n.offered = n.offered, ""
	}
	for _, news := range slices.Backward(msg.news) {
		if news.End == manager.ChallengeGone {
			n.offered = news.ID
		}
	}
	return msg
}

// onNews tells the player of new and ended challenges. A key accepts the newest challenge to the player, except at a
// match in progress. If an accepted challenge has no clock of days, the bell rings, because the first move has a limit.
// The end of a challenge counts as seen if the player looks at the window.
func (r *Root) onNews(msg newsMsg) tea.Cmd {
	var seen tea.Cmd
	if r.offered.ID == msg.gone && r.isOfferShown() {
		r.status.dismiss()
	}
	for _, n := range slices.Backward(msg.news) { // the newest stays on the screen
		switch {
		case msg.player != r.env.player.ID: // a code has led to another seat
		case n.End == manager.ChallengeAccepted && !n.Clock.IsCorrespondence():
			r.matches.found, r.matches.accepted = n.ID, n
			r.ring()
		case n.End == manager.ChallengeAccepted:
			r.status.tell(n.Text() + " Open it in the lobby: Enter.")
		case n.End != manager.ChallengeGone:
			if r.status.tell(n.Text()); time.Since(r.looked) < lookedFor {
				seen = batch(seen, r.matches.markSeen(n.ID))
			}
		default:
			r.offered, r.offeredAt = n, time.Now()
			r.status.tell(n.Text())
			r.ring()
			if r.canAlert() {
				r.notify(n.Text())
			}
		}
	}
	return batch(seen, batch(r.matches.refresh(), r.screen.update(r, msg)))
}

// isOfferShown reports whether the newest challenge to the player stands above the keys.
func (r *Root) isOfferShown() bool {
	return r.offered.ID != "" && r.status.message == r.offered.Text()
}

// offerText tells in one line of the newest challenge to the player, and which key leads to it from this screen.
func (r *Root) offerText() string {
	keys, text, how := r.env.keys, r.offered.Text(), ""
	switch accepts := keys.accept.Help().Key + " accepts."; {
	case r.dialog != nil: // the key answers the dialog
	case r.isPlayingHere():
		how = "  After the match: " + keys.challenges.Help().Key + "."
	case takesLetters(r.screen):
		how = "  Esc, then " + accepts
	default:
		how = "  " + accepts
	}
	short, shortest := r.offered.Opponent.Name+" challenges you.", "A challenge!"
	if r.offered.Pool.IsRated() {
		short, shortest = r.offered.Opponent.Name+": a rated challenge.", "A rated challenge!"
	}
	return r.env.fit(text+how, short+how, shortest+how)
}

// isPlayingHere reports whether the screen is a match in progress of the player.
func (r *Root) isPlayingHere() bool {
	_, isTable := r.screen.(*tableScreen)
	return isTable && tableOf(r.screen).IsPlaying()
}

// challengesScreen lists the challenges to the player, the board with the players in the queue, and the player's own.
type challengesScreen struct {
	page
	list[client.Offer]
	now time.Time // when the rows were read
}

func toChallenges(r *Root) tea.Cmd {
	return r.show(&challengesScreen{page: page{r.env, "Challenges"}, now: r.env.now()})
}

// offersMsg holds the challenges that the player may see, as the manager lists them and as the screen shows them.
type offersMsg struct {
	listed []manager.OpenChallenge
	all    []client.Offer
}

func (c *challengesScreen) enter() tea.Cmd {
	e, p := c.env, c.env.player.ID
	return e.readLatest(&e.page, func(ctx context.Context) (tea.Msg, error) {
		return offersMsg{e.manager.Challenges(p), e.client.Offers(ctx, e.history, p)}, nil
	})
}

func (c *challengesScreen) update(r *Root, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case offersMsg:
		c.now = c.env.now()
		c.show(msg.all, func(a, b client.Offer) bool { return a.ID == b.ID && a.Maker.ID == b.Maker.ID })
		e, p := c.env, c.env.player.ID
		return e.poll(func() tea.Msg {
			if slices.Equal(e.manager.Challenges(p), msg.listed) {
				return nil
			}
			return navigation(func(*Root) tea.Cmd { return c.enter() })
		})
	case failedMsg, newsMsg:
		return c.enter()
	case tea.KeyPressMsg:
		return r.runAction(c.actions())
	}
	return nil
}

func (c *challengesScreen) actions() []action {
	e, keys := c.env, c.env.keys
	accept, end, block := "", "", ""
	if c.row < len(c.rows) {
		switch c.rows[c.row].Kind {
		case client.OfferToYou:
			accept, end, block = "accept", "decline", "block"
		case client.OwnOffer:
			end = "withdraw"
		case client.OfferToAnyone, client.OfferWaiting:
			accept, block = "accept", "block"
		}
	}
	if e.player.ID != e.caller.Account { // a code has led to another seat
		block = ""
	}
	return []action{
		{key: &keys.enter, short: accept, long: accept, run: func(r *Root) tea.Cmd {
			if accept == "" {
				return nil
			}
			if o := c.rows[c.row]; o.Kind != client.OfferWaiting {
				return e.accept(o.ID)
			}
			return r.seekOpponent(seekRequest{[]match.Terms{c.rows[c.row].Terms}, lobby.Options{Forgives: true}})
		}},
		{key: &keys.withdraw, short: end, long: end, run: c.end(end)},
		{
			key: &keys.challenges, short: textIf(end == "" || e.isRoomy(), "new"), long: "new challenge",
			run: func(r *Root) tea.Cmd { return r.show(newChallenge(e, byName)) },
		},
		{key: &keys.block, short: textIf(e.isRoomy(), block), long: block, run: c.block(block)},
		{key: &keys.choose, short: textIf(len(c.rows) > 1 && e.isRoomy(), "choose"), long: "choose", run: c.move},
		{key: &keys.back, short: "back", long: "back", run: toLobby},
	}
}

func (e *env) challenger() client.Challenger {
	return client.Challenger{
		Session: e.client, Accounts: e.accounts, Host: e.host, Player: e.player, Caller: e.caller,
	}
}

// end declines a challenge to the player, or withdraws an own one. With word "", the selected row has no such action.
func (c *challengesScreen) end(word string) navigation {
	return func(*Root) tea.Cmd {
		if word == "" {
			return nil
		}
		end, o := c.env.challenger().Withdraw, c.rows[c.row]
		if o.Kind == client.OfferToYou {
			end = c.env.challenger().Decline
		}
		return c.do(end, string(o.ID))
	}
}

func (c *challengesScreen) block(word string) navigation {
	return func(r *Root) tea.Cmd {
		e := c.env
		if word == "" {
			return nil
		}
		who := c.rows[c.row].Maker
		return r.ask(dialog{
			question: "Block " + who.Name + "?",
			lines: []string{
				"You see no challenge of each other, and the queue does not pair you. " + who.Name + " is not told.",
			},
			yesText: "block", noText: "cancel", givesUp: true,
			yes: func(*Root) tea.Cmd { return c.do(e.challenger().Block, string(who.ID)) },
		})
	}
}

// do calls an action of client.Challenger, tells the player its result, and reads the challenges again if they are
// shown.
func (c *challengesScreen) do(act func(ctx context.Context, name string) (string, error), name string) tea.Cmd {
	return c.env.request(nil, func(ctx context.Context) (tea.Msg, error) {
		said, err := act(ctx, name)
		return navigation(func(r *Root) tea.Cmd {
			if r.isOfferShown() {
				r.status.dismiss()
			}
			if r.status.say(said); r.screen != c {
				return nil
			}
			return c.enter()
		}), err
	})
}

func (c *challengesScreen) draw(s *draw.Canvas) {
	area := c.header(s)
	switch {
	case c.state == loading:
		return
	case len(c.rows) == 0:
		drawEmptyList(s, area.Lower(s.Pick(0, 1, 1)), wording.NoChallenge,
			"c makes one: to a player, to anyone, or with a code.")
		return
	}
	// A line is a heading, the number of a row, or blank.
	type line struct {
		heading string
		row     int
	}
	var lines []line
	at := 0 // the line of the chosen row
	for i, o := range c.rows {
		if heading := offerHeading(o.Kind); i == 0 || heading != offerHeading(c.rows[i-1].Kind) {
			if s.IsRoomy() {
				lines = append(lines, line{row: -1})
			}
			lines = append(lines, line{heading, -1})
		}
		if i == c.row {
			at = len(lines)
		}
		lines = append(lines, line{row: i})
	}
	first := max(0, min(at-area.Height/2, len(lines)-area.Height))
	for y, l := range lines[first:min(len(lines), first+area.Height)] {
		row := draw.Rect{X: area.X, Y: area.Y + y, Width: area.Width, Height: 1}
		if l.row < 0 {
			s.Text(row.X, row.Y, draw.Strong, l.heading)
			continue
		}
		role := draw.Plain
		s.Target.OnRow(row, l.row)
		if l.row == c.row {
			role = draw.Chosen
			s.Point(row.X, row.Y)
		}
		c.drawOffer(s, row, c.rows[l.row], role)
	}
}

func offerHeading(kind client.OfferKind) string {
	switch kind {
	case client.OfferToYou:
		return "For you"
	case client.OwnOffer:
		return "Yours"
	default:
		return "Anyone"
	}
}

func (c *challengesScreen) drawOffer(s *draw.Canvas, row draw.Rect, o client.Offer, role draw.Role) {
	name, rating, when := o.Other().Name, "", wording.Age(c.now.Sub(o.Since))
	here := textIf(o.IsHere, wording.HereNow)
	switch {
	case o.Kind == client.OwnOffer:
		name, when = "to "+name, strings.TrimSpace(here+"  "+wording.ExpiresIn(o.Expires.Sub(c.now)))
	case o.Kind == client.OfferWaiting:
		when = "waiting"
	case o.IsHere:
		when = here
	}
	if !o.Standing.Ended.IsZero() && o.Kind != client.OwnOffer {
		rating = " " + o.Standing.Rating.String()
	}
	terms, end := row.X+s.Pick(16, 26, 30), row.X+row.Width
	if row.Width >= wideRow {
		end = s.TextRight(end, row.Y, when) - 1
	}
	x := row.X + 2
	x = s.Text(x, row.Y, role, cutName(s, name, terms-x-1-draw.Columns(rating)))
	s.Text(x, row.Y, draw.Faint, rating)
	s.Text(terms, row.Y, role, fit(end-terms, wording.ChallengeTerms(o.Terms), shortTerms(o.Terms)))
}
