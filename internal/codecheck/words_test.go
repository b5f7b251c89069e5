package codecheck

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// retired returns words that no identifier may contain, in lower case, each with the term to use. Words with a space in
// between are consecutive words of one identifier.
func retired() map[string]string {
	return map[string]string{
		"ailing":     "faulty, failing",
		"alike":      "confusable, equal",
		"anybody":    "a player, a client, any connection",
		"archivist":  "archiver",
		"backlog":    "buffer, queue",
		"bed":        "harness",
		"bench":      "presence; benchmark in full",
		"benches":    "presence",
		"census":     "admission",
		"centre":     "center",
		"chair":      "seat state",
		"chairs":     "seats",
		"colour":     "color",
		"crew":       "pool",
		"debt":       "limit",
		"debts":      "rate limiter",
		"dice":       "rng",
		"dismantled": "cancelled",
		"door":       "front end, config, env",
		"doors":      "front ends",
		"doubtful":   "ambiguous",
		"duties":     "scheduled events",
		"duty":       "scheduled event",
		"errand":     "job",
		"excuse":     "user message",
		"farewell":   "exit message",
		"fog":        "lossy",
		"forsaken":   "orphaned",
		"gently":     "a verb",
		"goodbye":    "shutdown text",
		"grey":       "gray",
		"hear":       "subscribe, receive, handle",
		"heard":      "received",
		"hearer":     "subscriber",
		"hearers":    "subscribers",
		"hearing":    "subscription",
		"hears":      "expects, receives",
		"house":      "server, cluster, app",
		"houses":     "servers",
		"housing":    "embedded server",
		"ink":        "style, role",
		"inked":      "visible",
		"inking":     "style cost",
		"inks":       "styles",
		"judged":     "verdict, evaluated",
		"keeper":     "owner, monitor",
		"keepers":    "owners",
		"lately":     "last, recent",
		"likeness":   "confusable",
		"likenesses": "confusables",
		"likewise":   "the same",
		"looker":     "watcher, spectator",
		"lookers":    "watchers, spectators",
		"lull":       "delay",
		"meanwhile":  "while and what goes on",
		"misspoken":  "usage",
		"newcomer":   "new connection, new session",
		"newcomers":  "new connections, accept burst",
		"nobody":     "no player, no client, no opponent",
		"nudge":      "wake",
		"obey":       "execute, dispatch",
		"octet":      "byte",
		"outspoken":  "limit listener",
		"painter":    "encoder",
		"patience":   "timeout",
		"patiently":  "stall writer",
		"pen":        "writer, style, sgr",
		"pens":       "styles",
		"pin":        "put",
		"pinned":     "put, stored",
		"prelude":    "pre-auth",
		"put away":   "archive",
		"recount":    "transcript, recalculate",
		"refusals":   "rejections",
		"remark":     "review",
		"remarks":    "reviews",
		"sheet":      "canvas",
		"sheets":     "canvases",
		"sitter":     "table screen",
		"sitting":    "table, table handle",
		"slip":       "mistake",
		"slips":      "mistakes",
		"somebody":   "a player, a client",
		"sought":     "found, searched",
		"spoken":     "sent, user error",
		"story":      "match feed",
		"tally":      "checkpoint, totals",
		"tell apart": "disambiguate",
		"tenant":     "server",
		"told":       "shown, received, reported",
		"tour":       "order",
		"tours":      "orders",
		"typeahead":  "input",
		"typist":     "text input",
		"unpin":      "delete",
		"unseal":     "verify checksum",
		"voice":      "writer, logger",
		"whoever":    "the player, the client",
		"whom":       "the player, the client",
		"way back":   "resume code",
		"wish":       "request, command",
		"wishes":     "requests, commands",
	}
}

// allowedWords returns identifiers that may contain a retired word, each with the reason.
func allowedWords() map[string]string {
	return map[string]string{"Nobody": "rules.Nobody is the winner of a draw"}
}

// A retired word that is used again soon has two meanings again.
func TestNoIdentifierHasARetiredWord(t *testing.T) {
	words, allowed, used := retired(), allowedWords(), map[string]bool{}
	files := 0
	walkGo(t, func(name string, set *token.FileSet, file *ast.File) {
		files++
		for _, id := range declared(file) {
			word := retiredIn(words, id.Name)
			if word == "" {
				continue
			}
			if _, ok := allowed[id.Name]; ok {
				used[id.Name] = true
				continue
			}
			t.Errorf("%s:%d: %s: use another word than %q: %s", name, set.Position(id.Pos()).Line, id.Name, word, words[word])
		}
	})
	for name := range allowed {
		if !used[name] {
			t.Errorf("%s is allowed, and declared nowhere", name)
		}
	}
	if files < 100 {
		t.Errorf("only %d files were read", files)
	}
}

// The check finds retired words.
func TestRetiredWordsAreFound(t *testing.T) {
	words := map[string]string{"house": "", "way back": ""}
	for name, want := range map[string]string{
		"house": "house", "newHouse": "house", "HouseKey": "house", "HTTPHouse2": "house", "wayBackText": "way back",
		"household": "", "way": "", "backWay": "", "": "",
	} {
		if got := retiredIn(words, name); got != want {
			t.Errorf("%q has %q, want %q", name, got, want)
		}
	}
	source := `package a
		type house struct{ chairA, b int }
		func (houseB house) f(houseC int) (houseD error) {
			houseE, x := 1, 2
			for houseF := range houseE { var houseG = houseF + x.houseNot; _ = houseG }
			switch houseH := any(x).(type) { default: _ = houseH }
			const houseI = 1
			return
		}`
	file, err := parser.ParseFile(token.NewFileSet(), "a.go", source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	found := ""
	for _, id := range declared(file) {
		if retiredIn(words, id.Name) != "" {
			found += strings.TrimPrefix(id.Name, "house")
		}
	}
	if found != "BCDEFGHI" {
		t.Errorf("the declarations found are %q", found)
	}
}

// retiredIn returns the first retired word, or words, of an identifier, or "".
func retiredIn(words map[string]string, name string) string {
	split := camelWords(name)
	for i, word := range split {
		if _, ok := words[word]; ok {
			return word
		}
		if i > 0 {
			if _, ok := words[split[i-1]+" "+word]; ok {
				return split[i-1] + " " + word
			}
		}
	}
	return ""
}

// camelWords splits an identifier at its capitals, digits and underscores: HTTPServer2 is http and server.
func camelWords(name string) (words []string) {
	runes := []rune(name)
	start := 0
	for i := range len(runes) + 1 {
		if i < len(runes) && unicode.IsLetter(runes[i]) {
			upper := unicode.IsUpper(runes[i])
			follows := i > 0 && unicode.IsLower(runes[i-1])
			ends := i > 0 && i+1 < len(runes) && unicode.IsUpper(runes[i-1]) && unicode.IsLower(runes[i+1])
			if !upper || !follows && !ends {
				continue
			}
		}
		if start < i {
			words = append(words, strings.ToLower(string(runes[start:i])))
		}
		start = i
		if i < len(runes) && !unicode.IsLetter(runes[i]) {
			start = i + 1
		}
	}
	return words
}

// declared returns the identifiers that a file declares, except imports: types, functions, fields, parameters,
// variables, labels.
func declared(file *ast.File) (all []*ast.Ident) {
	defined := func(names ...ast.Expr) {
		for _, e := range names {
			if id, ok := e.(*ast.Ident); ok {
				all = append(all, id)
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			all = append(all, n.Name)
		case *ast.TypeSpec:
			all = append(all, n.Name)
		case *ast.ValueSpec:
			all = append(all, n.Names...)
		case *ast.Field:
			all = append(all, n.Names...)
		case *ast.LabeledStmt:
			all = append(all, n.Label)
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				defined(n.Lhs...)
			}
		case *ast.RangeStmt:
			if n.Tok == token.DEFINE {
				defined(n.Key, n.Value)
			}
		}
		return true
	})
	return all
}

// walkGo calls f with every Go file of the module, including tests and files behind build tags.
func walkGo(t *testing.T, f func(name string, set *token.FileSet, file *ast.File)) {
	t.Helper()
	err := filepath.WalkDir(top, func(p string, entry fs.DirEntry, err error) error {
		switch base := entry.Name(); {
		case err != nil:
			return fmt.Errorf("%s: %w", p, err)
		case entry.IsDir() && p != top && (strings.HasPrefix(base, ".") ||
			slices.Contains([]string{"testdata", "vendor"}, base)):
			return fs.SkipDir
		case entry.IsDir() || !strings.HasSuffix(base, ".go"):
			return nil
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, p, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(top, p)
		f(filepath.ToSlash(name), set, file)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
