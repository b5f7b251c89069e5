package sshapp

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

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
	if t.after.Outcome().Over() {
		return rules.Nobody
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

// Nothing may depend on the front end of a player: each of the nine pairs sees the same moves, the same turns and
// the same end.
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

// playThroughFrontEnds plays random legal moves, each of which both have to be shown before the next one.
func playThroughFrontEnds(t *testing.T, chance *rand.Rand, host, guest frontEnd) {
	t.Helper()
	sides := map[rules.Side]frontEnd{host.begins(): host, guest.begins(): guest}
	if sides[rules.First] == nil || sides[rules.Second] == nil {
		t.Fatalf("the sides are %v", sides)
	}
	var match []turn
	for position := twoBoards(t).Start(); !position.Outcome().Over(); {
		legal := position.Legal()
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
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// plainFrontEnd is a player who hears the match line by line, without a terminal.
type plainFrontEnd struct {
	*seat
	*talk
	last string // line about a board
}

func (p *plainFrontEnd) opens(command string) {
	p.talk = newTalk(p.testServer.t, p.dial(p.name, newKey(p.testServer.t, p.key)), command)
}

// waitsFor waits for a line that matches, and returns its groups.
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
	return p.waitsFor(` types join ([A-Z0-9]{4})[.,]`)[1]
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

// sees takes the next line about a board, which has to be this move's.
func (p *plainFrontEnd) sees(m turn) {
	p.testServer.t.Helper()
	p.last = p.waitsFor(`^Board .*`)[0]
	want := fmt.Sprintf("Board %s: %s at %v.", rules.BoardName(int(m.move.Board)), p.who(m.side), m.move.Cell)
	if m.after.Dead(int(m.move.Board)) {
		want += " Board " + rules.BoardName(int(m.move.Board)) + " is dead. " + left(m.after)
	}
	switch m.next() {
	case rules.Nobody:
	case p.side:
		want += " Your turn."
	default:
		want += " " + p.other + "'s turn."
	}
	if !strings.HasPrefix(p.last, want) {
		p.testServer.t.Fatalf("%s hears %q, want %q", p.name, p.last, want)
	}
}

// left is which of two boards are alive after one has died.
func left(p rules.Position) string {
	switch {
	case !p.Dead(0):
		return "Board left: A."
	case !p.Dead(1):
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

// ends looks at the line of the last move, and asks for all moves.
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
	if received := p.waitsFor(`^1, .*`)[0]; received != strings.Join(shown, "; ")+"." {
		p.testServer.t.Errorf("%s hears that %s; want %v", p.name, received, shown)
	}
}

// screenFrontEnd is a player at the full screen.
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

// codeOn is the code of a private table on a screen; empty if there is none.
func codeOn(screen string) string {
	found := regexp.MustCompile(`\bjoin ([A-Z0-9]{4})\b`).FindStringSubmatch(screen)
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
		return s.side != rules.Nobody
	})
	return s.side
}

func (s *screenFrontEnd) plays(move string) { s.places(move) }

// sees waits for the move in the strip below the boards, the name over a board that has died, and that it is the
// player's turn or is so no longer: whose it is then is said only when it lasts. When the match is over the strip is
// gone: ends looks at the last move.
func (s *screenFrontEnd) sees(m turn) {
	var texts []string
	if board := int(m.move.Board); m.after.Dead(board) {
		texts = append(texts, rules.BoardName(board)+" dead")
	}
	if m.next() == rules.Nobody {
		s.person.sees(texts...)
		return
	}
	s.person.sees(append(texts, m.move.String())...)
	mine := m.next() == s.side
	s.waits(fmt.Sprintf("the turn to be %s's own: %v", s.name, mine), func() bool {
		return strings.Contains(s.terminal.String(), "Your turn") == mine
	})
}

// ends looks at the result, and then at the last moves in the review, from the end.
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

// A match that was put away comes back by its name through every front end: move by move on the screen, line by line,
// and as events.
func TestAMatchIsReplayedByEveryFrontEnd(t *testing.T) {
	journal := journaltest.Archive(t, match.NewMemory(), map[match.ID]string{archived: "notakto/2: A5 B5 A1 A9 B1"})
	h := startServer(t, func(o *options) { o.Journal = journal })

	screen := newPersonAt(t, h.dial("carol", newKey(t, 1)), "watch "+archived)
	screen.sees("ann won", "1 A5  ")
	screen.press("\x1b[B\x1b[B\x1b[B\x1b[B") // the board that a move kills is dead at the next one
	screen.sees("A dead")
	screen.press("q")
	screen.sees("bob resigned a won position.")
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

// What a player has chosen on the full screen is there again at the next login. A guest leaves nothing.
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
	if got := h.accounts.Info(id).Preferences; got != (account.Preferences{Theme: "dark"}) {
		t.Errorf("remembered: %+v", got)
	}
	visit(1, "tb", "Bell off")
	if got := h.accounts.Info(id).Preferences; got != (account.Preferences{Theme: "light", Bell: "off"}) {
		t.Errorf("remembered: %+v", got)
	}
	visit(0, "t", "Colours: dark")
	visit(0, "t", "Colours: dark")
}

// A name that was cut or refused was changed without a word.
func TestARenamedPlayerIsNotified(t *testing.T) {
	h := startServer(t, func(o *options) { o.publicAddress = "HOST" })
	for user, want := range map[string]bool{
		"ann": false, "ann@corp.com": false, `CORP\ann`: false, "Ann-Sofie": false, "": false, "Cafe\u0301": false,
		"root": true, "you": true, "a\x1b[31mnn": true, "averyveryverylongname": true, " ann": true,
	} {
		if p := h.player(1, user); names.IsRenamed(p, names.OfLogin(user)) != want {
			t.Errorf("%q is called %q: told: %v", user, p.Name, !want)
		}
	}
	h.sit("press q", newKey(t, 2)).sees("here. Log in as another user to change that.")
	for user, want := range map[string]bool{"ann": false, "averyveryverylongname": true} {
		session, err := h.dial(user, newKey(t, 1)).NewSession()
		if err != nil {
			t.Fatal(err)
		}
		session.Stdin = strings.NewReader("quit\n")
		out, _ := session.CombinedOutput("plain")
		if shown := strings.Contains(string(out), "Log in as another user to change that."); shown != want {
			t.Errorf("%s hears %s", user, out)
		}
	}
}
