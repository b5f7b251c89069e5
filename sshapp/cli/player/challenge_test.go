package player_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/manager"
	"notakto/sshapp/cli/player"
	"notakto/sshapp/start"
)

// annAndBob returns the server as two players with claimed names see it.
func annAndBob(t *testing.T) (ann, bob *player.Server) {
	t.Helper()
	ann = testServer(t)
	as := func(name string) *player.Server {
		s := *ann
		s.Player, s.Caller = testkit.Claim(t, s.Accounts, name)
		return &s
	}
	return as("ann"), as("bob")
}

func TestACommandAcceptsAChallenge(t *testing.T) {
	ann, bob := annAndBob(t)
	says(ann, "challenge @bob --boards 2").prints(t, "You challenge bob: 2 boards, 3 days a move.")
	id := string(ann.Manager.Challenges(bob.Player.ID)[0].ID)
	says(ann, "challenges").prints(t,
		"Yours, to bob, 2 boards, 3 days a move, just now. Type: ssh host withdraw bob\n")
	says(bob, "challenges").prints(t,
		"To you: ann, 2 boards, 3 days a move, just now. Type: ssh host accept ann\n")
	says(bob, "challenges --json").prints(t, `[{"id":"`+id+`","kind":"you","maker":{"id":"`+string(ann.Player.ID)+
		`","name":"ann"},"invited":{"id":"`+string(bob.Player.ID)+`","name":"bob"},"variant":"notakto/2",`+
		`"clock":"3d","rated":false,"rating":null,"since":"`)
	says(bob, "accept ann").prints(t,
		"You play ann: 2 boards, 3 days a move.\nTo sit down and play: ssh -t host watch "+id+"\n")
	if ids := ann.Manager.PlayerMatches(ann.Player.ID); len(ids) != 1 || string(ids[0]) != id {
		t.Errorf("ann plays %v", ids)
	}
	says(bob, "accept "+id).fails(t, 1, "no player has claimed the name "+id)
	says(bob, "accept ann").fails(t, 1, "no such challenge is open")
	says(ann, "challenges --json").prints(t, "[]\n")
	says(ann, "challenges").prints(t, "To make one: ssh host challenge anyone")
}

// Strangers can fill the list, but the challenge of a friend can still be accepted.
func TestAcceptFindsAChallengeThatIsNotListed(t *testing.T) {
	ann, bob := annAndBob(t)
	says(ann, "challenge @bob")
	made := manager.Challenge{Terms: match.DefaultTerms(), Opponent: bob.Player}
	for n := range 100 {
		stranger := match.Player{ID: match.PlayerID(fmt.Sprint("stranger", n)), Name: "stranger"}
		_, err := ann.Manager.Challenge(t.Context(), stranger, made)
		testkit.OK(t, err)
	}
	if list := says(bob, "challenges").out; strings.Contains(list, "accept ann") {
		t.Errorf("ann is listed: %s", list)
	}
	says(bob, "accept ann").prints(t, "You play ann: 3 boards, 3 days a move.")
}

func TestALiveChallengeLeadsToItsTable(t *testing.T) {
	ann, bob := annAndBob(t)
	says(ann, "challenge bob --clock 5+0 --boards 1").prints(t,
		"Be in the game when bob accepts: the match begins at once.\n")
	says(bob, "accept ann").fails(t, 1, "the maker is away: ")
	for _, s := range []*player.Server{ann, bob} {
		defer s.Manager.FollowChallenges(s.Player.ID, func() {})()
	}
	says(bob, "accept ann").prints(t, "You play ann: 1 board, 5 min each. Come in now: "+
		"the first move is due within 30 seconds.\nTo sit down and play: ssh -t host watch ")
	says(bob, "challenge @ann --clock none")
	got := says(onScreen(ann), "accept bob")
	if got.next == nil || got.next.Kind != player.Screen || got.next.Start.At != start.Match ||
		got.next.Start.Match == "" {
		t.Errorf("accept leads to %+v", got.next)
	}
}

func TestAChallengeIsDeclinedOrWithdrawn(t *testing.T) {
	ann, bob := annAndBob(t)
	says(ann, "challenge bob")
	says(bob, "decline ann").prints(t, "You decline the challenge of ann.\n")
	says(ann, "challenge anyone --rated")
	says(bob, "challenges").prints(t,
		"To anyone: ann, 4 boards, 3 days a move, rated, just now. Type: ssh host accept ann")
	says(bob, "decline ann").fails(t, 1, "no such challenge is open")
	says(ann, "withdraw anyone").prints(t, "Your challenge to anyone is withdrawn.\n")
	says(bob, "accept ann").fails(t, 1, "no such challenge is open")
	says(ann, "challenge bob --clock 2d --rated")
	says(bob, "accept ann").prints(t, "rated. Both games begin now, and each of you moves first in one.\n"+
		"To see the game that waits for your move: ssh host moves\n")
}

func TestAcceptMeetsAWaitingPlayer(t *testing.T) {
	ann, bob := annAndBob(t)
	seek, err := ann.Manager.Lobby().Seek(t.Context(), ann.Player, match.DefaultTerms())
	testkit.OK(t, err)
	defer seek.Cancel()
	got := says(onScreen(bob), "accept ann")
	want := start.Start{At: start.Queue, Terms: match.DefaultTerms(), Untimed: true}
	if got.next == nil || got.next.Start != want {
		t.Errorf("accept leads to %+v", got.next)
	}
}

func TestErrorsOfChallenges(t *testing.T) {
	ann, bob := annAndBob(t)
	says(ann, "challenge anyone")
	says(ann, "challenge carl").fails(t, 1, "claim it with ssh host name carl")
	says(ann, "block carl").fails(t, 1, "no player has claimed the name carl")
	says(ann, "challenge").fails(t, 2, "the name of a player")
	says(ann, "challenge bob --boards 10").fails(t, 2, "--boards cannot be")
	says(ann, "challenge bob --clock 15d").fails(t, 2, "from 1d to 14d")
	for days := range 3 {
		says(ann, fmt.Sprintf("challenge bob --clock %dd", 1+days))
	}
	says(ann, "withdraw bob").fails(t, 1, "this player has several open challenges")
	for _, o := range ann.Manager.Challenges(bob.Player.ID) {
		says(bob, "challenges").prints(t, "Type: ssh host accept "+string(o.ID)+"\n")
	}
	says(bob, "accept "+string(ann.Manager.Challenges(bob.Player.ID)[3].ID)).prints(t, "You play ann")
}

// Every answer about a player who has blocked the caller is that about a player who has not, apart from names and IDs.
func TestABlockedPlayerReadsTheSameAnswers(t *testing.T) {
	ann, bob := annAndBob(t)
	cyd := by(ann, "cyd", "cyd")
	m := manager.New(manager.Config{Seed: 1, Blocks: ann.Accounts.Blocks})
	defer m.Close()
	for _, s := range []*player.Server{ann, bob, cyd} {
		s.Manager = m
	}
	says(cyd, "name cyd").prints(t, "The name cyd is yours.")
	says(bob, "block ann").prints(t, "You have blocked ann.")
	id := regexp.MustCompile(`"id":"[a-z2-7]{10}"`)
	at := regexp.MustCompile(`"(since|expires)":"[^"]*"`)
	read := func(s *player.Server) (all []string) {
		name := s.Accounts.ClaimedName(s.Player.ID)
		neutral := strings.NewReplacer(name, "NAME", string(s.Player.ID), "ACCOUNT")
		for _, line := range []string{
			"challenge @NAME", "challenge @NAME --rated", "challenge @NAME --clock 5+0", "challenges",
			"challenges --json", "profile NAME", "history NAME", "results", "moves --json", "matches",
			"accept NAME", "decline NAME",
			"plain challenge NAME", "plain challenges", "plain accept NAME", "plain withdraw NAME",
		} {
			line, typed := strings.ReplaceAll(line, "NAME", name), ""
			if words, isPlain := strings.CutPrefix(line, "plain "); isPlain {
				line, typed = "plain", words+"\nquit\n"
			}
			got := ask(player.Env{Server: ann, Host: "host"}, typed, strings.Fields(line)...)
			text := at.ReplaceAllString(id.ReplaceAllString(got.out+got.err, "ID"), "TIME")
			for _, o := range m.Challenges(ann.Player.ID) {
				text = strings.ReplaceAll(text, string(o.ID), "MATCH")
			}
			all = append(all, neutral.Replace(text))
		}
		for _, o := range m.Challenges(ann.Player.ID) {
			if err := m.Decline(t.Context(), ann.Player.ID, o.ID); err != nil {
				t.Fatal(err)
			}
		}
		return all
	}
	says(bob, "challenges").prints(t, "No challenge is open.")
	says(bob, "blocked").prints(t, "You have blocked ann.\n")
	blocked, usual := read(bob), read(cyd)
	says(bob, "unblock @ann").prints(t, "ann is not blocked.\n")
	says(bob, "blocked").prints(t, "You have blocked no player.\n")
	for i := range usual {
		if blocked[i] != usual[i] {
			t.Errorf("a blocked player reads\n%s\nand another one\n%s", blocked[i], usual[i])
		}
	}
}
