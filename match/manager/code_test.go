package manager

import (
	"strings"
	"testing"
	"testing/synctest"

	"notakto/match"
	"notakto/rules"
)

func TestCodesAreLegible(t *testing.T) {
	for _, group := range []string{"0OQD", "1IL7", "2Z", "5S", "8B", "6G", "UV", "MN", "CG"} {
		n := 0
		for _, letter := range group {
			if strings.ContainsRune(match.CodeLetters, letter) {
				n++
			}
		}
		if n > 1 {
			t.Errorf("more than one of %s is in use", group)
		}
	}
	for _, letter := range "K7QX" {
		if !strings.ContainsRune(match.CodeLetters, letter) {
			t.Errorf("%c is missing", letter)
		}
	}
	if i := strings.IndexAny(match.CodeLetters, "0O1IL2Z5S8B"); i >= 0 {
		t.Errorf("%c looks like another", match.CodeLetters[i])
	}
	if code := newRNG(1).code(4); len(code) != 4 || strings.Trim(string(code), match.CodeLetters) != "" {
		t.Errorf("a code is %q", code)
	}
}

// No two codes in use are equal, and a released code may be drawn again.
func TestCodesAreUnique(t *testing.T) {
	d, book := newRNG(1), newCodeIndex()
	seen := make(map[match.Code]bool)
	for i := range 20_000 {
		code, err := book.draw(d, codeTarget{id: match.ID([]string{"a", "b"}[i%2])})
		if err != nil || seen[code] {
			t.Fatalf("code %d is %q: %v", i, code, err)
		}
		seen[code] = true
	}
	for code := range seen { // the journal decides, by its first record
		if _, found := book.find(code); found {
			t.Fatalf("%s leads somewhere before it is recorded", code)
		}
		was := book.targets[code].codeTarget
		book.confirm(code, was)
		book.confirm(code, codeTarget{id: "c"})
		if to, found := book.find(code); to != was || !found {
			t.Fatalf("%s leads to %v, drawn for %v", code, to, was)
		}
	}
	book.forget("a")
	if len(book.targets) != 10_000 || len(book.of) != 1 {
		t.Errorf("%d codes are left", len(book.targets))
	}
}

func TestCodesRunOut(t *testing.T) {
	book := newCodeIndex()
	for i := range len(match.CodeLetters) * len(match.CodeLetters) * len(match.CodeLetters) * len(match.CodeLetters) {
		code := make([]byte, codeLength)
		for j := range code {
			code[j] = match.CodeLetters[i%len(match.CodeLetters)]
			i /= len(match.CodeLetters)
		}
		book.confirm(match.Code(code), codeTarget{id: "a"})
	}
	if _, err := book.draw(newRNG(1), codeTarget{id: "b"}); !isErr(err, match.ErrTooMany) {
		t.Error(err)
	}
}

// Equal seeds draw equal values; without a seed nothing repeats.
func TestRNG(t *testing.T) {
	draw := func(seed uint64) string {
		d := newRNG(seed)
		return string(d.id()) + string(d.code(4)) + string(d.id())
	}
	if draw(1) != draw(1) || draw(1) == draw(2) || draw(0) == draw(0) {
		t.Error("the dice do not keep to their seed")
	}
	if id := newRNG(1).id(); len(id) != 10 || strings.Trim(string(id), idLetters) != "" {
		t.Errorf("an ID is %q", id)
	}
	d := newRNG(3)
	if a, b := d.at("m", 1).Uint64(), d.at("m", 1).Uint64(); a != b || a == d.at("m", 2).Uint64() ||
		a == d.at("n", 1).Uint64() {
		t.Error("a computer's chance does not depend on the match and the ply alone")
	}
}

// A guest's code resumes the seat, once it is empty and until the match is over.
func TestGuestsResumeCode(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		id := b.open(guy(), bob(), rules.DefaultVariant())
		one, other := b.sit(id, guy()), b.sit(id, bob())
		code := b.sees(one).SeatState(rules.First).Code
		if len(code) != resumeCodeLength {
			b.Fatalf("the guest's code is %q", code)
		}
		guest := match.Player{ID: "guest:new", Name: "new", Guest: true}
		if _, _, err := b.Join(b.Context(), guest, code); !isErr(err, match.ErrSeatInUse) {
			b.Errorf("while the guest is here: %v", err)
		}
		if got, _, err := b.Join(b.Context(), guy(), code); !isErr(err, match.ErrOwnTable) || got != id {
			b.Errorf("the guest uses the code: %s, %v", got, err)
		}
		one.Close()
		for range 2 { // valid for every return
			got, player, err := b.Join(b.Context(), guest, match.Code(strings.ToLower(string(code))))
			if err != nil || got != id || player != guy() {
				b.Fatalf("after the guest left: %s %+v %v", got, player, err)
			}
			back := b.sit(id, player)
			b.play(back, b.sees(back).Position.Legal()[0].String())
			b.play(other, b.sees(other).Position.Legal()[0].String())
			if _, _, err := b.Join(b.Context(), guest, code); !isErr(err, match.ErrSeatInUse) {
				b.Errorf("with the guest back: %v", err)
			}
			back.Close()
		}
		b.must(other.Resign(b.Context()))
		if _, _, err := b.Join(b.Context(), guest, code); !isErr(err, match.ErrNoSuchTable) {
			b.Errorf("after the end: %v", err)
		}
	})
}

// The seat is free as soon as its guest has closed it, whatever else the table is doing.
func TestResumeRightAfterLeaving(t *testing.T) {
	j := newUnruly()
	inBubble(t, Config{Journal: j}, func(b *harness) {
		id := b.open(bob(), guy(), boards(b.T, 9))
		other := b.sit(id, bob())
		for range 12 {
			guest := b.sit(id, guy())
			code := b.sees(guest).SeatState(rules.Second).Code
			resume := j.stop()
			moved, joined := make(chan error), make(chan error)
			go func() { moved <- other.Play(b.Context(), b.legal(id)) }()
			synctest.Wait()
			guest.Close()
			go func() {
				_, _, err := b.Join(b.Context(), cleo(), code)
				joined <- err
			}()
			synctest.Wait()
			resume()
			b.must(<-moved)
			b.must(<-joined)
			again := b.sit(id, guy())
			b.must(again.Play(b.Context(), b.legal(id)))
			again.Close()
		}
	})
}

func (b *harness) legal(id match.ID) rules.Move {
	return replay(b.T, b.cfg.Journal, id).Position.Legal()[0]
}

// No player sees a code for another's seat, or for a table without an invitation.
func TestCodesAreSecret(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		second := match.Player{ID: "guest:second", Guest: true}
		id, code := b.private(guy())
		onlooker, host := b.onlooker(id), b.sit(id, guy())
		if s := b.sees(onlooker); s.Code != "" || s.TableCode != "" || s.SeatState(host.Side()).Code != "" {
			b.Errorf("who looks on sees %+v", s)
		}
		_, _, err := b.Join(b.Context(), second, code)
		b.must(err)
		guest := b.sit(id, second)
		for _, seat := range []*Seat{host, guest} {
			s := b.sees(seat)
			if s.SeatState(seat.Side()).Code == "" || s.SeatState(seat.Side().Other()).Code != "" || s.TableCode != "" {
				b.Errorf("side %d sees %+v", seat.Side(), s)
			}
		}
		s := b.sees(onlooker)
		if s.Code != "" || s.SeatState(rules.First).Code != "" || s.SeatState(rules.Second).Code != "" {
			b.Errorf("who looks on sees %+v", s)
		}
	})
}

// A player with a key needs no code.
func TestNoCodeForAKey(t *testing.T) {
	inBubble(t, Config{}, func(b *harness) {
		one, _ := b.pair(rules.DefaultVariant())
		if code := b.sees(one).SeatState(rules.First).Code; code != "" {
			b.Errorf("ann has the code %q", code)
		}
	})
}
