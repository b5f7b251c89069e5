package store

import (
	"notakto/match"
	"notakto/match/history"
	"notakto/match/rating"
	"notakto/rules"
)

// The questions that a group may ask.
const (
	findArchived  statement = `SELECT match FROM archive WHERE match IN (SELECT match FROM {match text})`
	findStandings statement = `SELECT ` + standingColumns + ` FROM rating t JOIN {pool bigint, player text}
		ON t.pool = r.pool AND t.player = r.player`
	findMeetings statement = `SELECT m.pool, m.player, m.opponent, m.day, m.pairs FROM meeting m JOIN {pool bigint,
		player text, opponent text, day bigint}
		ON m.pool = r.pool AND m.player = r.player AND m.opponent = r.opponent AND m.day >= r.day`
)

// answers holds the questions that the requests of a group ask before head is locked, and the answers as of the lock.
// All questions are sent at once. A round trip for each one, to a database that may be far away, would hold head for
// long.
type answers struct {
	archived     map[match.ID]bool              // has a key for each match that was asked for
	standings    map[ratingKey]history.Standing // has a key for each one that was asked for; with the changes of the group
	meetings     map[meetingKey]int             // pairs that were played; with the changes of the group
	meetingsFrom map[meetingKey]bool            // the meetings that were asked for, on this day or later
	asked        [3]question
}

func newAnswers() answers {
	return answers{
		archived: make(map[match.ID]bool), standings: make(map[ratingKey]history.Standing),
		meetings: make(map[meetingKey]int), meetingsFrom: make(map[meetingKey]bool),
		asked: [...]question{{statement: findArchived}, {statement: findStandings}, {statement: findMeetings}},
	}
}

// questions returns the questions that were asked. Answering them fills a.
func (a *answers) questions() []question {
	a.asked[0].answer = func(scan scan) error {
		var id match.ID
		err := scan(&id)
		a.archived[id] = true
		return err
	}
	a.asked[1].answer = func(scan scan) error {
		s, err := readStanding(scan)
		a.standings[ratingKey{s.Pool, s.Player.ID}] = s
		return err
	}
	a.asked[2].answer = func(scan scan) error {
		var m meetingKey
		var pairs int
		err := scan(&m.pool, &m.player, &m.another, &m.day, &pairs)
		a.meetings[m] = pairs
		return err
	}
	return a.asked[:]
}

// askArchived asks whether a match is in the archive.
func (a *answers) askArchived(id match.ID) {
	if _, asked := a.archived[id]; !asked {
		a.archived[id] = false
		a.asked[0].rows = append(a.asked[0].rows, []any{string(id)})
	}
}

// askRatings asks for what rating a pair needs. The match may end on another day than s says, so askRatings asks for
// the meetings from the day before.
func (a *answers) askRatings(s *match.State) {
	if !canBeRated(s) {
		return
	}
	for _, side := range rules.Sides() {
		key := ratingKey{s.Pool, s.SeatState(side).Player.ID}
		if _, asked := a.standings[key]; !asked {
			a.standings[key] = history.Standing{Rating: rating.New()}
			a.asked[1].rows = append(a.asked[1].rows, []any{int64(key.pool), string(key.player)})
		}
	}
	m := meetingOf(s)
	m.day--
	if !a.meetingsFrom[m] {
		a.meetingsFrom[m] = true
		a.asked[2].rows = append(a.asked[2].rows, []any{int64(m.pool), string(m.player), string(m.another), m.day})
	}
}

// hasRatings reports whether askRatings was called for the players of s, and for a day that includes the end of s.
func (a *answers) hasRatings(s *match.State) bool {
	if !canBeRated(s) {
		return true
	}
	for _, side := range rules.Sides() {
		if _, asked := a.standings[ratingKey{s.Pool, s.SeatState(side).Player.ID}]; !asked {
			return false
		}
	}
	for m, back := meetingOf(s), 0; back < 3; back++ {
		if a.meetingsFrom[m] {
			return true
		}
		m.day--
	}
	return false
}
