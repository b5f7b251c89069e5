package player_test

import (
	"context"
	"encoding/xml"
	"strings"
	"testing"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/journaltest"
	"notakto/rules"
	"notakto/sshapp/cli/player"
)

// An archived match is printed as a picture and as a cast, with the server's public name if that is known.
func TestAMatchIsShown(t *testing.T) {
	const id = "c6zl3rq7s7"
	s := archive(t, id, "notakto/1: A5 A1 A2 A4")
	titles := map[string]string{"": "Notakto, match " + id, "play.example": "ssh -t play.example watch " + id}
	for host, want := range titles {
		env := player.Env{Server: s, Host: host}
		card := ask(env, "", "card", id)
		card.prints(t, want)
		err := xml.Unmarshal([]byte(card.out), new(struct{}))
		if err != nil || !strings.HasPrefix(card.out, "<svg ") || !strings.Contains(card.out, "bob resigned") {
			t.Errorf("the card is %v\n%s", err, card.out)
		}
		cast := ask(env, "", "cast", id)
		cast.prints(t, want)
		const header = `{"version":3,"term":{"cols":80,"rows":24},`
		if !strings.HasPrefix(cast.out, header) || strings.Count(cast.out, "\n") != 8 {
			t.Errorf("the cast is\n%s", cast.out)
		}
	}
}

// Drawing, analysis and the draw of openings wait for the player's turn.
func TestCostlyCommandsTakeTurns(t *testing.T) {
	const id = "c6zl3rq7s7"
	s := archive(t, id, "notakto/1: A5 A1 A2 A4")
	for line, want := range map[string]string{
		"card " + id: "bob", "cast " + id: "bob", "analyse --match " + id: "bob", "analyse --json --match " + id: "bob",
		"opening notakto": "Opening of game 2",
	} {
		turns := 0
		s.InTurn = func(do func()) {
			turns++
			do()
		}
		says(s, line).prints(t, want)
		testkit.Equal(t, turns, 1, line)
		ctx, stop := context.WithCancelCause(t.Context())
		s.InTurn = func(func()) { stop(match.ErrDraining) }
		askUntil(ctx, player.Env{Server: s}, "", strings.Fields(line)...).fails(t, 1, "no new matches begin")
	}
}

// A match is shown to every player who knows its name, once it is over.
func TestWhichMatchesAreShown(t *testing.T) {
	s := testServer(t)
	on := string(play(t, s, rules.TicTacToe()))
	private, code, err := s.Manager.OpenPrivate(t.Context(), s.Player, match.DefaultTerms())
	testkit.OK(t, err)
	empty, _, err := s.Manager.OpenPrivate(t.Context(), s.Player, match.DefaultTerms())
	testkit.OK(t, err)
	_, _, err = s.Manager.Join(t.Context(), match.Player{ID: "b", Name: "bob"}, code)
	testkit.OK(t, err)
	for _, id := range []match.ID{private, empty} {
		seat, err := s.Manager.Sit(t.Context(), id, s.Player.ID)
		testkit.OK(t, err)
		defer seat.Close()
		testkit.OK(t, seat.Resign(t.Context()))
	}
	stranger := &player.Server{Player: match.Player{ID: "c", Name: "cleo"}, Manager: s.Manager}
	damaged := journaltest.NewFaulty(0)
	broken := serverOf(t, damaged)
	damaged.Fail(match.ErrDamaged)
	for _, line := range []string{"card ", "cast ", "show ", "analyse --match ", "watch "} {
		says(stranger, line+"zzz").fails(t, 1, `there is no match "zzz": ssh host matches lists`)
		says(broken, line+"zzz").fails(t, 1, "the log of the match is damaged, so it cannot be shown or continued\n")
		if line == "show " || line == "watch " {
			continue
		}
		says(stranger, line+on).fails(t, 1, "the match is not over yet")
		says(stranger, line+string(empty)).fails(t, 1, "no match was played")
		says(stranger, line+string(private)).prints(t, "bob")
		says(stranger, line).fails(t, 2, "")
		locally(strings.Fields(line+"zzz")...).fails(t, 1, "ssh HOST "+strings.Fields(line)[0])
	}
	says(stranger, "card a b").fails(t, 2, "takes the name of a finished match, and got 2 arguments")
	says(s, "analyse tictactoe: --match "+on).fails(t, 2, "leave positions and games out")
}

func TestShow(t *testing.T) {
	s := withHistory(t)
	says(s, "show "+finishedMatch).prints(t, "  3  C1   ann")
	says(s, "show "+finishedMatch).prints(t, "ann beat bob on 3 boards. bob resigned.")
	says(s, "show "+finishedMatch+" --json").prints(t, `"variant":"notakto/3","clock":"none","players":[`)
	says(s, "show").fails(t, 2, "takes the name of a finished match")
	says(s, "show void").prints(t, "\nCancelled. ann did not make a first move.\n") // not a draw
}
