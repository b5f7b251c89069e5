package metrics

import (
	"crypto/ed25519"
	"crypto/rand"
	"log/slog"
	"strings"
	"testing"

	dto "github.com/prometheus/client_model/go"
	"golang.org/x/crypto/ssh"

	"notakto/internal/testkit"
)

func noLog() *slog.Logger { return slog.New(slog.DiscardHandler) }

func hostKey(t testing.TB) ssh.Signer {
	t.Helper()
	_, key, err := ed25519.GenerateKey(rand.Reader)
	testkit.OK(t, err)
	signer, err := ssh.NewSignerFromKey(key)
	testkit.OK(t, err)
	return signer
}

func labelsOf(m *dto.Metric) string {
	var b strings.Builder
	for _, l := range m.GetLabel() {
		b.WriteString(l.GetName() + "=" + l.GetValue() + " ")
	}
	return b.String()
}
