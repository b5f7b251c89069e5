package manager

import (
	"notakto/match"

	crand "crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
	"sync"

	"notakto/rules"
)

const (
	idLetters = "abcdefghijklmnopqrstuvwxyz234567"
	idLength  = 10
)

// dice is where a manager's IDs, codes and lots come from. Without a seed nobody can guess what comes next.
type dice struct {
	key [32]byte

	mu  sync.Mutex
	rng *rand.Rand
}

func newDice(seed uint64) *dice {
	d := &dice{}
	if seed == 0 {
		_, _ = crand.Read(d.key[:]) // never fails: the program ends if the system has no randomness
	} else {
		d.key = sha256.Sum256(binary.LittleEndian.AppendUint64(nil, seed))
	}
	d.rng = rand.New(rand.NewChaCha8(d.key))
	return d
}

// drawNode names this run of the server.
func drawNode() match.Node { return match.Node(newDice(0).word(idLetters, idLength)) }

func (d *dice) word(letters string, length int) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	word := make([]byte, length)
	for i := range word {
		word[i] = letters[d.rng.IntN(len(letters))]
	}
	return string(word)
}

func (d *dice) id() match.ID { return match.ID(d.word(idLetters, idLength)) }

func (d *dice) code(length int) match.Code { return match.Code(d.word(match.CodeLetters, length)) }

func (d *dice) side() rules.Side {
	d.mu.Lock()
	defer d.mu.Unlock()
	return rules.Sides()[d.rng.IntN(2)]
}

// at is the chance that a computer player has at a ply of a match. It is the same however often, and after whatever else, it is asked for.
func (d *dice) at(id match.ID, ply int) *rand.Rand {
	text := append(d.key[:len(d.key):len(d.key)], id...)
	return rand.New(rand.NewChaCha8(sha256.Sum256(binary.LittleEndian.AppendUint64(text, uint64(ply)))))
}

// nextID is the ID of the rematch of a match: every node that opens it calls it the same, so that it is opened once.
func nextID(id match.ID) match.ID {
	sum := sha256.Sum256([]byte("rematch of " + id))
	next := make([]byte, idLength)
	for i := range next {
		next[i] = idLetters[int(sum[i])%len(idLetters)]
	}
	return match.ID(next)
}
