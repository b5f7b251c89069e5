package plain

import (
	"strings"
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/account"
	"notakto/match/manager"
	"notakto/rules"
	"notakto/rules/strategy"
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
		accounts, _, _ = b.accountOfAnn()
		test(b, b.claimed(accounts, "ann"), b.claimed(accounts, "bob"))
	})
}

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
		if heard := p.out.Take(); !strings.HasPrefix(heard, "2 boards, 5+0, against ann.") {
			t.Errorf("bob hears %q", heard)
		}
		a.expects("bob accepts your challenge. Type go.")
		a.types("go")
		if heard := a.out.Take(); !strings.HasPrefix(heard, "2 boards, 5+0, against bob.") {
			t.Errorf("ann hears %q", heard)
		}
		p.asked("accept ann", "That challenge is no longer open: type challenges to hear which are.")
	})
}

func TestEachOfSeveralChallengesOfAPlayerIsToldWithACommandThatAcceptsIt(t *testing.T) {
	withAnnAndBob(t, func(b *harness, ann, bob Config) {
		a := b.open(ann).skips()
		a.types("challenge bob 2 boards")
		a.types("challenge bob 5 boards")
		p := b.open(bob)
		heard := p.out.Take()
		_, command, isTold := strings.Cut(heard, "5 boards, 3 days a move. Type ")
		command, _, _ = strings.Cut(command, ".")
		if !isTold {
			t.Fatalf("bob hears %q", heard)
		}
		p.types(command)
		if heard := p.out.Take(); !strings.HasPrefix(heard, "5 boards, 3 days a move, against ann.") {
			t.Errorf("after %s bob hears %q", command, heard)
		}
	})
}

func TestAChallengeIsToldAtTheLogin(t *testing.T) {
	withAnnAndBob(t, func(b *harness, ann, bob Config) {
		a := b.open(ann)
		for _, game := range []string{"1", "2 2d", "3 boards", "rated"} {
			a.types("challenge bob " + game)
		}
		heard := b.open(bob).out.Take()
		if strings.Count(heard, "ann challenges you: ") != mostTold ||
			!strings.Contains(heard, "ann challenges you: 4 boards, 3 days a move, rated. Type accept ") ||
			!strings.Contains(heard, "Type challenges to hear 1 other challenge.") {
			t.Errorf("bob hears %q", heard)
		}
	})
}

func TestAChallengeSurvivesARestart(t *testing.T) {
	inBubbleWithHistory(t, func(b *harness, restart func(time.Duration)) {
		accounts, _, _ := b.accountOfAnn()
		ann, bob := b.claimed(accounts, "ann"), b.claimed(accounts, "bob")
		b.open(ann).types("challenge bob 1 3d")
		restart(0)
		a, p := b.open(ann).skips(), b.open(bob)
		const made = "ann challenges you: 1 board, 3 days a move. Type accept ann."
		testkit.Contains(t, p.out.Take(), made)
		p.types("accept ann")
		a.expects("bob accepts your challenge. Type go.")
		if len(b.manager.PlayerMatches(ann.Player.ID)) != 1 || len(b.manager.PlayerMatches(bob.Player.ID)) != 1 {
			t.Error("no match of the two is in progress")
		}
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
	})
}

// Each login tells the end of a challenge until the player types a line. An end that a session has told is not told
// again.
func TestTheEndOfAChallengeIsToldAtTheLogin(t *testing.T) {
	const declined, expired = "bob declined your challenge", "Your challenge to bob expired"
	for name, test := range map[string]struct {
		isThere  bool // ann, when the challenge ends
		looks    bool // ann typed a line within client.LookedFor, and types no other
		end      func(ann, bob *person)
		down     time.Duration // the server, before it restarts
		ann, bob string        // what the next login tells
	}{
		"declined":        {false, false, func(_, bob *person) { bob.types("decline ann") }, 0, declined, ""},
		"declined, there": {true, false, func(_, bob *person) { bob.types("decline ann") }, 0, "", ""},
		"declined, looks": {true, true, func(_, bob *person) { bob.types("decline ann") }, 0, "", ""},
		"withdrawn": {true, false, func(ann, _ *person) { ann.types("withdraw bob") }, 0, "",
			"ann withdrew a challenge"},
		"expired": {false, false, func(*person, *person) {}, match.ChallengeLife, expired, ""},
	} {
		t.Run(name, func(t *testing.T) {
			inBubbleWithHistory(t, func(b *harness, restart func(time.Duration)) {
				accounts, _, _ := b.accountOfAnn()
				ann, bob := b.claimed(accounts, "ann"), b.claimed(accounts, "bob")
				a, p := b.open(ann).skips(), b.open(bob).skips()
				a.types("challenge bob")
				if !test.isThere {
					a.types("quit")
				}
				test.end(a, p)
				if test.isThere && !test.looks {
					a.types("") // confirms what was heard
				}
				restart(test.down)
				pass(time.Minute)
				hears := func(cfg Config, want string) *person {
					t.Helper()
					again := b.open(cfg)
					heard := again.out.Take()
					if strings.Contains(heard, "challenge") != (want != "") ||
						want != "" && !strings.Contains(heard, want+" while you were away.\n") {
						t.Errorf("%s hears %q, want %q", cfg.Player.Name, heard, want)
					}
					return again
				}
				_ = hears(ann, test.ann).in.Close() // the connection is lost
				hears(ann, test.ann).types("")
				hears(bob, test.bob).types("")
				hears(ann, "")
				hears(bob, "")
			})
		})
	}
}

func TestNewsOfAChallengeLeavesARunningMatchAlone(t *testing.T) {
	withAnnAndBob(t, func(b *harness, ann, bob Config) {
		a, p := b.open(ann).skips(), b.open(bob).skips()
		a.types("challenge bob 1 5+0", "challenge bob 1 1d", "computer novice 3 first")
		p.types("computer novice 3 first")
		a.skips()
		p.asked("accept ann", "This player has several open challenges: use the identifier that challenges shows.")
		live, days := b.manager.Challenges(bob.Player.ID)[0], b.manager.Challenges(bob.Player.ID)[1]
		if live.Clock.IsCorrespondence() {
			live, days = days, live
		}
		p.asked("accept "+string(live.ID),
			"You are in a match. First type resign to lose it, or leave to step away from it.")
		p.asked("accept "+string(days.ID), "You play ann: 1 board, 1 day a move. Type go 1 to go there.")
		a.expects("bob accepts your challenge. Type go.")
		a.asked("turn", "Your turn.")
		a.types("go")
		if heard := a.out.Take(); !strings.HasPrefix(heard, "1 board, 1 day a move, against bob.") {
			t.Errorf("go leads to %q", heard)
		}
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
		a.asked("challenges", "Yours, to bob (here now), 3 boards, 3 days a move, just now. Type withdraw bob.")
		p.expects()
		p.asked("accept ann", "That challenge is no longer open: type challenges to hear which are.")
		p.types("challenge anyone", "challenge ann")
		p.skips()
		a.expects()
		a.asked("accept bob", "That challenge is no longer open: type challenges to hear which are.")
		p.asked("unblock ann", "ann is not blocked.", "ann challenges you: 3 boards, 3 days a move. Type accept ann.")
	})
}

// A player may log in under the name of another one, whose claim protects only the name.
func TestOnlyAClaimedNameNamesAPlayer(t *testing.T) {
	withAnnAndBob(t, func(b *harness, ann, bob Config) {
		key := bob.Accounts.Key("SHA256:other")
		other := bob.Accounts.Player(key, "ann")
		o, p := b.open(Config{
			Player: other, Accounts: bob.Accounts, Caller: account.Caller{Account: other.ID, Key: key},
		}), b.open(bob).skips()
		o.types("challenge bob 1")
		id := string(b.manager.Challenges(bob.Player.ID)[0].ID)
		p.expects("ann challenges you: 1 board, 3 days a move. Type accept " + id + ".")
		p.asked("accept ann", "That challenge is no longer open: type challenges to hear which are.")
		p.asked("challenge ann", "You challenge ann: 3 boards, 3 days a move. The challenge is open for 7 days.")
		if all := b.manager.Challenges(ann.Player.ID); len(all) != 1 || all[0].Invited.ID != ann.Player.ID {
			t.Errorf("the challenges to the owner of the name: %+v", all)
		}
		p.asked("challenge carl",
			"No player has claimed the name carl: check the spelling, or ask the player to claim it "+
				"with ssh HOST name carl.")
		p.types("accept " + id)
		if heard := p.out.Take(); !strings.HasPrefix(heard, "1 board, 3 days a move, against ann.") {
			t.Errorf("the identifier leads to %q", heard)
		}
	})
}

func TestTheQueueIsOnTheListOfChallenges(t *testing.T) {
	withAnnAndBob(t, func(b *harness, ann, bob Config) {
		a, p := b.open(ann).skips(), b.open(bob).skips()
		a.types("play 2")
		a.skips()
		p.asked("challenges", "In the queue: ann, 2 boards, no clock, just now. Type accept ann.")
		p.types("accept ann")
		testkit.Contains(t, p.out.Take(), "Opponent found.", "2 boards")
	})
}

func TestChallengesOfGuestsAndOfWrongTerms(t *testing.T) {
	withAnnAndBob(t, func(b *harness, ann, _ Config) {
		const forKeys = "Challenges are for players with a key: run ssh-keygen once and connect again."
		g, a := b.open(Config{Player: guy(), Accounts: ann.Accounts}).skips(), b.open(ann).skips()
		a.types("challenge anyone")
		a.skips()
		g.asked("challenge bob", forKeys)
		g.asked("accept ann", forKeys)
		g.asked("block ann", "A guest has no account: make a key with ssh-keygen, and log in again.")
		g.asked("blocked", "A guest has no account: make a key with ssh-keygen, and log in again.")
		a.asked("challenge ann", "You cannot challenge yourself.")
		a.asked("challenge anyone 5+0",
			"A challenge to anyone needs a clock of days, such as 3d. Or name the player.")
		a.asked("challenge bob rated 3 boards",
			"A rated challenge is on 4 boards, with a clock of 6+0 or of days, such as 3d.")
		a.asked("challenge bob rated 6+0",
			"You challenge bob: 4 boards, 6 min each, rated. The challenge is open for 7 days. "+
				"Be in the game when bob accepts: the match begins at once.")
		a.asked("challenge bob none", "You challenge bob: 3 boards, no clock. The challenge is open for 7 days. "+
			"Be in the game when bob accepts: the match begins at once.")
		a.asked("challenge", "Type challenge and a name, such as challenge ann 3 boards, or challenge anyone.")
		a.asked("withdraw anyone", "Your challenge to anyone is withdrawn.")
	})
}

// The word decline keeps its meaning at a table.
func TestDeclineAloneAnswersARequest(t *testing.T) {
	inBubble(t, func(b *harness) {
		a := b.against(strategy.Novice, rules.DefaultVariant())
		a.asked("decline", "Your opponent asks for nothing.")
	})
}
