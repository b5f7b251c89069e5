package tui

// role is what a piece of text is for; a theme says how it looks.
type role uint8

const (
	plain      role = iota
	faint           // what may be overlooked: hints, dead boards, digits
	strong          // what must not be
	brand           // the name of the game, headings
	keycap          // a key in a hint
	chosen          // the selected entry of a list
	rule            // lines that part the screen
	grid            // the lines of a board
	gridDead        // the lines of a dead one
	stroke          // a cross
	markFirst       // a nought: the first side's mark in tic-tac-toe, and the first side's sign
	markSecond      // the second side's cross in tic-tac-toe, and the second side's sign
	last            // the last move
	fatal           // the line that killed a board
	cursor          // the corners of the cell that the cursor is on
	myTurn          // the banner when it is one's turn
	theirTurn       // the banner when it is not
	over            // the banner when the match has ended
	good
	bad
	notice // what the server or the table has to say
	roles
)
