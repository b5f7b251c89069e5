package natsd

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"
)

// Each start of a node warned the operator of what is normal at every start.
func TestOrdinaryWarningsAreForDebugging(t *testing.T) {
	var log said
	v := natsLogger{log: slog.New(slog.NewTextHandler(&log, nil))}
	v.Warnf("%s", "Waiting for routing to be established...")
	v.Warnf("Metalayer blocking snapshot took %.3fs", 0.005)
	v.Warnf("Filestore [%s] Stream state outdated, last block has additional entries, will rebuild", "BOARD")
	v.Warnf("Consumer assignment for '%s > %s > %s' not cleaned up, retrying", "$G", "BOARD", "K5B7")
	v.Warnf("the disk is %s", "slow")
	if text := log.String(); strings.Count(text, "WARN") != 1 || !strings.Contains(text, "slow") {
		t.Error(text)
	}
}

// While a server of the cluster is away, NATS repeats the same few texts several times a second.
func TestARepeatedTextIsLoggedOnceAMinute(t *testing.T) {
	l, begun := new(lineLimit), time.Now()
	lines, left := 0, 0
	for second := range 601 {
		for i := range 4 {
			if more, ok := l.allow(fmt.Sprintf("route %d is gone", second*i), begun.Add(time.Duration(second)*time.Second)); ok {
				lines, left = lines+1, left+more
			}
		}
	}
	if lines != 11 || lines+left != 601*4-3 {
		t.Errorf("%d lines, which tell of %d others", lines, left)
	}
	if _, ok := l.allow("something else", begun); !ok {
		t.Error("another text is left out")
	}
}
