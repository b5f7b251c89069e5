package natsd

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"

	"notakto/match/journal/internal/disk"
)

// member is a node that belongs to the cluster, running or not.
type member struct {
	ID      string `json:"id"`             // NATS's, made from the name
	Name    string `json:"name,omitempty"` // empty if this node has never met it
	Address string `json:"address,omitempty"`
}

// String returns the name by which operators know the member.
func (m member) String() string { return cmp.Or(m.Name, m.ID) }

// peerID returns the ID that NATS gives to a server of a name.
func peerID(name string) string {
	const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	sum := sha256.Sum256([]byte(name))
	id := make([]byte, 8)
	for i := range id {
		id[i] = digits[int(sum[i])%len(digits)]
	}
	return string(id)
}

// find returns the member of a name or ID.
func find(all []member, name string) (member, bool) {
	i := slices.IndexFunc(all, func(m member) bool { return m.Name == name || m.ID == name || m.ID == peerID(name) })
	if i < 0 {
		return member{}, false
	}
	if all[i].ID == peerID(name) {
		all[i].Name = name
	}
	return all[i], true
}

// union returns every member that one of the nodes knows, with its name if one of them knows it.
func union(all []nodeAnswer) (members []member) {
	for _, a := range all {
		for _, m := range a.Members {
			i := slices.IndexFunc(members, func(o member) bool { return o.ID == m.ID })
			switch {
			case i < 0:
				members = append(members, m)
			case members[i].Name == "":
				members[i] = m
			}
		}
	}
	slices.SortFunc(members, func(a, b member) int { return cmp.Compare(a.String(), b.String()) })
	return members
}

// list joins names for a sentence.
func list[T fmt.Stringer](all []T) string {
	names := make([]string, len(all))
	for i, m := range all {
		names[i] = m.String()
	}
	return strings.Join(names, ", ")
}

// roster is the members that this node has met, by ID, in a file: NATS stores only their IDs. Its methods may be called
// from any goroutine.
type roster struct {
	path string

	mu  sync.Mutex
	met map[string]member
}

// openRoster reads the file; one that is not there, or that cannot be read, knows no node yet.
func openRoster(path string) (*roster, error) {
	r := &roster{path: path, met: map[string]member{}}
	text, err := disk.ReadSmall(path)
	if errors.Is(err, os.ErrNotExist) {
		return r, nil
	}
	if err != nil {
		return nil, err
	}
	var all []member
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, fmt.Errorf("%s cannot be read: remove it, it is made again: %w", path, err)
	}
	for _, m := range all {
		r.met[m.ID] = m
	}
	return r, nil
}

// member returns what is known of the member with an ID.
func (r *roster) member(id string) member {
	r.mu.Lock()
	defer r.mu.Unlock()
	m := r.met[id]
	m.ID = id
	return m
}

// all returns the members that were met, in the order of their names.
func (r *roster) all() []member {
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []member
	for _, m := range r.met {
		all = append(all, m)
	}
	slices.SortFunc(all, func(a, b member) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

// meet adds the members that were met, drops those that are no longer members, and writes the file if it changes.
func (r *roster) meet(met []member, ids []string) error {
	before := r.all()
	r.mu.Lock()
	for _, m := range met {
		r.met[m.ID] = m
	}
	for id := range r.met {
		if !slices.Contains(ids, id) {
			delete(r.met, id)
		}
	}
	r.mu.Unlock()
	after := r.all()
	if slices.Equal(before, after) {
		return nil
	}
	text, err := json.MarshalIndent(after, "", "  ")
	if err != nil {
		return err
	}
	return disk.WriteFile(r.path, append(text, '\n'))
}
