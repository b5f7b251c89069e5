package natsd

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"notakto/match/internal/disk"
)

// infoSubject is where every node of a cluster answers with its nodeInfo. No stream stores it.
const infoSubject = "notakto.node.info"

// nodeInfo is what a node of a cluster reports about itself.
type nodeInfo struct {
	Run         string    `json:"run"` // distinguishes two processes with one name
	Name        string    `json:"name"`
	Address     string    `json:"address"` // where it listens for the other nodes
	Fingerprint string    `json:"fingerprint,omitempty"`
	Version     string    `json:"version,omitempty"`
	Time        time.Time `json:"time"`
	// CertificateEnd is when its certificate expires; zero without one.
	CertificateEnd time.Time `json:"certificate_end,omitzero"`
	Joined         bool      `json:"joined"`  // it has data of the cluster
	Matches        bool      `json:"matches"` // it has matches: if it has not joined, those of a single server
	Members        []member  `json:"members,omitempty"`
}

// nodeAnswer is a node's answer, and how far its clock is ahead of this one's, plus or minus off.
type nodeAnswer struct {
	nodeInfo
	ahead, off time.Duration
}

// serveInfo answers on infoSubject until conn closes. info is called on a goroutine of conn's.
func serveInfo(conn *nats.Conn, info func() nodeInfo) error {
	_, err := conn.Subscribe(infoSubject, func(m *nats.Msg) {
		if text, err := json.Marshal(info()); err == nil {
			_ = m.Respond(text) // a lost answer is requested again
		}
	})
	return err
}

// askNodes asks all nodes except this process, and returns their answers once they are enough, or after answerTimeout.
func askNodes(
	ctx context.Context, conn *nats.Conn, run string, enough func([]nodeAnswer) bool, now func() time.Time,
) []nodeAnswer {
	inbox := conn.NewInbox()
	sub, err := conn.SubscribeSync(inbox)
	if err != nil {
		return nil
	}
	defer func() { _ = sub.Unsubscribe() }()
	sent := now()
	if err := conn.PublishRequest(infoSubject, inbox, nil); err != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	var all []nodeAnswer
	for !enough(all) {
		m, err := sub.NextMsgWithContext(ctx)
		if err != nil {
			return all
		}
		var a nodeAnswer
		if json.Unmarshal(m.Data, &a.nodeInfo) != nil || a.Run == run {
			continue
		}
		a.off = now().Sub(sent) / 2
		a.ahead = a.Time.Sub(sent.Add(a.off))
		all = append(all, a)
	}
	return all
}

// isEnough returns a condition for [askNodes]: n nodes have answered.
func isEnough(n int) func([]nodeAnswer) bool {
	return func(answers []nodeAnswer) bool { return len(answers) >= n }
}

// haveAnswered returns for [askNodes] whether all members have answered. Without members it is never true.
func haveAnswered(members []member) func([]nodeAnswer) bool {
	return func(answers []nodeAnswer) bool { return len(members) > 0 && silentMembers(members, answers) == "" }
}

// newRun returns a name for this process.
func newRun() string { return rand.Text()[:12] }

// metaGroup is NATS's name of the Raft group that decides which node keeps which stream.
const metaGroup = "_meta_"

// metaPeers returns the IDs of all members of the cluster that a server knows, its own first; none before it has
// joined.
func metaPeers(s *server.Server) (ids []string) {
	status := s.Raftz(&server.RaftzOptions{GroupFilter: metaGroup})
	if status == nil {
		return nil
	}
	for _, groups := range *status {
		for _, g := range groups {
			ids = append(ids, g.ID)
			for id := range g.Peers {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

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

const (
	// askEvery is how often a node asks the others of its cluster for their state.
	askEvery = 1500 * time.Millisecond
	// answerTimeout is how long they have to answer.
	answerTimeout = time.Second
	// downAfter is how long a node may give no answer before it counts as down.
	downAfter = 5 * time.Second
	// sayEvery is how often the log repeats what has not changed.
	sayEvery = time.Minute
	// clocksWithin is how far the clocks of two nodes may differ without an error in the log.
	clocksWithin = 2 * time.Second
	// registryTimeout is how long a cluster may take to find a leader for BOARD. NATS's elections take up to nine
	// seconds.
	registryTimeout = 12 * time.Second
)

// remote is another member of the cluster as this node sees it.
type remote struct {
	lastAnswer  time.Time // when it answered last, by this process's clock
	downSaid    time.Time // when it was last logged as down; zero while it is up
	clockSaid   time.Time // when its clock was last logged
	fingerprint string    // of its host key, as it was logged
}

// watcher logs which nodes of the cluster are down, and whose clock or host key differs from this node's. It also makes
// BOARD anew if that has no leader. It belongs to one goroutine.
type watcher struct {
	node *Node
	log  *slog.Logger
	self nodeInfo
	seen map[string]*remote // by ID
}

func (n *Node) newWatcher() *watcher {
	return &watcher{node: n, log: n.Config.Log, self: n.info(), seen: map[string]*remote{}}
}

// run watches until ctx ends.
func (w *watcher) run(ctx context.Context) {
	n, led := w.node, time.Now()
	for ctx.Err() == nil {
		others := slices.DeleteFunc(n.members(), func(m member) bool { return m.ID == peerID(n.Config.Node) })
		answers := askNodes(ctx, n.JetStream.Conn(), n.run, haveAnswered(others), n.now)
		if err := w.meet(answers); err != nil {
			n.Config.Log.Warn("the members of the cluster cannot be noted", "event", "members-unsaved", "error", err)
		}
		if ctx.Err() == nil {
			w.compare(others, answers, n.now())
			n.ClusterFacts.Store(w.facts())
		}
		if !w.lacksRegistry(ctx) {
			led = time.Now()
		} else if time.Since(led) > registryTimeout {
			w.renewRegistry(ctx)
			led = time.Now()
		}
		Wait(ctx, askEvery)
	}
}

// lacksRegistry reports whether this node leads the cluster, and MATCHES can be recorded but BOARD has no leader.
func (w *watcher) lacksRegistry(ctx context.Context) bool {
	server := w.node.Embedded()
	if server == nil || !server.JetStreamIsLeader() {
		return false
	}
	info, err := StreamInfo(ctx, w.node.JetStream, RegistryStream)
	leads := err == nil && (info.Cluster == nil || info.Cluster.Leader != "")
	return !leads && !errors.Is(err, jetstream.ErrStreamNotFound) && w.node.Check(ctx) == nil
}

// renewRegistry deletes BOARD and makes it anew. Its copies are in memory and lost when a server restarts, and NATS
// then elects no leader until all servers are up. The nodes write their entries again.
func (w *watcher) renewRegistry(ctx context.Context) {
	w.log.Warn("the stream of the notices is made anew: too many of its copies were lost in restarts",
		"event", "registry-renewed",
		"stream", RegistryStream)
	one, cancel := context.WithTimeout(ctx, 2*AnswerWithin)
	defer cancel()
	err := w.node.JetStream.DeleteStream(one, RegistryStream)
	if err == nil {
		err = w.node.Streams.Restore(ctx)
	}
	if err != nil && ctx.Err() == nil {
		w.log.Error("the stream of the notices cannot be made anew",
			"event", "registry-failed", "stream", RegistryStream, "error", err)
	}
}

// meet adds the members that answered to the roster.
func (w *watcher) meet(answers []nodeAnswer) error {
	server := w.node.Embedded()
	if server == nil {
		return nil
	}
	ids := metaPeers(server)
	if len(ids) < 2 {
		return nil // it has not joined yet
	}
	met := []member{{ID: peerID(w.node.Config.Node), Name: w.node.Config.Node, Address: w.node.Config.Cluster.Listen}}
	for _, a := range answers {
		if a.Joined {
			met = append(met, member{ID: peerID(a.Name), Name: a.Name, Address: a.Address})
		}
	}
	return w.node.roster.meet(met, ids)
}

// compare compares the answers with what was known before, and logs what is new or lasts.
func (w *watcher) compare(others []member, answers []nodeAnswer, now time.Time) {
	answered := map[string]nodeAnswer{}
	for _, a := range answers {
		answered[peerID(a.Name)] = a
	}
	known := map[string]*remote{}
	for _, m := range others {
		if known[m.ID] = w.seen[m.ID]; known[m.ID] == nil {
			known[m.ID] = &remote{lastAnswer: now}
		}
		if a, ok := answered[m.ID]; ok {
			w.logUp(known[m.ID], a, now)
		} else {
			w.logDown(known[m.ID], m, now)
		}
	}
	w.seen = known
}

// logUp logs what is new about a node that answers.
func (w *watcher) logUp(it *remote, a nodeAnswer, now time.Time) {
	if !it.downSaid.IsZero() {
		w.log.Info("a server of the cluster is back", "event", "node-up",
			"name", a.Name, "address", a.Address, "duration_ms", now.Sub(it.lastAnswer).Milliseconds())
	}
	it.lastAnswer, it.downSaid = now, time.Time{}
	differs := a.Fingerprint != "" && w.self.Fingerprint != "" && a.Fingerprint != w.self.Fingerprint
	if differs && it.fingerprint != a.Fingerprint {
		w.log.Error("two servers of the cluster have different host keys, and players will be warned of an impostor:"+
			" copy host_ed25519 from one to the others and restart them", "event", "host-keys-differ",
			"here", w.self.Fingerprint, "name", a.Name, "there", a.Fingerprint)
	}
	it.fingerprint = a.Fingerprint
	if a.ahead.Abs() > clocksWithin+a.off && (it.clockSaid.IsZero() || now.Sub(it.clockSaid) >= sayEvery) {
		w.log.Error("the clocks of two servers of the cluster differ: set both by NTP, and restart the one that was wrong",
			"event", "clocks-differ",
			"name", a.Name, "address", a.Address, "ahead_ms", a.ahead.Milliseconds())
		it.clockSaid = now
	}
}

// logDown logs that a node does not answer.
func (w *watcher) logDown(it *remote, m member, now time.Time) {
	quiet := now.Sub(it.lastAnswer)
	switch {
	case quiet < downAfter, !it.downSaid.IsZero() && now.Sub(it.downSaid) < sayEvery:
		return
	case it.downSaid.IsZero():
		w.log.Warn("a server of the cluster does not answer",
			"event", "node-down", "name", m.String(), "address", m.Address)
	default:
		w.log.Warn("a server of the cluster still does not answer; one that is lost for good can be replaced (--replace)"+
			" or removed (notakto cluster remove)",
			"event", "node-down", "name", m.String(), "address", m.Address, "duration_ms", quiet.Milliseconds())
	}
	it.downSaid = now
}

// StreamFacts is the state of a stream. Without a cluster it has one copy, which leads.
type StreamFacts struct {
	Name                     string
	Bytes, Messages, LastSeq uint64
	IsLeader                 bool // this server leads it
	Current, Behind, Offline int  // copies
}

// ClusterFacts is what a server knows of its cluster, itself included.
type ClusterFacts struct {
	Up, Down int
	HostKeys int // different ones; must be 1
	// CertificateEnd is when this server's certificate expires. It is zero without a certificate.
	CertificateEnd time.Time
	LastSeen       map[string]time.Time // when the others answered last, by ID
}

// Measure returns the state of the streams whose leaders answer.
func Measure(ctx context.Context, n *Node) (all []StreamFacts) {
	for _, name := range streams() {
		info, err := StreamInfo(ctx, n.JetStream, name)
		if err != nil {
			continue
		}
		s := StreamFacts{
			Name: name, Bytes: info.State.Bytes, Messages: info.State.Msgs, LastSeq: info.State.LastSeq, Current: 1,
			IsLeader: info.Cluster == nil || info.Cluster.Leader == n.Config.Node,
		}
		if info.Cluster != nil {
			if info.Cluster.Leader == "" {
				s.Current = 0
			}
			for _, r := range info.Cluster.Replicas {
				switch {
				case r.Offline:
					s.Offline++
				case r.Current:
					s.Current++
				default:
					s.Behind++
				}
			}
		}
		all = append(all, s)
	}
	return all
}

// facts returns what the watcher has seen of the cluster.
func (w *watcher) facts() *ClusterFacts {
	f := &ClusterFacts{Up: 1, CertificateEnd: w.self.CertificateEnd, LastSeen: map[string]time.Time{}}
	keys := map[string]bool{w.self.Fingerprint: true}
	for id, it := range w.seen {
		f.LastSeen[id] = it.lastAnswer
		if it.fingerprint != "" {
			keys[it.fingerprint] = true
		}
		if it.downSaid.IsZero() {
			f.Up++
		} else {
			f.Down++
		}
	}
	f.HostKeys = len(keys)
	return f
}

// certificateEnd returns when the certificate of a node expires; zero if it has none.
func (c Cluster) certificateEnd() time.Time {
	if c.CertFile == "" {
		return time.Time{}
	}
	pair, err := tls.LoadX509KeyPair(c.CertFile, c.KeyFile)
	if err != nil {
		return time.Time{} // the node has started with it: the file was replaced since
	}
	return pair.Leaf.NotAfter
}
