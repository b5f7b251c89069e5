package admin

import (
	"fmt"
	"io"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"notakto/sshapp/command"
	"notakto/sshapp/wording"
)

// Kicker ends sessions.
type Kicker interface {
	// Kick ends a session, or all of an account, on every server of a cluster: to is a session's name, an account, or @
	// and a name. Their players read the reason, and keep their seats as after a lost connection. The session of the
	// caller goes on. The error says that there is none.
	Kick(to, reason string) (Reached, error)
}

// Reached is what a command to all servers of a cluster has reached. Its JSON is a promise (docs/commands.md).
type Reached struct {
	Sessions int  `json:"sessions"` // of this server
	Others   bool `json:"others"`   // the other servers of the cluster were told
}

func (r Reached) inWords(done string) func(io.Writer) error {
	return func(w io.Writer) error {
		others := ""
		if r.Others {
			others = " here; the other servers were told"
		}
		_, err := fmt.Fprintf(w, "%s%s%s.\n", wording.Count(r.Sessions, "session", "sessions"), done, others)
		return err
	}
}

// maxText is how many characters a text has at most that players read: more is not shown in a small window.
const maxText = 200

// textFor returns a text as players may be shown it: one line of printable characters, the others removed.
func textFor(text string) (string, error) {
	text = strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) || unicode.IsSpace(r) {
			return r
		}
		return -1
	}, text)), " ")
	if n := utf8.RuneCountInString(text); n > maxText {
		return "", usage{fmt.Errorf("the text has %d characters, and may have %d", n, maxText)}
	}
	return text, nil
}

func newKick(e Env) *cobra.Command {
	reason := ""
	cmd := (row{
		use: "kick SESSION|ACCOUNT|@NAME", short: "End a session, or all of an account",
		args:    command.Arguments(1, math.MaxInt, "a session, an account, or @ and a name"),
		example: "ssh HOST admin kick 17.1 --reason flooding", isForModerators: true,
	}).answering(func(cmd *cobra.Command, args []string) (answer, error) {
		args = ownWords(cmd, args, 1, reasonFlag)
		to := strings.Join(args, " ")
		text, err := textFor(reason)
		isName := strings.HasPrefix(to, "@") // which may have several words
		if err == nil && (strings.Trim(to, "@ ") == "" || len(args) > 1 && !isName) {
			err = usage{fmt.Errorf("%s takes a session, an account, or @ and a name", cmd.CommandPath())}
		}
		if err != nil {
			return answer{}, err
		}
		reached, err := e.Server.Kick(to, text)
		return answer{reached, reached.inWords(" ended")}, err
	})
	cmd.Flags().StringVar(&reason, reasonFlag, reason, "what the players read, as `text`")
	return cmd
}
