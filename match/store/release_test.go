package store

import (
	"bufio"
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"notakto/match"
	"notakto/match/account"
	"notakto/match/history"
	"notakto/match/internal/codec"
	"notakto/rules"
)

// released has the answers of the server of a release before its data was exported. The answers are the ladders, and
// for each player the output of "admin player export" and "profile".
type released struct {
	At       time.Time          `json:"at"`
	Ladder   []releasedStanding `json:"ladder"`
	Bots     []releasedStanding `json:"bots"`
	Players  []releasedPlayer   `json:"players"`
	Profiles []releasedProfile  `json:"profiles"`
}

type releasedStanding struct {
	Rank      int            `json:"rank"`
	ID        match.PlayerID `json:"id"`
	Name      string         `json:"name"`
	Rating    int            `json:"rating"`
	Deviation int            `json:"deviation"`
	Pairs     int            `json:"pairs"`
}

type releasedPlayer struct {
	ID      match.PlayerID `json:"id"`
	Claimed *time.Time     `json:"claimed"`
	Keys    []struct {
		ID     account.KeyID `json:"id"`
		Linked *time.Time    `json:"linked"`
	} `json:"keys"`
	Preferences account.Preferences `json:"preferences"`
	Deleted     *time.Time          `json:"deleted"`
	Ratings     []releasedRatings   `json:"ratings"`
	Finished    []releasedMatch     `json:"finished"`
}

type releasedRatings struct {
	Bots    bool           `json:"bots"`
	Rating  releasedRating `json:"rating"`
	Pairs   releasedPairs  `json:"pairs"`
	Results []releasedPair `json:"results"`
}

type releasedPair struct {
	Match     match.ID  `json:"match"`
	Opponent  named     `json:"opponent"`
	Result    string    `json:"result"`
	Counts    bool      `json:"counts"`
	Change    int       `json:"change"`
	Rating    int       `json:"rating"`
	Deviation int       `json:"deviation"`
	Ended     time.Time `json:"ended"`
}

type releasedMatch struct {
	Match    match.ID  `json:"match"`
	Variant  string    `json:"variant"`
	Clock    string    `json:"clock"`
	Rated    bool      `json:"rated"`
	Opponent named     `json:"opponent"`
	Result   string    `json:"result"`
	Reason   string    `json:"reason"`
	Plies    int       `json:"plies"`
	Ended    time.Time `json:"ended"`
}

type named struct {
	ID   match.PlayerID `json:"id"`
	Name string         `json:"name"`
}

type releasedProfile struct {
	ID      match.PlayerID  `json:"id"`
	Rating  *releasedRating `json:"rating"`
	Rank    *int            `json:"rank"`
	Pairs   releasedPairs   `json:"pairs"`
	Matches int             `json:"matches"`
	Won     int             `json:"won"`
	Kept    *float64        `json:"kept"`
	Bots    *struct {
		Rating *releasedRating `json:"rating"`
		Rank   *int            `json:"rank"`
		Pairs  releasedPairs   `json:"pairs"`
	} `json:"bots"`
}

type releasedRating struct {
	Value       int  `json:"value"`
	Deviation   int  `json:"deviation"`
	Provisional bool `json:"provisional"`
}

type releasedPairs struct {
	Won   int `json:"won"`
	Split int `json:"split"`
	Lost  int `json:"lost"`
}

// The data of release 1.0 moves into a store. The store has every account and match of its export, agrees with the
// release about players and ladders, and continues the matches in progress.
func TestARelease(t *testing.T) { testRelease(t, openIn(t, t.TempDir())) }

func testRelease(t *testing.T, s *Store) {
	text, err := os.ReadFile(filepath.Join("testdata", "release-1.0.jsonl"))
	ok(t, err)
	var said released
	answers, err := os.ReadFile(filepath.Join("testdata", "release-1.0.json"))
	if err == nil {
		err = json.Unmarshal(answers, &said)
	}
	ok(t, err)
	accounts, finished, live := readRelease(t, text)
	n := len(finished) + len(live)
	importInto(t, s, string(text), n, 0)
	importInto(t, s, string(text), 0, n)

	got := s.accountEvents()
	for i := range got {
		got[i].At = got[i].At.UTC()
	}
	if !reflect.DeepEqual(got, accounts) {
		t.Errorf("%d events of the accounts are\n%+v, want\n%+v", len(got), got, accounts)
	}
	running := 0
	for id, want := range merged(finished, live) {
		got, err := s.Load(t.Context(), id, 0)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v, %v", id, got, want, err)
		}
		if !stateOf(t, want).IsOver() {
			running++
		}
	}
	if c, err := s.Inspect(t.Context()); err != nil || c != (Contents{Finished: n - running, Live: running}) {
		t.Errorf("the store has %+v of %d matches, %d in progress, %v", c, n, running, err)
	}

	directory, stop, err := account.Open(t.Context(), s.Accounts(), nil, func() time.Time { return said.At })
	ok(t, err)
	defer stop()
	s.History().SetShown(directory.WithClaimedName)
	compareRelease(t, s, directory, &said)

	resigned := 0
	for id, events := range live {
		state := stateOf(t, events)
		if state.IsOver() || !state.HasStarted() {
			continue
		}
		resigned++
		last := match.Event{Match: id, Seq: uint64(len(events)) + 1, Kind: match.Resigned, Seat: rules.First}
		if _, err := s.Append(t.Context(), last); err != nil {
			t.Errorf("%s goes on with %v", id, err)
		}
	}
	want := Contents{Finished: n - running + resigned, Live: running - resigned}
	if c, err := s.Inspect(t.Context()); err != nil || c != want {
		t.Errorf("after %d resignations the store has %+v, %v", resigned, c, err)
	}
	// One table waits for its second player, and one rated pair is between its games.
	if resigned < 3 || running == resigned || len(live) == running || len(finished) < 12 {
		t.Errorf("the export has %d finished matches, %d at tables, of which %d are not over and %d have begun",
			len(finished), len(live), running, resigned)
	}
	importInto(t, s, string(text), 0, n)
}

// readRelease returns the content of an export, line by line.
func readRelease(t *testing.T, text []byte) (accounts []account.Event, finished, live map[match.ID][]match.Event) {
	t.Helper()
	finished, live = make(map[match.ID][]match.Event), make(map[match.ID][]match.Event)
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		var line struct {
			Format string          `json:"format"`
			Record []byte          `json:"record"`
			Seq    uint64          `json:"seq"`
			At     time.Time       `json:"at"`
			Entry  json.RawMessage `json:"entry"`
		}
		ok(t, json.Unmarshal(lines.Bytes(), &line))
		if line.Format == accountFormat {
			e, err := account.Decode(line.Entry)
			ok(t, err)
			e.Seq, e.At = line.Seq, line.At.UTC()
			accounts = append(accounts, e)
			continue
		}
		r, err := codec.DecodeRecord(line.Record)
		ok(t, err)
		into := finished
		if line.Format == liveFormat {
			into = live
		}
		into[r.ID] = r.Events
	}
	return accounts, finished, live
}

func merged(one, other map[match.ID][]match.Event) map[match.ID][]match.Event {
	all := make(map[match.ID][]match.Event, len(one)+len(other))
	for _, some := range []map[match.ID][]match.Event{one, other} {
		for id, events := range some {
			all[id] = events
		}
	}
	return all
}

func stateOf(t *testing.T, events []match.Event) (s match.State) {
	t.Helper()
	for _, e := range events {
		var err error
		if s, err = s.Apply(e); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// compareRelease compares a store with the answers of a release about accounts, players and ladders.
func compareRelease(t *testing.T, s *Store, directory *account.Directory, said *released) {
	t.Helper()
	same := func(what string, got, want any) {
		t.Helper()
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\n%+v, want\n%+v", what, got, want)
		}
	}
	same("ladder", releasedLadder(s, match.PeoplePool), said.Ladder)
	same("ladder of programs", releasedLadder(s, match.BotPool), said.Bots)
	if len(said.Bots) == 0 {
		t.Error("no player is on a ladder")
	}
	for _, want := range said.Players {
		info := directory.Info(want.ID)
		got := releasedPlayer{
			ID: info.ID, Claimed: secondsOrNull(info.NamedAt), Keys: slices.Clone(want.Keys[:0]),
			Preferences: info.Preferences, Deleted: secondsOrNull(info.DeletedAt),
			Ratings: []releasedRatings{}, Finished: releasedMatches(t, s, want.ID),
		}
		for i, key := range info.Keys {
			got.Keys = append(got.Keys, want.Keys[min(i, len(want.Keys)-1)])
			got.Keys[i].ID, got.Keys[i].Linked = key.ID, secondsOrNull(key.Since)
		}
		if len(info.Keys) == 0 { // no decision exists about the account
			got.Keys = want.Keys
		}
		for pool := match.PeoplePool; pool <= match.LastPool; pool++ {
			standing, err := s.History().Standing(t.Context(), pool, want.ID)
			ok(t, err)
			if rating := releasedRatingOf(standing); rating != nil {
				got.Ratings = append(got.Ratings, releasedRatings{
					pool == match.BotPool, *rating, pairsOf(standing), releasedPairsOf(t, s, pool, want.ID),
				})
			}
		}
		same("the player "+string(want.ID), got, want)
	}
	for _, want := range said.Profiles {
		same("the profile of "+string(want.ID), profileOf(t, s, want.ID), want)
	}
}

func secondsOrNull(at time.Time) *time.Time {
	if at.IsZero() {
		return nil
	}
	at = at.UTC().Truncate(time.Second)
	return &at
}

func releasedLadder(s *Store, pool match.Pool) []releasedStanding {
	all := []releasedStanding{}
	for _, p := range s.History().Ladder(pool, 0, history.MaxPage) {
		all = append(all, releasedStanding{
			p.Rank, p.Player.ID, p.Player.Name, p.Rating.WholePoints(), p.Rating.WholeDeviation(),
			p.Won + p.Split + p.Lost,
		})
	}
	return all
}

func releasedMatches(t *testing.T, s *Store, p match.PlayerID) []releasedMatch {
	t.Helper()
	entries, err := s.History().List(t.Context(), p, 0, history.MaxPage, true)
	ok(t, err)
	all := []releasedMatch{}
	for _, e := range entries {
		all = append(all, releasedMatch{
			e.Match, e.Variant.String(), e.Clock.String(), e.Pool.IsRated(), named{e.Opponent.ID, e.Opponent.Name},
			e.Result(), e.Reason, e.Plies, e.Ended.UTC().Truncate(time.Millisecond),
		})
	}
	return all
}

func releasedPairsOf(t *testing.T, s *Store, pool match.Pool, p match.PlayerID) (all []releasedPair) {
	t.Helper()
	pairs, err := s.History().RatedPairs(t.Context(), pool, p, history.RatedPair{}, history.MaxPage)
	ok(t, err)
	for _, r := range pairs {
		all = append(all, releasedPair{
			r.Match, named{r.Opponent.ID, r.Opponent.Name}, r.Result.String(), r.Counts, r.Change(),
			r.After.WholePoints(), r.After.WholeDeviation(), r.Ended.UTC().Truncate(time.Millisecond),
		})
	}
	return all
}

func releasedRatingOf(s history.Standing) *releasedRating {
	if s.Ended.IsZero() {
		return nil
	}
	return &releasedRating{s.Rating.WholePoints(), s.Rating.WholeDeviation(), s.Rating.IsProvisional()}
}

func pairsOf(s history.Standing) releasedPairs { return releasedPairs{s.Won, s.Split, s.Lost} }

func profileOf(t *testing.T, s *Store, p match.PlayerID) releasedProfile {
	t.Helper()
	totals, err := s.History().Totals(t.Context(), p)
	ok(t, err)
	rank := func(s history.Standing) *int {
		if s.Rank == 0 {
			return nil
		}
		return &s.Rank
	}
	got := releasedProfile{ID: p, Matches: totals.Matches, Won: totals.Won}
	if share, ok := totals.Share(); ok {
		share = math.Round(share*1000) / 1000
		got.Kept = &share
	}
	standing, err := s.History().Standing(t.Context(), match.PeoplePool, p)
	ok(t, err)
	got.Rating, got.Rank, got.Pairs = releasedRatingOf(standing), rank(standing), pairsOf(standing)
	bots, err := s.History().Standing(t.Context(), match.BotPool, p)
	ok(t, err)
	if rating := releasedRatingOf(bots); rating != nil {
		got.Bots = &struct {
			Rating *releasedRating `json:"rating"`
			Rank   *int            `json:"rank"`
			Pairs  releasedPairs   `json:"pairs"`
		}{rating, rank(bots), pairsOf(bots)}
	}
	return got
}
