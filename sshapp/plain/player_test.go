package plain

import (
	"regexp"
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/account"
	"notakto/sshapp/start"
)

// accountOfAnn returns accounts with the account of the key SHA256:ann.
func (b *harness) accountOfAnn() (*account.Accounts, match.Player, account.KeyID) {
	b.Helper()
	accounts := testkit.Accounts(b)
	key := accounts.Key("SHA256:ann")
	return accounts, accounts.Player(key, "ann"), key
}

func TestNamesAreClaimedInPlain(t *testing.T) {
	inBubble(t, func(b *harness) {
		accounts, player, key := b.accountOfAnn()
		p := b.open(Config{Player: player, Accounts: accounts, Caller: account.Caller{Account: player.ID, Key: key}})
		p.out.Take()
		id := string(player.ID)
		for _, test := range [][2]string{
			{"me", "You are ann, account " + id + ". 1 key. For more, add me to your ssh command."},
			{"name !", "That name is not allowed: see help name."},
			{"NAME  Ann   Lee", "The name Ann Lee is yours from your next login on."},
			{"name Ann Lee", "The name Ann Lee is yours from your next login on."},
			{"name ann", "A name can be changed once in 30 days."},
			{"name", "You are ann, account " + id + ". You have claimed the name Ann Lee. 1 key. " +
				"For more, add me to your ssh command."},
		} {
			p.asked(test[0], test[1])
		}
		testkit.OK(t, accounts.Delete(b.Context(), account.Caller{Account: player.ID, Key: key},
			"Ann Lee", "Ann Lee"))
		p.asked("me", "You are ann, account "+id+
			". You have claimed the name Ann Lee. 1 key. Your account will be deleted on 8 January. "+
			"To keep it: ssh HOST me undo. For more, add me to your ssh command.")
		guest := b.come(match.Player{ID: "guest:guy", Name: "guy", Guest: true})
		guest.asked("name guy", "A guest has no account: make a key with ssh-keygen, and log in again.")
		guest.asked("me", "You are guy, a guest. For an account, run ssh-keygen once, then connect again.")
	})
}

// A player with an account who follows a guest's code is that guest, and no longer decides about the account.
func TestAGuestsCodeLeavesTheAccountAlone(t *testing.T) {
	inBubble(t, func(b *harness) {
		accounts, player, key := b.accountOfAnn()
		private := start.Start{At: start.Private, Terms: match.Terms{Variant: boards(t, 1)}}
		g := b.open(Config{Player: guy(), Start: private})
		received := g.out.Take()
		back := regexp.MustCompile(`type join (\w{8})\.`).FindStringSubmatch(received)[1]
		b.come(bob()).types("join " + regexp.MustCompile(`types join (\w{6})\.`).FindStringSubmatch(received)[1])
		_ = g.in.Close()
		check := func(p *person) {
			p.asked("me", "You are guy, a guest. For an account, run ssh-keygen once, then connect again.")
			p.asked("name guy", "A guest has no account: make a key with ssh-keygen, and log in again.")
		}
		caller := account.Caller{Account: player.ID, Key: key}
		first := b.open(Config{Player: player, Accounts: accounts, Caller: caller})
		first.types("join " + back)
		check(first)
		_ = first.in.Close()
		pass(time.Second)
		// The command "join CODE" follows the code before the session begins.
		second := b.open(Config{
			Player: guy(), Accounts: accounts, Caller: caller,
			Start: start.Start{At: start.Code, Code: match.Code(back)},
		})
		check(second)
		testkit.Equal(t, accounts.ClaimedName(player.ID), "")
	})
}
