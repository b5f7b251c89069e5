// Package journal keeps matches in NATS JetStream.
//
// # Streams
//
//	MATCHES  the logs of live matches: one message an event, on the subject notakto.match.<id>
//	ARCHIVE  one record a finished match, on one of 1,024 subjects notakto.archive.<first two letters of the id>:
//	         a subject of its own would cost 250 bytes of memory for ever; names.go needs four
//	BOARD    the registry, in memory: the newest entry of every key, on notakto.board.<key>
//
// # The way of an event
//
// Append publishes the event expecting the last sequence of its match's subject, and returns once the server has
// acknowledged it and the follower of MATCHES has brought it back: so it carries the log's own stamp,
// [match.Journal.Subscribe] has been told, and it can be read. All live logs are kept in memory as the follower brings
// them; nothing else is true of a live match.
//
// Archive appends a seal, after which the subject takes no event. The archiver then writes the record and purges the
// subject; after a crash between any two of these it goes on at the next start. Followers of ARCHIVE drop the match
// from memory, and put right what they had not yet heard of it.
//
// # Goroutines
//
//	follower   one a stream; ends with Close
//	committer  one; takes what many wait for to the server in groups
//	archiver   one; archives sealed matches
//	Watch      one, of a node of a cluster: asks the others how they are, tells the log
//	Monitor    one, of an embedded server with files: watches the room on the disk, restarts a server that gave up
//
// # Channels
//
//	channel            capacity  who sends, and what happens when it is full
//	delivery.done      0         nobody; closed by the index
//	committer.queue    1,000     appenders; they wait until there is room or their context ends
//	archiver.wake      1         the index; one token stands for any number of jobs
package journal
