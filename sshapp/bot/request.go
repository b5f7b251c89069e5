package bot

import (
	"fmt"
	"slices"

	"notakto/match"
	"notakto/rules"
	"notakto/sshapp/bot/botproto"
)

// request adds the game's meaning to the fields of a raw request.
type request struct{ botproto.RawRequest }

// terms returns the terms that a request asks to play, or the default terms. Rated matches are played in the pool
// of programs.
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

// clock returns the clock of a request, or no clock if the request names none.
func (r request) clock() (match.Clock, error) {
	text, err := r.Text("clock")
	if err != nil || !r.Has("clock") {
		return match.Clock{}, err
	}
	return match.ParseClock(text)
}

// accepts returns the terms that a seek accepts, the preferred ones first, all with the same clock. A seek with
// the field "rated" and without a clock gets the default clock, as people do.
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

// seat returns the side that a request asks for, or [rules.Nobody] to draw lots.
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

// maxID is a length that no match's ID reaches.
const maxID = 64

// match returns the ID of the match that a request names. It rejects a text that cannot be an ID without a lookup.
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

// about returns the match that a request acts on, or "" if its verb needs no match or it names none.
func (r request) about() match.ID {
	switch r.Do {
	case botproto.DoMove, botproto.DoResign, botproto.DoRematch, botproto.DoWatch, botproto.DoLeave, botproto.DoState:
		id, _ := r.match()
		return id
	default:
		return ""
	}
}
