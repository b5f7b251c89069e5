// Package wording has the sentences that several front ends say: why something was refused, which code a bot reads
// then, what may have been meant, how a match ended, and numbers with their nouns. Each front end says the rest in its
// own way.
package wording
