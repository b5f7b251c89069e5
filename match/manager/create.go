package manager

import (
	"cmp"
	"context"
	crand "crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"sync"

	"notakto/match"
	"notakto/match/lobby"
	"notakto/rules"
)

// opener opens matches for the manager and the lobby; it implements [lobby.Opener].
type opener struct{ *tables }

// open opens a match, and returns its ID and its code.
func (o opener) open(ctx context.Context, opening match.Opening) (match.ID, match.Code, error) {
	if err := match.CheckTerms(opening.Terms); err != nil {
		return "", "", err
	}
	if opening.Pool.IsRated() {
		return "", "", match.ErrRatedTable
	}
	if err := checkMoves(opening); err != nil {
		return "", "", err
	}
	for {
		id := o.newID()
		code, err := o.openAs(ctx, id, opening)
		switch {
		case err == nil:
			return id, code, nil
		case !errors.Is(err, match.ErrConflict) || ctx.Err() != nil:
			return "", "", err
		}
	}
}

// checkMoves returns why a match cannot begin with its moves.
func checkMoves(opening match.Opening) (err error) {
	position := opening.Variant.Start()
	for _, move := range opening.Moves {
		if position, err = position.Play(move); err != nil {
			return err
		}
	}
	if position.Outcome().Over() {
		return match.ErrMatchOver
	}
	return nil
}

// openAs opens a match with a given ID. [match.ErrConflict] if another node has used the ID, or the code.
func (o opener) openAs(ctx context.Context, id match.ID, opening match.Opening) (code match.Code, err error) {
	if opening.Claimant != "" {
		if err := o.claim(opening.Claimant, id); err != nil {
			return "", err
		}
		defer o.index.release(opening.Claimant, id)
	}
	if opening.Origin == match.PrivateOrigin {
		if code, err = o.index.draw(o.rng, codeTarget{id: id}); err != nil {
			return "", err
		}
	}
	p, err := o.plan(id, opening, code)
	if err != nil {
		return "", err
	}
	if err := o.openTable(ctx, id, p); err != nil {
		return "", err
	}
	return code, o.checkCode(ctx, id, code)
}

// checkCode closes a table whose code another node has recorded first.
func (o opener) checkCode(ctx context.Context, id match.ID, code match.Code) error {
	if to, _ := o.index.find(code); code == "" || to.id == id {
		return nil
	}
	err := o.at(ctx, id, func(t *table) error {
		return t.do(ctx, func() error { return t.record(match.Event{Kind: match.Cancelled}) })
	})
	return cmp.Or(err, match.ErrConflict)
}

// newID returns an ID that no match known here has.
func (o opener) newID() match.ID {
	for {
		if id := o.rng.id(); !o.knows(id) {
			return id
		}
	}
}

// plan returns the first events of a match, with resume codes for guests.
func (o opener) plan(id match.ID, opening match.Opening, private match.Code) (plan, error) {
	p := plan{
		events: []match.Event{
			{Kind: match.Opened, Terms: opening.Terms, Origin: opening.Origin, Code: private, Pair: opening.Pair},
		},
	}
	for i, player := range opening.Players {
		if player.ID == "" {
			continue
		}
		code, err := o.resumeCode(player, codeTarget{id: id, side: rules.Sides()[i]})
		if err != nil {
			return plan{}, err
		}
		p.events = append(p.events, match.Event{
			Kind: match.Seated, Seat: rules.Sides()[i], Player: player,
			Code: code, Node: cmp.Or(opening.Nodes[i], o.membership.self),
		})
	}
	for i, m := range opening.Moves {
		p.events = append(p.events, match.Event{Kind: match.Moved, Seat: rules.Sides()[i%2], Move: m})
	}
	return p, nil
}

// resumeCode draws a code for a guest's seat; none for a player with a key.
func (o opener) resumeCode(p match.Player, seat codeTarget) (match.Code, error) {
	if !p.Guest {
		return "", nil
	}
	return o.index.draw(o.rng, seat)
}

// openTable starts a table by a plan and waits until the match is recorded.
func (o opener) openTable(ctx context.Context, id match.ID, p plan) error {
	t, err := o.getOrBegin(id, p)
	if err != nil {
		o.index.forget(id)
		return err
	}
	return t.do(ctx, func() error { return nil })
}

func (o opener) Admit(p match.Player, accepts []match.Terms) error {
	switch err := o.membership.refuse(); {
	case err != nil:
		return err
	case o.isDraining():
		return match.ErrDraining
	}
	if err := o.index.checkRated(p, accepts); err != nil {
		return err
	}
	return o.index.charge(p.ID)
}

func (o opener) PlaysRated(p match.PlayerID) bool { return o.index.playsRated(p) }

func (o opener) IsOver(id match.ID) bool {
	state, _ := o.index.match(id)
	return state != nil && state.Over()
}

func (o opener) TakeSpoiled() []*match.State { return o.index.takeSpoiled() }

func (o opener) Draw() lobby.Drawn {
	return lobby.Drawn{Side: o.rng.side(), ID: o.newID(), Seed: o.rng.seed()}
}

func (o opener) OpenShared(ctx context.Context, id match.ID, opening match.Opening) error {
	p, err := o.plan(id, opening, "")
	if err != nil {
		return err
	}
	p.shared = true
	return o.openTable(ctx, id, p)
}

const (
	codeLength = 4 // of a private table; short, as it is read aloud
	// resumeCodeLength is the length of a guest's resume code, which is a guest's only proof of identity. Older versions
	// used four letters.
	resumeCodeLength = 8
)

// codeTarget is what a code gives access to: a private table, or a guest's seat.
type codeTarget struct {
	id   match.ID
	side rules.Side // [rules.Nobody] for the table itself
}

// codeIndex maps codes in use to their targets. Recorded codes take precedence over codes drawn here that are not
// recorded yet. So all nodes agree, even if two draw the same code at the same time.
type codeIndex struct {
	targets map[match.Code]codeEntry
	of      map[match.ID][]match.Code
}

// codeEntry is a code's target, and whether the journal has recorded it.
type codeEntry struct {
	codeTarget
	confirmed bool
}

func newCodeIndex() codeIndex {
	return codeIndex{targets: make(map[match.Code]codeEntry), of: make(map[match.ID][]match.Code)}
}

// draw reserves a code that is not in use. It fails only if almost all codes are in use.
func (b codeIndex) draw(d *rng, to codeTarget) (match.Code, error) {
	length := codeLength
	if to.side != rules.Nobody {
		length = resumeCodeLength
	}
	for range 1000 {
		code := d.code(length)
		if _, used := b.targets[code]; !used {
			b.set(code, codeEntry{codeTarget: to})
			return code, nil
		}
	}
	return "", match.ErrTooMany
}

// confirm sets the recorded target of a code, unless one was recorded before.
func (b codeIndex) confirm(code match.Code, to codeTarget) {
	if was := b.targets[code]; code != "" && !was.confirmed {
		b.set(code, codeEntry{to, true})
	}
}

// find returns the recorded target of a code.
func (b codeIndex) find(code match.Code) (codeTarget, bool) {
	to := b.targets[code]
	return to.codeTarget, to.confirmed
}

func (b codeIndex) set(code match.Code, to codeEntry) {
	b.targets[code] = to
	b.of[to.id] = append(b.of[to.id], code)
}

// forget drops the codes of a match.
func (b codeIndex) forget(id match.ID) {
	for _, code := range b.of[id] {
		if b.targets[code].id == id {
			delete(b.targets, code)
		}
	}
	delete(b.of, id)
}

const (
	idLetters = "abcdefghijklmnopqrstuvwxyz234567"
	idLength  = 10
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
		_, _ = crand.Read(d.key[:]) // never fails: the program ends if the system has no randomness
	} else {
		d.key = sha256.Sum256(binary.LittleEndian.AppendUint64(nil, seed))
	}
	d.source = rand.New(rand.NewChaCha8(d.key))
	return d
}

// drawNode returns a random name for this run of the server.
func drawNode() match.Node { return match.Node(newRNG(0).word(idLetters, idLength)) }

func (d *rng) word(letters string, length int) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	word := make([]byte, length)
	for i := range word {
		word[i] = letters[d.source.IntN(len(letters))]
	}
	return string(word)
}

func (d *rng) id() match.ID { return match.ID(d.word(idLetters, idLength)) }

func (d *rng) code(length int) match.Code {
	return match.Code(d.word(match.CodeInitials, 1) + d.word(match.CodeLetters, length-1))
}

// seed returns a seed for the openings of a pair: 130 random bits, so that its hash does not tell it.
func (d *rng) seed() string { return d.word(idLetters, 26) }

func (d *rng) side() rules.Side {
	d.mu.Lock()
	defer d.mu.Unlock()
	return rules.Sides()[d.source.IntN(2)]
}

// at returns the random source of a computer player for one ply of a match. It is the same at every call.
func (d *rng) at(id match.ID, ply int) *rand.Rand {
	text := append(d.key[:len(d.key):len(d.key)], id...)
	return rand.New(rand.NewChaCha8(sha256.Sum256(binary.LittleEndian.AppendUint64(text, uint64(ply)))))
}

// nextID returns the ID of the rematch of a match: the same on every node, so that the rematch opens once.
func nextID(id match.ID) match.ID {
	sum := sha256.Sum256([]byte("rematch of " + id))
	next := make([]byte, idLength)
	for i := range next {
		next[i] = idLetters[int(sum[i])%len(idLetters)]
	}
	return match.ID(next)
}
