//go:build attack

package main

import (
	"slices"
	"strings"
	"unicode/utf8"

	"notakto/internal/attack/players"
	"notakto/internal/botclient"
	"notakto/match"
	"notakto/sshapp/bot/botproto"
)

func nameAttacks() []attack {
	return []attack{
		{name: "names", memory: 10, run: (*enemy).names,
			holds: "at most 16 clean characters reach the other player or the log"},
		{name: "terminals", memory: 10, run: (*enemy).terminals,
			holds: "every terminal's name is met with a screen that is safe"},
	}
}

// tooLong is the length of a name for which the server may disconnect rather than truncate it.
const tooLong = 32 << 10

// marks returns what no screen may show of a name: a title, the clipboard, an answer, another direction.
func marks() []string {
	return []string{"\x1b]0;owned", "\x1b]52;c;", "\x1b[6n", "\u202e", "\u200b", "\x00", "\u009b", "owned\nlevel"}
}

func hostileNames() []string {
	return append([]string{
		"", "a", strings.Repeat("a", 200<<10), strings.Repeat("\U0001f600", 50), strings.Repeat("e\u0301", 500),
		"%s%d%n%x", "\xff\xfe\xc3", "\r\n\r\n",
		"alice", "al\u0131ce", "(you)", "your turn", "A1", "../../etc/passwd", "\ufeff\ufeff", "\u3164",
		strings.Repeat("\u0300", 1000),
		"a\x1b[2Jb", "x\"y\\z", "level=error msg=panic", "{\"event\":\"end\"}", strings.Repeat("\ufdfa", 40), "$(id)",
		"guest-0000", "\u2500\u2502\u253c",
	}, marks()...)
}

// deceptiveNames are printable, and read like the server's own words: other players must not see them.
func deceptiveNames() []string {
	return []string{
		"press q", "server admin", "join K7QX", "1-0", "game over", "bob forfeits", "staff",
		"ann - bob", "match over", "K7QX", "evil.com", "admin1", "модератор", "твой ход",
	}
}

// names logs in under each name, joins a table with a bot and with a person on the full screen, and checks what these
// are shown.
func (e *enemy) names() error {
	all := append(hostileNames(), deceptiveNames()...)
	widths := make([]int, len(all))
	e.many(len(all), 4, func(i int) {
		shown, err := e.meet(i, all[i])
		switch {
		case err != nil && len(all[i]) > tooLong: // disconnected at once
		case err != nil:
			e.fault("%.40q: %v", all[i], err)
		case !utf8.ValidString(shown) || shown == "" || strings.ContainsFunc(shown, forbidden):
			e.fault("%.40q is shown as %q", all[i], shown)
		case slices.Contains(deceptiveNames(), shown), utf8.RuneCountInString(shown) > 16:
			e.fault("%.40q is shown as %q", all[i], shown)
		}
		widths[i] = utf8.RuneCountInString(shown)
	})
	e.figure("%d names, at most %d characters shown", len(all), slices.Max(widths))
	return nil
}

// meet opens a table as a client of that name; a bot joins it and receives the name, and the second time a person.
func (e *enemy) meet(n int, name string) (shown string, err error) {
	host, err := players.NewBot(e, source(n), e.address, name, key(3000+n))
	if err != nil {
		return "", err
	}
	defer host.Close()
	code, err := table(host)
	if err != nil {
		return "", err
	}
	guest, err := players.NewBot(e, source(n), e.address, "guest", key(1000+n))
	if err != nil {
		return "", err
	}
	defer guest.Close()
	if err := guest.Send(botproto.Request{Do: botproto.DoJoin, Code: code}); err != nil {
		return "", err
	}
	received, err := botclient.Expect[botproto.Match](guest)
	if err != nil || !received.Seat.Valid() {
		return "", err
	}
	if code, err = table(host); err != nil {
		return "", err
	}
	return received.Players[2-received.Seat].Name, e.openScreen(2000+n, "xterm-256color", "join "+string(code))
}

// tableGame is the variant that attackers play.
const tableGame = "notakto/3"

func table(host *botclient.Client) (match.Code, error) {
	if err := host.Send(botproto.Request{Do: botproto.DoCreate, Variant: tableGame}); err != nil {
		return "", err
	}
	received, err := botclient.Expect[botproto.Table](host)
	return received.Code, err
}

// host returns an honest player who waits at a private table.
func (e *enemy) host() (*botclient.Client, error) {
	host, err := players.NewBot(e, source(99), e.address, "host", key(99))
	if err != nil {
		return nil, err
	}
	if _, err := table(host); err != nil {
		host.Close()
		return nil, err
	}
	return host, nil
}
