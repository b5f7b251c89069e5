// Package journal keeps matches on NATS JetStream: in a server of its own inside the process, in a cluster of such
// servers, or on a NATS from outside. It is the one place that knows NATS.
//
// # Streams
//
//	MATCHES  the logs of live matches: one message an event, on the subject notakto.match.<id>
//	ARCHIVE  one record a finished match, on one of 1,024 subjects notakto.archive.<first two letters of the id>: a subject of its own
//	         would cost some 250 bytes of memory for ever; names.go has four bytes of each in memory, which tell its sequence
//	BOARD    the registry, in memory: the newest entry of every key, on notakto.board.<key>
//
// # The way of an event
//
// Append publishes the event expecting the last sequence of its match's subject, and returns once the server has
// acknowledged it and the follower of MATCHES has brought it back: so it carries the log's own stamp,
// [match.Journal.Subscribe] has been told, and it can be read. All live logs are kept in memory as the follower brings
// them; nothing else is true of a live match.
//
// Retire appends a seal, after which the subject takes no event. The archiver then writes the record and purges the
// subject; after a crash between any two of these it goes on at the next start. Followers of ARCHIVE drop the match
// from memory, and put right what they had not yet heard of it.
//
// # Files
//
// An embedded server's files are in the directory journal of the data directory: jetstream is the server's own, lock
// keeps a second process out, node is the name of this one in a cluster, members the servers of the cluster that it has
// met, tally holds a checkpoint of what the files must hold, format which version of the program may read them. They
// are copied and put back together, while nobody uses them. At the start everything is read and compared; what is
// damaged is refused or said, never passed over.
//
// # Clusters
//
// Every node answers on notakto.node.info with its name, time, host key and the members that it knows (node.go). By
// that a node without data finds out whether it may join (join.go), and all watch each other (watch.go). The commands
// for operators join as a server that keeps nothing (guestserver.go, manage.go, leave.go).
//
// # Goroutines
//
//	follower   one a stream; ends with Close
//	committer  one; takes what many wait for to the server in groups
//	archiver   one; archives sealed matches
//	watch      one, of a node of a cluster: asks the others how they are, tells the log
//	diskMonitor one, of an embedded server with files: watches the room on the disk, restarts a server that gave up
//
// # Channels
//
//	channel            capacity  who sends, and what happens when it is full
//	delivery.done      0         nobody; closed by the index
//	committer.queue    1,000     appenders; they wait until there is room or their context ends
//	archiver.wake      1         who has something to put away; one token stands for any number
package journal
