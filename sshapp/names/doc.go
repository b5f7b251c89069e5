// Package names makes the names under which players are shown, from user names of logins and from claimed names. A
// name decides no right, because a key identifies a player.
//
// [Clean] and [Guest] keep the letters of one alphabet, drop other characters, and refuse names that readers could
// take for the server's own words (reserved.go). [Looks] and [Disambiguate] compare names by the skeletons of
// Unicode's technical standard 39 (confusable.go). If the names of two players at a table look alike, [Disambiguate]
// adds a mark.
//
// Package sshapp uses names at the login, and passes Clean and Looks to match/account for claimed names. cmd/notakto
// passes [NewNamer] to the manager for the names at tables. The package starts no goroutine.
package names
