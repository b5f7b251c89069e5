package store

import (
	"notakto/match"
	"notakto/match/history"
	"notakto/match/rating"
	"notakto/rules"
)

// The questions of a group.
const (
	findArchived  statement = `SELECT match FROM archive WHERE match IN (SELECT match FROM {match text})`
	findStandings statement = `SELECT ` + standingColumns + ` FROM rating t JOIN {pool bigint, player text}
		ON t.pool = r.pool AND t.player = r.player`
	findMeetings statement = `SELECT m.pool, m.player, m.opponent, m.day, m.pairs FROM meeting m JOIN {pool bigint,
		player text, opponent text, day bigint}
		ON m.pool = r.pool AND m.player = r.player AND m.opponent = r.opponent AND m.day >= r.day`
)

// answers is what the requests of a group have asked, with the answers as of the moment when head was locked. Nothing
// is asked one by one under the lock: the database may be far away.
type answers struct {
	archived  map[match.ID]bool
	standings map[ratingKey]history.Standing // with the changes of the group
	meetings  map[meetingKey]int             // with the changes of the group
	isMeeting map[meetingKey]bool            // the first day that was asked for
	asked     [3]question
}

func newAnswers() answers {
	return answers{
		archived: make(map[match.ID]bool), standings: make(map[ratingKey]history.Standing),
		meetings: make(map[meetingKey]int), isMeeting: make(map[meetingKey]bool),
		asked: [...]question{{statement: findArchived}, {statement: findStandings}, {statement: findMeetings}},
	}
}

// questions returns what was asked.
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

// askRatings asks what the rating of a pair needs. The day on which the match will have ended is not certain yet.
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
	if !a.isMeeting[m] {
		a.isMeeting[m] = true
		a.asked[2].rows = append(a.asked[2].rows, []any{int64(m.pool), string(m.player), string(m.another), m.day})
	}
}

// hasRatings reports whether askRatings asked for what the rating of a pair needs.
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
		if a.isMeeting[m] {
			return true
		}
		m.day--
	}
	return false
}
