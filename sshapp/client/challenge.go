package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"notakto/match"
	"notakto/match/account"
	"notakto/match/history"
	"notakto/match/manager"
	"notakto/match/store"
	"notakto/sshapp/start"
	"notakto/sshapp/wording"
)

var (
	// ErrSeveralOffers says that a player has several challenges that a command could mean.
	ErrSeveralOffers = errors.New("this player has several open challenges: use the identifier that challenges shows")
	// ErrRatedTerms says that a rated challenge cannot have its terms.
	ErrRatedTerms = errors.New("a rated challenge is on 4 boards, with a clock of 6+0 or of days, such as 3d")
)

// ChallengeDays is the default time for a move in a challenge. Neither player then has to be there at once.
const ChallengeDays = 3

// Offer is an open challenge from the view of one player.
type Offer struct {
	manager.OpenChallenge
	Kind     OfferKind
	Standing history.Standing // of the maker, among people or programs as the terms say

	isOneOfSeveral bool // the name of the opponent fits several offers
}

// OfferKind tells what a player can do with an [Offer].
type OfferKind uint8

// The kinds of offers.
const (
	OfferToYou    OfferKind = iota // names the player, to accept or decline
	OfferToAnyone                  // on the board, to accept
	OfferWaiting                   // a player in the queue, to meet by a seek with the terms of the offer
	OwnOffer                       // made by the player, to withdraw
)

// Offers returns the open challenges for p, in the order of [manager.Manager.Challenges]. With h nil or unreadable, the
// standings are zero.
func (s *Session) Offers(ctx context.Context, h *store.History, p match.PlayerID) []Offer {
	var all []Offer
	makers := make(map[match.Pool][]match.PlayerID)
	for _, c := range s.manager.Challenges(p) {
		o := newOffer(c, p)
		if o.Kind != OwnOffer && !s.mayAccept(c) {
			continue
		}
		pool := cmp.Or(c.Pool, match.PeoplePool)
		makers[pool] = append(makers[pool], c.Maker.ID)
		for i := range all {
			if all[i].Other() == o.Other() && (all[i].Kind == OwnOffer) == (o.Kind == OwnOffer) {
				all[i].isOneOfSeveral, o.isOneOfSeveral = true, true
			}
		}
		all = append(all, o)
	}
	if h == nil {
		return all
	}
	for pool, players := range makers {
		standings, _ := h.Standings(ctx, pool, players...)
		for i := range all {
			if cmp.Or(all[i].Pool, match.PeoplePool) == pool {
				all[i].Standing = standings[all[i].Maker.ID]
			}
		}
	}
	return all
}

// mayAccept reports whether the challenge is casual, or in the pool of this session.
func (s *Session) mayAccept(c manager.OpenChallenge) bool {
	return !c.Pool.IsRated() || c.Pool == s.ratedPool()
}

// PersonalChallenges returns the challenges that name p and that p may accept in this session, and p's own challenges,
// each newest first.
func (s *Session) PersonalChallenges(p match.PlayerID) (named, own []manager.OpenChallenge) {
	named, own = s.manager.PersonalChallenges(p)
	return slices.DeleteFunc(named, func(c manager.OpenChallenge) bool { return !s.mayAccept(c) }), own
}

func (s *Session) ratedPool() match.Pool {
	if s.IsBot {
		return match.BotPool
	}
	return match.PeoplePool
}

// Accept seats p in the match of a challenge. Errors are [match.ErrMakerAway] and those of [manager.Manager.Accept].
func (s *Session) Accept(ctx context.Context, p match.Player, id match.ID) error {
	if s.manager.IsMakerAway(p.ID, id) {
		return match.ErrMakerAway
	}
	return s.manager.Accept(ctx, p, id, s.ratedPool())
}

func newOffer(c manager.OpenChallenge, p match.PlayerID) Offer {
	o := Offer{OpenChallenge: c, Kind: OfferToAnyone}
	switch {
	case c.Maker.ID == p:
		o.Kind = OwnOffer
	case c.ID == "":
		o.Kind = OfferWaiting
	case c.Invited.ID == p:
		o.Kind = OfferToYou
	}
	return o
}

// Other returns the maker, or the invited player of an own offer. For an own offer to anyone, it returns a player with
// the zero ID and the name [wording.Anyone].
func (o Offer) Other() match.Player {
	switch {
	case o.Kind != OwnOffer:
		return o.Maker
	case o.Invited.ID == "":
		return match.Player{Name: wording.Anyone}
	default:
		return o.Invited
	}
}

// Command returns the command that accepts the offer, or withdraws an own one, such as "accept gus". It names the other
// player by a claimed name, because a name that is not claimed can belong to several players. Without a claimed name,
// and for one of several offers of a player, it has an identifier.
func (o Offer) Command(accounts *account.Accounts) string {
	verb, other := "accept ", o.Other()
	if o.Kind == OwnOffer {
		verb = "withdraw "
	}
	switch name := accounts.ClaimedName(other.ID); {
	case name != "" && (!o.isOneOfSeveral || o.ID == ""):
		return verb + name
	case o.ID != "":
		return verb + string(o.ID)
	default:
		return verb + string(other.ID)
	}
}

// Line describes the offer in a list, without a full stop.
func (o Offer) Line(now time.Time) string {
	rating := ""
	if !o.Standing.Ended.IsZero() && o.Kind != OwnOffer {
		rating = o.Standing.Rating.String()
	}
	name := o.Other().Name
	if o.IsHere {
		name += " (" + wording.HereNow + ")"
	}
	return [...]string{"To you: ", "To anyone: ", "In the queue: ", "Yours, to "}[o.Kind] +
		wording.Offer(name, rating, o.Terms, now.Sub(o.Since))
}

// FindPlayer returns the account with a claimed name or an identifier. An @ before text is left out. The error is an
// [account.Error] that shows the command to claim a name at host.
func FindPlayer(accounts *account.Accounts, host, text string) (match.Player, error) {
	text = strings.TrimPrefix(text, "@")
	p, err := accounts.Find(text)
	if errors.Is(err, account.ErrNoSuchPlayer) {
		return p, account.Error(fmt.Sprintf("no player has claimed the name %.40s: check the spelling, or ask the "+
			"player to claim it with ssh %s name %.40s", text, host, text))
	}
	return p, err
}

// Challenger makes and answers challenges for a player, and blocks other players, by names as in [FindPlayer]. Its
// methods return a sentence for the player.
type Challenger struct {
	*Session
	Accounts *account.Accounts
	Host     string // the server in commands to copy
	Player   match.Player
	Caller   account.Caller // identifies Player in changes of the account
}

// Challenge makes a challenge to the player with a name, or to [wording.Anyone]. Errors are those of [FindPlayer] and
// of [manager.Manager.Challenge].
func (c Challenger) Challenge(ctx context.Context, name string, terms match.Terms) (said string, err error) {
	made := manager.Challenge{Terms: terms}
	switch {
	case c.Player.Guest:
		return "", match.ErrGuestChallenge
	case name != wording.Anyone:
		if made.Opponent, err = FindPlayer(c.Accounts, c.Host, name); err != nil {
			return "", err
		}
		name = made.Opponent.Name
	}
	if _, err := c.manager.Challenge(ctx, c.Player, made); err != nil {
		return "", err
	}
	said = "You challenge " + name + ": " + wording.ChallengeTerms(terms) + ". The challenge is open for " +
		wording.Count(int(match.ChallengeLife.Hours()/24), "day", "days") + "."
	if !terms.Clock.IsCorrespondence() {
		said += " Be in the game when " + name + " accepts: the match begins at once."
	}
	return said, nil
}

// Decline declines a challenge to the player. Errors are those of FindOffer and of [manager.Manager.Decline].
func (c Challenger) Decline(ctx context.Context, name string) (said string, err error) {
	o, err := c.FindOffer(name, OfferToYou)
	if err != nil {
		return "", err
	}
	return "You decline the challenge of " + o.Maker.Name + ".", c.manager.Decline(ctx, c.Player.ID, o.ID)
}

// Withdraw withdraws a challenge of the player. Errors are those of Decline.
func (c Challenger) Withdraw(ctx context.Context, name string) (said string, err error) {
	o, err := c.FindOffer(name, OwnOffer)
	if err != nil {
		return "", err
	}
	return "Your challenge to " + o.Other().Name + " is withdrawn.", c.manager.Decline(ctx, c.Player.ID, o.ID)
}

// Block blocks a player. Errors are those of [FindPlayer] and of [account.Accounts.Block].
func (c Challenger) Block(ctx context.Context, name string) (said string, err error) {
	p, err := FindPlayer(c.Accounts, c.Host, name)
	if err == nil {
		err = c.Accounts.Block(ctx, c.Caller, p.ID)
	}
	const effect = "You no longer see each other's challenges, and the queue does not pair you."
	return "You have blocked " + p.Name + ". " + effect, err
}

// Unblock lifts a block. Errors are those of [FindPlayer] and of [account.Accounts.Unblock].
func (c Challenger) Unblock(ctx context.Context, name string) (said string, err error) {
	p, err := FindPlayer(c.Accounts, c.Host, name)
	if err == nil {
		err = c.Accounts.Unblock(ctx, c.Caller, p.ID)
	}
	return p.Name + " is not blocked.", err
}

// Blocked names the players that the player has blocked, as Unblock takes them. The error is [account.ErrGuest].
func (c Challenger) Blocked() (said string, err error) {
	if c.Player.Guest {
		return "", account.ErrGuest
	}
	var names []string
	for _, id := range c.Accounts.Info(c.Player.ID).Blocked {
		names = append(names, cmp.Or(c.Accounts.ClaimedName(id), string(id)))
	}
	if len(names) == 0 {
		return "You have blocked no player.", nil
	}
	return "You have blocked " + strings.Join(names, ", ") + ".", nil
}

// FindOffer returns the offer that text names, among the offers of kinds. The text is the identifier of the offer, or
// names its other player as in [FindPlayer], or is [wording.Anyone] for an own offer on the board. A player may have
// offers of several kinds. FindOffer then returns the one of the first kind. Errors are those of FindPlayer,
// [match.ErrNoSuchChallenge], [match.ErrGuestChallenge] and [ErrSeveralOffers].
func (c Challenger) FindOffer(text string, kinds ...OfferKind) (Offer, error) {
	other, err := match.Player{}, error(nil)
	if text != wording.Anyone {
		other, err = FindPlayer(c.Accounts, c.Host, text)
	}
	all := c.Offers(context.Background(), nil, c.Player.ID)
	for _, o := range c.manager.ChallengesOf(other.ID, c.Player.ID) {
		isListed := slices.ContainsFunc(all, func(listed Offer) bool { return listed.ID == o.ID })
		if !isListed && c.mayAccept(o) {
			all = append(all, newOffer(o, c.Player.ID))
		}
	}
	all = slices.DeleteFunc(all, func(o Offer) bool { return !slices.Contains(kinds, o.Kind) })
	if i := slices.IndexFunc(all, func(o Offer) bool { return o.ID != "" && string(o.ID) == text }); i >= 0 {
		return all[i], nil
	}
	for _, kind := range kinds {
		named := slices.DeleteFunc(slices.Clone(all), func(o Offer) bool {
			isNamed := err == nil && o.Other().ID == other.ID || string(o.Other().ID) == text
			return o.Kind != kind || !isNamed
		})
		switch len(named) {
		case 0:
		case 1:
			return named[0], nil
		default:
			return Offer{}, ErrSeveralOffers
		}
	}
	switch {
	case c.Player.Guest:
		return Offer{}, match.ErrGuestChallenge
	case err != nil:
		return Offer{}, err
	default:
		return Offer{}, match.ErrNoSuchChallenge
	}
}

// ChallengeTerms returns the terms of a challenge. Without a clock it has ChallengeDays a move, unless from is
// Untimed. The error is [ErrRatedTerms].
func ChallengeTerms(from start.Start, isRated bool) (match.Terms, error) {
	if from.Clock.IsNone() && !from.Untimed {
		from.Clock, _ = match.Correspondence(ChallengeDays)
	}
	if !isRated {
		return from.Table(), nil
	}
	rated := match.RatedTerms(match.PeoplePool)
	isOther := from.Variant.IsValid() && from.Variant != rated.Variant
	if isOther || !from.Clock.IsCorrespondence() && from.Clock != rated.Clock {
		return match.Terms{}, ErrRatedTerms
	}
	rated.Clock = from.Clock
	return rated, nil
}

// Challenges follows the challenges of a player and the challenges that name the player. The zero value follows no
// player. Only the goroutine of the front end may use it.
type Challenges struct {
	player match.PlayerID
	told   map[match.ID]bool       // challenges to the player
	named  []manager.OpenChallenge // to the player, at the last look
	own    []manager.OpenChallenge // at the last look
	stop   func()
}

// LookedFor is the time after a player's input during which the player looks at the session, and sees what it shows.
const LookedFor = 30 * time.Second

// maxTold limits the memory for challenges that one session was told of. Others may make and withdraw challenges
// without end.
const maxTold = 1000

// ChallengeNews is a new challenge to the player, or the end of one of the player's own challenges.
type ChallengeNews struct {
	Offer
	End      manager.ChallengeEnd // ChallengeGone for an OfferToYou
	Opponent match.Player         // named [wording.Anyone] after a challenge on the board expired
}

// Look returns the news since the last look. The first look at p returns all challenges that name p. Later looks also
// return the ends of p's own challenges, except withdrawn ones. [Session.Changed] receives a value when there may be
// news.
func (c *Challenges) Look(s *Session, p match.PlayerID) (news []ChallengeNews) {
	if c.player != p || c.stop == nil {
		if c.stop != nil {
			s.untrack(c)
			c.stop()
		}
		*c = Challenges{player: p, told: map[match.ID]bool{}, stop: s.manager.FollowChallenges(p, s.ring)}
		_ = s.track(c) // after the session's end there is no news
	}
	named, own := s.PersonalChallenges(p)
	// told normally keeps the challenges that are hidden for a while, because they are no news when they come back.
	if len(c.told) > maxTold {
		maps.DeleteFunc(c.told, func(id match.ID, _ bool) bool {
			return !slices.ContainsFunc(named, func(o manager.OpenChallenge) bool { return o.ID == id })
		})
	}
	for _, o := range named {
		if !c.told[o.ID] {
			c.told[o.ID] = true
			n := ChallengeNews{Offer: newOffer(o, p), Opponent: o.Maker}
			n.isOneOfSeveral = slices.ContainsFunc(named, func(other manager.OpenChallenge) bool {
				return other.Maker.ID == o.Maker.ID && other.ID != o.ID
			})
			news = append(news, n)
		}
	}
	for _, was := range c.own {
		if slices.ContainsFunc(own, func(o manager.OpenChallenge) bool { return o.ID == was.ID }) {
			continue
		}
		end, opponent := s.manager.ChallengeEnd(p, was.ID)
		o := newOffer(was, p)
		if end != manager.ChallengeAccepted {
			opponent = o.Other()
		}
		if end != manager.ChallengeGone {
			news = append(news, ChallengeNews{o, end, opponent})
		}
	}
	c.named, c.own = named, own
	return news
}

// IsOpen reports whether a challenge to the player was open at the last look.
func (c *Challenges) IsOpen(id match.ID) bool {
	return slices.ContainsFunc(c.named, func(o manager.OpenChallenge) bool { return o.ID == id })
}

// Made adds a challenge that the player has made since the last look. Otherwise the next look could miss its end.
func (c *Challenges) Made(o manager.OpenChallenge) { c.own = append(c.own, o) }

func (c *Challenges) release() { c.stop() }

// Text tells the news in one sentence.
func (n ChallengeNews) Text() string {
	switch n.End {
	case manager.ChallengeAccepted:
		return n.Opponent.Name + " accepts your challenge."
	case manager.ChallengeDeclined:
		return n.Opponent.Name + " declines your challenge."
	case manager.ChallengeExpired:
		return "Your challenge to " + n.Opponent.Name + " has expired."
	default:
		return n.Opponent.Name + " challenges you: " + wording.ChallengeTerms(n.Terms) + "."
	}
}
