// Package admin is what administrators do: the commands below `admin`, over SSH and by the control socket, and the keys
// of those who may give them.
//
// [New] makes the tree of commands. One place decides who may do what, counts and logs it: the function guard. What the
// commands do is done by the [Server].
package admin
