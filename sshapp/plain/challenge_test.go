package plain

import (
	"strings"
	"testing"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/account"
	"notakto/match/manager"
)

// claimed returns a session's configuration for a player who has claimed a name.
func (b *harness) claimed(accounts *account.Accounts, name string) Config {
	b.Helper()
	player, caller := testkit.Claim(b, accounts, name)
	return Config{Player: player, Accounts: accounts, Caller: caller}
}

// withAnnAndBob runs test with two accounts, on a server that knows their blocks.
func withAnnAndBob(t *testing.T, test func(b *harness, ann, bob Config)) {
	t.Helper()
	var accounts *account.Accounts
	blocks := func(by, other match.PlayerID) bool { return accounts != nil && accounts.Blocks(by, other) }
	inBubbleWith(t, manager.Config{Blocks: blocks}, func(b *harness) {
		accounts = testkit.Accounts(b)
		test(b, b.claimed(accounts, "ann"), b.claimed(accounts, "bob"))
	})
}

const notOpen = "That challenge is no longer open: type challenges to hear which are."

func TestAChallengeIsToldAtOnceAndAcceptedWithOneCommand(t *testing.T) {
	withAnnAndBob(t, func(b *harness, ann, bob Config) {
		a, p := b.open(ann).skips(), b.open(bob).skips()
		a.asked("challenge @Bob 2 boards 5+0",
			"You challenge bob: 2 boards, 5 min each. The challenge is open for 7 days. "+
				"Be in the game when bob accepts: the match begins at once.")
		p.expects("ann challenges you: 2 boards, 5 min each. Type accept ann.")
		p.asked("challenges", "To you: ann (here now), 2 boards, 5 min each, just now. Type accept ann.")
		a.asked("challenges", "Yours, to bob (here now), 2 boards, 5 min each, just now. Type withdraw bob.")
		p.types("accept ann")
		p.hears("2 boards, 5+0, against ann.")
		a.expects("bob accepts your challenge. Type go.")
		a.types("go")
		a.hears("2 boards, 5+0, against bob.")
		p.asked("accept ann", notOpen)

		// A match in progress is left alone.
		a.types("challenge bob 1 5+0", "challenge bob 1 1d")
		a.skips()
		p.asked("accept ann", "This player has several open challenges: use the identifier that challenges shows.")
		live, days := b.manager.Challenges(bob.Player.ID)[0], b.manager.Challenges(bob.Player.ID)[1]
		if live.Clock.IsCorrespondence() {
			live, days = days, live
		}
		p.asked("accept "+string(live.ID),
			"You are in a match. First type resign to lose it, or leave to step away from it.")
		p.asked("decline "+string(live.ID), "You decline the challenge of ann.")
		a.expects("bob declines your challenge.")
		p.asked("accept "+string(days.ID), "You play ann: 1 board, 1 day a move. Type go 1 to go there.")
		a.expects("bob accepts your challenge. Type go.")
	})
}

func TestChallengesAreToldAtTheLogin(t *testing.T) {
	withAnnAndBob(t, func(b *harness, ann, bob Config) {
		a := b.open(ann)
		for _, game := range []string{"1", "2 2d", "3 boards", "rated"} {
			a.types("challenge bob " + game)
		}
		p := b.open(bob)
		heard := p.out.Take()
		testkit.Contains(t, heard, "ann challenges you: 4 boards, 3 days a move, rated. Type accept ",
			"Type challenges to hear 1 other challenge.")
		testkit.Equal(t, strings.Count(heard, "ann challenges you: "), mostTold)
		_, command, _ := strings.Cut(heard, "3 boards, 3 days a move. Type ")
		command, _, _ = strings.Cut(command, ".")
		p.types(command)
		p.hears("3 boards, 3 days a move, against ann.")
	})
}

func TestTheEndOfAChallengeIsToldOnce(t *testing.T) {
	withAnnAndBob(t, func(b *harness, ann, bob Config) {
		a, p := b.open(ann).skips(), b.open(bob).skips()
		a.types("challenge bob")
		a.skips()
		p.asked("decline ann", "You decline the challenge of ann.")
		a.expects("bob declines your challenge.")
		a.types("challenge bob")
		a.asked("withdraw bob", "Your challenge to bob is withdrawn.")
		a.types("challenge bob")
		a.skips()
		pass(match.ChallengeLife)
		a.expects("Your challenge to bob has expired.")
		a.types("play 2")
		p.asked("challenges", "In the queue: ann, 2 boards, no clock, just now. Type accept ann.")
		p.asksFor("accept ann", "Opponent found.", "2 boards")
	})
}

func TestABlockedPlayerLearnsNothing(t *testing.T) {
	withAnnAndBob(t, func(b *harness, ann, bob Config) {
		a, p := b.open(ann).skips(), b.open(bob).skips()
		p.asked("blocked", "You have blocked no player.")
		p.asked("block ann",
			"You have blocked ann. You no longer see each other's challenges, and the queue does not pair you.")
		p.asked("blocked", "You have blocked ann.")
		a.asked("challenge bob", "You challenge bob: 3 boards, 3 days a move. The challenge is open for 7 days.")
		p.expects()
		p.asked("accept ann", notOpen)
		p.asked("unblock ann", "ann is not blocked.", "ann challenges you: 3 boards, 3 days a move. Type accept ann.")
	})
}

// A player may log in under the name of another one, whose claim protects only the name.
func TestOnlyAClaimedNameNamesAPlayer(t *testing.T) {
	withAnnAndBob(t, func(b *harness, ann, bob Config) {
		key := bob.Accounts.Key("SHA256:other")
		other := bob.Accounts.Player(key, "ann")
		caller := account.Caller{Account: other.ID, Key: key}
		o, p := b.open(Config{Player: other, Accounts: bob.Accounts, Caller: caller}), b.open(bob).skips()
		o.types("challenge bob 1")
		id := string(b.manager.Challenges(bob.Player.ID)[0].ID)
		p.expects("ann challenges you: 1 board, 3 days a move. Type accept " + id + ".")
		p.asked("accept ann", notOpen)
		p.types("challenge ann")
		testkit.Equal(t, b.manager.Challenges(ann.Player.ID)[0].Invited.ID, ann.Player.ID)
	})
}

func TestChallengesThatAreRefused(t *testing.T) {
	withAnnAndBob(t, func(b *harness, ann, _ Config) {
		const forKeys = "Challenges are for players with a key: run ssh-keygen once and connect again."
		g, a := b.open(Config{Player: guy(), Accounts: ann.Accounts}), b.open(ann)
		a.types("challenge anyone")
		for _, c := range [][2]string{
			{"challenge bob", forKeys}, {"accept ann", forKeys}, {"block ann", noAccount}, {"blocked", noAccount},
		} {
			g.asked(c[0], c[1])
		}
		for _, c := range [][2]string{
			{"challenge ann", "You cannot challenge yourself."},
			{"challenge anyone 5+0", "A challenge to anyone needs a clock of days, such as 3d. Or name the player."},
			{"challenge bob rated 3 boards",
				"A rated challenge is on 4 boards, with a clock of 6+0 or of days, such as 3d."},
			{"challenge", "Type challenge and a name, such as challenge ann 3 boards, or challenge anyone."},
			{"withdraw anyone", "Your challenge to anyone is withdrawn."},
		} {
			a.asked(c[0], c[1])
		}
	})
}
