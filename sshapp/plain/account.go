package plain

import (
	"errors"
	"strings"

	"notakto/match/account"
	"notakto/sshapp/wording"
)

// meCommand says who the player is.
func (s *session) meCommand(_ []string) {
	if s.cfg.Caller.Key == "" {
		s.printLine("You are "+s.player.Name+", a guest.", "With a key you have an account: ssh-keygen makes one.")
		return
	}
	info := s.cfg.Accounts.InfoOf(s.cfg.Caller)
	shown := []string{"You are " + s.player.Name + ", account " + string(s.cfg.Caller.Account) + "."}
	if info.Name != "" {
		shown = append(shown, "You have claimed the name "+info.Name+".")
	}
	shown = append(shown, wording.Count(len(info.Keys), "key", "keys")+".")
	s.printLine(append(shown, s.deletionText(), "ssh "+s.cfg.Host+" me says more.")...)
}

// deletionText says that the account will be deleted; empty if it will not be.
func (s *session) deletionText() string {
	if s.cfg.Caller.Key == "" {
		return ""
	}
	if text := wording.Deletion(s.cfg.Accounts.InfoOf(s.cfg.Caller).DeletedAt, s.cfg.Host); text != "" {
		return text + "."
	}
	return ""
}

// nameCommand claims a name, as it was typed.
func (s *session) nameCommand(words []string) {
	if len(words) == 0 {
		s.meCommand(words)
		return
	}
	name := strings.Join(strings.Fields(s.typing.line)[1:], " ")
	err := error(account.ErrGuest)
	if s.cfg.Caller.Key != "" {
		ctx, cancel := s.callContext()
		defer cancel()
		err = s.cfg.Accounts.Claim(ctx, s.cfg.Caller, name)
	}
	var refusal account.Error
	switch {
	case err == nil:
		s.printLine("You are " + name + " from your next login on.")
	case errors.As(err, &refusal):
		s.printLine(wording.Capital(refusal.Error()) + ".")
	default:
		s.printLine(wording.ForError(err).Full)
	}
}
