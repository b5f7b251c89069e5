package sshapp

import (
	"regexp"
	"testing"

	"notakto/internal/testkit"
)

// A player who sets NO_COLOR to any text is sent no color (no-color.org). Without it, the screens have colors.
func TestNoColorIsObeyed(t *testing.T) {
	color := regexp.MustCompile(`\x1b\[([0-9;:]*[;:])?(3[0-8]|4[0-8]|9[0-7]|10[0-7])([;:][0-9;:]*)?m`)
	h := startServer(t)
	for value, isColored := range map[string]bool{"": true, "1": false, "yes": false, "0": false} {
		p := begin(t, h.dial("ann", newKey(t, 1)), "xterm-256color", 80, 24, "play --computer novice",
			[2]string{"NO_COLOR", value})
		p.sees("Your turn")
		testkit.Equal(t, color.MatchString(p.sent()), isColored, "NO_COLOR="+value)
	}
}

func TestAQuoteWithoutItsEndIsNamed(t *testing.T) {
	out, stderr, status := startServer(t).run(`join "K7QX`)
	testkit.Equal(t, status, 2, out)
	testkit.Contains(t, stderr, "notakto: the quotes in the command do not match")
}
