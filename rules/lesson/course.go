package lesson

// course is the content of the lessons. In each position the player to move wins.
var course = [...]outline{{
	title: "the rule and safe cells",
	steps: []source{
		{"XX...XX..", "Place an X in a safe cell.", []string{
			"You both place X. Three in a row kills the board: here {kills} would.",
		}},
		{".XXX..X..", "Leave no safe cell.", []string{
			"The player who kills the last board loses. Make your opponent do it.",
		}},
		{"XXX....../X.XX.X...", "Leave no safe cell.", []string{
			"A is dead: no X goes there. The match ends when the last board dies.",
		}},
		{"XX.X.....", "Find a move that wins.", []string{
			"Or think ahead: have an answer ready for each safe cell.",
			"Now leave no safe cell.",
		}},
	},
	puzzles: [...]string{"XX..X....", ".X.XX....", "X.X...X..", ".X.X.XX..", ".X...XX..", "X.X..XX.."},
}, {
	title: "one board: the centre, then a knight's move",
	steps: []source{
		{"notakto/1:", "Take it.", []string{
			"On one empty board, only the centre wins.",
			"Answer a knight's move away, in a safe cell: two cells along, one across.",
			"Again: a knight's move away, in a safe cell.",
		}},
		{"notakto/1: 5 4", "Answer it.", []string{
			"This answer works after the centre: a knight's move away, in a safe cell.",
			"Again: a knight's move away, in a safe cell.",
		}},
		{"notakto/1: 1", "Answer it.", []string{"Your opponent opened in a corner. Take the opposite corner."}},
		{"notakto/1: 2", "Answer it.", []string{"Your opponent opened on an edge. Take another edge."}},
	},
	puzzles: [...]string{".X..X....", "..X......", "....X.X..", ".........", ".X.......", "X...X.XX."},
}, {
	title: "even and odd numbers of boards",
	steps: []source{
		{"XX.XX..../X.X...X.X", "Kill a board.", []string{
			"No board has a safe cell, so each move kills one. Your opponent must kill the last.",
		}},
		{"X.XXX..../XX.XX....", "Leave one such board.", []string{
			"Leave an odd number of boards, all without a safe cell: then your opponent loses.",
		}},
		{"X.XX.X.../XX.XX..../X.X...X.X", "Leave three such boards.", []string{
			"You can kill A, or leave it without a safe cell. Choose what makes the number odd.",
		}},
		{"XX.XX..../X.X...X.X/.........", "Find the move that wins.", []string{
			"Two boards without a safe cell cancel out. Play as if they were not there.",
		}},
		{"XX.XX..../........./.........", "Leave two empty boards.", []string{
			"With an even number of empty boards, moving first loses. With an odd number, it wins.",
		}},
	},
	puzzles: [...]string{
		"X.XX.X.../X.X...X.X/XX.XX....", "X.X...X.X/........./.XXX.XXX.", "XX.X.X.X./X.X...X.X",
		"XX.XX..../X.XXX....", "X.X...X.X/.XXX.XXX./X.X..XX..", "........./XX..XXX../X.X..XXX.",
	},
}, {
	title: "answer on the same board, give a board up on purpose",
	steps: []source{
		{"notakto/2: A1", "Answer it.", []string{
			"On two empty boards, moving first loses. Answer on the same board, a knight's move away.",
		}},
		{"notakto/2: A1 A6 B2", "Answer it.", []string{
			"Your opponent changed the board. Answer there, a knight's move away.",
		}},
		{"notakto/2: A5", "Answer it.", []string{
			"Your opponent took a centre. Any cell of that board is a good answer.",
		}},
		{".X.X.XX.X/...X..X..", "Give a board up.", []string{
			"Only the last board counts. Kill the other if the last one then has no safe cell.",
		}},
		{"X....X.XX/..X..X...", "Give a board up.", []string{
			"Also kill the other if you then have an answer to each safe cell of the last board.",
		}},
	},
	puzzles: [...]string{
		"...XX..../.XXXX...X", "X......../.........", "XX......./..X.X...X",
		"X.XX.X.X./......X.X", "........./.......X.", "XX.X...X./...X..X..",
	},
}, {
	title: "what a board is worth: the letters",
	steps: []source{
		{"X.XX.X...", "Leave a.", []string{
			"A board without a safe cell is a. The player to move loses at a.",
		}},
		{"notakto/1:", "Leave cc.", []string{
			"An empty board is c. Its centre alone is cc. The player to move loses at cc.",
		}},
		{"notakto/1: 1", "Leave a.", []string{
			"A dead board is 1, and so is one X off the centre. Opposite corners are a, and so are two edges.",
		}},
		{"notakto/2: A1", "Leave b and c.", []string{
			"A corner with the edge beside it is d. Any other pair of X is b. Moving at b and c loses.",
		}},
		{".X.XX....", "Leave a.", []string{
			"With three X or more: the first of 1, a, b, ab that no move reaches. {letters}.",
		}},
		{".XXX.....", "Leave a.", []string{
			"Three X or more, and moves reach all of 1, a, b and ab: the board is ad. {letters}.",
		}},
	},
	puzzles: [...]string{
		"XX.......", "X..X.X...", "..X....../.........", "X.X...X..", ".XX...X..", "..XX.....",
	},
}, {
	title: "the four lost products",
	steps: []source{
		{"...X....X/......XX.", "Leave bb.", []string{
			"Multiply the letters. The player to move loses at a, bb, bc and cc. {letters}.",
		}},
		{"X......../..X.X..../X.......X", "Leave a.", []string{"Two a cancel out: aa is 1. {letters}."}},
		{"..X.....X/..X.....X/..X..X...", "Leave bb.", []string{"bbb is b, bbc is c, bbd is d. {letters}."}},
		{"notakto/3:", "Leave cc.", []string{"ccc is acc. {letters}."}},
		{"........./X..X.....", "Leave bc.", []string{"cd is ad, and dd is cc. {letters}."}},
	},
	puzzles: [...]string{
		"....X..X./X..X.....", "...X..X../..X.....X/.........", "...X.X.../X..X.....",
		"......XX./X...X..../.......X.", "X..X...../......X.X/.X....X..", ".....X.X./.....X.X.",
	},
}}
