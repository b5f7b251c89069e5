package store

import (
	"bufio"
	"bytes"
	"encoding/json"
	"maps"
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
	"notakto/match/journaltest"
	"notakto/rules"
)

// released has the answers of the server of a release before its data was exported. The answers are the ladders, and
// for each player the output of "admin player export" and "profile".
type released struct {
	At                time.Time
	Ladder, Bots      []any
	Players, Profiles []object
}

type object map[string]any

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
	all := maps.Clone(finished)
	maps.Copy(all, live)
	for id, want := range all {
		got, err := s.Load(t.Context(), id, 0)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v, %v", id, got, want, err)
		}
		if state := journaltest.Fold(t, want...); !state.IsOver() {
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
		state := journaltest.Fold(t, events...)
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

// compareRelease compares a store with the answers of a release about accounts, players and ladders.
func compareRelease(t *testing.T, s *Store, directory *account.Directory, said *released) {
	t.Helper()
	same := func(what string, got, want any) {
		t.Helper()
		text, err := json.Marshal([]any{got, want})
		ok(t, err)
		var both [2]any
		ok(t, json.Unmarshal(text, &both))
		if !agrees(both[0], both[1]) {
			t.Errorf("%s:\n%v, want\n%v", what, both[0], both[1])
		}
	}
	same("ladder", releasedLadder(s, match.PeoplePool), said.Ladder)
	same("ladder of programs", releasedLadder(s, match.BotPool), said.Bots)
	if len(said.Bots) == 0 {
		t.Error("no player is on a ladder")
	}
	for _, want := range said.Players {
		id := match.PlayerID(want["id"].(string))
		info := directory.Info(id)
		got := object{
			"id": info.ID, "claimed": secondsOrNull(info.NamedAt), "preferences": info.Preferences,
			"deleted": secondsOrNull(info.DeletedAt), "finished": releasedMatches(t, s, id),
		}
		keys := []object{}
		for _, key := range info.Keys {
			keys = append(keys, object{"id": key.ID, "linked": secondsOrNull(key.Since)})
		}
		if len(keys) > 0 { // without one, no decision exists about the account
			got["keys"] = keys
		}
		ratings := []object{}
		for pool := match.PeoplePool; pool <= match.LastPool; pool++ {
			rated := ratedAs(t, s, pool, id)
			if rated["rating"] != nil {
				rated["bots"], rated["results"] = pool == match.BotPool, releasedPairsOf(t, s, pool, id)
				delete(rated, "rank")
				ratings = append(ratings, rated)
			}
		}
		got["ratings"] = ratings
		same("the player "+string(id), got, want)
	}
	for _, want := range said.Profiles {
		id := match.PlayerID(want["id"].(string))
		totals, err := s.History().Totals(t.Context(), id)
		ok(t, err)
		got := ratedAs(t, s, match.PeoplePool, id)
		got["matches"], got["won"], got["kept"], got["bots"] = totals.Matches, totals.Won, nil, nil
		if share, isKnown := totals.Share(); isKnown {
			got["kept"] = math.Round(share*1000) / 1000
		}
		if bots := ratedAs(t, s, match.BotPool, id); bots["rating"] != nil {
			got["bots"] = bots
		}
		same("the profile of "+string(id), got, want)
	}
}

// agrees reports whether want has every field of got with an equal value, and lists with equal elements. Both are
// values of JSON.
func agrees(got, want any) bool {
	switch got := got.(type) {
	case map[string]any:
		said, isObject := want.(map[string]any)
		for key, value := range got {
			isObject = isObject && agrees(value, said[key])
		}
		return isObject
	case []any:
		said, isList := want.([]any)
		return isList && slices.EqualFunc(got, said, agrees)
	default:
		return got == want
	}
}

func secondsOrNull(at time.Time) any {
	if at.IsZero() {
		return nil
	}
	return at.UTC().Truncate(time.Second)
}

func releasedLadder(s *Store, pool match.Pool) []object {
	all := []object{}
	for _, p := range s.History().Ladder(pool, 0, history.MaxPage) {
		all = append(all, object{
			"rank": p.Rank, "id": p.Player.ID, "name": p.Player.Name, "rating": p.Rating.WholePoints(),
			"deviation": p.Rating.WholeDeviation(), "pairs": p.Won + p.Split + p.Lost,
		})
	}
	return all
}

func releasedMatches(t *testing.T, s *Store, p match.PlayerID) []object {
	t.Helper()
	entries, err := s.History().List(t.Context(), p, 0, history.MaxPage, true)
	ok(t, err)
	all := []object{}
	for _, e := range entries {
		all = append(all, object{
			"match": e.Match, "variant": e.Variant.String(), "clock": e.Clock.String(), "rated": e.Pool.IsRated(),
			"opponent": object{"id": e.Opponent.ID, "name": e.Opponent.Name}, "result": e.Result(), "reason": e.Reason,
			"plies": e.Plies, "ended": e.Ended.UTC().Truncate(time.Millisecond),
		})
	}
	return all
}

func releasedPairsOf(t *testing.T, s *Store, pool match.Pool, p match.PlayerID) (all []object) {
	t.Helper()
	pairs, err := s.History().RatedPairs(t.Context(), pool, p, history.RatedPair{}, history.MaxPage)
	ok(t, err)
	for _, r := range pairs {
		all = append(all, object{
			"match": r.Match, "opponent": object{"id": r.Opponent.ID, "name": r.Opponent.Name},
			"result": r.Result.String(), "counts": r.Counts, "change": r.Change(), "rating": r.After.WholePoints(),
			"deviation": r.After.WholeDeviation(), "ended": r.Ended.UTC().Truncate(time.Millisecond),
		})
	}
	return all
}

// ratedAs returns the rating, the rank and the pairs of a player in a pool.
func ratedAs(t *testing.T, s *Store, pool match.Pool, p match.PlayerID) object {
	t.Helper()
	standing, err := s.History().Standing(t.Context(), pool, p)
	ok(t, err)
	got := object{
		"rating": nil, "rank": nil,
		"pairs": object{"won": standing.Won, "split": standing.Split, "lost": standing.Lost},
	}
	if r := standing.Rating; !standing.Ended.IsZero() {
		got["rating"] = object{
			"value": r.WholePoints(), "deviation": r.WholeDeviation(), "provisional": r.IsProvisional(),
		}
	}
	if standing.Rank > 0 {
		got["rank"] = standing.Rank
	}
	return got
}
