// Package names makes the names under which players are shown: from the user name of a login, cleaned, never one that
// impersonatesServer for the server, and never one that can be taken for that of the other player at a table.
package names
