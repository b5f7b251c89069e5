// Package names makes the names under which players are shown, from the user names of logins and from claimed names. A
// name decides nothing: a key identifies a player. Package sshapp uses names at the login, match/account for claimed
// names, and the manager at tables.
//
// [Clean] and [Guest] keep letters of one alphabet and drop all other characters. They refuse names that readers could
// take for the server's own words (reserved.go). [Looks] and [Disambiguate] compare names by the skeletons of Unicode's
// technical standard 39 (confusable.go). If the names of two players at a table look alike, [Disambiguate] adds a mark.
// The package starts no goroutine.
package names
