package bot

import (
	"errors"
	"strings"
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/account"
	"notakto/match/manager"
)

const annsID, bobsID = "annannannannanna", "bobbobbobbobbobb"

// challenge makes a challenge and returns its ID.
func (p *peer) challenge(fields string) string {
	p.Helper()
	p.says(`{"do":"challenge"` + fields + `}`)
	return p.expects("challenge state=open from.id=" + string(p.player.ID))[0].str("match")
}

func TestAChallengeIsAccepted(t *testing.T) {
	inBubble(t, func(b *harness) {
		maker := b.enter(ann())
		maker.says(`{"do":"challenge","opponent":"` + bobsID + `","variant":"notakto/1","clock":"5+0"}`)
		made := maker.expects("challenge state=open to.id=" + bobsID + " variant=notakto/1 clock=5+0 rated=nothing")[0]
		id := made.str("match")
		since, err := time.Parse(time.RFC3339, made.str("since"))
		if err != nil || !since.Equal(b.manager.Now().Truncate(time.Second)) ||
			made.str("expires") != since.Add(match.ChallengeLife).Format(time.RFC3339) {
			t.Errorf("the times of %s are wrong", made)
		}
		other := b.connect(bob())
		other.expects("welcome matches=[]", "challenge state=open from.id="+annsID+" match="+id)
		b.enter(cleo())
		other.says(`{"do":"accept","match":"` + id + `"}`)
		other.expects("match match="+id+" variant=notakto/1 clock=5+0", "presence present=false")
		maker.expects("challenge state=accepted to.id=" + bobsID + " match=" + id)
		maker.says(`{"do":"state","match":"` + id + `"}`)
		maker.expects("match match=" + id)
		other.says(`{"do":"accept","match":"`+id+`"}`, `{"do":"resign","match":"`+id+`"}`)
		other.expects("presence present=true", "error code=own_table do=accept", "end")
		maker.expects("end")
	})
}

// The verb decline is for requests in a match too.
func TestAChallengeIsDeclinedDuringAMatch(t *testing.T) {
	inBubble(t, func(b *harness) {
		first, second, id := b.pair("notakto/1")
		made := first.challenge(`,"opponent":"` + string(second.player.ID) + `","clock":"5+0"`)
		second.expects("challenge state=open match=" + made)
		second.says(`{"do":"decline","match":"` + id + `"}`) // no request is open
		second.expects()
		second.says(`{"do":"decline","match":"` + made + `"}`)
		second.expects("challenge state=declined match=" + made)
		first.expects("challenge state=declined match=" + made)
	})
}

func TestAChallengeToAnyoneIsOnTheBoard(t *testing.T) {
	inBubble(t, func(b *harness) {
		one, two, guest := b.enter(ann()), b.enter(bob()), b.enter(guy())
		id := one.challenge(`,"variant":"notakto/5"`)
		guest.says(`{"do":"seek","variant":"tictactoe"}`)
		guest.expects("seeking")
		two.says(`{"do":"board"}`)
		board := two.expects("board")[0]
		for _, part := range []string{
			`{"event":"board","challenges":[{"match":"` + id + `","state":"open","from":{"id":"` + annsID +
				`","name":"ann","guest":false},"variant":"notakto/5","clock":"3d","since":"`,
			`,{"state":"waiting","from":{"id":"guest:guy","name":"guy","guest":true},"variant":"tictactoe","since":"`,
		} {
			if !strings.Contains(board.text, part) {
				t.Errorf("the board is %s\nwithout %s", board, part)
			}
		}
		two.says(`{"do":"accept","match":"` + id + `"}`)
		two.expects("match clock=3d match="+id, "presence present=false")
		one.expects("challenge state=accepted to.name=bob match=" + id)
		one.says(`{"do":"board"}`)
		if board := one.expects("board")[0]; strings.Contains(board.text, id) {
			t.Errorf("the board is %s", board)
		}
	})
}

func TestAChallengeEnds(t *testing.T) {
	inBubble(t, func(b *harness) {
		one, two := b.enter(ann()), b.enter(bob())
		id := one.challenge(`,"opponent":"` + bobsID + `","clock":"none"`)
		two.expects("challenge state=open clock=nothing")
		one.says(`{"do":"decline","match":"` + id + `"}`)
		one.expects("challenge state=withdrawn to.id=" + bobsID + " match=" + id)
		two.says(`{"do":"accept","match":"` + id + `"}`)
		two.expects("error code=no_such_match do=accept")
		id = one.challenge("")
		pass(match.ChallengeLife)
		one.expects("challenge state=expired to=nothing match=" + id)
		two.expects()
	})
}

// The end of a challenge is unseen until a session has told it.
func TestTheToldEndOfAChallengeIsSeen(t *testing.T) {
	inBubbleWithHistory(t, func(b *harness) {
		one := b.enter(ann())
		for _, isThere := range []bool{true, false} {
			id := one.challenge(`,"opponent":"` + bobsID + `"`)
			if !isThere {
				_ = one.in.Close()
				pass(time.Second)
			}
			testkit.OK(b, b.manager.Decline(b.Context(), bob().ID, match.ID(id)))
			pass(time.Second)
			unseen, err := b.history.Unseen(b.Context(), ann().ID)
			if err != nil || (len(unseen) == 0) != isThere || !isThere && string(unseen[0].Match) != id {
				b.Errorf("the bot is there: %v. It has not seen %+v, %v", isThere, unseen, err)
			}
			if isThere {
				one.expects("challenge state=declined match=" + id)
			}
		}
	})
}

func TestChallengesAreRefused(t *testing.T) {
	inBubble(t, func(b *harness) {
		one, guest := b.enter(ann()), b.enter(guy())
		guest.says(`{"do":"challenge"}`, `{"do":"accept","match":"m"}`)
		guest.expects("error code=rated do=challenge", "error code=rated do=accept")
		for fields, want := range map[string]string{
			`,"opponent":"gus"`:                           "no_such_player",
			`,"opponent":""`:                              "no_such_player",
			`,"opponent":7`:                               "bad_json",
			`,"opponent":"` + annsID + `"`:                "own_table",
			`,"clock":"5+0"`:                              "bad_clock",
			`,"clock":"5"`:                                "bad_clock",
			`,"variant":"chess"`:                          "bad_variant",
			`,"rated":true,"variant":"notakto/3"`:         "rated",
			`,"rated":true,"clock":"3+2"`:                 "rated",
			`,"rated":true,"clock":"none"`:                "rated",
			`,"rated":true,"clock":"6+0"`:                 "bad_clock", // to anyone
			`,"rated":"yes","opponent":"` + bobsID + `"`:  "bad_json",
			`,"variant":{},"opponent":"` + bobsID + `"`:   "bad_json",
			`,"clock":["3d"],"opponent":"` + bobsID + `"`: "bad_json",
		} {
			one.says(`{"do":"challenge"` + fields + `}`)
			one.expects("error do=challenge code=" + want)
		}
		one.says(`{"do":"accept"}`, `{"do":"accept","match":"nonesuch"}`, `{"do":"decline","match":"nonesuch"}`)
		one.expects("error code=no_such_match do=accept", "error code=no_such_match do=accept",
			"error code=no_such_match do=decline")
		for range 10 {
			one.challenge("")
		}
		one.says(`{"do":"challenge"}`)
		one.expects("error code=too_many")
	})
}

func TestAClaimedNameIsChallenged(t *testing.T) {
	inBubble(t, func(b *harness) {
		key := b.accounts.Key("SHA256:gus")
		gus := b.accounts.Player(key, "gus")
		testkit.OK(t, b.accounts.Claim(b.Context(), account.Caller{Account: gus.ID, Key: key}, "Gus"))
		one := b.enter(ann())
		one.says(`{"do":"challenge","opponent":"@gus"}`)
		one.expects("challenge to.name=Gus to.id=" + string(gus.ID))
	})
}

// Programs and people have their own ratings.
func TestRatedChallengesStayAmongProgramsOrPeople(t *testing.T) {
	isProgram := func(p match.PlayerID) bool { return p == bob().ID }
	inBubbleWith(t, manager.Config{IsProgram: isProgram}, func(b *harness) {
		one, two := b.enter(ann()), b.enter(bob())
		terms := match.RatedTerms(match.PeoplePool)
		clock, _ := match.Correspondence(1)
		terms.Clock = clock
		people, err := b.manager.Challenge(b.Context(), cleo(), manager.Challenge{Terms: terms})
		testkit.OK(t, err)
		_, err = b.manager.Challenge(b.Context(), cleo(), manager.Challenge{Terms: terms, Opponent: bob()})
		if !errors.Is(err, match.ErrOtherLadder) {
			t.Errorf("a person challenges a program to a rated pair: %v", err)
		}
		one.says(`{"do":"challenge","rated":true,"clock":"1d","opponent":"` + string(cleo().ID) + `"}`)
		one.expects("error code=rated do=challenge")
		programs := one.challenge(`,"rated":true,"opponent":"` + bobsID + `","clock":"6+0"`)
		two.expects("challenge rated=true variant=notakto/4 match=" + programs)
		two.says(`{"do":"board"}`)
		if board := two.expects("board")[0]; strings.Contains(board.text, string(people)) {
			t.Errorf("the board has a challenge of people: %s", board)
		}
		two.says(`{"do":"accept","match":"` + string(people) + `"}`)
		two.expects("error code=no_such_match")
		if err := b.manager.Accept(b.Context(), bob(), match.ID(programs), match.PeoplePool); err == nil {
			t.Error("a person accepted a challenge of programs")
		}
		two.says(`{"do":"accept","match":"` + programs + `"}`)
		two.expects("match rated=true pair.game=1 match="+programs, "presence present=false")
	})
}

func TestBothGamesOfAPairOfDaysArePlayedAtOnce(t *testing.T) {
	isProgram := func(match.PlayerID) bool { return true }
	inBubbleWith(t, manager.Config{IsProgram: isProgram}, func(b *harness) {
		one, two := b.enter(ann()), b.enter(bob())
		id := one.challenge(`,"rated":true,"opponent":"` + bobsID + `","clock":"1d"`)
		two.expects("challenge clock=1d")
		two.says(`{"do":"accept","match":"` + id + `"}`)
		begun := two.expects("match pair.id="+id+" pair.game=1", "presence present=false")[0]
		other := strings.Trim(begun.field("pair.other"), `"`)
		two.says(`{"do":"state","match":"` + other + `"}`)
		two.expects("match pair.id="+id+" pair.game=2 pair.other="+id, "presence present=false")
		two.says(`{"do":"resign","match":"`+other+`"}`, `{"do":"state","match":"`+id+`"}`)
		two.expects("end pair_result=nothing match="+other, "match over=false match="+id, "presence present=false")
		two.says(`{"do":"resign","match":"` + id + `"}`)
		two.expects("end match=" + id + " pair_result=" + map[string]string{"1": "0", "2": "2"}[begun.field("seat")])
	})
}
