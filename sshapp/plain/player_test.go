package plain

import (
	"strings"
	"testing"
	"time"

	"notakto/match"
	"notakto/match/account"
)

func TestNamesAreClaimedInPlain(t *testing.T) {
	inBubble(t, func(b *harness) {
		log := new(account.Memory)
		directory, stop, err := account.Open(b.Context(), log, nil, time.Now)
		if err != nil {
			t.Fatal(err)
		}
		defer stop()
		accounts := account.New(account.Config{
			Directory: directory, Log: log, Clean: func(name string) string { return strings.Trim(name, "!") },
			Looks: func(name string) []string { return []string{strings.ToLower(name)} },
		})
		key := directory.Key("SHA256:ann")
		player := accounts.Player(key, "ann")
		p := b.open(Config{Player: player, Accounts: accounts, Caller: account.Caller{Account: player.ID, Key: key}})
		p.out.Take()
		id := string(player.ID)
		for _, test := range [][2]string{
			{"me", "You are ann, account " + id + ". 1 key. ssh HOST me says more."},
			{"name !", "This cannot be a name here: type help name to read what can."},
			{"NAME  Ann   Lee", "The name Ann Lee is yours from your next login on."},
			{"name Ann Lee", "The name Ann Lee is yours from your next login on."},
			{"name ann", "A name can be changed once in 30 days."},
			{"name", "You are ann, account " + id + ". You have claimed the name Ann Lee. 1 key. ssh HOST me says more."},
		} {
			p.asked(test[0], test[1])
		}
		if err := accounts.Delete(b.Context(), account.Caller{Account: player.ID, Key: key},
			"Ann Lee", "Ann Lee"); err != nil {
			t.Fatal(err)
		}
		p.asked("me", "You are ann, account "+id+
			". You have claimed the name Ann Lee. 1 key. Your account will be deleted on 8 January. "+
			"To keep it: ssh HOST me undo. ssh HOST me says more.")
		guest := b.come(match.Player{ID: "guest:guy", Name: "guy", Guest: true})
		guest.asked("name guy", "A guest has no account: make a key with ssh-keygen, and log in again.")
		guest.asked("me", "You are guy, a guest. With a key you have an account: ssh-keygen makes one.")
	})
}
