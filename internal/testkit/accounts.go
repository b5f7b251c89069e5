package testkit

import (
	"strings"
	"testing"
	"time"

	"notakto/match"
	"notakto/match/account"
)

// Accounts returns accounts in memory. The end of the test closes them.
func Accounts(t testing.TB) *account.Accounts {
	t.Helper()
	accounts, stop := OpenAccounts(t, new(account.Memory))
	t.Cleanup(stop)
	return accounts
}

// OpenAccounts opens the accounts of a log. Names lose spaces and exclamation marks at both ends, and those that differ
// only by case look alike. The caller calls stop.
func OpenAccounts(t testing.TB, log account.Log) (accounts *account.Accounts, stop func()) {
	t.Helper()
	directory, stop, err := account.Open(t.Context(), log, nil, time.Now)
	OK(t, err)
	return account.New(account.Config{
		Directory: directory, Log: log, Clean: func(name string) string { return strings.Trim(name, " !") },
		Looks: func(name string) []string { return []string{strings.ToLower(name)} },
	}), stop
}

// Claim returns the player with the key SHA256:name, who has claimed the name.
func Claim(t testing.TB, accounts *account.Accounts, name string) (match.Player, account.Caller) {
	t.Helper()
	key := accounts.Key("SHA256:" + name)
	caller := account.Caller{Account: accounts.Account(key), Key: key}
	if accounts.ClaimedName(caller.Account) == "" {
		OK(t, accounts.Claim(t.Context(), caller, name))
	}
	return accounts.Player(key, name), caller
}
