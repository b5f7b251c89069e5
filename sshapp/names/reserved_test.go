package names

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/text/unicode/norm"

	"notakto/internal/testkit"
	"notakto/match"
)

func TestConfusableNames(t *testing.T) {
	for _, names := range [][2]string{
		{"alice", "Alice"}, {"alice", "aIice"}, {"alice", "alıce"}, {"alice", "a1ice"}, {"alice", "аӏісе"},
		{"alice", "álice"},
		{"bob", "b0b"}, {"mark", "rnark"}, {"anna b", "annab"}, {"paul", "раυӏ"}, {"wu", "vvu"}, {"ТОМ", "TOM"},
		{"ΝΙΚΗ", "NIKH"},
		{"alice", "alice."}, {"alice", "alice_"}, {"alice", "'alice'"}, {"alice", "al-ice"}, {"alice", "alicə"},
		{"alice", "aliçe"},
		{"RAT", "ᎡᎪᎢ"}, {"BOB", "ꓐꓳꓐ"}, {"bob", "bᴏb"}, {"bob", "b०b"}, {"bob", "b๐b"},
		{"alice", "aǀice"},
		{"νίκη", "ΝΙΚΗ"}, {"νικ", "vik"}, {"том", "tom"}, {"нат", "HAT"}, {"ШЕ", "WE"},
		{"Вова", "BoBa"},
		{"ъом", "bom"}, {"Łukasz", "lukasz"}, {"ðan", "dan"}, {"Þor", "por"},
		{"ՍՕՏ", "uos"}, {"հօս", "hou"}, {"club", "dub"}, {"mæx", "maex"}, {"weiß", "weib"},
		{"口", "ロ"}, {"力", "カ"}, {"二人", "ニ入"}, {"工夫", "エ夫"}, {"夕方", "タ方"},
		{"ユー", "ユ一"}, {"へり", "ヘリ"}, {"ちよ", "ちょ"},
		{"ヨツ", "ョッ"}, {"日", "曰"},
		{"黑", "黒"},
	} {
		if !areConfusable(names[0], names[1]) || !areConfusable(names[1], names[0]) {
			t.Errorf("%q is not taken for %q: %q, %q", names[1], names[0], skeletonsOf(names[1]), skeletonsOf(names[0]))
		}
	}
	for _, names := range [][2]string{
		{"alice", "alina"}, {"bob", "rob"}, {"漢", "字"}, {"ann", "anna"}, {"player1", "flayer1"},
		{"alice", "alice2"},
		{"иван", "івана"}, {"김", "박"}, {"はな", "ハル"},
	} {
		if areConfusable(names[0], names[1]) {
			t.Errorf("%q is taken for %q", names[1], names[0])
		}
	}
}

// Players may number themselves, as in ann1 and ann2.
func TestDigitsDistinguishNames(t *testing.T) {
	for one := '0'; one <= '9'; one++ {
		for other := one + 1; other <= '9'; other++ {
			if areConfusable("p"+string(one), "p"+string(other)) {
				t.Errorf("%c is taken for %c", one, other)
			}
		}
	}
}

func TestCaseDistinguishesNoNames(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if large := unicode.ToUpper(r); scriptOf(r) != nil && !areConfusable("x"+string(r), "X"+string(large)) {
			t.Errorf("%c is not taken for %c", r, large)
		}
	}
}

func TestTheServersOwnWordsAreNoNames(t *testing.T) {
	for _, name := range []string{
		"novice", "Learner", "steady.", "careful", "sharp1", "Sharp",
		"computer2", "perfect2", "You1", "server1", "Notakto Support", "support team", "NotaktoTeam", "helpdesk",
		"referee", "관리자",
		"ann _ bob", "type q", "play KTQX",
		"perfect", "Perfect", "Your turn", ">> You won", "▸ yOuR tum", "ΥΟυ", "club", "student", "randorn",
		"centre",
		"You", "(you)", "y0u", "computer", "The Computer",
		"guest", "guest-12ab", "player-3f2a", "Server", "nobody", "opponent", "guest.12ab", "Guest 12ab", "p1ayer_3f2a",
		"ʏᴏᴜ", "You.", "You:", "You!", "y o u", "үоџ", "[you]", "you♯",
		"perfect'", "Perfect.", "pərfect", "perfect computer", "club (computer)", "[computer]", "SERVER:",
		"youwon", "YouWon!", "youwon1", "yourturn", "it's yourturn", "y.o.u.r.t.u.r.n", "youlost", "yourmove",
		"bob won", "ann resigned", "bob is back", "bob is away", "ann is dead", "bob_w1ns", "BOB-LOST", "it is a draw",
		"ann's tum", "bob moves", "ann to move",
		"away", "dead", "a draw", "Draw.", "winner", "Loser", "spectator", "system", "adm1n", "Administrator",
		"moderator", "operator",
		"q leave", "Ctrl-C", "ctrlc", "Ctrl-D quits", "Enter resigns",
		"press q", "q quits", "press any key", "hit any key!", "game over", "Game0ver", "bob gave up", "bob gives up",
		"bob forfeits", "timed out",
		"bob timed out", "server admin", "admin team", "mod", "Mods", "staff", "root", "sysadmin", "the staff",
		"a rnod", "official bob",
		"join K7QX", "code K7QX", "JOIN k7qx", "j0in k7qx", "code.K7QX.", "join K7QXRTMW", "join K7 QX", "use K7QX now",
		"bob join K7QX",
		"Spectators", "1-0", "0 - 1", "2.1",
		"ann - bob", "ann -- bob", "bob vs ann", "Bob VS. Ann", "match over", "MatchOver", "ended",
		"abandoned", "forfeit",
		"Resigned.", "ann abandoned", "try K7QX", "go K7QX", "table K7QX", "try KTQX", "go ktqx", "table KTQX",
		"K7QX", "k7qx", "K7-QX", "bob K7QX", "K7QXRTMW",
		"ssh evil.com", "evil.com", "Evil.COM.", "evil.com22", "evil.com 22", "www.evil.horse", "http evil",
		"my.evil.io", "злой.рф",
		"admin1", "Admin-2", "mod1", "m0d22", "root1", "root.1", "1admin", "support24", "mod1 team", "bob won2",
		"админ", "Админ1", "модератор", "МОДЕРАТОР", "администратор",
		"modérateur", "Administrador", "soporte",
		"管理员", "管理员小李", "管理者", "твой ход", "Ваш ход", "tu turno", "te toca",
		"Dein Zug", "ton tour", "轮到你", "あなたの番",
		".", "-", "' '", "&&", "\U0001d159", "\U00013441\U00013441", "\u1112#\u1161",
	} {
		testkit.Equal(t, cleanNameOr(name, "fallback"), "fallback", name)
	}
	for _, name := range []string{"novices", "sharpe", "perfecta", "clubber", "your", "young gun", "yousef", "wonder",
		"isaac", "backus", "leftie", "dawn", "turner", "drawer", "deadwood", "systems",
		"anna lee", "jean luc", "wei zhang", "tina turner", "isa wonder", "Tô Lâm", "won", "bobwon", "player1",
		"joe root", "bill press", "roots", "modesto", "staffan", "rod stafford", "admira", "join me", "joiner",
		"code monkey", "code name",
		"use mark", "cody", "mia gameiro", "agent 007", "42", "key lime",
		"tiffany keys", "over easy", "gamer", "presley", "upton gray", "guesthouse", "computergeek",
		"O'Neil", "mary.jane", "юрий", "Νίκος", "花子", "김민준",
		"Ann", "Bob", "Modesto", "Rooter", "Ada Lovelace", "K2", "R2D2", "Jürgen", "Андрей", "李雷",
		"admiral", "staffan",
		"goran", "overton", "ANNA", "Mark", "mary-jane",
		"J.R.R. Tolkien", "Mr. T", "St. John", "ann.b", "go anna", "Van Go",
		"try anna", "table tom", "Jean-Luc", "C-3PO", "agent47", "bob1984", "vsevolod", "ssh",
		"comet", "Dot Com", "Tutu Moore",
		"Админа", "Ходор", "Твой друг", "Модест", "王小明", "山田太郎", "Zoë",
		"Toca", "Zugspitze"} {
		testkit.Equal(t, cleanNameOr(name, "fallback"), name)
	}
}

// However a player writes an opponent's name, the shown name differs or bears a mark. Signs that look like letters are
// dropped, and the shown name says something else. A name with letters of several alphabets is not shown at all.
func TestNoNameImitatesTheOpponents(t *testing.T) {
	for _, test := range []struct{ opponent, name, want string }{
		{"bob", "alice", "alice"},
		{"alice", "ALICE", "ALICE#Xk3d"},
		{"alice", "aIice", "aIice#Xk3d"},
		{"alice", "alice.", "alice.#Xk3d"},
		{"alice", "[alice]", "alice#Xk3d"},
		{"alice", "aliceˌ", "alice#Xk3d"},
		{"alice", "alice\U0001d159", "alice#Xk3d"},
		{"alice", "alice\u3164", "player-1"},
		{"alice", "\u0430\u04cf\u0456\u0441\u0435", "\u0430\u04cf\u0456\u0441\u0435#Xk3d"},
		{"alice", "alice♯Xk3d", "aliceXk3d"},
		{"alice", "a∣ice", "aice"},
		{"alice", "aǀice", "player-1"},
		{"alice", "alic℮", "alic"},
		{"alice", "⍺lice", "lice"},
		{"bob", "B0B", "B0B#Xk3d"},
		{"bob", "bob😀", "bob#Xk3d"},
		{"bob", "bᴏb", "player-1"},
		{"bob", "b०b", "bb"},
		{"bob", "b口b", "player-1"},
		{"BOB", "ꓐꓳꓐ", "player-1"},
		{"RAT", "ᎡᎪᎢ", "player-1"},
		{"口", "ロ", "ロ#Xk3d"},
		{"力", "ｶ", "カ#Xk3d"},
		{"ann", "Y๐u", "Yu"},
		{"ann", "p℮rfect", "prfect"},
		{"ann", "Yᴏur mov2", "player-1"},
		{"ann", "p\u0406ayer-3f2a", "player-1"},
	} {
		q := match.Player{ID: "ab12", Name: cleanNameOr(test.opponent, "player-2")}
		p := match.Player{ID: "Xk3d", Name: cleanNameOr(test.name, "player-1")}
		shown := Disambiguate(p, q)
		testkit.Equal(t, shown, match.Player{ID: p.ID, Name: test.want}, test.name, test.opponent)
		testkit.Equal(t, Disambiguate(shown, q), shown, "a second mark")
	}
	alice := match.Player{ID: "s0fiXa", Name: "alice"}
	testkit.Equal(t, Disambiguate(alice, alice), alice)
	testkit.Equal(t, Disambiguate(alice, match.Player{}), alice)
	other := match.Player{ID: "S0FiYb", Name: "al1ce"} // IDs that begin alike
	testkit.Equal(t, Disambiguate(alice, other).Name, "alice#s0fiX")
	testkit.Equal(t, Disambiguate(other, alice).Name, "al1ce#S0FiY")
	testkit.Equal(t, Disambiguate(other, Disambiguate(alice, other)), other)
}

// The mark takes the place of a long name's end, even if that end spells the mark.
func FuzzDisambiguateName(f *testing.F) {
	for _, names := range [][2]string{
		{"alice", "alice"}, {strings.Repeat("漢", 8), strings.Repeat("漢", 8)}, {"guest-1", "perfect"},
		{"alice.", "ALICE"}, {"том", "tom"},
		{"カ", "力"}, {"aaaaaaaaaaaXk3d", "aaaaaaaaaaaXk3d"}, {"Yᴏu", "you won"}, {"νίκη", "ΝΙΚΗ"},
	} {
		f.Add(names[0], names[1])
	}
	f.Fuzz(func(t *testing.T, one, other string) {
		p := match.Player{ID: "Xk3d", Name: cleanNameOr(one, "player-1")}
		q := match.Player{ID: "ab12", Name: cleanNameOr(other, "player-2")}
		shown := Disambiguate(p, q).Name
		if ansi.StringWidth(shown) > maxNameWidth || !norm.NFKC.IsNormalString(shown) || shown == q.Name {
			t.Fatalf("%q opposite %q is called %q", p.Name, q.Name, shown)
		}
		marked := strings.HasSuffix(shown, "#Xk3d")
		if marked != areConfusable(p.Name, q.Name) || !marked && (shown != p.Name || sameLetters(p.Name, q.Name)) {
			t.Fatalf("%q opposite %q is called %q", p.Name, q.Name, shown)
		}
		for _, like := range skeletonsOf(p.Name) {
			if p.Name != "player-1" && (like == "" || slices.Contains(reservedWords(), like) ||
				strings.Contains(like, "youwon")) {
				t.Fatalf("%q is called %q", one, p.Name)
			}
		}
	})
}

func sameLetters(one, other string) bool {
	return strings.EqualFold(strings.Map(keepSignificant, one), strings.Map(keepSignificant, other))
}
