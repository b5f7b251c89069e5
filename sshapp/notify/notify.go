// Package notify tells absent players that a match waits for them. The operator names one HTTP endpoint, and a
// [Notifier] sends it notices in the publish format of ntfy.
//
// The occasions of notices are the player's turn in a match with a clock of days, a quarter left of that clock, and a
// challenge to the player. The Notifier follows the journal and derives the occasions from the matches. A restart
// therefore loses no occasion. Every server has a Notifier, and [store.Notices] grants each occasion to one.
//
// One goroutine does all the work, in rounds. Only this goroutine waits for the database and the endpoint. Recording an
// event and pressing a key never wait for the goroutine.
package notify

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"notakto/match"
	"notakto/match/stats"
	"notakto/match/store"
	"notakto/rules"
	"notakto/sshapp/wording"
)

const (
	roundEvery  = 5 * time.Second
	settleTime  = 10 * time.Second // from an occasion to its claim, for a key pressed in between to be recorded
	retryHeld   = time.Minute      // before a held claim is made again
	maxQueue    = 100              // notices to be delivered, further occasions wait unclaimed
	postTimeout = 10 * time.Second
	maxResponse = 64 << 10 // bytes of an answer that are read, to use the connection again
)

// retryAfter has the pauses before further attempts to deliver a notice. Later notices wait during the pauses.
var retryAfter = [...]time.Duration{10 * time.Second, time.Minute, 5 * time.Minute}

// Results of notices, as keys of [Stats].
const (
	Sent   = "sent"
	Failed = "failed" // dropped, because the endpoint did not take the notice
)

// Stats counts notices by their results.
type Stats = stats.Counts[string]

// Config configures a [Notifier].
type Config struct {
	URL     string // of the endpoint
	Host    string // the server in commands to copy, as arguments of ssh, or [wording.NoHost]
	Journal match.Journal
	Notices *store.Notices
	Topic   func(match.PlayerID) string         // where a player gets notices, "" for a player without them
	Blocks  func(by, other match.PlayerID) bool // whether a player has blocked another one
	Shown   func(match.Player) match.Player     // a player under the name that others may see
	Log     *slog.Logger
	Stats   *Stats
}

// Notifier sends notices until [Notifier.Close].
type Notifier struct {
	config Config
	client *http.Client
	stop   func()
	work   sync.WaitGroup

	mu      sync.Mutex // never held while waiting
	matches map[match.ID]*followed
	keys    map[match.PlayerID]*lastKey

	// Only the goroutine of the rounds uses the fields below.
	queue   [][]byte // bodies of granted notices
	tries   int      // attempts to deliver the first body
	retryAt time.Time
	failing bool // the endpoint has not taken the last notice
}

// lastKey has the times of the last key of a player, and of the last one that MarkSeen recorded.
type lastKey struct{ pressed, recorded time.Time }

// followed is a match that can have occasions.
type followed struct {
	match.State
	claims [lastKind + 1]lastClaim
}

// lastClaim describes the last claim for an occasion of a kind.
type lastClaim struct {
	since time.Time // of the occasion
	again time.Time // when to claim the occasion again, zero for never
}

type occasionKind uint8

const (
	turnOccasion occasionKind = iota
	clockOccasion
	challengeOccasion

	lastKind = challengeOccasion
)

// occasion is a reason to send a player a notice.
type occasion struct {
	kind     occasionKind
	since    time.Time
	player   match.PlayerID
	opponent match.Player
	topic    string
	id       match.ID
	terms    match.Terms
	followed *followed // guarded by the lock
}

// item names the occasion for a claim. Challenges of one maker on one day share an item, because the maker could
// otherwise use up the player's notices. A hash stands for the maker's account, because the account may be erased
// before the claim.
func (o occasion) item() string {
	if o.kind == challengeOccasion {
		maker := sha256.Sum256([]byte(o.opponent.ID))
		return fmt.Sprintf("challenge/%x/%s", maker[:8], o.since.UTC().Format(time.DateOnly))
	}
	kinds := [...]string{turnOccasion: "turn", clockOccasion: "clock"}
	return fmt.Sprintf("%s/%s/%d", kinds[o.kind], o.id, o.since.UnixMicro())
}

// most limits the player's notices in 24 hours, this one included.
func (o occasion) most() int {
	if o.kind == challengeOccasion {
		return store.MaxChallengeNotices
	}
	return store.MaxNotices
}

// Start starts a notifier.
func Start(c Config) *Notifier {
	n := newNotifier(c)
	ctx, end := context.WithCancel(context.Background())
	unfollow := c.Journal.Subscribe(n.follow)
	n.stop = sync.OnceFunc(func() {
		unfollow()
		end()
		n.work.Wait()
		n.client.CloseIdleConnections()
	})
	n.work.Go(func() {
		for match.Sleep(ctx, roundEvery) == nil {
			match.RecoverPanic(c.Log, "notices", func() { n.round(ctx) })
		}
	})
	return n
}

func newNotifier(c Config) *Notifier {
	return &Notifier{
		config: c,
		client: &http.Client{
			Timeout:       postTimeout,
			Transport:     &http.Transport{MaxIdleConns: 1, IdleConnTimeout: time.Minute},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		matches: map[match.ID]*followed{}, keys: map[match.PlayerID]*lastKey{},
	}
}

// Close ends the rounds. Notices that are not delivered are lost.
func (n *Notifier) Close() { n.stop() }

// Typed records that a player has pressed a key now. Any goroutine may call it.
func (n *Notifier) Typed(p match.PlayerID) {
	if n.config.Topic(p) == "" {
		return
	}
	now := n.config.Journal.Now()
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.keys[p] == nil {
		n.keys[p] = new(lastKey)
	}
	n.keys[p].pressed = now
}

// follow folds the event of a match that can have occasions.
func (n *Notifier) follow(e match.Event) {
	n.mu.Lock()
	defer n.mu.Unlock()
	isNamed := e.Origin == match.ChallengeOrigin && e.Player.ID != ""
	if e.Kind == match.Opened && (e.Clock.IsCorrespondence() || isNamed) {
		n.matches[e.Match] = new(followed)
	}
	f := n.matches[e.Match]
	if f == nil {
		return
	}
	next, err := f.Apply(e)
	f.State = next
	if err != nil || next.IsOver() || next.HasStarted() && !next.Clock.IsCorrespondence() {
		delete(n.matches, e.Match)
	}
}

// round records the keys of players, claims the occasions that are due, and delivers notices.
func (n *Notifier) round(ctx context.Context) {
	if err := n.markSeen(ctx); err != nil {
		return // the database does not answer
	}
	for _, o := range n.due() {
		if len(n.queue) == maxQueue {
			break
		}
		answer, err := n.config.Notices.Claim(ctx, o.player, o.item(), o.since, o.most())
		if err != nil {
			return
		}
		claim := lastClaim{since: o.since}
		switch answer {
		case store.ClaimGranted:
			n.queue = append(n.queue, n.body(o))
		case store.ClaimHeld:
			claim.again = n.config.Journal.Now().Add(retryHeld)
		case store.ClaimRefused:
		}
		n.mu.Lock()
		o.followed.claims[o.kind] = claim
		n.mu.Unlock()
	}
	n.deliver(ctx)
}

// markSeen records the keys of players, at most one of a player in store.SeenEvery.
func (n *Notifier) markSeen(ctx context.Context) error {
	now, unrecorded := n.config.Journal.Now(), map[match.PlayerID]time.Time{}
	n.mu.Lock()
	for p, k := range n.keys {
		switch {
		case now.Sub(k.recorded) < store.SeenEvery:
		case k.pressed.After(k.recorded):
			unrecorded[p] = k.pressed
		default:
			delete(n.keys, p)
		}
	}
	n.mu.Unlock()
	for p, at := range unrecorded {
		if err := n.config.Notices.MarkSeen(ctx, p, at); err != nil {
			return err
		}
		n.mu.Lock()
		n.keys[p].recorded = at
		n.mu.Unlock()
	}
	return nil
}

// due returns the occasions to claim now, the earliest first.
func (n *Notifier) due() (all []occasion) {
	now := n.config.Journal.Now()
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, f := range n.matches {
		for _, o := range f.occasions() {
			isHidden := n.config.Blocks(o.player, o.opponent.ID) || n.config.Blocks(o.opponent.ID, o.player)
			if o.kind == challengeOccasion && (isHidden || !now.Before(f.ExpiresAt())) {
				continue
			}
			claim := f.claims[o.kind]
			isClaimed := claim.since.Equal(o.since) && (claim.again.IsZero() || now.Before(claim.again))
			if isClaimed || now.Sub(o.since) < settleTime {
				continue
			}
			if o.topic = n.config.Topic(o.player); o.topic != "" {
				all = append(all, o)
			}
		}
	}
	slices.SortFunc(all, func(a, b occasion) int { return a.since.Compare(b.since) })
	return all
}

// occasions returns the present and future occasions of the match as it stands.
func (f *followed) occasions() []occasion {
	o := occasion{id: f.ID, terms: f.Terms, followed: f}
	if f.IsOpenChallenge() && f.Invited.ID != "" {
		if f.Pool == match.BotPool { // the notice names a command for a person, and only a program can accept
			return nil
		}
		o.kind, o.since, o.player = challengeOccasion, f.OpenedAt, f.Invited.ID
		o.opponent = f.Seat(f.Awaited()).Player
		return []occasion{o}
	}
	side := f.Turn()
	if side == rules.NoSide {
		return nil
	}
	o.kind, o.since = turnOccasion, f.TurnSince
	o.player, o.opponent = f.Seat(side).Player.ID, f.Seat(side.Other()).Player
	quarter := o
	quarter.kind, quarter.since = clockOccasion, f.TurnSince.Add(f.Seat(side).ClockLeft/4*3)
	return []occasion{o, quarter}
}

// publication is the publish format of ntfy. The endpoint passes the text on to the subscribers of the topic.
type publication struct {
	Topic   string `json:"topic"`
	Title   string `json:"title"`
	Message string `json:"message"`
}

func (n *Notifier) body(o occasion) []byte {
	name, command := n.config.Shown(o.opponent).Name, "moves"
	title := "Your move against " + name
	switch o.kind {
	case turnOccasion:
	case clockOccasion:
		title = "A quarter of your time is left against " + name
	case challengeOccasion:
		title, command = name+" challenges you", "challenges"
	}
	text := wording.Capital(wording.Terms(o.terms)) + "."
	if n.config.Host != wording.NoHost {
		text += "\nssh " + n.config.Host + " " + command
	}
	body, _ := json.Marshal(publication{o.topic, title, text}) // never fails
	return body
}

// deliver posts the notices in their order, and begins no post after roundEvery. After a failure all notices wait for
// the next attempt.
func (n *Notifier) deliver(ctx context.Context) {
	began, now := time.Now(), n.config.Journal.Now()
	for len(n.queue) > 0 && !now.Before(n.retryAt) && time.Since(began) < roundEvery {
		canRetry, err := n.post(ctx, n.queue[0])
		if ctx.Err() != nil {
			return
		}
		if err != nil && !n.failing {
			n.config.Log.Warn("the endpoint for notices does not take them", "event", "notify-failed", "error", err)
		}
		n.failing = err != nil
		if canRetry && n.tries < len(retryAfter) {
			n.retryAt = now.Add(retryAfter[n.tries])
			n.tries++
			return
		}
		n.queue, n.tries = n.queue[1:], 0
		if err == nil {
			n.config.Stats.Add(Sent, 1)
		} else {
			n.config.Stats.Add(Failed, 1)
		}
	}
}

// post sends a notice once. canRetry reports whether another attempt can succeed after the error.
func (n *Notifier) post(ctx context.Context, body []byte) (canRetry bool, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, n.config.URL, bytes.NewReader(body))
	if err != nil {
		return false, errors.New("the URL cannot be used") // err would have the URL with its password
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := n.client.Do(request)
	if inner := new(url.Error); errors.As(err, &inner) {
		err = inner.Err // without the URL
	}
	if err != nil {
		return true, err
	}
	defer func() { _ = response.Body.Close() }()
	_, _ = io.CopyN(io.Discard, response.Body, maxResponse)
	code := response.StatusCode
	if code >= http.StatusOK && code < http.StatusMultipleChoices {
		return false, nil
	}
	canRetry = code >= http.StatusInternalServerError || code == http.StatusTooManyRequests
	return canRetry, fmt.Errorf("it answers %d %s", code, http.StatusText(code))
}
