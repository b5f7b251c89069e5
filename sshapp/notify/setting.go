package notify

import (
	"context"
	"crypto/rand"
	"net/url"
	"strings"

	"notakto/match/account"
)

// Errors of [Choose].
const (
	ErrNotSetUp account.Error = "the operator of this server has not set up notices"
	ErrNoChoice account.Error = "notify takes on or off"
)

// Setting says whether an account gets notices.
type Setting struct {
	On  bool   `json:"on"`
	URL string `json:"url,omitempty"` // to subscribe to, only while On
}

// Choose turns the notices of an account on or off, as word says, and returns the setting. An empty word leaves the
// setting as it is. Turning notices on draws a new topic, and turning them off forgets the topic. endpoint is the URL
// of the [Config], or "". Errors are [ErrNotSetUp], [ErrNoChoice], [account.ErrGuest] and those of
// [account.Accounts.Prefer].
func Choose(
	ctx context.Context, accounts *account.Accounts, c account.Caller, endpoint, word string,
) (s Setting, err error) {
	topic := accounts.Preference(c.Account, account.Notify)
	switch {
	case endpoint == "":
		return Setting{}, ErrNotSetUp
	case c.Key == "":
		return Setting{}, account.ErrGuest
	case word == "on" && topic == "":
		topic = "notakto-" + strings.ToLower(rand.Text())
		err = accounts.Prefer(ctx, c, account.Notify, topic)
	case word == "off":
		topic = ""
		err = accounts.Prefer(ctx, c, account.Notify, topic)
	case word != "" && word != "on":
		err = ErrNoChoice
	}
	if err != nil || topic == "" {
		return Setting{}, err
	}
	u, err := url.Parse(endpoint)
	if err != nil {
		return Setting{}, ErrNotSetUp // err would have the password of the URL
	}
	u.User = nil
	return Setting{On: true, URL: strings.TrimSuffix(u.String(), "/") + "/" + topic}, nil
}

// Text returns the setting in sentences. turnOn is the command that turns notices on.
func (s Setting) Text(turnOn string) []string {
	if !s.On {
		return []string{"Notices are off. To turn them on: " + turnOn}
	}
	return []string{
		"Notices are on: when it is your move in a match with days a move, when a quarter of its time is left, and " +
			"when a player challenges you. None comes while you are here: " +
			"the first comes five minutes or more after your last key press.",
		"To get them, subscribe to this address, for example in the app ntfy. " +
			"Anyone who knows it can read your notices.",
		s.URL,
	}
}
