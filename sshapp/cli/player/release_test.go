package player_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"notakto/internal/testkit"
	"notakto/match"
	"notakto/match/account"
	"notakto/match/store"
)

// The commands answer about the data of release 1.0 as its server did. Objects may have more fields by now.
func TestAReleaseIsAnsweredAsBefore(t *testing.T) {
	var said struct {
		At                time.Time
		Ladder, Bots      []any
		Players, Profiles []map[string]any
	}
	read := func(name string) []byte {
		text, err := os.ReadFile(filepath.Join("..", "..", "..", "match", "store", "testdata", name))
		testkit.OK(t, err)
		return text
	}
	testkit.OK(t, json.Unmarshal(read("release-1.0.json"), &said))
	data := testkit.Store(t)
	_, _, err := store.Import(t.Context(), data, bytes.NewReader(read("release-1.0.jsonl")))
	testkit.OK(t, err)
	directory, stop, err := account.Open(t.Context(), data.Accounts(), nil, func() time.Time { return said.At })
	testkit.OK(t, err)
	defer stop()
	data.History().SetShown(directory.WithClaimedName)
	s := serverOf(t, data)
	s.History, s.Progress = data.History(), data.Progress()
	s.Accounts = account.New(account.Config{Directory: directory, Log: data.Accounts()})
	check := func(what, answered string, want any) {
		t.Helper()
		var got any
		testkit.OK(t, json.Unmarshal([]byte(answered), &got))
		if !hasAll(got, want) {
			t.Errorf("%s:\n%v, want\n%v", what, got, want)
		}
	}
	check("ladder", says(s, "ladder --json").out, said.Ladder)
	check("ladder of programs", says(s, "ladder --json --bots").out, said.Bots)
	for _, want := range said.Players {
		s.Player.ID, s.Player.Name = match.PlayerID(want["id"].(string)), want["name"].(string)
		info := directory.Info(s.Player.ID)
		if len(info.Keys) == 0 { // no decision exists about the account
			delete(want, "keys")
		}
		var b bytes.Buffer
		testkit.OK(t, s.WriteExport(t.Context(), &b, info, nil))
		check("an export", b.String(), want)
	}
	for _, want := range said.Profiles {
		s.Player.ID, s.Player.Name = match.PlayerID(want["id"].(string)), want["name"].(string)
		check("a profile", says(s, "profile --json").out, want)
	}
}

// hasAll reports whether got has every field of want with an equal value, and lists with equal elements.
func hasAll(got, want any) bool {
	switch want := want.(type) {
	case map[string]any:
		object, isObject := got.(map[string]any)
		for key, value := range want {
			isObject = isObject && hasAll(object[key], value)
		}
		return isObject
	case []any:
		list, isList := got.([]any)
		return isList && slices.EqualFunc(list, want, hasAll)
	default:
		return got == want
	}
}
