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

const (
	noAccount = "A guest has no account: make a key with ssh-keygen, and log in again."
	isGuest   = "You are guy, a guest. For an account, run ssh-keygen once, then connect again."
)

// ofAnn returns the configuration of a session with an account of the key SHA256:ann, without a claimed name.
func (b *harness) ofAnn() Config {
	accounts := testkit.Accounts(b)
	key := accounts.Key("SHA256:ann")
	player := accounts.Player(key, "ann")
	return Config{Player: player, Accounts: accounts, Caller: account.Caller{Account: player.ID, Key: key}}
}

func TestNamesAreClaimedInPlain(t *testing.T) {
	inBubble(t, func(b *harness) {
		cfg := b.ofAnn()
		p, me := b.open(cfg), "You are ann, account "+string(cfg.Player.ID)
		const more = " For more, add me to your ssh command."
		for _, test := range [][2]string{
			{"me", me + ". 1 key." + more},
			{"name !", "That name is not allowed: see help name."},
			{"NAME  Ann   Lee", "The name Ann Lee is yours from your next login on."},
			{"name ann", "A name can be changed once in 30 days."},
			{"name", me + ". You have claimed the name Ann Lee. 1 key." + more},
		} {
			p.asked(test[0], test[1])
		}
		testkit.OK(t, cfg.Accounts.Delete(b.Context(), cfg.Caller, "Ann Lee", "Ann Lee"))
		p.asked("me", me+". You have claimed the name Ann Lee. 1 key. Your account will be deleted on 8 January. "+
			"To keep it: ssh HOST me undo."+more)
		guest := b.come(guy())
		guest.asked("name guy", noAccount)
		guest.asked("me", isGuest)
	})
}

// A player with an account who follows a guest's code is that guest, and no longer decides about the account.
func TestAGuestsCodeLeavesTheAccountAlone(t *testing.T) {
	inBubble(t, func(b *harness) {
		cfg := b.ofAnn()
		g := b.open(Config{Player: guy(), Start: start.Start{At: start.Private}})
		received := g.out.Take()
		back := regexp.MustCompile(`type join (\w{8})\.`).FindStringSubmatch(received)[1]
		b.come(bob()).types("join " + regexp.MustCompile(`types join (\w{6})\.`).FindStringSubmatch(received)[1])
		_ = g.in.Close()
		first := b.open(cfg)
		first.types("join " + back)
		first.asked("me", isGuest)
		first.asked("name guy", noAccount)
		_ = first.in.Close()
		pass(time.Second)
		// The command "join CODE" follows the code before the session begins.
		id := cfg.Player.ID
		cfg.Player, cfg.Start = guy(), start.Start{At: start.Code, Code: match.Code(back)}
		second := b.open(cfg)
		second.asked("me", isGuest)
		second.asked("name guy", noAccount)
		testkit.Equal(t, cfg.Accounts.ClaimedName(id), "")
	})
}
