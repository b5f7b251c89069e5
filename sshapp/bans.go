package sshapp

import (
	"errors"
	"fmt"
	"net/netip"
	"time"

	"notakto/match/account"
	"notakto/match/limit"
	"notakto/sshapp/cli"
	"notakto/sshapp/wording"
)

// bannedError is what a client reads that is banned.
type bannedError struct{ account.Ban }

// Error says who is kept out, until when and why, and by which reference the operator knows the ban.
func (b bannedError) Error() string {
	who, until, why := "you are", "", ""
	if b.Network.IsValid() {
		who = "your address is"
	}
	if !b.Until.IsZero() {
		until = " until " + wording.Time(b.Until)
	}
	if b.Reason != "" {
		why = ": " + b.Reason
	}
	return fmt.Sprintf("%s banned from this server%s%s (reference %s)", who, until, why, b.Reference)
}

// isBan reports whether a session has ended because its player is banned.
func isBan(cause error) bool { return errors.As(cause, new(bannedError)) }

// refusedWithin is how long a client that is banned has to ask for a session and to read why there is none.
const refusedWithin = 5 * time.Second

// bans returns the bans that keep out a session, the one that lasts longest first. There are none for administrators.
func (c *channel) bans() []account.Ban {
	if c.who.role != cli.Player {
		return nil
	}
	return c.conn.server.accounts.BansOn(account.Subject{
		Account: c.who.ID, Key: c.who.key, Network: c.conn.addressNet(),
	})
}

// banBeforeLogin returns the ban of a connection's address; nil for none. Where there are keys of administrators it is
// nil, as an administrator may come from that address: channel.bans finds the ban after the login.
func (c *connection) banBeforeLogin() *account.Ban {
	ban := longest(c.server.accounts.BansOn(account.Subject{Network: c.addressNet()}))
	if ban != nil && c.server.admins.Any() {
		return nil
	}
	return ban
}

// longest returns the first of bans, which lasts longest; nil for none.
func longest(bans []account.Ban) *account.Ban {
	if len(bans) == 0 {
		return nil
	}
	return &bans[0]
}

// addressNet returns the network of a client's address alone; invalid at the control socket.
func (c *connection) addressNet() netip.Prefix {
	ip := limit.IPOf(c.RemoteAddr())
	return netip.PrefixFrom(ip, ip.BitLen())
}

// errNotAllowed is what a client reads that is not among those who may play.
var errNotAllowed = errors.New("this is a private server: to play, send its operator your public key " +
	"(ssh-keygen -t ed25519 makes one), and connect again with it")

// refuseBanned reports whether a client may not play; then it reads why, and its session has ended. A ban may be newer
// than the session's channel. It is a separate function to keep its variables off the stack of the session.
func (s *Server) refuseBanned(c *channel) bool {
	ban := c.who.ban
	if ban == nil {
		ban = longest(c.bans())
	}
	var why error
	switch {
	case ban != nil:
		c.reject(limit.Banned, "player", c.who.ID, "reference", ban.Reference)
		why = bannedError{*ban}
	case c.who.role == cli.Player && !s.admins.MayPlay(c.conn.key):
		c.reject(limit.NotAllowed, "player", c.who.ID)
		why = errNotAllowed
	default:
		return false
	}
	_, _ = fmt.Fprintf(s.newStallWriter(c, c.Stderr()), "notakto: %s\n", why)
	c.exit(cli.ExitFailure)
	return true
}
