package player_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/account"
	"notakto/match/manager"
	"notakto/sshapp/cli"
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

func run(s *player.Server, line string) answer {
	return ask(player.Env{Server: s, Host: "host"}, "", strings.Fields(line)...)
}

func TestACommandAcceptsAChallenge(t *testing.T) {
	ann, bob := annAndBob(t)
	run(ann, "challenge @bob --boards 2").expect(t, "challenge", 0, "You challenge bob: 2 boards, 3 days a move.", "")
	id := string(ann.Manager.Challenges(bob.Player.ID)[0].ID)
	run(ann, "challenges").expect(t, "challenges", 0,
		"Yours, to bob, 2 boards, 3 days a move, just now. Type: ssh host withdraw bob\n", "")
	run(bob, "challenges").expect(t, "challenges", 0,
		"To you: ann, 2 boards, 3 days a move, just now. Type: ssh host accept ann\n", "")
	json := run(bob, "challenges --json").out
	want := `[{"id":"` + id + `","kind":"you","maker":{"id":"` + string(ann.Player.ID) +
		`","name":"ann"},"invited":{"id":"` + string(bob.Player.ID) + `","name":"bob"},"variant":"notakto/2",` +
		`"clock":"3d","rated":false,"rating":null,"since":"`
	if !strings.HasPrefix(json, want) {
		t.Errorf("challenges --json prints %s, want %s", json, want)
	}
	run(bob, "accept ann").expect(t, "accept", 0,
		"You play ann: 2 boards, 3 days a move.\nTo sit down and play: ssh -t host watch "+id+"\n", "")
	if ids := ann.Manager.PlayerMatches(ann.Player.ID); len(ids) != 1 || string(ids[0]) != id {
		t.Errorf("ann plays %v", ids)
	}
	run(bob, "accept "+id).expect(t, "accept", 1, "", "no player has claimed the name "+id)
	run(bob, "accept ann").expect(t, "accept", 1, "", "no such challenge is open")
	run(ann, "challenges --json").expect(t, "challenges", 0, "[]\n", "")
	run(ann, "challenges").expect(t, "challenges", 0, "To make one: ssh host challenge anyone", "")
}

// Strangers can fill the list, but the challenge of a friend can still be accepted.
func TestAcceptFindsAChallengeThatIsNotListed(t *testing.T) {
	ann, bob := annAndBob(t)
	run(ann, "challenge @bob")
	made := manager.Challenge{Terms: match.DefaultTerms(), Opponent: bob.Player}
	for n := range 100 {
		stranger := match.Player{ID: match.PlayerID(fmt.Sprint("stranger", n)), Name: "stranger"}
		_, err := ann.Manager.Challenge(t.Context(), stranger, made)
		testkit.OK(t, err)
	}
	if list := run(bob, "challenges").out; strings.Contains(list, "accept ann") {
		t.Errorf("ann is listed: %s", list)
	}
	run(bob, "accept ann").expect(t, "accept", 0, "You play ann: 3 boards, 3 days a move.", "")
}

func TestALiveChallengeLeadsToItsTable(t *testing.T) {
	ann, bob := annAndBob(t)
	run(ann, "challenge bob --clock 5+0 --boards 1").expect(t, "challenge", 0,
		"Be in the game when bob accepts: the match begins at once.\n", "")
	run(bob, "accept ann").expect(t, "accept", 1, "", "the maker is away: ")
	for _, s := range []*player.Server{ann, bob} {
		defer s.Manager.FollowChallenges(s.Player.ID, func() {})()
	}
	run(bob, "accept ann").expect(t, "accept", 0, "You play ann: 1 board, 5 min each. Come in now: "+
		"the first move is due within 30 seconds.\nTo sit down and play: ssh -t host watch ", "")
	run(bob, "challenge @ann --clock none")
	got := run(onScreen(ann), "accept bob")
	if got.next == nil || got.next.Kind != player.Screen || got.next.Start.At != start.Match ||
		got.next.Start.Match == "" {
		t.Errorf("accept leads to %+v", got.next)
	}
}

func TestAChallengeIsDeclinedOrWithdrawn(t *testing.T) {
	ann, bob := annAndBob(t)
	run(ann, "challenge bob")
	run(bob, "decline ann").expect(t, "decline", 0, "You decline the challenge of ann.\n", "")
	run(ann, "challenge anyone --rated")
	run(bob, "challenges").expect(t, "challenges", 0,
		"To anyone: ann, 4 boards, 3 days a move, rated, just now. Type: ssh host accept ann", "")
	run(bob, "decline ann").expect(t, "decline", 1, "", "no such challenge is open")
	run(ann, "withdraw anyone").expect(t, "withdraw", 0, "Your challenge to anyone is withdrawn.\n", "")
	run(bob, "accept ann").expect(t, "accept", 1, "", "no such challenge is open")
}

func TestAcceptMeetsAWaitingPlayer(t *testing.T) {
	ann, bob := annAndBob(t)
	seek, err := ann.Manager.Lobby().Seek(t.Context(), ann.Player, match.DefaultTerms())
	testkit.OK(t, err)
	defer seek.Cancel()
	got := run(onScreen(bob), "accept ann")
	want := start.Start{At: start.Queue, Terms: match.DefaultTerms(), Untimed: true}
	if got.next == nil || got.next.Start != want {
		t.Errorf("accept leads to %+v", got.next)
	}
}

func TestErrorsOfChallenges(t *testing.T) {
	ann, bob := annAndBob(t)
	guest := *ann
	guest.Player, guest.Caller = match.Player{ID: "guest:g", Name: "g", Guest: true}, account.Caller{Account: "guest:g"}
	run(ann, "challenge anyone")
	for _, test := range []struct {
		server *player.Server
		line   string
		status cli.ExitCode
		err    string
	}{
		{ann, "challenge carl", 1, "claim it with ssh host name carl"},
		{ann, "block carl", 1, "no player has claimed the name carl"},
		{ann, "challenge ann", 1, "you cannot challenge yourself"},
		{ann, "challenge", 2, "the name of a player"},
		{ann, "challenge anyone --clock 5+0", 1, "needs a clock of days"},
		{ann, "challenge bob --rated --boards 3", 1, "a rated challenge is on 4 boards"},
		{ann, "challenge bob --boards 10", 2, "--boards cannot be"},
		{ann, "challenge bob --clock 15d", 2, "from 1d to 14d"},
		{&guest, "challenge bob", 1, "challenges need a key"},
		{&guest, "accept ann", 1, "challenges need a key"},
		{&guest, "accept carl", 1, "challenges need a key"},
		{&guest, "block ann", 1, "a guest has no account"},
		{&guest, "blocked", 1, "a guest has no account"},
		{nil, "challenges", 1, "this command needs a server: ssh HOST challenges"},
	} {
		run(test.server, test.line).expect(t, test.line, test.status, "", test.err)
	}
	for days := range 9 {
		run(ann, fmt.Sprintf("challenge bob --clock %dd", 1+days))
	}
	run(ann, "challenge bob").expect(t, "challenge", 1, "", "you have made this challenge already, and it is open: ")
	run(ann, "challenge bob --clock 10d").expect(t, "challenge", 1, "",
		"you have ten open challenges: withdraw one first")
	run(ann, "withdraw bob").expect(t, "withdraw", 1, "", "this player has several open challenges")
	for _, o := range ann.Manager.Challenges(bob.Player.ID) {
		run(bob, "challenges").expect(t, "challenges", 0, "Type: ssh host accept "+string(o.ID)+"\n", "")
	}
	run(bob, "accept "+string(ann.Manager.Challenges(bob.Player.ID)[3].ID)).expect(t, "accept", 0, "You play ann", "")
}

func TestABlockIsListedAndLifted(t *testing.T) {
	ann, bob := annAndBob(t)
	m := manager.New(manager.Config{Seed: 1, Blocks: ann.Accounts.Blocks})
	defer m.Close()
	ann.Manager, bob.Manager = m, m
	run(bob, "block @ann").expect(t, "block", 0, "You have blocked ann.", "")
	run(bob, "blocked").expect(t, "blocked", 0, "You have blocked ann.\n", "")
	run(ann, "challenge bob").expect(t, "challenge", 0, "You challenge bob: 3 boards, 3 days a move.", "")
	run(ann, "challenges").expect(t, "challenges", 0, "Yours, to bob, ", "")
	run(bob, "challenges").expect(t, "challenges", 0, "No challenge is open.", "")
	run(bob, "accept ann").expect(t, "accept", 1, "", "no such challenge is open")
	run(bob, "unblock ann").expect(t, "unblock", 0, "ann is not blocked.\n", "")
	run(bob, "blocked").expect(t, "blocked", 0, "You have blocked no player.\n", "")
	run(bob, "accept ann").expect(t, "accept", 0, "You play ann", "")
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
	run(cyd, "name cyd").expect(t, "name", 0, "The name cyd is yours.", "")
	run(bob, "block ann").expect(t, "block", 0, "You have blocked ann.", "")
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
	blocked, usual := read(bob), read(cyd)
	for i := range usual {
		if blocked[i] != usual[i] {
			t.Errorf("a blocked player reads\n%s\nand another one\n%s", blocked[i], usual[i])
		}
	}
}

func TestAChallengeExpiresWhileTheServerIsStopped(t *testing.T) {
	dir := testkit.Dir(t)
	synctest.Test(t, func(t *testing.T) {
		s := &site{t: t, dir: dir}
		s.start(1)
		defer func() { s.stop() }()
		s.run("ann", "name ann", nil)
		s.run("bob", "name bob", nil)
		s.run("ann", "challenge @bob", nil)
		s.stop()
		pass(7*day - time.Second)
		s.start(1)
		run(s.as("bob"), "challenges").expect(t, "before the end", 0, "To you: ann", "")
		pass(time.Second)
		for _, name := range []string{"ann", "bob"} {
			run(s.as(name), "challenges").expect(t, "after seven days", 0, "No challenge is open.", "")
		}
		run(s.as("bob"), "accept ann").expect(t, "accept", 1, "", "no such challenge is open")
	})
}

func TestAcceptNamesBothGamesOfARatedPair(t *testing.T) {
	ann, bob := annAndBob(t)
	run(ann, "challenge bob --clock 2d --rated")
	run(bob, "accept ann").expect(t, "accept", 0, "rated. Both games begin now, and each of you moves first in one.\n"+
		"To see the game that waits for your move: ssh host moves\n", "")
}
