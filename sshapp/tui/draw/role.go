package draw

// Role is what a piece of text is for; a theme says how it looks.
type Role uint8

// The roles.
const (
	Plain     Role = iota
	Faint          // what may be overlooked: hints, dead boards, digits
	Strong         // what must not be
	Brand          // the name of the game, headings
	Keycap         // a key in a hint
	Chosen         // the selected entry of a list
	rule           // lines that part the screen
	Grid           // the lines of a board
	stroke         // a cross
	Here           // the player at this screen, to a spectator the second side: sign, bars, and mark in tic-tac-toe
	Other          // the opponent, to a spectator the first side, and what goes on elsewhere
	Last           // the last move
	fatal          // the crosses that killed a board
	dying          // the crosses that have killed a board just now
	dead           // the other crosses of a dead board
	deadly         // the digit of a cell that would kill its board
	Cursor         // the corners of the cell that the cursor is on
	MyTurn         // the banner when it is one's turn
	TheirTurn      // the banner when it is not
	Over           // the banner when the match has ended
	Won            // the same for the winner
	Lost           // and for the loser
	Good
	Bad
	Lesson     // what is to be learnt
	LessonHead // and its heading
	Notice     // what the server or the table has to say
	roles
)
