package player_test

import (
	"strings"
	"testing"

	"notakto/sshapp/cli"
	"notakto/sshapp/cli/player"
)

func TestTheClassicsArePlayedToTheirEnd(t *testing.T) {
	const moves = "A0\nA1\nA2\nB0\nB1\nB2\nC0\nC1\nC2\n"
	got := ask(player.Env{}, moves, "classic", "three")
	if got.status != cli.ExitOK || got.err != "" || !strings.HasSuffix(got.out, "Player 1: Player 2 wins game\n") {
		t.Errorf("three: %+v", got)
	}
	game := func(seed string) string {
		return ask(player.Env{}, "1\n1\n2\n1\n2\n3\n4\n5\n6\n7\n8\n9\n", "classic", "one", "--computer", "random",
			"--seed", seed).out
	}
	if game("7") != game("7") || game("7") == game("8") && game("7") == game("9") {
		t.Error("the seed does not decide the game")
	}
}
