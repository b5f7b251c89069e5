package bot

import (
	"strings"
	"testing"
	"time"

	"notakto/match/lobby"
	"notakto/match/manager"
)

// Two bots that were kept apart waited side by side without a word. Both are told why and until when, and the one that
// moved in time may meet the other all the same.
func TestBotsThatAreKeptApartAreTold(t *testing.T) {
	inBubbleWith(t, manager.Config{FirstMove: manager.DefaultFirstMove}, func(b *harness) {
		late, prompt, _ := b.pair("notakto/3")
		pass(manager.DefaultFirstMove)
		late.received()
		prompt.received()
		late.says(`{"do":"seek"}`)
		late.expects("seeking")
		prompt.says(`{"do":"seek"}`)
		told := prompt.expects("seeking", "notice")[1].text
		until := time.Now().Add(lobby.ApartFor).UTC().Format(time.RFC3339)
		if !strings.Contains(told, `"apart":{"name":"ann","until":"`+until+`","late":true}`) {
			b.Errorf("the one that moved is told %s, until %s", told, until)
		}
		if told := late.expects("notice")[0].text; !strings.Contains(told, `"apart":{"name":"bob","until":"`+until+`"}`) {
			b.Errorf("the late one is told %s, until %s", told, until)
		}
		pass(4 * time.Minute)
		late.expects()
		prompt.says(`{"do":"cancel"}`, `{"do":"seek","anyway":true}`)
		prompt.expects("cancelled", "seeking", "match")
		late.expects("match")
	})
}
