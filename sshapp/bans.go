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

// bannedError is the cause of a session, or of a refusal, by a ban.
type bannedError struct{ account.Ban }

// Error names the end and the reason of the ban, and the reference by which the operator knows it.
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

// refusedWithin limits how long a banned client may take to ask for a session and to read why there is none.
const refusedWithin = 5 * time.Second

// bans returns the bans on a session's player, key and address, the longest one first; none for administrators.
func (c *channel) bans() []account.Ban {
	if c.who.role != cli.Player {
		return nil
	}
	return c.conn.server.accounts.BansOn(account.Subject{
		Account: c.who.ID, Key: c.who.key, Network: c.conn.addressNet(),
	})
}

// longest returns the first of bans, which [account.Accounts.BansOn] sorts; nil for none.
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

// errNotAllowed tells a client that its key is not among those that may play.
var errNotAllowed = errors.New("this is a private server: to play, send its operator your public key " +
	"(ssh-keygen -t ed25519 makes one), and connect again with it")

// refuseBanned ends the session of a client that may not play, after telling it why, and reports whether it has. A ban
// may be newer than the channel. It is a separate function to keep its variables off the stack of the session.
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
