package sshapp

import (
	"errors"

	"golang.org/x/time/rate"

	"notakto/sshapp/limit"
)

// How often a client may have the keys exchanged: OpenSSH asks for it once an hour or once a gigabyte at most, unless
// told otherwise. Each exchange costs the server a signature.
const (
	rekeyRate  rate.Limit = 1. / 60
	rekeyBurst int        = 8
)

var errRekeys = errors.New("too many exchanges of keys")

// rekeyLimit refuses an exchange of keys when the client has them exchanged too often.
func rekeyLimit(c *connection) func() error {
	return func() error {
		c.budgets.preauth.Begin()
		if !c.budgets.rekeys.Allow() {
			c.closeFor(limit.TooManyRekeys)
			return errRekeys
		}
		return nil
	}
}
