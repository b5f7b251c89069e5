package plain

import (
	"slices"
	"strings"
	"testing"
	"time"

	"notakto/rules/strategy"
	"notakto/sshapp/start"
)

// Each refusal names a command that works in the lobby.
func TestRefusedInTheLobby(t *testing.T) {
	inBubble(t, func(b *harness) {
		a := b.come(ann())
		const (
			noTable = "You are at no table. Type play, computer, private, join or watch, or help."
			noGame  = "Unknown game. Try: play, play 3, play tictactoe, play rated, or computer novice."
			noCode  = "No table has this code, or its match is over. Ask for the code again, and type join and the " +
				"code, such as join K7QXHW."
			computer = " Type computer, one of novice, learner, steady, careful, sharp, perfect, a number of boards, " +
				"and first or second, such as computer steady 3 first."
		)
		for _, c := range [][2]string{
			{"", noTable},
			{"turn", noTable},
			{"boards", noTable},
			{"moves", noTable},
			{"b5", "You are at no table. Type play, computer, private or join first."},
			{"who", "You are ann. " + noTable},
			{"resign", "You are in no match to resign from."},
			{"rematch", "You are at no table. Type play or computer for a new match."},
			{"review", "There is nothing to review: type review after a match."},
			{"leave", "You are at no table. Type quit to end the session."},
			{"leave queue", "You are not in the queue."},
			{"go", "You have no other match to go to."},
			{"go 1", "You have no match with that number: type mine to hear your matches."},
			{"mine", "You have no match in progress."},
			{"play 0", noGame},
			{"play anyway chess", noGame},
			{"private 10", "Unknown game. Try: private, private 3, or private tictactoe."},
			{"join", "Type join and the code of the table, such as join K7QXHW."},
			{"join nonsense", noCode},
			{"join #X7HW.", noCode},
			{"computer clubb 3", "That is not a match against the computer; did you mean club?" + computer},
			{"computer hard", "That is not a match against the computer." + computer},
			{"computer 10 boards", "That is not a match against the computer: it has 1 to 9 boards." + computer},
			{"history bob", "Type history alone to hear your own matches."},
			{"history", "This server keeps no history."},
			{"ladder", "This server keeps no history."},
			{"watch 0", "There is no match with that number: type matches to hear the list."},
			{"computr 3", "There is no command computr; did you mean computer? Type help to hear the commands."},
			{"yes", "There is no command yes. Type help to hear the commands."},
			{"\x1b[31m\x00red", "There is no command red. Type help to hear the commands."},
			{
				strings.Repeat("long", 100),
				"There is no command longlonglonglonglong and so on. Type help to hear the commands.",
			},
			{strings.Repeat("x ", 3000), "That line is too long. Type help to hear the commands."},
			{"again", "That line is too long. Type help to hear the commands."},
		} {
			a.asked(c[0], c[1])
		}
		const noKey = "Run ssh-keygen once, then connect again."
		g := b.come(guy())
		g.asked("history", "Guests keep no history. "+noKey)
		g.asked("play rated", "Guests cannot play rated pairs. Type play for an unrated match, or run ssh-keygen "+
			"once and connect again.")
	})
}

// Typed, dictated and copied lines differ from the forms in the help.
func TestOtherWaysToType(t *testing.T) {
	inBubble(t, func(b *harness) {
		a := b.come(ann())
		for line, want := range map[string]string{
			"play novice 2 boards first":              "2 boards, against the computer, level novice. You move first. ",
			"play –computer steady —boards 4 first":   "4 boards, against the computer, level steady.",
			"Play computer, novice, 5 boards, first!": "5 boards, against the computer, level novice. You move first. ",
			"ｃｏｍｐｕｔｅｒ　７ first":                        "7 boards, against the computer, ",
			"play private 2":                          "Your private table, 2 boards. ",
			"play --boards 4 --clock 5+0":             "Waiting for an opponent, for 4 boards, 5+0.",
			"“matches”":                               "There is no match to watch now.",
		} {
			a.asksFor(line, want)
			a.types("leave", "yes", "leave")
			if s := a.manager.PlayerMatches(ann().ID); len(s) == 1 {
				a.types("go", "resign", "yes", "leave")
			}
		}
		c := b.against(strategy.Club, boards(t, 3))
		for _, move := range [][2]string{
			{"a9.", "Board A: you at 9."}, {"Ｂ７", "Board B: you at 7."}, {"5c", "Board C: you at 5."},
			{"5 B!", "Board B: you at 5."}, {"place 1b", "Type b1 and nothing else."},
		} {
			c.asksFor(move[0], move[1])
			pass(time.Second)
		}
		one := b.against(strategy.Club, boards(t, 1))
		one.asked("b5", "There is one board only: type a cell, 1 to 9.")
		one.asked("a 5", "Board A: you at 5. The computer's turn.")
	})
}

// Each refusal names a command that works at the table. An example of a move kills no board.
func TestRefusedAtTheTable(t *testing.T) {
	inBubble(t, func(b *harness) {
		a, c := b.pair(2)
		const (
			busy    = "You are in a match. First type resign to lose it, or leave to step away from it."
			over    = "The match is over: type rematch, review or leave."
			confirm = "Resign this match? bob will win. Type yes or no."
			review3 = "Move 3, A9 by you. Lost by now: every move loses against perfect play."
		)
		c.asked("b5", "It is not your turn yet: wait for your opponent's move.")
		a.types("a5")
		c.types("a1")
		for _, refused := range [][2]string{
			{"a1", "That cell is taken: type boards to hear the free cells."},
			{"c1", "There is no such board: the boards are A to B."},
			{"a0", "There is no such cell: the cells are 1 to 9, like a numeric keypad."},
			{"5", "Say the board too, such as B2."},
			{"boards c", "There is no such board: the boards are A to B."},
			{"b5 please", "Type b5 and nothing else."},
			{"b 5 5", "Type B2, or another move, and nothing else."},
			{"bords", "There is no command bords; did you mean boards? " +
				"Type help to hear the commands, or a move such as B2."},
			{"play", busy},
			{"computer", busy},
			{"private", busy},
			{"join K7QXHW", busy},
			{"watch", busy},
			{"rush", busy},
			{"rematch", "You can ask for a rematch when the match is over."},
			{"review", "You can review the match when it is over."},
			{"decline", "Your opponent asks for nothing."},
			{"takeback", "You ask to take back A5. Waiting for bob."},
		} {
			a.asked(refused[0], refused[1])
		}
		a.types("a9")
		c.asked("a2", "That board is dead: type boards to hear which are alive.")
		a.asked("resign", confirm)
		a.asked("no", "You have not resigned.")
		a.asked("resign", confirm)
		a.asked("turn", "You have not resigned.", "3 moves so far, the last A9 by you. Board left: B. bob's turn.")
		c.types("b5")
		a.types("b4")
		c.asked("xyzzy", "There is no command xyzzy. Type help to hear the commands, or a move such as B7.")
		a.types("resign", "YES")
		a.asked("b1", over)
		a.asked("resign", over)
		a.asked("review 6", "There is no such move: the moves are 1 to 5.")
		a.asked("", "You resigned. You lost. Type rematch, review or leave.")
		a.types("leave")
		a.asked("review 3", review3)
	})
}

// The command help names the commands for the place. Help all explains every command. Every command that a help text
// names exists.
func TestHelp(t *testing.T) {
	inBubble(t, func(b *harness) {
		all := new(session).commands()
		names := func(p *person) {
			t.Helper()
			p.skips().types("help")
			list, _, _ := strings.Cut(strings.TrimPrefix(p.out.Take(), "You can type: "), ".\n")
			for _, phrase := range strings.Split(list, ", ") {
				word := strings.Fields(phrase)[0]
				if word != "a" && !slices.ContainsFunc(all, func(c command) bool { return c.name == word }) {
					t.Errorf("help names %q", phrase)
				}
			}
		}
		a := b.come(ann())
		names(a)
		for _, lines := range [][]string{{"private"}, {"leave", "yes", "play 4"}, {"leave", "computer 1"}} {
			a.types(lines...)
			names(a)
		}
		names(b.open(Config{Player: bob(), Start: start.Start{At: start.Match}}))
		a.types("resign", "yes")
		names(a)
		a.skips().types("help all")
		told := a.out.Take()
		for _, c := range all {
			if !strings.Contains(told, "\n"+c.explain()+"\n") {
				t.Errorf("help all says nothing of %s", c.name)
			}
			a.asked("help "+c.name, c.explain())
		}
		a.asked("help dance", "There is no command dance. Type help to hear the commands.")
		a.asked("help ?", "help, help all, help WORD: says what you can type, explains every command, or explains one.")
		a.asksFor("rules", "The player who kills the last board loses.")
	})
}
