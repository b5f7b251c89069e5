package bot

import (
	"fmt"
	"slices"

	"notakto/match"
	"notakto/rules"
	"notakto/sshapp/bot/botproto"
)

// request adds to a request what its fields mean here.
type request struct{ botproto.RawRequest }

// terms returns what a request asks to play, the default if it names nothing. Rated matches are played in the pool of
// programs.
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

// clock returns no clock if the request names none.
func (r request) clock() (match.Clock, error) {
	text, err := r.Text("clock")
	if err != nil || !r.Has("clock") {
		return match.Clock{}, err
	}
	return match.ParseClock(text)
}

// accepts returns the terms that a seek accepts of an opponent, the preferred ones first, all with one clock. A seek
// with "rated" and without a clock has the default one, as people have.
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
			return nil, fmt.Errorf(`%w: "variants" has to have 1 to %d names`, rules.ErrBadVariant, match.MaxAccepted)
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

// seat returns the side that is asked for, [rules.Nobody] to draw lots.
func (r request) seat() (rules.Side, error) {
	n, err := r.Number("seat")
	switch {
	case err != nil:
		return rules.Nobody, err
	case n == "" || n == "0":
		return rules.Nobody, nil
	case n == "1":
		return rules.First, nil
	case n == "2":
		return rules.Second, nil
	default:
		return rules.Nobody, fmt.Errorf(`%w: "seat" is 1, 2, or 0 to draw lots`, botproto.ErrBadJSON)
	}
}

// maxID is more than the length of any match's ID.
const maxID = 64

// match returns the match that a request names. What cannot be an ID is not looked up.
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

// about returns the match of a request about a match; "" for other requests, and if it names no match.
func (r request) about() match.ID {
	switch r.Do {
	case botproto.DoMove, botproto.DoResign, botproto.DoRematch, botproto.DoWatch, botproto.DoLeave, botproto.DoState:
		id, _ := r.match()
		return id
	default:
		return ""
	}
}
