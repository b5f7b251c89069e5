package natsd

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// ErrNoMember says that a cluster's member cannot be removed.
var ErrNoMember = errors.New("the server cannot be removed from the cluster")

// ErrNoClusterFound says that no server of a cluster answered.
var ErrNoClusterFound = errors.New("no server of the cluster answers at the addresses of --cluster-listen and " +
	"--cluster-peer: see that one is up, and that the secret and the certificates are those of the server")

// ClusterStatus is the status of a cluster as its servers report it.
type ClusterStatus struct {
	Nodes   []NodeStatus
	Streams []StreamStatus
}

// NodeStatus is one member of a cluster. Name is its ID if no server has met it since that server started. Version,
// Fingerprint, Ahead and CertificateEnd are empty if the member does not answer.
type NodeStatus struct {
	Name, Address, Version, Fingerprint string

	Up             bool
	Ahead          time.Duration // of this machine's clock
	CertificateEnd time.Time     // when its certificate expires; zero without one
	LastSeen       time.Time     // when it answered last; zero if it does not answer and that is not known
}

// StreamStatus is one stream. Without a leader nothing can be recorded in it.
type StreamStatus struct {
	Name, Leader string
	Replicas     int // how many copies there are to be; 0 without a leader
	Copies       []StreamCopy
}

// StreamCopy is a server's copy of a stream: "leads", "current", "behind" or "offline".
type StreamCopy struct{ Node, State string }

// guest starts a guest server, which can run beside a node on the same machine.
func guest(ctx context.Context, cfg Config) (*guestServer, error) {
	cfg = cfg.withDefaults()
	if err := cfg.check(); err != nil {
		return nil, err
	}
	cluster := cfg.Cluster
	cluster.Peers = append(cluster.others(), cluster.Listen)
	host, _, err := net.SplitHostPort(cluster.Listen)
	if err != nil {
		return nil, err
	}
	cluster.Listen = net.JoinHostPort(host, "-1") // the certificate's address, any port
	return newGuestServer(ctx, cfg, cluster)
}

// clusterClient asks the servers of a cluster, and changes what they keep: through one of them, or a guest server.
type clusterClient struct {
	embedded *embeddedServer
	conn     *nats.Conn
	js       jetstream.JetStream
}

// ClusterManager sees and repairs a cluster, as a server of it or from outside. Its methods may be called from any
// goroutine.
type ClusterManager struct {
	reach    func(ctx context.Context) (clusterClient, func(), error)
	facts    func() *ClusterFacts
	replicas int // by the settings
}

// NewClusterManager returns the manager of a cluster for a process that is none of its servers. cfg is that of one of
// them, whether it runs or not. Its directory is not used.
func NewClusterManager(cfg Config) *ClusterManager {
	return &ClusterManager{func(ctx context.Context) (clusterClient, func(), error) {
		v, err := guest(ctx, cfg)
		if err != nil {
			return clusterClient{}, nil, err
		}
		return v.clusterClient, v.close, nil
	}, func() *ClusterFacts { return nil }, cfg.Cluster.replicas()}
}

// ManagerOf returns the manager of the cluster of a node, which must have joined it; nil without one.
func ManagerOf(n *Node) *ClusterManager {
	if n.Config.Cluster.Listen == "" {
		return nil
	}
	return &ClusterManager{func(context.Context) (clusterClient, func(), error) {
		return clusterClient{n.server, n.JetStream.Conn(), n.JetStream}, func() {}, nil
	}, n.ClusterFacts.Load, n.Config.Cluster.replicas()}
}

// meet returns the members of the cluster, and the answers of those that are up. It waits up to five seconds for all
// of them.
func (v clusterClient) meet(ctx context.Context) (members []member, answers []nodeAnswer, err error) {
	for began := time.Now(); ; Wait(ctx, RetryDelay) {
		asked := askNodes(ctx, v.conn, "", haveAnswered(members), time.Now)
		asked = slices.DeleteFunc(asked, func(a nodeAnswer) bool { return !a.Joined })
		if len(asked) >= len(answers) {
			answers, members = asked, union(asked)
		}
		late := time.Since(began) > 5*time.Second
		switch {
		case ctx.Err() != nil:
			return nil, nil, context.Cause(ctx)
		case len(members) > 0 && (late || silentMembers(members, answers) == ""):
			return members, answers, nil
		case late:
			return nil, nil, ErrNoClusterFound
		}
	}
}

// Status asks the servers of the cluster for their state. It takes up to half a minute if some do not answer.
func (c *ClusterManager) Status(ctx context.Context) (ClusterStatus, error) {
	v, done, err := c.reach(ctx)
	if err != nil {
		return ClusterStatus{}, err
	}
	defer done()
	return c.status(ctx, v)
}

func (c *ClusterManager) status(ctx context.Context, v clusterClient) (ClusterStatus, error) {
	members, answers, err := v.meet(ctx)
	if err != nil {
		return ClusterStatus{}, err
	}
	var status ClusterStatus
	for _, m := range members {
		node := NodeStatus{Name: m.String(), Address: m.Address}
		if facts := c.facts(); facts != nil {
			node.LastSeen = facts.LastSeen[m.ID]
		}
		for _, a := range answers {
			if peerID(a.Name) == m.ID {
				node = NodeStatus{a.Name, a.Address, a.Version, a.Fingerprint, true, a.ahead, a.CertificateEnd, time.Now()}
			}
		}
		status.Nodes = append(status.Nodes, node)
	}
	for _, name := range streams() {
		stream := v.stream(ctx, name, members)
		for i, of := range stream.Copies {
			if slices.ContainsFunc(status.Nodes, func(n NodeStatus) bool { return n.Name == of.Node && !n.Up }) {
				stream.Copies[i].State = "offline" // before NATS does
			}
		}
		status.Streams = append(status.Streams, stream)
	}
	return status, nil
}

// stream returns the state of a stream's copies; none if its leader does not answer.
func (v clusterClient) stream(ctx context.Context, name string, members []member) StreamStatus {
	status := StreamStatus{Name: name}
	info, err := StreamInfo(ctx, v.js, name)
	if err != nil || info.Cluster == nil {
		return status
	}
	status.Replicas = info.Config.Replicas
	if status.Leader = info.Cluster.Leader; status.Leader != "" {
		status.Copies = []StreamCopy{{status.Leader, "leads"}}
	}
	for _, r := range info.Cluster.Replicas {
		of := StreamCopy{r.Name, "behind"}
		if m, ok := findIn(members, r); ok {
			of.Node = m.String()
		}
		switch {
		case r.Offline:
			of.State = "offline"
		case r.Current:
			of.State = "current"
		}
		status.Copies = append(status.Copies, of)
	}
	slices.SortFunc(status.Copies, func(a, b StreamCopy) int { return cmp.Compare(a.Node, b.Node) })
	return status
}

// Remove removes a permanently lost server from the cluster, by its name or ID. It returns when the remaining servers
// have as many complete copies of the streams as there can be. It refuses a server that answers. [ErrNoMember].
func (c *ClusterManager) Remove(ctx context.Context, name string) error {
	v, done, err := c.reach(ctx)
	if err != nil {
		return err
	}
	defer done()
	members, answers, err := v.meet(ctx)
	if err != nil {
		return err
	}
	m, ok := find(members, name)
	if !ok {
		return fmt.Errorf("%w: it has no member %s; the members are %s", ErrNoMember, name, list(members))
	}
	for _, a := range answers {
		if peerID(a.Name) == m.ID {
			return fmt.Errorf("%w: %s answers at %s; stop it first", ErrNoMember, a.Name, a.Address)
		}
	}
	system, err := nats.Connect("", v.embedded.login(systemUser))
	if err != nil {
		return err
	}
	defer system.Close()
	if err := removePeer(ctx, system, m.ID); err != nil {
		return fmt.Errorf("%w: %s: %w; more than half of the servers must be up", ErrNoMember, m, err)
	}
	return v.moved(ctx, m.String(), len(members)-1)
}

// Repair has every stream kept by as many servers that are up as the settings say, or as there are: it adds copies that
// are missing, and moves those of servers that are down to servers that have none. It returns the streams that it has
// changed, when the copies are complete.
func (c *ClusterManager) Repair(ctx context.Context) (changed []string, err error) {
	v, done, err := c.reach(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	status, up, err := c.led(ctx, v)
	if err != nil {
		return nil, err
	}
	for _, s := range status.Streams {
		isChanged, err := v.repair(ctx, s, up, min(c.replicas, up))
		if err != nil {
			return changed, fmt.Errorf("the stream %s: %w", s.Name, err)
		}
		if isChanged {
			changed = append(changed, s.Name)
		}
	}
	for _, s := range status.Streams {
		for {
			err := v.checkComplete(ctx, s.Name, "", up)
			if err == nil {
				break
			}
			if ctx.Err() != nil {
				return changed, fmt.Errorf("the copies are not complete yet: %w", err)
			}
			Wait(ctx, RetryDelay)
		}
	}
	return changed, nil
}

// led returns the state of the cluster once every stream has a leader, as after an election, and how many servers are
// up. It returns an error at once if too few are for an election.
func (c *ClusterManager) led(ctx context.Context, v clusterClient) (status ClusterStatus, up int, err error) {
	for {
		if status, err = c.status(ctx, v); err != nil {
			return status, 0, err
		}
		up = 0
		for _, n := range status.Nodes {
			if n.Up {
				up++
			}
		}
		i := slices.IndexFunc(status.Streams, func(s StreamStatus) bool { return s.Leader == "" })
		switch {
		case i < 0:
			return status, up, nil
		case 2*up <= len(status.Nodes):
			return status, up, fmt.Errorf("%w, and %d of %d are", errNoAnswer, up, len(status.Nodes))
		case ctx.Err() != nil:
			return status, up, fmt.Errorf("%s: %w; try again in a minute", status.Streams[i].Name, errNoLeader)
		}
		Wait(ctx, RetryDelay)
	}
}

// repair has a stream kept by at least some of the servers, of which so many are up.
func (v clusterClient) repair(ctx context.Context, s StreamStatus, up, want int) (changed bool, err error) {
	var offline []string
	for _, of := range s.Copies {
		if of.State == "offline" {
			offline = append(offline, of.Node)
		}
	}
	info, err := StreamInfo(ctx, v.js, s.Name)
	if err != nil {
		return false, err
	}
	if s.Leader == "" || info.Cluster == nil {
		return false, errNoLeader
	}
	spare := up - (len(s.Copies) - len(offline))
	for _, gone := range offline[:max(0, min(len(offline), spare))] {
		request := server.JSApiStreamRemovePeerRequest{Peer: gone}
		var answer server.JSApiStreamRemovePeerResponse
		if err := apiRequest(ctx, v.conn, fmt.Sprintf(server.JSApiStreamRemovePeerT, s.Name), request, &answer); err != nil {
			return changed, err
		}
		if answer.Error != nil {
			return changed, answer.Error
		}
		changed = true
	}
	if info.Config.Replicas >= want {
		return changed, nil
	}
	info.Config.Replicas = want
	_, err = v.js.UpdateStream(ctx, info.Config)
	return err == nil, err
}

// moved waits until [clusterClient.checkComplete] succeeds for every stream.
func (v clusterClient) moved(ctx context.Context, gone string, left int) error {
	for {
		var why error
		for _, name := range streams() {
			why = errors.Join(why, v.checkComplete(ctx, name, gone, left))
		}
		if why == nil {
			return nil
		}
		if ctx.Err() != nil {
			return fmt.Errorf("%s is removed, but the copies are not complete yet; see notakto cluster status: %w", gone, why)
		}
		Wait(ctx, RetryDelay)
	}
}

// checkComplete returns an error unless a removed server, if one is named, keeps no copy of a stream, and as many
// copies as there can be are complete.
func (v clusterClient) checkComplete(ctx context.Context, name, gone string, left int) error {
	info, err := StreamInfo(ctx, v.js, name)
	if errors.Is(err, jetstream.ErrStreamNotFound) { // the servers are of an older version
		return nil
	}
	if err != nil {
		return err
	}
	if info.Cluster == nil || info.Cluster.Leader == "" {
		return fmt.Errorf("%s: %w", name, errNoLeader)
	}
	copies := 1
	for _, r := range info.Cluster.Replicas {
		if gone != "" && (isPeer(r, gone) || strings.Contains(r.Name, gone)) {
			return fmt.Errorf("%s is still kept by %s", name, gone)
		}
		if r.Current && !r.Offline {
			copies++
		}
	}
	if want := min(info.Config.Replicas, left); copies < want {
		return fmt.Errorf("%s has %d complete copies of %d", name, copies, want)
	}
	return nil
}

// removePeer removes a server from the meta group.
func removePeer(ctx context.Context, system *nats.Conn, id string) error {
	return systemRequest(ctx, system, server.JSApiRemoveServer, server.JSApiMetaServerRemoveRequest{Peer: id})
}

// systemRequest requests a change from the cluster, and repeats it until it is answered.
func systemRequest(ctx context.Context, system *nats.Conn, subject string, request any) error {
	text, err := json.Marshal(request)
	if err != nil {
		return err
	}
	for {
		var answer server.ApiResponse
		one, cancel := context.WithTimeout(ctx, AnswerWithin)
		m, err := system.RequestWithContext(one, subject, text)
		cancel()
		if err == nil {
			err = json.Unmarshal(m.Data, &answer)
		}
		switch {
		case err != nil && ctx.Err() != nil:
			return err
		case err != nil: // retry
		// the first answer was lost
		case answer.Error == nil, server.IsNatsErr(answer.Error, server.JSClusterServerNotMemberErr):
			return nil
		case !server.IsNatsErr(answer.Error, server.JSClusterServerMemberChangeInflightErr, server.JSClusterRescueErr):
			return answer.Error
		}
		Wait(ctx, RetryDelay)
	}
}
