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
	"notakto/sshapp/cli"
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
		card.expect(t, "card", cli.ExitOK, want, "")
		err := xml.Unmarshal([]byte(card.out), new(struct{}))
		if err != nil || !strings.HasPrefix(card.out, "<svg ") || !strings.Contains(card.out, "bob resigned") {
			t.Errorf("the card is %v\n%s", err, card.out)
		}
		cast := ask(env, "", "cast", id)
		cast.expect(t, "cast", cli.ExitOK, want, "")
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
		ask(player.Env{Server: s}, "", strings.Fields(line)...).expect(t, line, cli.ExitOK, want, "")
		testkit.Equal(t, turns, 1, line)
		ctx, stop := context.WithCancelCause(t.Context())
		s.InTurn = func(func()) { stop(match.ErrDraining) }
		askUntil(ctx, player.Env{Server: s}, "", strings.Fields(line)...).expect(t, line+" at a stop",
			cli.ExitFailure, "", "no new matches begin")
	}
}

func TestWhichMatchesAreShown(t *testing.T) {
	s := testServer(t)
	id := play(t, s, rules.TicTacToe())
	private, code, err := s.Manager.OpenPrivate(t.Context(), s.Player, match.DefaultTerms())
	testkit.OK(t, err)
	empty, _, err := s.Manager.OpenPrivate(t.Context(), s.Player, match.DefaultTerms())
	testkit.OK(t, err)
	if _, _, err := s.Manager.Join(t.Context(), match.Player{ID: "b", Name: "bob"}, code); err != nil {
		t.Fatal(err)
	}
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
	for _, name := range []string{"card", "cast"} {
		of := func(s *player.Server, line string) answer {
			return ask(player.Env{Server: s}, "", append([]string{name}, strings.Fields(line)...)...)
		}
		at := func(line string) answer { return of(stranger, line) }
		at("nowhere").expect(t, "nowhere", cli.ExitFailure, "", `no match "nowhere": ssh HOST matches lists`)
		at(string(id)).expect(t, "a match that is on", cli.ExitFailure, "", "the match is not over yet")
		at(string(empty)).expect(t, "a cleared table", cli.ExitFailure, "", "no match was played")
		at("").expect(t, "no name", cli.ExitUsage, "", "the name of a finished match, and got nothing")
		at("a b").expect(t, "two names", cli.ExitUsage, "", "2 arguments")
		at(string(private)).expect(t, "a private match, by its name", cli.ExitOK, "bob", "")
		locally(name, "x").expect(t, "without a server", cli.ExitFailure, "", "ssh HOST "+name+"\n")
		of(broken, "x").expect(t, "a damaged one", cli.ExitFailure,
			"", "the log of the match is damaged, so it cannot be shown or continued\n")
	}
}

func TestShow(t *testing.T) {
	s := withHistory(t)
	at := func(words ...string) answer { return ask(player.Env{Server: s}, "", words...) }
	at("show", finishedMatch).expect(t, "show", 0, "  3  C1   ann", "")
	at("show", finishedMatch).expect(t, "show", 0, "ann beat bob on 3 boards. bob resigned.", "")
	at("show", finishedMatch, "--json").expect(t, "show --json", 0,
		`"variant":"notakto/3","clock":"none","players":[`, "")
	at("show", "nowhere").expect(t, "of no match", 1, "", "no match")
	at("show").expect(t, "without a match", 2, "", "takes the name of a finished match")
}
