package journal

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/nats-io/nats.go/jetstream"
)

// ErrNotAdmitted says that a node without data cannot become part of its cluster as it was started.
var ErrNotAdmitted = errors.New("this server does not join the cluster")

// ErrRemoved says that a node was removed from its cluster, and comes back with the data that it had.
var ErrRemoved = errors.New("this server was removed from the cluster: move its journal directory away, and start it again;" +
	" it joins as a new one")

// ErrNodeName says that a data directory belongs to a node of another name.
var ErrNodeName = errors.New("the data directory belongs to a server of another name")

// joined reports whether a directory has data of a cluster.
func joined(dir string) bool { return exists(filepath.Join(dir, "jetstream", "$SYS")) }

// nameNode settles the name of this node: that in its file, or else the setting, or else one that is made. A node of a
// cluster without data may take another name than that in the file.
func (s *Store) nameNode(dir string) error {
	path := nameFile(dir)
	text, err := readSmall(path, smallFile)
	stored := strings.TrimSpace(string(text))
	replaces := s.cfg.Cluster.Replace != ""
	renames := (replaces || s.cfg.Node != "") && s.cfg.Cluster.Listen != "" && !joined(dir)
	switch {
	case errors.Is(err, os.ErrNotExist), err == nil && renames:
		return s.newName()
	case err != nil:
		return err
	case stored == "":
		return fmt.Errorf("%s is empty: write the name of this node into it", path)
	case s.cfg.Node != "" && s.cfg.Node != stored:
		return fmt.Errorf("%w: %s says %s, and --node-name %s; leave the setting out", ErrNodeName, path, stored, s.cfg.Node)
	case replaces && s.cfg.Cluster.Replace != stored:
		return fmt.Errorf("%w: it has the data of %s, and only an empty one can take the place of %s; leave --replace out",
			ErrNodeName, stored, s.cfg.Cluster.Replace)
	}
	s.cfg.Node = stored
	return nil
}

func nameFile(dir string) string { return filepath.Join(dir, "node") }

func (s *Store) newName() error {
	cluster := s.cfg.Cluster
	switch {
	case cluster.Replace != "" && s.cfg.Node != "" && s.cfg.Node != cluster.Replace:
		return fmt.Errorf("%w: --replace %s and --node-name %s do not fit together; leave --node-name out",
			ErrNodeName, cluster.Replace, s.cfg.Node)
	case cluster.Replace != "":
		s.cfg.Node = cluster.Replace
	case s.cfg.Node == "" && cluster.Listen != "":
		s.cfg.Node = clusterNodeName(cluster.Listen)
	case s.cfg.Node == "":
		s.cfg.Node = "notakto-" + rand.Text()[:12]
	}
	return nil
}

// replacingFile has the name that a node without data takes, from its admission until it is ready.
func replacingFile(dir string) string { return filepath.Join(dir, "replacing") }

// beginAgain makes a node that was killed while it took the place of a lost one begin again without data. What it had
// copied is not enough to go on with: it could forget what the lost node had confirmed.
func (s *Store) beginAgain(dir string) error {
	name, err := readSmall(replacingFile(dir), smallFile)
	if errors.Is(err, os.ErrNotExist) || s.cfg.Cluster.Listen == "" {
		return nil
	}
	if err != nil {
		return err
	}
	s.cfg.Cluster.Replace = strings.TrimSpace(string(name))
	return os.RemoveAll(filepath.Join(dir, "jetstream"))
}

// noteReplacing writes replacingFile if this node takes the place of another.
func (s *Store) noteReplacing(dir string) error {
	if s.cfg.Cluster.Replace == "" || joined(dir) {
		return nil
	}
	return writeFileSync(replacingFile(dir), []byte(s.cfg.Cluster.Replace+"\n"))
}

// writeName writes the name of this node, which the cluster has admitted, to its file.
func (s *Store) writeName(dir string) error {
	text, err := readSmall(nameFile(dir), smallFile)
	if err == nil && strings.TrimSpace(string(text)) == s.cfg.Node {
		return nil
	}
	return writeFileSync(nameFile(dir), []byte(s.cfg.Node+"\n"))
}

// clusterNodeName is the name of a node that listens at an address. Where that is every address of the machine, it is
// the machine's name.
func clusterNodeName(listen string) string {
	name := listen
	for _, every := range [...]string{":", "0.0.0.0:", "[::]:"} {
		if port, ok := strings.CutPrefix(listen, every); ok {
			host, err := os.Hostname()
			if err != nil {
				host = rand.Text()[:12]
			}
			name = host + "-" + port
		}
	}
	return "notakto-" + strings.Trim(strings.Map(func(r rune) rune {
		if r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return '-'
		}
		return r
	}, name), "-")
}

// admit returns once a node without data may start as a part of its cluster. It asks the other nodes, over a server
// that keeps nothing. If none of them has data, all begin together. [ErrNotAdmitted].
func (s *Store) admit(ctx context.Context, dir string) error {
	if s.cfg.Cluster.Listen == "" || joined(dir) {
		return nil
	}
	v, err := newGuestServer(ctx, s.cfg, s.cfg.Cluster)
	if err != nil {
		return err
	}
	defer v.close()
	if err := serveInfo(v.conn, s.info); err != nil {
		return err
	}
	said := time.Now().Add(retryDelay - sayWaiting)
	for {
		why, err := s.cfg.judge(askNodes(ctx, v.conn, s.run, isEnough(len(s.cfg.Cluster.others())), s.clock.now))
		if err != nil { // which names members that do not answer, and one second is not long
			if _, answers, e := v.meet(ctx); e == nil {
				why, err = s.cfg.judge(answers)
			}
		}
		if err == nil && why == "" && s.cfg.Cluster.Replace != "" {
			why = v.incomplete(ctx, s.cfg.Cluster.Replace)
		}
		switch {
		case err != nil || why == "":
			return err
		case ctx.Err() != nil:
			return fmt.Errorf("%w: %s: %w", ErrNotAdmitted, why, context.Cause(ctx))
		case time.Since(said) >= sayWaiting:
			s.cfg.Log.Info("this server has no data yet, and waits before it joins the cluster", "name", s.cfg.Node, "for", why)
			said = time.Now()
		}
		wait(ctx, retryDelay)
	}
}

// sayWaiting is how often the log is told what a start waits for.
const sayWaiting = 10 * time.Second

// judge decides by the answers of the other nodes whether a node without data may join. If not yet, it returns what to
// wait for.
func (c Config) judge(answers []nodeAnswer) (wait string, err error) {
	var with []nodeAnswer
	for _, a := range answers {
		if a.Name == c.Node {
			return "", fmt.Errorf("%w: a server of its name, %s, runs at %s; stop that one, or choose another with --node-name",
				ErrNotAdmitted, a.Name, a.Address)
		}
		if a.Joined {
			with = append(with, a)
		}
	}
	others := len(c.Cluster.others())
	if len(with) == 0 && (len(answers) < others || c.Cluster.Replace != "") {
		return fmt.Sprintf("all of %s to be started, or one that has data; do they have the same secret, and certificates of"+
			" the same authority?", strings.Join(c.Cluster.others(), ", ")), nil
	}
	if len(with) == 0 {
		return "", nil
	}
	members := union(with)
	_, mine := find(members, c.Node)
	switch {
	case c.Cluster.Replace != "" && !mine:
		return "", fmt.Errorf("%w: it has no member %s to replace; the members are %s",
			ErrNotAdmitted, c.Cluster.Replace, list(members))
	case c.Cluster.Replace == "" && (mine || len(members) > others):
		return "", fmt.Errorf("%w: it is new, without data, and the cluster has all its members, %s%s;"+
			" to take the place of one that is lost for good, start once with --replace NAME; to remove one: notakto cluster remove NAME",
			ErrNotAdmitted, list(members), silentMembers(members, with))
	}
	return "", nil
}

// silentMembers says which members do not answer.
func silentMembers(members []member, answers []nodeAnswer) string {
	members = slices.DeleteFunc(slices.Clone(members), func(m member) bool {
		return slices.ContainsFunc(answers, func(a nodeAnswer) bool { return peerID(a.Name) == m.ID })
	})
	if len(members) == 0 {
		return ""
	}
	return "; these do not answer: " + list(members)
}

// isPeer reports whether a replica is the node of a name. NATS says the ID alone of one that it has not met since it
// started.
func isPeer(r *jetstream.PeerInfo, name string) bool {
	return r.Name == name || strings.Contains(r.Name, peerID(name))
}

// incomplete says which stream is not whole on all other nodes that keep it. Before it is, a node that lost what it
// had confirmed must not come back under its name: together with one that is behind it could decide that it never was.
func (v *guestServer) incomplete(ctx context.Context, lost string) string {
	for _, name := range [...]string{matchesStream, archiveStream} {
		info, err := askStream(ctx, v.js, name)
		if errors.Is(err, jetstream.ErrStreamNotFound) {
			continue
		}
		if err != nil || info.Cluster == nil || info.Cluster.Leader == "" {
			return fmt.Sprintf("a leader of the stream %s: more than half of the servers that keep it must be up", name)
		}
		for _, r := range info.Cluster.Replicas {
			if !isPeer(r, lost) && (!r.Current || r.Offline) {
				return fmt.Sprintf("the copy of the stream %s on %s to be complete", name, r.Name)
			}
		}
	}
	return ""
}
