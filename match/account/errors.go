package account

import (
	"errors"
	"fmt"

	"notakto/match"
)

// Errors of decisions about an account. Their texts are for players.
var (
	ErrGuest = errors.New("a guest has no account: make a key with ssh-keygen, and log in again")
	// ErrReadOnly is a [match.ErrNewer].
	ErrReadOnly = fmt.Errorf("accounts cannot be changed here: %w", match.ErrNewer)

	ErrBadName     = errors.New("this cannot be a name here")
	ErrNameTaken   = errors.New("another player has claimed this name, or one that looks like it")
	ErrNameTooSoon = errors.New("a name can be changed once in 30 days")

	ErrTooManyKeys = errors.New("an account has at most eight keys: remove one first")
	ErrWrongCode   = errors.New("no account has made this code, or it is older than ten minutes: make a new one with key add")
	ErrOwnAccount  = errors.New("this key has an account of its own with a name, preferences or other keys: delete that one first")
	ErrOwnCode     = errors.New("this key belongs to the account that has made the code: log in with the other key to use it")
	ErrNoSuchKey   = errors.New("the account has no such key")
	ErrLastKey     = errors.New("this is the only key of the account: link another one first, or delete the account")

	ErrWrongName   = errors.New("this is not the name of the account")
	ErrDeleting    = errors.New("the account is going to be deleted already")
	ErrNotDeleting = errors.New("the account is not going to be deleted")
	ErrTooOften    = errors.New("this was done too often: try again in a few minutes")
)
