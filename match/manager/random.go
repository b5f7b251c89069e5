package manager

import (
	crand "crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
	"strings"
	"sync"

	"notakto/match"
	"notakto/rules"
)

const (
	idLetters = "abcdefghijklmnopqrstuvwxyz234567"
	idLength  = 10
	maxHost   = 32 // characters of a host's name in the name of a node
)

// rng is a manager's source of IDs, codes and draws. Without a seed its output cannot be predicted.
type rng struct {
	key [32]byte

	mu     sync.Mutex
	source *rand.Rand
}

func newRNG(seed uint64) *rng {
	d := &rng{}
	if seed == 0 {
		_, _ = crand.Read(d.key[:]) // never fails
	} else {
		d.key = sha256.Sum256(binary.LittleEndian.AppendUint64(nil, seed))
	}
	d.source = rand.New(rand.NewChaCha8(d.key))
	return d
}

// NewNode returns a name for one run of a server. The name has the first label of host, if any, and random letters.
func NewNode(host string) match.Node {
	host, _, _ = strings.Cut(strings.ToLower(host), ".")
	host = strings.Map(func(r rune) rune {
		if r == '-' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' {
			return r
		}
		return -1
	}, host)
	random := newRNG(0).word(idLetters, idLength)
	if host = host[:min(len(host), maxHost)]; host == "" {
		return match.Node(random)
	}
	return match.Node(host + "-" + random)
}

func (r *rng) word(letters string, length int) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	word := make([]byte, length)
	for i := range word {
		word[i] = letters[r.source.IntN(len(letters))]
	}
	return string(word)
}

func (r *rng) id() match.ID { return match.ID(r.word(idLetters, idLength)) }

func (r *rng) code(length int) match.Code {
	return match.Code(r.word(match.CodeInitials, 1) + r.word(match.CodeLetters, length-1))
}

// seed returns a seed for the openings of a pair. Its 130 random bits cannot be guessed from
// [match.Result.OpeningHash].
func (r *rng) seed() string { return r.word(idLetters, 26) }

func (r *rng) side() rules.Side {
	r.mu.Lock()
	defer r.mu.Unlock()
	return rules.Sides()[r.source.IntN(2)]
}

// at returns the random source of a computer player for one ply of a match. Equal arguments give equal sources, also on
// another node if both have one [Config.Seed].
func (r *rng) at(id match.ID, ply int) *rand.Rand {
	text := append(r.key[:len(r.key):len(r.key)], id...)
	return rand.New(rand.NewChaCha8(sha256.Sum256(binary.LittleEndian.AppendUint64(text, uint64(ply)))))
}

// nextID returns the ID of the rematch of a match. The ID is equal on all nodes, because the rematch must open once.
func nextID(id match.ID) match.ID {
	sum := sha256.Sum256([]byte("rematch of " + id))
	next := make([]byte, idLength)
	for i := range next {
		next[i] = idLetters[int(sum[i])%len(idLetters)]
	}
	return match.ID(next)
}
