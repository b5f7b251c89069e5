package account_test

import (
	"testing"

	"notakto/match/account"
	"notakto/match/journaltest"
)

func TestMemoryIsALog(t *testing.T) {
	journaltest.Accounts(t, func(*testing.T) account.Log { return new(account.Memory) })
}
