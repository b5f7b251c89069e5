package puzzle_test

import (
	"slices"
	"strings"

	"notakto/rules"
)

// solver evaluates positions of Notakto by search. Of the packages of the product, solver uses only the notation of
// positions.
type solver struct {
	won     map[state]bool
	number  map[string]uint8 // of a board and its images, 0 for a dead board
	boards  []string         // by number, the first image in alphabetical order
	options [][]uint8        // by number, the different boards after one more cross
}

// state holds the numbers of the boards of a position in ascending order, dead boards first.
type state [rules.MaxBoards]uint8

func newSolver() *solver {
	return &solver{
		won:    map[state]bool{{}: true}, // The opponent has killed the last board.
		number: map[string]uint8{}, boards: []string{""}, options: [][]uint8{nil},
	}
}

// isWon reports whether the side to move wins on boards.
func (s *solver) isWon(boards []string) bool {
	var live state
	for i, b := range boards {
		live[i] = s.add(b)
	}
	return s.search(live)
}

func (s *solver) search(live state) bool {
	slices.Sort(live[:])
	if won, ok := s.won[live]; ok {
		return won
	}
	won := false
	for i, b := range live {
		if b > 0 && s.options[b] == nil {
			options := s.moves(s.boards[b]) // which may grow s.options
			s.options[b] = options
		}
		for _, next := range s.options[b] {
			after := live
			after[i] = next
			won = won || !s.search(after)
		}
	}
	s.won[live] = won
	return won
}

func (s *solver) moves(board string) []uint8 {
	var options []uint8
	for i := range board {
		if board[i] == '.' {
			options = append(options, s.add(board[:i]+"X"+board[i+1:]))
		}
	}
	slices.Sort(options)
	return slices.Compact(options)
}

// add returns the number of a board, a new one for a new live board.
func (s *solver) add(board string) uint8 {
	n, ok := s.number[board]
	if ok {
		return n
	}
	all := images(board)
	if !hasLine(board) {
		n = uint8(len(s.boards))
		s.boards, s.options = append(s.boards, slices.Min(all)), append(s.options, nil)
	}
	for _, image := range all {
		s.number[image] = n
	}
	return n
}

// solution returns the winning moves of a position, by their kinds. A kind is the board with "*" in the cell of the
// move, as the first of its images in alphabetical order.
func (s *solver) solution(p rules.Position) map[string][]rules.Move {
	kinds := map[string][]rules.Move{}
	boards := strings.Split(p.String(), "/")
	for i, board := range boards {
		for cell := range board {
			if board[cell] != '.' || hasLine(board) {
				continue
			}
			boards[i] = board[:cell] + "X" + board[cell+1:]
			if !s.isWon(boards) {
				kind := slices.Min(images(board[:cell] + "*" + board[cell+1:]))
				m := rules.Move{Board: uint8(i), Cell: rules.Cell([]int{7, 8, 9, 4, 5, 6, 1, 2, 3}[cell])}
				kinds[kind] = append(kinds[kind], m)
			}
		}
		boards[i] = board
	}
	return kinds
}

func hasLine(board string) bool {
	lines := [...][3]int{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}}
	return slices.ContainsFunc(lines[:], func(line [3]int) bool {
		return board[line[0]] == 'X' && board[line[1]] == 'X' && board[line[2]] == 'X'
	})
}

// images returns a board of nine characters in its four rotations, and their mirror images.
func images(board string) []string {
	var all []string
	for range 4 {
		board = rearranged(board, [9]int{6, 3, 0, 7, 4, 1, 8, 5, 2})
		all = append(all, board, rearranged(board, [9]int{2, 1, 0, 5, 4, 3, 8, 7, 6}))
	}
	return all
}

func rearranged(board string, from [9]int) string {
	var text [9]byte
	for i := range text {
		text[i] = board[from[i]]
	}
	return string(text[:])
}
