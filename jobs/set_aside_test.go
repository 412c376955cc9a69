package jobs_test

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/commands/commandstest"
	"darkroom/jobs"
	"darkroom/store/queue"
)

// buries makes a job of Tom's that dies: its body is of no release of ours.
func buries(r *commandstest.Rig, id, orderID string) queue.DeadLetter {
	r.T.Helper()
	body := `{"order":"` + orderID + `","user":"tom","text":["Secret words"],"note":1}`
	_, err := r.Queue.Put(r.T.Context(), queue.Job{ID: id, Lane: "order:" + orderID, Kind: jobs.MessageJob, Body: json.RawMessage(body)})
	require.NoError(r.T, err)
	r.Settle(5 * time.Second)
	letter, err := r.Queue.Letter(r.T.Context(), id)
	require.NoError(r.T, err)
	return letter
}

func valueOf(l queue.DeadLetter) string { return cards.LetterValue(cards.Letter{ID: l.ID, At: l.At}) }

// opensLetters is somebody opening the page of what was set aside.
func opensLetters(r *commandstest.Rig, user string) string {
	return r.Turns(user, cards.ActionAsidePage+"open", "0")
}

func TestOnlyOperatorsSeeWhatWasSetAside(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Houses()
		r.Owns("order001", "CPUBLIC", "tom", nil)
		require.NotContains(r.T, r.Comes("boss"), "set aside", "nothing is")
		letter := buries(r, "message:one", "order001")
		front := r.Comes("boss")
		require.Contains(r.T, front, "*1 job* could not be done")
		page := opensLetters(r, "boss")
		require.True(r.T, commandstest.ContainsAll(page, jobs.ShortRef(letter.ID), "Sending a message to an editor", "asked for by tom", "Put back", "Drop"), page)
		require.NotContains(r.T, page, "Secret words")
		require.NotContains(r.T, r.Turns("boss", cards.ActionHomePage+"front", "0"), "Put back")

		for _, user := range []string{"maria", "ines", "tom"} {
			require.NotContains(r.T, r.Comes(user), "set aside")
			for _, action := range []string{cards.ActionAsidePage + "open", cards.ActionPutBack, cards.ActionDrop} {
				value := map[bool]string{true: "0", false: valueOf(letter)}[strings.HasSuffix(action, "open")]
				before := r.Seen()
				r.Does(bot.Request{Name: action, Value: value, View: commandstest.AtHome(), User: user})
				require.NotContains(r.T, r.Home(user), "set aside", action)
				if user == "ines" {
					require.Contains(r.T, r.Since(before), "Guests may look at orders but not change them.", action)
					continue
				}
				may := map[string]string{cards.ActionPutBack: "put back or drop a job that was", cards.ActionDrop: "put back or drop a job that was"}[action]
				require.Contains(r.T, r.Since(before), "Only operators may "+cmp.Or(may, "see the jobs that were")+" set aside. ", action)
			}
		}
		_, err := r.Queue.Letter(r.T.Context(), letter.ID)
		require.NoError(r.T, err, "nobody but an operator may")
	})
}

// An order's name stays in its channel; its reference is what people were told anyway.
func TestALetterNamesNoOrderOfAChannelItsReaderIsNotIn(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Houses()
		r.Owns("order001", "CPUBLIC", "tom", nil)
		r.Owns("order002", "CSECRET", "tom", nil)
		r.Screen.Rooms["CSECRET"] = commandstest.Room{Private: true, Members: []string{"tom"}}
		for id, o := range map[string]string{"one": "order001", "two": "order002"} {
			body := `{"order":"` + o + `","user":"tom","view":1}`
			_, err := r.Queue.Put(r.T.Context(), queue.Job{ID: id, Lane: id, Kind: jobs.MessageJob, Body: json.RawMessage(body)})
			require.NoError(r.T, err)
		}
		r.Settle(5 * time.Second)
		page := opensLetters(r, "boss")
		require.True(r.T, commandstest.ContainsAll(page, jobs.ShortRef("one"), jobs.ShortRef("two"), "Project order001"), page)
		require.NotContains(r.T, page, "Project order002")
	})
}

func TestALetterIsDecidedOnceWhoeverClicksHowOften(t *testing.T) {
	for name, row := range map[string]struct{ action, says, late string }{
		"put back": {cards.ActionPutBack, "is put back, and is being done again", "put it back"},
		"dropped":  {cards.ActionDrop, "is dropped: it is forgotten for good", "dropped it for good"},
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				r.Houses()
				r.Owns("order001", "CPUBLIC", "tom", nil)
				letter := buries(r, "message:one", "order001")
				opensLetters(r, "boss")
				opensLetters(r, "chief")
				require.Contains(r.T, r.Turns("boss", row.action, valueOf(letter)), row.says)
				require.Contains(r.T, r.Turns("boss", row.action, valueOf(letter)), row.says, "a double click")
				for _, action := range []string{cards.ActionPutBack, cards.ActionDrop} {
					late := r.Turns("chief", action, valueOf(letter))
					require.Contains(r.T, late, "decided before you: boss "+row.late)
				}
				r.Settle(5 * time.Second)
				again, err := r.Queue.Letter(r.T.Context(), letter.ID)
				if row.action == cards.ActionDrop {
					require.ErrorIs(r.T, err, queue.ErrNotDead)
					return
				}
				require.NoError(r.T, err, "it was done again, and died again")
				require.Contains(r.T, r.Turns("chief", cards.ActionDrop, valueOf(letter)), "boss put it back", "a page that is old decides about nothing newer")
				require.Contains(r.T, r.Turns("chief", cards.ActionDrop, valueOf(again)), "is dropped")
			})
		})
	}
}

func TestALetterThatIsGoneMeanwhileIsSaidToBe(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Houses()
		r.Owns("order001", "CPUBLIC", "tom", nil)
		letter := buries(r, "message:one", "order001")
		opensLetters(r, "boss")
		require.NoError(r.T, r.Queue.Drop(r.T.Context(), letter.ID)) // darkroom jobs drop
		require.Contains(r.T, r.Turns("boss", cards.ActionPutBack, valueOf(letter)), "with `darkroom jobs`")
	})
}

// What came between a decision and its answer is no reason to decide, or to be told, otherwise.
func TestADecisionThatIsDeliveredAgainIsStillOnesOwn(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Houses()
		r.Owns("order001", "CPUBLIC", "tom", nil)
		letter := buries(r, "message:one", "order001")
		body, err := json.Marshal(jobs.DecideArgs{
			Asker: jobs.Asker{Team: "T1", User: "boss", Request: "R1", At: time.Now()}, Letter: letter.ID, Died: letter.At.UnixMilli(), Verb: cards.Dropped,
		})
		require.NoError(r.T, err)
		work := r.Doing(jobs.DecideJob)
		for n := range 2 {
			require.NoError(r.T, work(context.WithoutCancel(r.T.Context()), &queue.Delivery{Job: queue.Job{ID: "decide:R1", Kind: jobs.DecideJob, Body: body}, Deliveries: n + 1}))
			require.Contains(r.T, r.Home("boss"), "is dropped: it is forgotten for good")
		}
	})
}

func TestManyLettersHavePages(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Houses()
		r.Owns("order001", "CPUBLIC", "tom", nil)
		for n := range 23 {
			buries(r, "message:"+string(rune('a'+n)), "order001")
		}
		require.Contains(r.T, opensLetters(r, "boss"), "23 jobs · page 1 of 3")
		last := r.Turns("boss", cards.ActionAsidePage+"older", "2")
		require.Equal(r.T, 3, strings.Count(last, `"`+cards.ActionPutBack+`"`))
		require.Contains(r.T, last, jobs.ShortRef("message:a"), "the oldest")
		require.Contains(r.T, r.Turns("boss", cards.ActionAsidePage+"older", "99"), "page 3 of 3")
	})
}
