package bot

import (
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
	return p.asked(`{"do":"challenge"`+fields+`}`, "challenge state=open from.id="+string(p.player.ID))[0].str("match")
}

func TestAChallengeIsAccepted(t *testing.T) {
	inBubble(t, func(b *harness) {
		maker := b.enter(ann())
		made := maker.asked(`{"do":"challenge","opponent":"`+bobsID+`","variant":"notakto/1","clock":"5+0"}`,
			"challenge state=open to.id="+bobsID+" variant=notakto/1 clock=5+0 rated=nothing")[0]
		id := made.str("match")
		since, err := time.Parse(time.RFC3339, made.str("since"))
		if err != nil || !since.Equal(b.manager.Now().Truncate(time.Second)) ||
			made.str("expires") != since.Add(match.ChallengeLife).Format(time.RFC3339) {
			t.Errorf("the times of %s are wrong", made)
		}
		other := b.connect(bob())
		other.expects("welcome matches=[]", "challenge state=open from.id="+annsID+" match="+id)
		b.enter(cleo())
		other.asked(about(id, "accept"), "match match="+id+" variant=notakto/1 clock=5+0", "presence present=false")
		maker.expects("challenge state=accepted to.id=" + bobsID + " match=" + id)
		maker.asked(about(id, "state"), "match match="+id)
		other.asked(about(id, "accept"), "presence present=true", "error code=own_table do=accept")
	})
}

// The verb decline is for requests in a match too.
func TestAChallengeEnds(t *testing.T) {
	inBubble(t, func(b *harness) {
		one, two, id := b.pair("notakto/1")
		made := one.challenge(`,"opponent":"` + string(two.player.ID) + `","clock":"none"`)
		two.expects("challenge state=open clock=nothing match=" + made)
		two.asked(about(id, "decline")) // no request is open
		two.asked(about(made, "decline"), "challenge state=declined match="+made)
		one.expects("challenge state=declined match=" + made)
		two.asked(about(made, "accept"), "error code=no_such_match do=accept")
		made = one.challenge("")
		one.asked(about(made, "decline"), "challenge state=withdrawn to=nothing match="+made)
		made = one.challenge("")
		pass(match.ChallengeLife)
		one.expects("challenge state=expired to=nothing match=" + made)
		two.expects()
	})
}

func TestAChallengeToAnyoneIsOnTheBoard(t *testing.T) {
	inBubble(t, func(b *harness) {
		one, two, guest := b.enter(ann()), b.enter(bob()), b.enter(guy())
		id := one.challenge(`,"variant":"notakto/5"`)
		guest.asked(`{"do":"seek","variant":"tictactoe"}`, "seeking")
		testkit.Contains(t, two.asked(`{"do":"board"}`, "board")[0].text,
			`{"event":"board","challenges":[{"match":"`+id+`","state":"open","from":{"id":"`+annsID+
				`","name":"ann","guest":false},"variant":"notakto/5","clock":"3d","since":"`,
			`,{"state":"waiting","from":{"id":"guest:guy","name":"guy","guest":true},"variant":"tictactoe","since":"`)
		two.asked(about(id, "accept"), "match clock=3d match="+id, "presence present=false")
		one.expects("challenge state=accepted to.name=bob match=" + id)
		if board := one.asked(`{"do":"board"}`, "board")[0]; strings.Contains(board.text, id) {
			t.Errorf("the board is %s", board)
		}
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
			`,"rated":true,"clock":"6+0"`:                 "bad_clock", // to anyone
			`,"rated":"yes","opponent":"` + bobsID + `"`:  "bad_json",
			`,"variant":{},"opponent":"` + bobsID + `"`:   "bad_json",
			`,"clock":["3d"],"opponent":"` + bobsID + `"`: "bad_json",
		} {
			one.asked(`{"do":"challenge"`+fields+`}`, "error do=challenge code="+want)
		}
		for _, line := range []string{`{"do":"accept"}`, about("nonesuch", "accept"), about("nonesuch", "decline")} {
			one.asked(line, "error code=no_such_match")
		}
		for range 10 {
			one.challenge("")
		}
		one.asked(`{"do":"challenge"}`, "error code=too_many")

		key := b.accounts.Key("SHA256:gus")
		gus := b.accounts.Player(key, "gus")
		testkit.OK(t, b.accounts.Claim(b.Context(), account.Caller{Account: gus.ID, Key: key}, "Gus"))
		b.enter(bob()).asked(`{"do":"challenge","opponent":"@gus"}`, "challenge to.name=Gus to.id="+string(gus.ID))
	})
}

// Programs and people have their own ratings.
func TestRatedChallengesStayAmongProgramsOrPeople(t *testing.T) {
	isProgram := func(p match.PlayerID) bool { return p == bob().ID }
	inBubbleWith(t, manager.Config{IsProgram: isProgram}, func(b *harness) {
		one, two := b.enter(ann()), b.enter(bob())
		terms := match.RatedTerms(match.PeoplePool)
		terms.Clock, _ = match.Correspondence(1)
		people, err := b.manager.Challenge(b.Context(), cleo(), manager.Challenge{Terms: terms})
		testkit.OK(t, err)
		one.asked(`{"do":"challenge","rated":true,"clock":"1d","opponent":"`+string(cleo().ID)+`"}`,
			"error code=rated do=challenge")
		programs := one.challenge(`,"rated":true,"opponent":"` + bobsID + `","clock":"6+0"`)
		two.expects("challenge rated=true variant=notakto/4 match=" + programs)
		if board := two.asked(`{"do":"board"}`, "board")[0]; strings.Contains(board.text, string(people)) {
			t.Errorf("the board has a challenge of people: %s", board)
		}
		two.asked(about(string(people), "accept"), "error code=no_such_match")
		if err := b.manager.Accept(b.Context(), bob(), match.ID(programs), match.PeoplePool); err == nil {
			t.Error("a person accepted a challenge of programs")
		}
		two.asked(about(programs, "accept"), "match rated=true pair.game=1 match="+programs, "presence present=false")
	})
}

func TestBothGamesOfAPairOfDaysArePlayedAtOnce(t *testing.T) {
	isProgram := func(match.PlayerID) bool { return true }
	inBubbleWith(t, manager.Config{IsProgram: isProgram}, func(b *harness) {
		one, two := b.enter(ann()), b.enter(bob())
		id := one.challenge(`,"rated":true,"opponent":"` + bobsID + `","clock":"1d"`)
		two.expects("challenge clock=1d")
		begun := two.asked(about(id, "accept"), "match pair.id="+id+" pair.game=1", "presence present=false")[0]
		other := strings.Trim(begun.field("pair.other"), `"`)
		two.asked(about(other, "state"), "match pair.id="+id+" pair.game=2 pair.other="+id, "presence present=false")
		two.asked(about(other, "resign"), "end pair_result=nothing match="+other)
		two.asked(about(id, "state"), "match over=false match="+id, "presence present=false")
		result := map[string]string{"1": "0", "2": "2"}[begun.field("seat")]
		two.asked(about(id, "resign"), "end match="+id+" pair_result="+result)
	})
}
