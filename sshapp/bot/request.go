package bot

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"

	"notakto/match"
	"notakto/rules"
)

// request is a line that is one JSON object: what to do, and the fields that some line has, as they were written. A
// field that is not there counts as empty.
type request struct {
	do     string
	fields map[string]json.RawMessage
}

// parse reads a line. It is stricter than encoding/json: names are told apart by case, none may come twice, and the
// text has to be UTF-8. The error is errBadJSON.
func parse(text []byte) (w request, err error) {
	if !utf8.Valid(text) || !json.Valid(text) {
		return request{}, errBadJSON
	}
	if w.fields, err = members(text); err != nil {
		return request{}, err
	}
	w.do, err = w.text("do")
	return w, err
}

// members are the members of an object that is known to be valid JSON.
func members(text []byte) (map[string]json.RawMessage, error) {
	all, seen := make(map[string]json.RawMessage, 4), make(map[string]bool, 4)
	in := json.NewDecoder(bytes.NewReader(text))
	if begin, err := in.Token(); err != nil || begin != json.Delim('{') {
		return nil, errBadJSON
	}
	for in.More() {
		token, err := in.Token()
		name, isName := token.(string)
		if err != nil || !isName {
			return nil, errBadJSON
		}
		var value json.RawMessage
		if err := in.Decode(&value); err != nil {
			return nil, errBadJSON
		}
		if seen[name] {
			return nil, fmt.Errorf("%w: %.40q comes twice", errBadJSON, name)
		}
		if seen[name] = true; slices.Contains(fieldNames(), name) { // a line that waits costs no more memory than it is long
			all[name] = value
		}
	}
	if _, err := in.Token(); err != nil {
		return nil, errBadJSON
	}
	if _, err := in.Token(); !errors.Is(err, io.EOF) {
		return nil, errBadJSON
	}
	return all, nil
}

func fieldNames() []string {
	return []string{"do", "match", "move", "variant", "level", "seat", "code", "n"}
}

// text is a field that has to be a string.
func (w request) text(name string) (text string, err error) {
	value, given := w.fields[name]
	if !given {
		return "", nil
	}
	if value[0] != '"' || json.Unmarshal(value, &text) != nil {
		return "", fmt.Errorf("%w: %q has to be a string", errBadJSON, name)
	}
	return text, nil
}

// number is a field that has to be a number, as it was written.
func (w request) number(name string) (json.Number, error) {
	value, given := w.fields[name]
	if given && value[0] != '-' && (value[0] < '0' || value[0] > '9') {
		return "", fmt.Errorf("%w: %q has to be a number", errBadJSON, name)
	}
	return json.Number(value), nil
}

// variant is the variant that is wished for, the usual one if none is named.
func (w request) variant() (rules.Variant, error) {
	name, err := w.text("variant")
	if _, given := w.fields["variant"]; err != nil || !given {
		return rules.DefaultVariant(), err
	}
	return rules.ParseVariant(name)
}

// seat is the side that is wished for, nobody's if that is left to the lot.
func (w request) seat() (rules.Side, error) {
	n, err := w.number("seat")
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
		return rules.Nobody, fmt.Errorf(`%w: "seat" is 1, 2, or 0 to draw lots`, errBadJSON)
	}
}

// maxID is more than any match's ID has.
const maxID = 64

// match is the match that is meant. What cannot be one is not looked up.
func (w request) match() (match.ID, error) {
	id, err := w.text("match")
	if err != nil {
		return "", err
	}
	if id == "" || len(id) > maxID {
		return "", match.ErrNoSuchMatch
	}
	for _, r := range id {
		if (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && r != '-' && r != '_' {
			return "", match.ErrNoSuchMatch
		}
	}
	return match.ID(id), nil
}

// about returns the match of a line that is about a match, and else "".
func (w request) about() match.ID {
	switch w.do {
	case "move", "resign", "rematch", "leave", "state", "watch":
		id, _ := w.match() // "" if it is no ID
		return id
	default:
		return ""
	}
}
