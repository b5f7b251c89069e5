package tui

import (
	"strings"
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/account"
	"notakto/match/manager"
	"notakto/rules"
	"notakto/sshapp/start"
	"notakto/sshapp/wording"
)

// withAccounts runs test with a function that begins the session of a player who has claimed a name.
func withAccounts(t *testing.T, cfg manager.Config, test func(b *harness, come func(name string) *person)) {
	t.Helper()
	var accounts *account.Accounts
	cfg.Blocks = func(by, other match.PlayerID) bool { return accounts != nil && accounts.Blocks(by, other) }
	inBubbleWith(t, cfg, func(b *harness) {
		accounts = testkit.Accounts(b)
		test(b, func(name string) *person { return b.comeAs(claimed(b, accounts, name)) })
	})
}

func claimed(b *harness, accounts *account.Accounts, name string) Config {
	b.Helper()
	player, caller := testkit.Claim(b, accounts, name)
	return Config{Player: player, Accounts: accounts, Caller: caller}
}

// challenge makes a challenge of p with the keys of the form for a player's name.
func (p *person) challenge(name, keys string) {
	p.Helper()
	p.press("c c " + spell(name) + " " + keys + " enter")
	p.mustSee("You challenge " + name)
}

func (p *person) mustPlay() {
	p.Helper()
	if table := tableOf(p.screen); table == nil || !table.IsPlaying() {
		p.Fatalf("no match:\n%s", p.sees())
	}
}

// A block changes nothing about who is shown as here. Otherwise a blocked player could tell.
func TestTheFormAndTheListSayWhoIsHere(t *testing.T) {
	withAccounts(t, manager.Config{}, func(b *harness, come func(string) *person) {
		gus, ann := come("gus"), come("ann")
		gus.press("c c a n n")
		gus.mustSee("ann is here now.")
		gus.press("enter")
		gus.mustSee("Yours", "to ann", "here now  7 days left")
		b.advance(pollInterval)
		ann.mustSee("1 for you")
		ann.press("c")
		ann.mustSee("here now")
		ann.press("b")
		ann.mustSee("Block gus?", "gus is not told.")
		ann.press("y")
		ann.mustSee("You have blocked gus.", wording.NoChallenge)
		gus.mustSee("Yours", "to ann")
		gus.press("x esc c c a n n")
		gus.mustSee("ann is here now.")
		gus.press("esc")
		gus.challenge("ann", "")
		ann.mustNotSee("gus challenges you")
	})
}

// The key that accepts a challenge quits in the lobby, and is a letter of names.
func TestAChallengeTakesNoKeyOfAnother(t *testing.T) {
	withAccounts(t, manager.Config{}, func(b *harness, come func(string) *person) {
		gus, ann := come("gus"), come("ann")
		ann.press("2 enter")
		gus.challenge("ann", "")
		ann.mustSee("gus challenges you: 3 boards, 3 days a move.")
		ann.mustNotSee("y accepts")
		match := tableOf(ann.screen).ID
		ann.press("y")
		testkit.Equal(t, tableOf(ann.screen).ID, match, "the key led away from the match")
		ann.press("q y")
		ann.mustSee("gus challenges you: 3 boards, 3 days a move", "c see")
		gus.press("x")
		gus.mustSee("Your challenge to ann is withdrawn.")
		b.advance(pollInterval)
		ann.mustNotSee("gus challenges you")

		ann.press("esc")
		gus.press("esc")
		gus.challenge("ann", "")
		ann.mustSee("Quit Notakto?", "gus challenges you: 3 boards, 3 days a move.")
		ann.mustNotSee("y accepts")
		ann.press("n c c")
		ann.mustSee("Esc, then y accepts.")
		b.advance(announcementTime)
		ann.press("y")
		ann.mustSee("◂      y_       ▸")
		gus.press("x esc")
		gus.challenge("ann", "")
		b.advance(announcementTime)
		ann.press("esc")
		ann.mustSee("days a move.  y accepts.")
		ann.press("y")
		ann.mustPlay()
	})
}

func TestAnyoneAcceptsAChallengeOnTheBoard(t *testing.T) {
	withAccounts(t, manager.Config{}, func(b *harness, come func(string) *person) {
		b.comeTo(keyed("bob"), start.Start{At: start.Queue, Terms: match.Terms{Variant: rules.TicTacToe()}})
		gus, ann := come("gus"), come("ann")
		gus.press("c c right down down 4 enter")
		gus.mustSee("You challenge anyone: 4 boards, 3 days a move.", "Yours", "to anyone")
		ann.press("c enter")
		ann.mustPlay()
		gus.mustSee("ann accepts your challenge. Open it in the lobby: Enter.")
		b.advance(announcementTime)
		gus.press("down")
		gus.mustNotSee("accepts your challenge", "You challenge anyone")
		ann.press("q y c enter") // those who wait in the queue are on the board too
		ann.mustPlay()
		ann.mustSee("bob")
	})
}

// Programs and people have their own ratings, so a person could not accept the challenge.
func TestARatedChallengeOfAProgramIsNotToldToAPerson(t *testing.T) {
	isProgram := func(match.PlayerID) bool { return true } // a program, and now a person at its account
	withAccounts(t, manager.Config{IsProgram: isProgram}, func(b *harness, come func(string) *person) {
		ann, terms := come("ann"), match.RatedTerms(match.BotPool)
		_, err := b.manager.Challenge(b.Context(), keyed("bot"), manager.Challenge{
			Terms: terms, Opponent: ann.env.player,
		})
		testkit.OK(b, err)
		b.advance(time.Minute)
		ann.mustSee("a friend, anyone")
		ann.mustNotSee("challenge for you", "challenges you", "1 for you")
		ann.press("c")
		ann.mustSee(wording.NoChallenge)
	})
}

// A player who was away sees the end of a challenge at each login until a key marks it as seen. A player who looked at
// the window when it was told does not see it again.
func TestTheEndOfAChallengeIsSeenAtTheLogin(t *testing.T) {
	inBubbleWithHistory(t, func(b *harness, _ func()) {
		accounts := testkit.Accounts(b)
		come := func(name string) *person { return b.comeAs(claimed(b, accounts, name)) }
		decline := func(idle time.Duration) *person {
			gus, ann := come("gus"), come("ann")
			gus.challenge("ann", "")
			ann.press("c")
			b.advance(idle) // since gus last pressed a key
			ann.press("x").mustSee("You decline the challenge of gus.", wording.NoChallenge)
			gus.mustSee("ann declines your challenge.")
			gus.Close()
			ann.Close()
			b.rest()
			return come("gus")
		}
		decline(0).mustNotSee("While you were away")
		gus := decline(time.Minute)
		gus.mustSee("While you were away", "· ann declined your challenge", "3 boards, 3 days a move")
		gus.press("esc")
		gus.mustSee("ann declined your challenge", "r see")
		gus.press("r")
		gus.mustSee("Enter seen")
		gus.press("enter")
		gus.mustSee("Play someone")
		come("gus").mustNotSee("ann declined")
	})
}

func TestTheFormOfAChallenge(t *testing.T) {
	withAccounts(t, manager.Config{}, func(_ *harness, come func(string) *person) {
		gus := come("gus")
		gus.press("c c enter")
		gus.mustSee("Type the name of a player.")
		gus.press("z o e enter")
		gus.mustSee("No player has claimed the name zoe: check the spelling", "claim it with ssh HOST name zoe.")
		come("ann")
		gus.press("backspace backspace backspace a n n down right")
		gus.mustNotSee("Boards")
		gus.press("enter")
		gus.mustSee("You challenge ann: 4 boards, 3 days a move, rated.")
	})
}

func TestTheNoticeOfAChallengeHidesNothingInASmallWindow(t *testing.T) {
	for _, keys := range []string{"2", "2 enter", "c c", "6", "enter"} {
		withAccounts(t, manager.Config{}, func(_ *harness, come func(string) *person) {
			gus, ann := come("maximilian-gusta"), come("ann")
			ann.resize(40, 16)
			ann.press(keys)
			before := strings.Split(ann.sees(), "\n")
			gus.challenge("ann", "down down down right")
			after := strings.Split(ann.sees(), "\n")
			testkit.Contains(t, after[14], "challenge")
			after[14] = before[14]
			testkit.Equal(t, strings.Join(after, "\n"), strings.Join(before, "\n"), keys)
			testkit.Equal(t, strings.Contains(before[14], "Enter"), false, keys)
		})
	}
}

func TestALiveChallengeIsToldAtOnceAndCallsItsMakerOnAnyScreen(t *testing.T) {
	for _, size := range sizes() {
		withAccounts(t, manager.Config{FirstMove: time.Minute}, func(b *harness, come func(string) *person) {
			gus, ann := come("gus"), come("ann")
			for _, p := range []*person{gus, ann} {
				p.resize(size[0], size[1])
			}
			ann.press("6")
			rings := ann.Bell()
			gus.challenge("ann", "down down down left left left left")
			ann.mustSee("gus challenges you", "y accepts")
			testkit.Equal(t, ann.Bell(), rings+1)
			gus.press("esc 2 enter")
			computer := tableOf(gus.screen).ID
			ann.send(keyPress("y")) // meant for the screen
			ann.mustSee("Ladder", "gus challenges you")
			b.advance(time.Second)
			rings = gus.Bell() // the computer has moved
			ann.press("y").mustPlay()
			if gus.env.width >= 80 {
				gus.mustSee("ann accepts your challenge: o to play")
			}
			gus.mustSee("within 60 s")
			testkit.Equal(t, gus.Bell() > rings, true, "the bell")
			gus.press("enter")
			testkit.Equal(t, tableOf(gus.screen).ID, computer, "Enter led away from the match")
			gus.press("o")
			testkit.Equal(t, tableOf(gus.screen).ID, tableOf(ann.screen).ID, gus.sees())
		})
	}
}
