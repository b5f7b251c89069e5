package sshapp

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/account"
	"notakto/match/journaltest"
	"notakto/rules"
	"notakto/sshapp/names"
)

// frontEnd is a way to sit at a table as the test of the front ends uses it: what it does, and what it shows.
// Everything that is seen is waited for.
type frontEnd interface {
	invites() (code string) // lays a private table of two boards
	joins(code string)      // sits down there
	begins() rules.Side     // is shown the beginning, and which side it plays
	plays(move string)      // asks for a move
	sees(turn)              // is shown a move and what follows from it
	ends(match []turn)      // is shown the end, and asks for all that was played
}

// turn is one move as both players have to be shown it.
type turn struct {
	ply   int
	side  rules.Side // that moved
	move  rules.Move
	after rules.Position
}

// next is the side to move then; no side once the match is over.
func (t turn) next() rules.Side {
	if t.after.Outcome().IsOver() {
		return rules.NoSide
	}
	return t.after.Turn()
}

// winner is the side that has won, which is to be asked once the match is over.
func (t turn) winner() rules.Side { return t.after.Outcome().Winner }

// seat is one player of a match of two. The side is known once the match has begun.
type seat struct {
	*testServer
	name, other string
	key         byte
	side        rules.Side
}

// The nine pairs of front ends must see the same moves, turns and end.
func TestAMatchIsTheSameInEveryFrontEnd(t *testing.T) {
	besideOthers(t)
	h := startServer(t)
	frontEnds := []struct {
		name string
		open func(*seat) frontEnd
	}{
		{"screen", func(s *seat) frontEnd { return &screenFrontEnd{seat: s} }},
		{"plain", func(s *seat) frontEnd { return &plainFrontEnd{seat: s} }},
		{"bot", func(s *seat) frontEnd { return &botFrontEnd{seat: s} }},
	}
	for i, a := range frontEnds {
		for k, b := range frontEnds {
			key := byte(2 * (i*len(frontEnds) + k + 1))
			t.Run(a.name+" and "+b.name, func(t *testing.T) {
				t.Parallel()
				host := a.open(&seat{testServer: h.in(t), name: "alice", other: "bob", key: key - 1})
				guest := b.open(&seat{testServer: h.in(t), name: "bob", other: "alice", key: key})
				guest.joins(host.invites())
				playThroughFrontEnds(t, rand.New(rand.NewPCG(uint64(key), 9)), host, guest)
			})
		}
	}
}

// playThroughFrontEnds plays random legal moves. Both front ends have to show a move before the next one.
func playThroughFrontEnds(t *testing.T, chance *rand.Rand, host, guest frontEnd) {
	t.Helper()
	sides := map[rules.Side]frontEnd{host.begins(): host, guest.begins(): guest}
	if sides[rules.First] == nil || sides[rules.Second] == nil {
		t.Fatalf("the sides are %v", sides)
	}
	var match []turn
	for position := twoBoards(t).Start(); !position.Outcome().IsOver(); {
		legal := position.LegalMoves()
		m := turn{ply: len(match) + 1, side: position.Turn(), move: legal[chance.IntN(len(legal))]}
		var err error
		if m.after, err = position.Play(m.move); err != nil {
			t.Fatal(err)
		}
		sides[m.side].plays(m.move.String())
		host.sees(m)
		guest.sees(m)
		position, match = m.after, append(match, m)
	}
	host.ends(match)
	guest.ends(match)
}

func twoBoards(t testing.TB) rules.Variant {
	t.Helper()
	v, err := rules.Notakto(2)
	testkit.OK(t, err)
	return v
}

// plainFrontEnd is a player with the line-by-line front end, without a terminal.
type plainFrontEnd struct {
	*seat
	*talk
	last string // line about a board
}

func (p *plainFrontEnd) opens(command string) {
	p.talk = newTalk(p.testServer.t, p.dial(p.name, newKey(p.testServer.t, p.key)), command)
}

// waitsFor waits for a line that matches pattern, and returns its groups.
func (p *plainFrontEnd) waitsFor(pattern string) []string {
	p.testServer.t.Helper()
	found := regexp.MustCompile(pattern)
	for {
		if found := found.FindStringSubmatch(p.expects()); found != nil {
			return found
		}
	}
}

func (p *plainFrontEnd) invites() string {
	p.opens("play --private --boards 2")
	return p.waitsFor(` types join ([A-Z0-9]{6})[.,]`)[1]
}

func (p *plainFrontEnd) joins(code string) { p.opens("join " + code) }

func (p *plainFrontEnd) begins() rules.Side {
	p.waitsFor(`^` + p.other + ` sits down\.|^2 boards, against ` + p.other + `\.`)
	p.types("turn")
	p.side = rules.Second
	if p.waitsFor(`^(Your|` + p.other + `'s) turn\.$`)[1] == "Your" {
		p.side = rules.First
	}
	return p.side
}

func (p *plainFrontEnd) plays(move string) { p.types(move) }

// sees takes the next line about a board and compares it with the move m.
func (p *plainFrontEnd) sees(m turn) {
	p.testServer.t.Helper()
	p.last = p.waitsFor(`^Board .*`)[0]
	want := fmt.Sprintf("Board %s: %s at %v.", rules.BoardName(int(m.move.Board)), p.who(m.side), m.move.Cell)
	if m.after.IsDead(int(m.move.Board)) {
		want += " Board " + rules.BoardName(int(m.move.Board)) + " is dead. " + left(m.after)
	}
	switch m.next() {
	case rules.NoSide:
	case p.side:
		want += " Your turn."
	default:
		want += " " + p.other + "'s turn."
	}
	if !strings.HasPrefix(p.last, want) {
		p.testServer.t.Fatalf("%s hears %q, want %q", p.name, p.last, want)
	}
}

// left returns the name of the board that is alive after one of two has died.
func left(p rules.Position) string {
	switch {
	case !p.IsDead(0):
		return "Board left: A."
	case !p.IsDead(1):
		return "Board left: B."
	default:
		return "No board is left."
	}
}

func (p *plainFrontEnd) who(side rules.Side) string {
	if side == p.side {
		return "you"
	}
	return p.other
}

// ends compares the line of the last move, and requests all moves.
func (p *plainFrontEnd) ends(match []turn) {
	p.testServer.t.Helper()
	want := p.other + " killed the last board. You won. Type rematch, review or leave."
	if match[len(match)-1].winner() != p.side {
		want = "You killed the last board. You lost. Type rematch, review or leave."
	}
	if !strings.HasSuffix(p.last, want) {
		p.testServer.t.Errorf("%s hears %q, want %q at its end", p.name, p.last, want)
	}
	shown := make([]string, len(match))
	for i, m := range match {
		shown[i] = fmt.Sprintf("%d, %v by %s", m.ply, m.move, p.who(m.side))
	}
	p.types("moves")
	testkit.Equal(p.testServer.t, p.waitsFor(`^1, .*`)[0], strings.Join(shown, "; ")+".", p.name, shown)
}

type screenFrontEnd struct {
	*seat
	*person
}

func (s *screenFrontEnd) opens(command string) {
	s.person = newPersonAt(s.testServer.t, s.dial(s.name, newKey(s.testServer.t, s.key)), command)
}

func (s *screenFrontEnd) invites() string {
	s.opens("play --private --boards 2")
	var code string
	s.waits("a code", func() bool {
		code = codeOn(s.terminal.String())
		return code != ""
	})
	return code
}

// codeOn returns the code of a private table on a screen, or "".
func codeOn(screen string) string {
	found := regexp.MustCompile(`\bjoin ([A-Z0-9]{6})\b`).FindStringSubmatch(screen)
	if found == nil {
		return ""
	}
	return found[1]
}

func (s *screenFrontEnd) joins(code string) { s.opens("join " + code) }

func (s *screenFrontEnd) begins() rules.Side {
	s.waits("the match to begin", func() bool {
		screen := s.terminal.String()
		switch {
		case !strings.Contains(screen, s.name+" (you)"):
			return false
		case strings.Contains(screen, "Your turn"):
			s.side = rules.First
		case strings.Contains(screen, s.other+"'s turn"):
			s.side = rules.Second
		}
		return s.side != rules.NoSide
	})
	return s.side
}

func (s *screenFrontEnd) plays(move string) { s.places(move) }

// sees waits for the move in the strip below the boards, and for the name over a board that has died. The turn
// appears only if it lasts. When the match is over, the strip disappears, and ends compares the last move.
func (s *screenFrontEnd) sees(m turn) {
	var texts []string
	if board := int(m.move.Board); m.after.IsDead(board) {
		texts = append(texts, rules.BoardName(board)+" dead")
	}
	if m.next() == rules.NoSide {
		s.person.sees(texts...)
		return
	}
	s.person.sees(append(texts, m.move.String())...)
	mine := m.next() == s.side
	s.waits(fmt.Sprintf("the turn to be %s's own: %v", s.name, mine), func() bool {
		return strings.Contains(s.terminal.String(), "Your turn") == mine
	})
}

// ends compares the result, and then the last moves in the review, from the end.
func (s *screenFrontEnd) ends(match []turn) {
	last := match[len(match)-1]
	headline, because := "You won", s.other+" killed the last board."
	if last.winner() != s.side {
		headline, because = "You lost", "You killed the last board."
	}
	s.person.sees(because)
	s.waits("what perfect play says", func() bool {
		screen := s.terminal.String()
		return strings.Contains(screen, "would have won") || strings.Contains(screen, "Perfect play agrees")
	})
	s.press("v")
	s.person.sees("Review: ", strings.Replace(headline, "You", ", you", 1))
	for _, m := range slices.Backward(match[max(0, len(match)-5):]) {
		s.person.sees(fmt.Sprintf("\n  %d %s ", m.ply, m.move))
		s.press("k")
	}
}

// The screen replays a finished match move by move, the plain game line by line, and the bot front end as events.
func TestAMatchIsReplayedByEveryFrontEnd(t *testing.T) {
	journal := journaltest.Archive(t, match.NewMemory(), map[match.ID]string{archived: "notakto/2: A5 B5 A1 A9 B1"})
	h := startServer(t, func(o *options) { o.Journal = journal })

	screen := newPersonAt(t, h.dial("carol", newKey(t, 1)), "watch "+archived)
	screen.sees("ann won", "1 A5  ")
	screen.press("\x1b[B\x1b[B\x1b[B\x1b[B") // the board of a deadly move is dead at the next move
	screen.sees("A dead")
	screen.press("q")
	screen.sees("bob resigned while winning.")
	screen.press("\x03\x03")
	if err := screen.leaves(); err != nil {
		t.Errorf("the screen ends with %v", err)
	}

	out, stderr, status := h.run("watch " + archived)
	const shown = "This match is over. 2 boards, ann against bob. This is how it went.\nBoard A: ann at 5.\nBoard B: " +
		"bob at 5.\nBoard A: ann at 1.\nBoard A: bob at 9. Board A is dead. Board left: B.\nBoard B: ann at 1.\nbob " +
		"resigned. ann won. Type review to look back, or leave.\n"
	if !strings.Contains(out, shown) || stderr != "" || status != 0 {
		t.Errorf("watch ends with %d and prints\n%s%s", status, out, stderr)
	}
	if out, _, _ := h.run("analyse --match " + archived); !strings.Contains(out,
		"Move 4, A9 by bob. One of 9 moves that win.") {
		t.Errorf("analyse prints\n%s", out)
	}

	bot := h.bot("dan", 2)
	if seen := bot.says(`{"do":"watch","match":"`+archived+`"}`, "match"); len(seen.Moves) != 5 || !seen.Over ||
		seen.Seat != 0 {
		t.Errorf("the bot sees %+v", seen)
	}
	if end := bot.gets("end"); end.Winner != 1 || end.Reason != "resign" {
		t.Errorf("the bot hears of %+v", end)
	}
}

// The server forgets the preferences of a guest.
func TestPreferencesAreRemembered(t *testing.T) {
	h := startServer(t)
	visit := func(key byte, keys, sees string) {
		client := h.dial("guest", nil)
		if key != 0 {
			client = h.dial("alice", newKey(t, key))
		}
		p := newPerson(t, client, "xterm-256color", 80, 24)
		p.sees("Play someone")
		p.press(keys)
		p.sees(sees)
		p.press("\x03\x03")
		if err := p.leaves(); err != nil {
			t.Errorf("the screen ends with %v", err)
		}
	}
	id := h.player(1, "").ID
	visit(1, "t", "Colours: dark")
	testkit.Equal(t, h.accounts.Info(id).Preferences, account.Preferences{Theme: "dark"})
	visit(1, "t!", "Alerts off")
	testkit.Equal(t, h.accounts.Info(id).Preferences, account.Preferences{Theme: "light", Bell: "off"})
	visit(0, "t", "Colours: dark")
	visit(0, "t", "Colours: dark")
}

// A name was once cut or refused without a notice.
func TestARenamedPlayerIsNotified(t *testing.T) {
	h := startServer(t, func(o *options) { o.publicAddress = "HOST" })
	for user, want := range map[string]bool{
		"ann": false, "ann@corp.com": false, `CORP\ann`: false, "Ann-Sofie": false, "": false, "Cafe\u0301": false,
		"root": true, "you": true, "a\x1b[31mnn": true, "averyveryverylongname": true, " ann": true,
	} {
		if p := h.player(1, user); names.IsRenamed(p, names.LoginName(user)) != want {
			t.Errorf("%q is called %q: told: %v", user, p.Name, !want)
		}
	}
	h.sit("press q", newKey(t, 2)).sees("To pick a name, log in under it.")
	for user, want := range map[string]bool{"ann": false, "averyveryverylongname": true} {
		session, err := h.dial(user, newKey(t, 1)).NewSession()
		testkit.OK(t, err)
		session.Stdin = strings.NewReader("quit\n")
		out, _ := session.CombinedOutput("plain")
		testkit.Equal(t, strings.Contains(string(out), "Log in as another user to change that."), want, user, out)
	}
}
