package natsd

import (
	"log/slog"
	"strings"
	"testing"
)

// Each start of a node warned the operator of what is normal at every start.
func TestOrdinaryWarningsAreForDebugging(t *testing.T) {
	var log said
	v := natsLogger{log: slog.New(slog.NewTextHandler(&log, nil))}
	v.Warnf("%s", "Waiting for routing to be established...")
	v.Warnf("Metalayer blocking snapshot took %.3fs", 0.005)
	v.Warnf("Filestore [%s] Stream state outdated, last block has additional entries, will rebuild", "BOARD")
	v.Warnf("the disk is %s", "slow")
	if text := log.String(); strings.Count(text, "WARN") != 1 || !strings.Contains(text, "slow") {
		t.Error(text)
	}
}
