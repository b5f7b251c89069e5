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

// terms are what a request asks to play, the default if it names nothing. Rated matches are played in the pool of
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

// clock is the clock that a request asks for: none if it names none.
func (r request) clock() (match.Clock, error) {
	text, err := r.Text("clock")
	if err != nil || !r.Has("clock") {
		return match.Clock{}, err
	}
	return match.ParseClock(text)
}

// accepts are the terms that a request accepts of an opponent, the preferred ones first, all with the same clock. One
// that asks for casual matches and names no clock has the default one, as people have.
func (r request) accepts() ([]match.Terms, error) {
	accepts, err := r.variants()
	if r.Has("rated") && !r.Has("clock") {
		for i, terms := range accepts {
			accepts[i].Clock = match.DefaultClock(terms.Variant)
		}
	}
	return accepts, err
}

// variants are the terms of [request.accepts], as they are named.
func (r request) variants() ([]match.Terms, error) {
	if isRated, err := r.Bool("rated"); !r.Has("variants") || isRated || err != nil {
		terms, err := r.terms()
		return []match.Terms{terms}, err
	}
	names, err := r.Texts("variants")
	if err != nil {
		return nil, err
	}
	if len(names) == 0 || len(names) > match.MaxAccepted {
		return nil, fmt.Errorf(`%w: "variants" has to have 1 to %d names`, rules.ErrBadVariant, match.MaxAccepted)
	}
	clock, err := r.clock()
	if err != nil {
		return nil, err
	}
	var accepts []match.Terms
	for _, name := range names {
		variant, err := rules.ParseVariant(name)
		if err != nil {
			return nil, err
		}
		if terms := (match.Terms{Variant: variant, Clock: clock}); !slices.Contains(accepts, terms) {
			accepts = append(accepts, terms)
		}
	}
	return accepts, nil
}

// seat is the side that is asked for, [rules.Nobody] if it is to be drawn.
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

// maxID is more than any match's ID has.
const maxID = 64

// match is the match that is meant. What cannot be one is not looked up.
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

// about returns the match of a line that is about a match, and else "".
func (r request) about() match.ID {
	if v, _ := verbOf(r.Do); !v.aboutMatch {
		return ""
	}
	id, _ := r.match() // "" if it is no ID
	return id
}
