package wording

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"notakto/match"
	"notakto/sshapp/bot/botproto"
)

// Every row of the table is complete, reached by its own error, and short enough for the smallest window.
func TestErrors(t *testing.T) {
	other := ForError(errors.New("disk on fire"))
	for _, row := range errorTexts {
		said := ForError(fmt.Errorf("placing: %w", row.err))
		if said.Code != row.code || said.Short != row.short {
			t.Errorf("%v has the words of another row: %+v", row.err, said)
		}
		if len(said.Short) > 38 || !strings.HasSuffix(said.Short, ".") || !strings.HasSuffix(said.Full, ".") ||
			said.Short == other.Short || !said.Known {
			t.Errorf("%v: %+v", row.err, said)
		}
		if said.Code == "" || (said.Code == botproto.CodeInternal) == strings.HasPrefix(said.Message, "placing: ") {
			t.Errorf("%v: %+v", row.err, said)
		}
	}
}

// What went wrong inside is for the log.
func TestErrorsWithoutARow(t *testing.T) {
	if said := ForError(errors.New("disk on fire")); said.Code != botproto.CodeInternal || said.Known ||
		strings.Contains(fmt.Sprint(said), "disk") {
		t.Errorf("%+v", said)
	}
	full := fmt.Errorf("%w: the disk is full", match.ErrUnavailable)
	sentence := "Nothing can be recorded just now: the disk is full."
	want := Refusal{botproto.CodeInternal, full.Error(), sentence, sentence, true}
	if said := ForError(fmt.Errorf("placing: %w", full)); said != want {
		t.Errorf("%+v", said)
	}
}
