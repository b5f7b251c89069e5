package notify

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"notakto/internal/testkit"
	"notakto/match/account"
)

func TestAPlayerTurnsNoticesOnAndOff(t *testing.T) {
	accounts := testkit.Accounts(t)
	_, ann := testkit.Claim(t, accounts, "ann")
	choose := func(word string) Setting {
		s, err := Choose(t.Context(), accounts, ann, "https://op:hidden@ntfy.example/base/", word)
		if err != nil || s.On != (accounts.Preference(ann.Account, account.Notify) != "") {
			t.Errorf("%q: %+v, %v", word, s, err)
		}
		return s
	}
	if s := choose(""); s.On || s.URL != "" {
		t.Errorf("at first: %+v", s)
	}
	on := choose("on")
	if !regexp.MustCompile(`^https://ntfy\.example/base/notakto-[a-z2-7]{26}$`).MatchString(on.URL) {
		t.Errorf("the address is %s", on.URL)
	}
	if again, asked := choose("on"), choose(""); again != on || asked != on {
		t.Errorf("another address: %+v, %+v", again, asked)
	}
	off := choose("off")
	if off != (Setting{}) || strings.Join(off.Text("x"), "") != "Notices are off. To turn them on: x" {
		t.Errorf("off: %+v", off)
	}
	if s := choose("on"); s.URL == on.URL {
		t.Error("the old address is used again")
	}
	for _, test := range []struct {
		caller         account.Caller
		endpoint, word string
		want           error
	}{
		{ann, "", "on", ErrNotSetUp}, {ann, "https://ntfy.example", "maybe", ErrNoChoice},
		{account.Caller{Account: "guest:g"}, "https://ntfy.example", "on", account.ErrGuest},
	} {
		s, err := Choose(t.Context(), accounts, test.caller, test.endpoint, test.word)
		if !errors.Is(err, test.want) || s.On {
			t.Errorf("%+v: %+v, %v", test, s, err)
		}
	}
}
