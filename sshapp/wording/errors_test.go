package wording

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/sshapp/bot/botproto"
)

// Each row of the table is complete, is found by its own error, and fits the smallest window.
func TestErrors(t *testing.T) {
	other := Explain(errors.New("disk on fire"))
	for _, row := range errorTexts {
		said := Explain(fmt.Errorf("placing: %w", row.err))
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

// Internal details belong into the log.
func TestErrorsWithoutARow(t *testing.T) {
	if said := Explain(errors.New("disk on fire")); said.Code != botproto.CodeInternal || said.Known ||
		strings.Contains(fmt.Sprint(said), "disk") {
		t.Errorf("%+v", said)
	}
	full := fmt.Errorf("%w: the disk is full", match.ErrUnavailable)
	sentence := "The server cannot save moves now: the disk is full."
	want := Refusal{botproto.CodeInternal, full.Error(), sentence, sentence, true}
	testkit.Equal(t, Explain(fmt.Errorf("placing: %w", full)), want)
}
