package tui

import (
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/journaltest"
	"notakto/match/manager"
	"notakto/rules"
	"notakto/rules/strategy"
	"notakto/sshapp/client"
	"notakto/sshapp/start"
)

func TestLobbyChoice(t *testing.T) {
	inBubble(t, func(b *harness) {
		player := keyed("ann")
		p := b.come(player)
		p.press("up")
		p.mustSee("▸ q Quit", "Ends the session.")
		p.mustNotSee("kept")
		for range 5 {
			_, err := b.manager.PlayComputer(b.Context(), player, match.DefaultTerms(), strategy.Perfect, rules.First)
			testkit.OK(b, err)
		}
		p = b.come(player)
		p.resize(40, 16)
		p.mustSee("Matches in progress. Enter to return", "▸ 3 boards against perfect", "and 3 others", "q Quit")
		p.resize(80, 24)
		p.press("up")
		p.mustSee("▸ q Quit", "Your matches stay open.")
		p.mustNotSee("seats")
		p.press("down down")
		chosen := p.screen.(*lobbyScreen).chosen
		b.comeTo(player, start.Start{At: start.Private})
		b.advance(pollInterval)
		testkit.Equal(t, p.screen.(*lobbyScreen).chosen, chosen)
		p.press("enter")
		p.mustSee("Your turn")
		first, _ := b.pair("notakto/3")
		first.press("q y up")
		first.mustSee("▸ q Quit", "Your seats are kept; you have 60 s", "when it is your turn.")
	})
}

func TestTheLobbyTellsWhatHappenedLast(t *testing.T) {
	inBubble(t, func(b *harness) {
		cleo := b.come(keyed("cleo"))
		first, _ := b.pair("notakto/1")
		first.press("r y")
		b.advance(pollInterval)
		cleo.mustNotSee("Last: ") // without a move
		b.pair("notakto/1", "A5", "A1", "A2", "A8")
		b.advance(pollInterval)
		cleo.mustSee("Last: ann – bob", "ann beat bob on 1 board.", "no match now")
		cleo.mustNotSee("done  ann", "How a board dies")
		b.comeTo(keyed("dan"), start.Start{At: start.Computer, Level: strategy.Perfect, Side: rules.First})
		b.advance(pollInterval)
		cleo.mustSee("Live: dan – perfect", "done  ann beat bob on 1 board", "1 live")
	})
}

func TestLobbyEntries(t *testing.T) {
	inBubble(t, func(b *harness) {
		p := b.come(keyed("ann"))
		for _, c := range []struct{ digit, downs, sees string }{
			{"2", "down", "Play the computer"}, {"3", "down down", "Join with a code"},
			{"4", "j s down", "demonstration"},
			{"5", "down down down down", "Three Xs in a row"}, {"6", "up up up", "The ladder is empty"},
			{"7", "up up", "No finished matches yet"},
		} {
			p.press(c.digit)
			p.mustSee(c.sees)
			p.press("esc " + c.downs + " enter")
			p.mustSee(c.sees)
			p.press("esc")
			p.mustSee("Play someone")
		}
		p.press("8")
		if !p.quit {
			t.Error("still there after choosing to quit")
		}
	})
}

// The first Enter of a newcomer should not lead into an empty queue.
func TestANewcomerIsLedToTheComputerWhileNoPlayerWaits(t *testing.T) {
	inBubble(t, func(b *harness) {
		record := journaltest.Season(b, testkit.Store(b)).History()
		newcomers := []Config{{Player: keyed("ann"), History: record}, {Player: guest("guy")}}
		for _, cfg := range newcomers {
			p := b.comeAs(cfg)
			p.mustSee("▸ 2 Play the computer")
			p.press("enter esc").mustSee("▸ 2 Play the computer")
			p.press("2 enter r y esc").mustSee("▸ 1 Play someone")
			p.Close()
		}
		veteran := Config{Player: journaltest.SeasonPlayer("ivy"), History: record}
		b.comeAs(veteran).mustSee("▸ 1 Play someone", "72 matches")
		b.comeTo(keyed("bob"), seekingOneBoard())
		for _, cfg := range newcomers {
			b.comeAs(cfg).mustSee("▸ 1 Play someone", "bob, 1 board")
		}
	})
}

// seekingOneBoard begins in the queue for one board.
func seekingOneBoard() start.Start {
	from := start.Start{At: start.Queue}
	from.Variant, _ = rules.Notakto(1)
	return from
}

func TestTheLobbyTellsWhatGoesOn(t *testing.T) {
	inBubble(t, func(b *harness) {
		ann := b.come(keyed("ann"))
		ann.mustSee("Nobody is waiting.")
		ann.press("1")
		again := b.come(ann.Player())
		again.press("1")
		again.mustSee("You already wait in another window.")
		ann.press("c esc")
		b.advance(pollInterval)
		ann.mustSee("Keep waiting", "No one else is waiting.")
		ann.mustNotSee("g to join")
		ann.press("e")
		bob := b.comeTo(keyed("bob"), seekingOneBoard())
		b.advance(2 * time.Second)
		ann.mustSee("bob, 1 board, 5 min", "g to join")
		ann.press("g")
		b.inOrder(ann, bob)
		cleo := b.come(keyed("cleo"))
		b.advance(2 * time.Second)
		cleo.mustSee("1 live", "live  ")
		cleo.mustNotSee("g to join")
		b.pair("notakto/2") // the first match is on the card, the second in the list
		b.advance(2 * time.Second)
		cleo.mustSee("1 board  4 to watch")
		b.come(keyed("dan")).press("4 enter")
		b.advance(2 * time.Second)
		cleo.mustSee("0 moves           4 to watch") // for ", 1 watching" there is no room
	})
}

func TestTheKindOfMatchIsChosenInAShortMenu(t *testing.T) {
	for _, size := range sizes() {
		inBubble(t, func(b *harness) {
			p := b.come(keyed("ann"))
			p.resize(size[0], size[1])
			p.press("enter down right").mustSee("rated pair", "Two rated games. You each start one.", "4 boards")
			p.mustNotSee("Boards  ", "Clock  ")
			p.press("enter esc 1").mustSee("Waiting for an opponent", "A rated pair")
			p.press("esc right down left 9").mustSee("casual", "9 boards")
			p.press("down down right").mustSee("No clock for either of you.")
			p.press("down enter").mustSee("Waiting for an opponent", "9 boards")
			p.mustNotSee("per player")
			q := b.come(guest("guy"))
			q.resize(size[0], size[1])
			q.press("enter")
			b.advance(pollInterval)
			q.mustSee("ann")
			q.press("g")
			if table := tableOf(q.screen); table == nil || table.Variant.Boards() != 9 || !table.Clock.IsNone() {
				b.Errorf("they do not play:\n%s", q.sees())
			}
		})
	}
}

func TestTheLobbyCountsAMatchThatEndsThere(t *testing.T) {
	inBubbleWithHistory(t, func(b *harness, _ func()) {
		first, _ := b.pair("notakto/1 3+2", "A5", "A1")
		first.press("q y")
		first.mustSee("7 You                 your matches")
		b.advance(20 * time.Minute)
		first.mustSee("7 You                 1 match")
	})
}

func TestLobbyKeepsChoice(t *testing.T) {
	r := alone(Config{Manager: manager.New(manager.Config{}), Theme: utf8Theme()})
	l := r.screen.(*lobbyScreen)
	r.Update(keyPress("down"))
	r.Update(keyPress("down"))
	l.setMyMatches([]client.OwnMatch{{Summary: match.Summary{ID: "one"}}, {Summary: match.Summary{ID: "two"}}})
	l.choose(r, l.chosen)
	if _, isPrivate := r.screen.(*challengeForm); !isPrivate {
		t.Errorf("the choice moved to %T", r.screen)
	}
}
