package botproto

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// ErrBadEvent is returned for a line that is no event of the protocol.
var ErrBadEvent = errors.New("not an event of the protocol")

// Encode returns an event as a line with its line break.
func Encode(e Event) ([]byte, error) {
	body, err := json.Marshal(e)
	if err != nil {
		return nil, fmt.Errorf("encode a %s event: %w", e.Name(), err)
	}
	const around = len(`{"event":"",`) + len("\n")
	line := append(make([]byte, 0, len(body)+len(e.Name())+around), `{"event":"`+e.Name()+`"`...)
	if len(body) > len("{}") {
		line = append(line, ',')
	}
	return append(append(line, body[1:]...), '\n'), nil
}

// ParseEvent parses an event, and ignores fields that it does not know. The error is [ErrBadEvent].
func ParseEvent(line []byte) (Event, error) {
	var head struct {
		Event string `json:"event"`
	}
	if err := json.Unmarshal(line, &head); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBadEvent, err)
	}
	for _, e := range events {
		if e.Name() != head.Event {
			continue
		}
		read := reflect.New(reflect.TypeOf(e))
		if err := json.Unmarshal(line, read.Interface()); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrBadEvent, err)
		}
		event, _ := read.Elem().Interface().(Event)
		return event, nil
	}
	return nil, fmt.Errorf("%w: its name is %.40q", ErrBadEvent, head.Event)
}

// ErrBadJSON is returned for a line that is no request, and for a field of the wrong type.
var ErrBadJSON = errors.New("not one JSON object with the fields of the protocol")

var fieldNames = sync.OnceValue(func() (names []string) {
	for _, field := range reflect.VisibleFields(reflect.TypeFor[Request]()) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		names = append(names, name)
	}
	return names
})

// RawRequest is a [Request] as the server reads it. Fields keep their JSON text, because a field is checked only if
// its verb uses it. A missing field reads as the zero value.
type RawRequest struct {
	Do     Verb
	fields map[string]json.RawMessage
}

// ParseRequest parses a request more strictly than encoding/json. Names are case-sensitive, a name must not repeat,
// and the text must be UTF-8. The error is [ErrBadJSON].
func ParseRequest(line []byte) (r RawRequest, err error) {
	if !utf8.Valid(line) || !json.Valid(line) {
		return RawRequest{}, ErrBadJSON
	}
	if r.fields, err = members(line); err != nil {
		return RawRequest{}, err
	}
	do, err := r.Text("do")
	r.Do = Verb(do)
	return r, err
}

// members returns the known fields of an object in valid JSON.
func members(text []byte) (map[string]json.RawMessage, error) {
	all, seen := make(map[string]json.RawMessage, 4), make(map[string]bool, 4)
	in := json.NewDecoder(bytes.NewReader(text))
	if begin, err := in.Token(); err != nil || begin != json.Delim('{') {
		return nil, ErrBadJSON
	}
	for in.More() {
		token, err := in.Token()
		name, isName := token.(string)
		if err != nil || !isName {
			return nil, ErrBadJSON
		}
		var value json.RawMessage
		if err := in.Decode(&value); err != nil {
			return nil, ErrBadJSON
		}
		if seen[name] {
			return nil, fmt.Errorf("%w: %.40q comes twice", ErrBadJSON, name)
		}
		// Dropping unknown fields limits the memory of a waiting line to its length.
		if seen[name] = true; slices.Contains(fieldNames(), name) {
			all[name] = value
		}
	}
	if _, err := in.Token(); err != nil {
		return nil, ErrBadJSON
	}
	if _, err := in.Token(); !errors.Is(err, io.EOF) {
		return nil, ErrBadJSON
	}
	return all, nil
}

// Has reports whether the request has a field, even an empty one.
func (r RawRequest) Has(name string) bool {
	_, given := r.fields[name]
	return given
}

// Text returns a string field. The error is [ErrBadJSON].
func (r RawRequest) Text(name string) (text string, err error) {
	value, given := r.fields[name]
	if !given {
		return "", nil
	}
	if value[0] != '"' || json.Unmarshal(value, &text) != nil {
		return "", fmt.Errorf("%w: %q has to be a string", ErrBadJSON, name)
	}
	return text, nil
}

// Texts returns a field with an array of strings. The error is [ErrBadJSON].
func (r RawRequest) Texts(name string) (texts []string, err error) {
	value, given := r.fields[name]
	if !given {
		return nil, nil
	}
	var all []*string // pointers, since null is no string
	if json.Unmarshal(value, &all) != nil || slices.Contains(all, nil) || value[0] != '[' {
		return nil, fmt.Errorf("%w: %q has to be an array of strings", ErrBadJSON, name)
	}
	for _, text := range all {
		texts = append(texts, *text)
	}
	return texts, nil
}

// Bool returns a field with true or false. The error is [ErrBadJSON].
func (r RawRequest) Bool(name string) (is bool, err error) {
	switch value, given := r.fields[name]; {
	case !given:
		return false, nil
	case json.Unmarshal(value, &is) != nil || value[0] == 'n':
		return false, fmt.Errorf("%w: %q has to be true or false", ErrBadJSON, name)
	}
	return is, nil
}

// Number returns a number field as written, "" without the field. The error is [ErrBadJSON].
func (r RawRequest) Number(name string) (json.Number, error) {
	value, given := r.fields[name]
	if given && value[0] != '-' && (value[0] < '0' || value[0] > '9') {
		return "", fmt.Errorf("%w: %q has to be a number", ErrBadJSON, name)
	}
	return json.Number(value), nil
}
