package bot

import (
	"fmt"
	"slices"

	"notakto/match"
	"notakto/match/lobby"
	"notakto/rules"
	"notakto/sshapp/bot/botproto"
	"notakto/sshapp/client"
	"notakto/sshapp/start"
)

// request reads the fields of a RawRequest as values of the game. A missing field means its default.
type request struct{ botproto.RawRequest }

// terms returns the wanted terms. Rated matches are played in the pool of programs.
func (r request) terms() (match.Terms, error) {
	terms := match.DefaultTerms()
	if isRated, err := r.Bool("rated"); isRated || err != nil {
		return match.RatedTerms(match.BotPool), err
	}
	name, err := r.Text("variant")
	if err == nil && r.Has("variant") {
		terms.Variant, err = rules.ParseVariant(name)
	}
	if err == nil {
		terms.Clock, err = r.clock()
	}
	return terms, err
}

// clock returns the requested clock, the zero Clock by default.
func (r request) clock() (match.Clock, error) {
	text, err := r.Text("clock")
	if err != nil || !r.Has("clock") {
		return match.Clock{}, err
	}
	return match.ParseClock(text)
}

// accepts returns the terms that a seek accepts, the preferred ones first. Without a requested clock, a seek with the
// field "rated" gets the default clock of each variant.
func (r request) accepts() ([]match.Terms, error) {
	var accepts []match.Terms
	if isRated, err := r.Bool("rated"); !r.Has("variants") || isRated || err != nil {
		terms, err := r.terms()
		if err != nil {
			return nil, err
		}
		accepts = []match.Terms{terms}
	} else {
		names, err := r.Texts("variants")
		if err != nil {
			return nil, err
		}
		if len(names) == 0 || len(names) > match.MaxAccepted {
			return nil, fmt.Errorf(`%w: "variants" must have 1 to %d names`, rules.ErrBadVariant, match.MaxAccepted)
		}
		terms := match.Terms{}
		if terms.Clock, err = r.clock(); err != nil {
			return nil, err
		}
		for _, name := range names {
			if terms.Variant, err = rules.ParseVariant(name); err != nil {
				return nil, err
			}
			if !slices.Contains(accepts, terms) {
				accepts = append(accepts, terms)
			}
		}
	}
	if r.Has("rated") && !r.Has("clock") {
		for i, terms := range accepts {
			accepts[i].Clock = match.DefaultClock(terms.Variant)
		}
	}
	return accepts, nil
}

// meets returns the opponents that a seek wants to meet.
func (r request) meets() (lobby.Meets, error) {
	text, err := r.Text("meets")
	if err != nil || !r.Has("meets") {
		return "", err
	}
	meets, ok := lobby.ParseMeets(text)
	if !ok {
		err = fmt.Errorf(`%w: "meets" is "people", "programs" or "both"`, botproto.ErrBadJSON)
	}
	return meets, err
}

// challengeTerms returns the terms of a challenge. Without a clock it has days a move.
func (r request) challengeTerms() (match.Terms, error) {
	from := start.Start{Untimed: r.Has("clock")}
	isRated, err := r.Bool("rated")
	if err != nil {
		return match.Terms{}, err
	}
	if r.Has("variant") {
		name, err := r.Text("variant")
		if err == nil {
			from.Variant, err = rules.ParseVariant(name)
		}
		if err != nil {
			return match.Terms{}, err
		}
	}
	if from.Clock, err = r.clock(); err != nil {
		return match.Terms{}, err
	}
	terms, err := client.ChallengeTerms(from, isRated)
	if isRated {
		terms.Pool = match.BotPool
	}
	return terms, err
}

// seat returns the requested side, or [rules.NoSide] for a random one.
func (r request) seat() (rules.Side, error) {
	n, err := r.Number("seat")
	switch {
	case err != nil:
		return rules.NoSide, err
	case n == "" || n == "0":
		return rules.NoSide, nil
	case n == "1":
		return rules.First, nil
	case n == "2":
		return rules.Second, nil
	default:
		return rules.NoSide, fmt.Errorf(`%w: "seat" is 1, 2, or 0 to draw lots`, botproto.ErrBadJSON)
	}
}

// maxID is longer than any match's ID.
const maxID = 64

// match returns the ID of the request's match. Impossible IDs are rejected here to save a lookup.
func (r request) match() (match.ID, error) {
	id, err := r.Text("match")
	if err != nil {
		return "", err
	}
	if id == "" || len(id) > maxID {
		return "", match.ErrNoSuchMatch
	}
	for _, c := range id {
		if (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && c != '-' && c != '_' {
			return "", match.ErrNoSuchMatch
		}
	}
	return match.ID(id), nil
}

// targetMatch returns the match that the request acts on, or "".
func (r request) targetMatch() match.ID {
	switch r.Do {
	case botproto.DoMove, botproto.DoResign, botproto.DoRematch, botproto.DoTakeback, botproto.DoHint, botproto.DoDecline,
		botproto.DoWatch, botproto.DoLeave, botproto.DoState:
		id, _ := r.match()
		return id
	default:
		return ""
	}
}
