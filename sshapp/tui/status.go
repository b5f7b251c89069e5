package tui

import (
	"time"

	"notakto/sshapp/tui/draw"
)

// Notice is a message from the server to the player, shown until the next key or message.
type Notice string

// Announcement is an operator's message to the player. For five seconds an announcement hides all other messages.
// Afterwards the announcement stays until the next key, and that key brings back the replaced message.
type Announcement string

const announcementTime = 5 * time.Second

// statusLine holds the messages for the line above the keys. [statusLine.line] also considers the screen's notice,
// the most urgent match of ownMatches and the question of opponentSearch.
type statusLine struct {
	message string
	until   time.Time // a key may clear message only after this time
	next    string    // the message that follows
	isNews  bool      // message is from tell

	feedback string // the reason why the last command failed, or the new value of a setting
}

// say shows a message until the next key or message. During an unread announcement say keeps the message for later.
func (s *statusLine) say(message string) {
	if s.isUnread() {
		s.next = message
		return
	}
	s.message, s.until, s.next = message, time.Time{}, ""
}

func (s *statusLine) announce(message string) {
	if s.until.IsZero() {
		s.next = s.message
	}
	s.message, s.until, s.isNews = message, time.Now().Add(announcementTime), false
}

// tell shows news for announcementTime, in place of all earlier messages. During an unread announcement, tell keeps the
// news for later.
func (s *statusLine) tell(news string) {
	if s.isUnread() && !s.isNews {
		s.next = news
		return
	}
	s.message, s.until, s.next, s.isNews = news, time.Now().Add(announcementTime), "", true
}

// dismiss clears a message that the player has answered, also an unread one.
func (s *statusLine) dismiss() {
	s.until = time.Time{}
	s.say(s.next)
}

func (s *statusLine) isUnread() bool { return time.Now().Before(s.until) }

// onKey clears the messages that the player has read. An announcement stays while the help hides it.
func (s *statusLine) onKey(isHelping bool) {
	s.feedback = ""
	if !s.isUnread() && (!isHelping || s.until.IsZero()) {
		s.say(s.next)
	}
}

func (s *statusLine) line(shown screen, own *ownMatches) (string, draw.Role) {
	text, role := shown.notice()
	_, isTable := shown.(*tableScreen)
	urgent, question := own.mostUrgent(), own.env.search.questionText(own.env, shown)
	switch {
	case s.isUnread():
		return s.message, draw.Notice
	case urgent != nil && urgent.ID == own.found:
		return own.alertText(urgent, shown), draw.MyTurn
	case question != "":
		return question, draw.Notice
	case s.feedback != "":
		return s.feedback, draw.Notice
	case own.isLosing():
		return own.alertText(urgent, shown), draw.Notice
	// A table's notice in the role draw.Notice is more urgent than the message, because time runs out.
	case s.message != "" && (!isTable || role != draw.Notice):
		return s.message, draw.Notice
	// The lobby and the table say that a match with a clock of days waits.
	case urgent != nil && role != draw.Notice && !urgent.Clock.IsCorrespondence():
		return own.alertText(urgent, shown), draw.Notice
	default:
		return text, role
	}
}
