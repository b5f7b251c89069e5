package botproto

// ErrorCode says in one word why a request was not carried out.
type ErrorCode string

// The error codes.
const (
	CodeBadJSON        ErrorCode = "bad_json"
	CodeLineTooLong    ErrorCode = "line_too_long"
	CodeUnknownDo      ErrorCode = "unknown_do"
	CodeBadVariant     ErrorCode = "bad_variant"
	CodeBadLevel       ErrorCode = "bad_level"
	CodeBadMove        ErrorCode = "bad_move"
	CodeNoSuchBoard    ErrorCode = "no_such_board"
	CodeNoSuchCell     ErrorCode = "no_such_cell"
	CodeBoardDead      ErrorCode = "board_dead"
	CodeCellTaken      ErrorCode = "cell_taken"
	CodeNotYourTurn    ErrorCode = "not_your_turn"
	CodeNoSuchMatch    ErrorCode = "no_such_match"
	CodeNotSeated      ErrorCode = "not_seated"
	CodeMatchOver      ErrorCode = "match_over"
	CodeAlreadySeeking ErrorCode = "already_seeking"
	CodeNoSuchTable    ErrorCode = "no_such_table"
	CodeTableFull      ErrorCode = "table_full"
	CodeOwnTable       ErrorCode = "own_table"
	CodeTooMany        ErrorCode = "too_many"
	CodeRateLimited    ErrorCode = "rate_limited"
	CodeDraining       ErrorCode = "draining"
	CodeInternal       ErrorCode = "internal"
)

// Definite reports whether the request was not carried out and will not be. After the other codes the client cannot
// know.
func (c ErrorCode) Definite() bool { return c != CodeInternal && c != CodeDraining }
