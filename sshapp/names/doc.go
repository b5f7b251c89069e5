// Package names makes the names under which players are shown, from the user names of logins and from claimed names.
// The package sshapp uses it at the login, match/account for names that players claim, the manager for tables.
//
// [Clean] and [Guest] keep letters of one alphabet and drop the rest. They refuse a name that could be taken for the
// server's own words (reserved.go). [Looks] and [Disambiguate] know which names can be taken for each other, by the
// skeletons of Unicode's technical standard 39 (confusable.go): a player at a table whose name looks like the other
// player's is shown with a mark. A name decides nothing: a player is identified by a key. No goroutines are started.
package names
