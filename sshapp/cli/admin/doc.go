// Package admin has the commands below `admin`, by which administrators look after the server over SSH or by the
// control socket, and the [Keys] that say who is an administrator.
//
// [New] makes the tree for an [Env]: who gives the command, and the parts of the server that the commands use. The
// sshapp package implements [Server] and keeps an [Audit]; cmd/notakto implements [Process] and [Data], and uses
// [ExportFlags] for a command of its own.
//
// Env.guard alone decides who may give a command, and has each command recorded with its actor and outcome. A new
// command gets both by being in the tree. The package starts no goroutine.
package admin
