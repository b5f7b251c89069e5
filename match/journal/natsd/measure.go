package natsd

import (
	"context"
	"crypto/tls"
	"time"
)

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
