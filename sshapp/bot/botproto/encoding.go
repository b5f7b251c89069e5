package botproto

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
)

// ErrBadEvent says that a line is no event of the protocol.
var ErrBadEvent = errors.New("not an event of the protocol")

// Encode returns an event as a line, its end included.
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

// ParseEvent reads a line that [Encode] has written. Fields that it does not know are ignored. The error is
// [ErrBadEvent].
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
