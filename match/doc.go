// Package match holds all concurrency of the domain. A match is a log of events ([Journal]); everything else here reads that log.
package match
