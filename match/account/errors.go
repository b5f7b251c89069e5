package account

// Error says why nothing was decided, in words for the player.
type Error string

// Error implements error.
func (e Error) Error() string { return string(e) }

// Errors of decisions about an account.
const (
	ErrGuest    Error = "a guest has no account: make a key with ssh-keygen, and log in again"
	ErrReadOnly Error = "accounts cannot be changed here: a newer version of the server has changed them"
	ErrTooOften Error = "this was done too often: try again in a few minutes"

	ErrBadName     Error = "this cannot be a name here: type help name to read what can"
	ErrNameTaken   Error = "another player has claimed this name, or one that looks like it"
	ErrNameTooSoon Error = "a name can be changed once in 30 days"

	ErrNoAccount    Error = "nothing was decided about this account, which is shown under the name of its login"
	ErrNoSuchPlayer Error = "no account has this name or identifier"

	ErrTooManyKeys Error = "an account has at most eight keys: remove one first"
	ErrWrongCode   Error = "this code is wrong, used or older than ten minutes: make a new one with key add"
	ErrOwnAccount  Error = "this key has an account of its own with a name or other keys: delete that one first"
	ErrOwnCode     Error = "this key has the account that made the code: log in with the other key to use it"
	ErrNoSuchKey   Error = "the account has no such key"
	ErrLastKey     Error = "this is the only key of the account: link another one first, or delete the account"

	ErrWrongName   Error = "this is not the name of the account, which me shows"
	ErrDeleting    Error = "the account is to be deleted already: me undo keeps it"
	ErrNotDeleting Error = "the account is not going to be deleted"

	ErrBanLasts  Error = "a ban of an address or a network has an end, within 30 days"
	ErrManyBans  Error = "10000 bans are in force: remove some first"
	ErrNoSuchBan Error = "there is no such ban"
)
