package player_test

import (
	"testing"

	"notakto/sshapp/cli/player"
)

func TestTheSeedOfAClassicDecidesTheGame(t *testing.T) {
	game := func(seed string) string {
		return ask(player.Env{}, "1\n1\n2\n1\n2\n3\n4\n5\n6\n7\n8\n9\n", "classic", "one", "--computer", "random",
			"--seed", seed).out
	}
	if game("7") != game("7") || game("7") == game("8") && game("7") == game("9") {
		t.Error("the seed does not decide the game")
	}
}
