package natsd

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
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
