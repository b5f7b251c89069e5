package main

import "testing"

func TestMeant(t *testing.T) {
	names := []string{"serve", "version", "help", "completion"}
	for typed, want := range map[string]string{
		"serv": "serve", "SERVE": "serve", "vers": "version", "hlep": "help", "completon": "completion", "h": "", "zzz": "", "": "",
	} {
		if want != "" {
			want = "; did you mean " + want + "?"
		}
		if got := meant("", typed, names); got != want {
			t.Errorf("for %q: %q, want %q", typed, got, want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"abc", "", 3}, {"", "abc", 3}, {"kitten", "sitting", 3}, {"listen", "lisen", 1}, {"flaw", "lawn", 2}} {
		if got := distance(test.a, test.b); got != test.want {
			t.Errorf("%s to %s: %d, want %d", test.a, test.b, got, test.want)
		}
	}
}
