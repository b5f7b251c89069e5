// Package journal stores matches in NATS JetStream.
//
// # Streams
//
//	MATCHES  the logs of live matches: one message per event, on the subject notakto.match.<id>
//	ARCHIVE  one record per finished match, on one of 1,024 subjects notakto.archive.<first two letters of the id>:
//	         a subject of its own would cost 250 bytes of memory for ever; the index of finished matches, where
//	         there is one, needs none, and the names (archive.go) need four for each that the index has not read
//	PEOPLE   the log of accounts: one message per event. It is read before the others: see [account.Directory.Upgraded]
//	AUDIT    what administrators have done, for a year: one message per command, on notakto.audit.<command>; in no memory
//	BOARD    the registry, in memory: the newest entry of every key, on notakto.board.<key>
//
// # How an event is recorded
//
// Append publishes the event, expecting the last sequence of its match's subject. It returns once the server has
// acknowledged the event and the follower of MATCHES has delivered it: so it has its stamp from the log, has been
// delivered to [match.Journal.Subscribe], and can be loaded. The followers keep all live logs in memory; they are the
// only truth about a live match.
//
// Archive appends a seal, after which the subject accepts no event. The archiver then writes the record and purges the
// subject; after a crash between any two of these the next start completes it. Followers of ARCHIVE drop the match from
// memory, and first deliver events of it that they lacked.
//
// # Goroutines
//
//	follower   one per stream but AUDIT; ends with Close
//	committer  one; sends events to the server in groups when many wait
//	archiver   one; archives sealed matches
//	Watch      one, on a node of a cluster: asks the other nodes for their state and logs changes
//	Monitor    one, for an embedded server with files: watches the free disk space, restarts a failed server
//
// # Channels
//
//	channel            capacity  who sends, and what happens when it is full
//	delivery.done      0         no sender; closed by the index
//	committer.queue    1,000     appenders; they wait until there is space or their context ends
//	archiver.wake      1         the index; one token stands for any number of jobs
package journal
