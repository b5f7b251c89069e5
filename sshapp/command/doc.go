// Package command is the one command tree: what people, scripts and bots type at the local program and after `ssh
// HOST`.
//
// A [Env] says what can be done where the command line comes from: where its words and answers go, whether a terminal
// is there, and whether a server. [New] builds the tree for it, [Run] runs it and says the exit status. A command that
// needs a server is in every tree, so that its help is; where there is no server it says that it needs one.
package command
