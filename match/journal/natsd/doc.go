// Package natsd runs the NATS server that keeps the matches inside this process, alone or in a cluster of such servers,
// or connects to servers outside, and makes the streams.
//
// # Files
//
// An embedded server's files are in the directory journal of the data directory: jetstream is the server's own, lock
// keeps a second process out, node is the name of this one in a cluster, members the servers of the cluster that it has
// met, tally holds a checkpoint of what the files must hold, format which version of the program may read them. They
// are copied and put back together, while no process uses them. At the start everything is read and compared; what is
// damaged is refused or said, never passed over.
//
// # Clusters
//
// Every node answers on notakto.node.info with its name, time, host key and the members that it knows (nodeinfo.go). By
// that a node without data finds out whether it may join (join.go), and all watch each other (watch.go). The commands
// for operators join as a server that keeps nothing (guestserver.go, manage.go, leave.go).
package natsd
