// Package natsd runs the NATS server that stores the matches inside this process, alone or in a cluster of such
// servers, or connects to an external one, and creates the streams.
//
// # Files
//
// The directory journal of the data directory has the files of an embedded server: jetstream is the server's own, lock
// excludes a second process, node has this node's name in a cluster, members lists the servers of the cluster that it
// has met, tally is a checkpoint of what the files must hold, format is the version of the program that can read them.
// Copy and restore them together, while no process uses them. A start reads and compares everything; damage is either
// refused or logged.
//
// # Clusters
//
// Every node answers on notakto.node.info with its name, time, host key and the members that it knows (peers.go). By
// these answers a node without data decides whether it may join (join.go), and all nodes watch each other (peers.go).
// The commands for operators join as a server that stores nothing (join.go, manage.go).
package natsd
