package jobs_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/bot/client"
	cardsbatch "darkroom/cards/batch"
	"darkroom/cards/kit"
	"darkroom/commands/commandstest"
	"darkroom/jobs/batch"
	"darkroom/jobs/job"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

// batchWindow is the window in which maria submits a batch.
const batchWindow = "batch window"

// ofFile returns the source of maria's batch in #shoots: a file with this content.
func ofFile(r *commandstest.Rig, content string) batch.Source {
	r.Screen.Lock()
	r.Screen.Contents = map[string][]byte{"F1": []byte(content)}
	r.Screen.Unlock()
	return batch.Source{
		Team: "T1", User: "maria", Channel: "C1", From: "C1", File: "F1", Name: "shop.csv", Origin: "click", Opened: time.Now(),
		Otherwise: order.BatchRow{Service: order.ServiceBasic, Instructions: []string{"Brighten it."}},
	}
}

// shows is what checking a source shows.
func shows(r *commandstest.Rig, s batch.Source) string {
	r.T.Helper()
	view, err := r.Jobs.Batches.CheckBatch(r.T.Context(), s, batchWindow)
	require.NoError(r.T, err)
	return commandstest.Text(view)
}

// checked is the batch that a source holds.
func checked(r *commandstest.Rig, s batch.Source) store.OrderBatch {
	r.T.Helper()
	view, err := r.Jobs.Batches.CheckBatch(r.T.Context(), s, batchWindow)
	require.NoError(r.T, err)
	b, err := r.Store.Batches.Batch(r.T.Context(), kit.DecodeMeta(view.PrivateMetadata).Note)
	require.NoError(r.T, err, commandstest.Text(view))
	return b
}

// rowsOf is a file of so many orders.
func rowsOf(n int) string {
	var file strings.Builder
	file.WriteString("name,images\n")
	for i := range n {
		fmt.Fprintf(&file, "Product %d,https://example.com/%d.jpg\n", i+1, i+1)
	}
	return file.String()
}

// placesBatch has maria place a batch of n orders.
func placesBatch(r *commandstest.Rig, orders int) store.OrderBatch {
	r.T.Helper()
	b := checked(r, ofFile(r, rowsOf(orders)))
	require.NoError(r.T, r.Jobs.Batches.PutBatch(r.T.Context(), b, batchWindow))
	return b
}

// cardsOf posts the cards of a batch's orders, as the announcer does.
func cardsOf(r *commandstest.Rig, b store.OrderBatch) {
	r.T.Helper()
	for i, d := range b.Drafts() {
		placed, err := r.Store.Drafts.Draft(r.T.Context(), d.ID)
		require.NoError(r.T, err)
		t, err := r.Store.Orders.Order(r.T.Context(), placed.OrderID)
		require.NoError(r.T, err)
		require.NoError(r.T, r.Store.Announcements.CardPosted(r.T.Context(), t.ID, t.Owner.Generation, fmt.Sprintf("300.%d", i+1), t.Version))
	}
}

// lastDM returns the current text of maria's last direct message.
func lastDM(r *commandstest.Rig) string {
	r.Screen.Lock()
	defer r.Screen.Unlock()
	return r.Screen.DMs[len(r.Screen.DMs)-1]
}

func TestABatchIsPlacedAndToldOfInOneMessageAndOneFile(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		b := placesBatch(r, 3)
		require.NoError(r.T, r.Jobs.Batches.PutBatch(r.T.Context(), b, "another window"), "pressed twice")
		r.Settle(5 * time.Second)
		cardsOf(r, b)
		r.Settle(10 * time.Minute)
		require.Equal(r.T, 3, r.Service.Called("create"))
		sent := r.Screen.Sent()
		require.Len(r.T, sent, 2, "a message, which is edited, and a file")
		require.Equal(r.T, b.ID, cardsbatch.Of(sent[0]))
		require.Contains(r.T, sent[0].Text, "Every order is placed: 3 orders.")
		require.Contains(r.T, sent[0].Text, "in a file in this chat")
		require.Contains(r.T, r.Screen.Window(batchWindow), "Every order is placed: 3 orders.")
		for i := range 3 {
			address := fmt.Sprintf("https://acme.slack.com/archives/C1/p300%d", i+1)
			require.Contains(r.T, r.Screen.Window(batchWindow), address, "the way to each card")
			require.Contains(r.T, string(r.Screen.Uploads["shop-result.csv"]), address)
		}
		require.Equal(r.T, "shop-result.csv", sent[1].Files[0].Name)
		require.Zero(r.T, r.Stats().Jobs)
	})
}

// The file waits for cards, but not for ever: one may be impossible to post.
func TestTheResultsOfABatchWaitForTheCardsForAWhile(t *testing.T) {
	for name, posted := range map[string]bool{"posted late": true, "never posted": false} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				b := placesBatch(r, 2)
				r.Settle(4*time.Minute + 50*time.Second)
				require.Len(r.T, r.Screen.Sent(), 1)
				require.Contains(r.T, r.Screen.Sent()[0].Text, "Every order is placed", "that is said at once")
				if posted {
					cardsOf(r, b)
				}
				r.Settle(90 * time.Second)
				require.Len(r.T, r.Screen.Sent(), 2)
				require.Equal(r.T, posted, strings.Contains(string(r.Screen.Uploads["shop-result.csv"]), "https://acme.slack.com/archives/C1/p3001"))
			})
		})
	}
}

// Redis goes away when the wait for cards is over. The file still names every card.
func TestTheResultsOfABatchNameEveryCardWhateverRedisDoes(t *testing.T) {
	for breaks, broke := int64(1), true; broke; breaks++ {
		commandstest.Bubble(t, func(r *commandstest.Rig) {
			b := placesBatch(r, 1)
			r.Settle(4*time.Minute + 55*time.Second)
			cardsOf(r, b)
			r.Flaky.Left.Store(breaks)
			r.Settle(10 * time.Minute)
			broke = r.Flaky.Left.Load() <= 0
			require.Contains(r.T, string(r.Screen.Uploads["shop-result.csv"]), "https://acme.slack.com/archives/C1/p3001", "at command %d", breaks)
		})
	}
}

// An order that was forgotten has no card to wait for.
func TestTheResultsOfABatchDoNotWaitForAnOrderThatIsForgotten(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		b := placesBatch(r, 1)
		r.Settle(time.Second)
		d, err := r.Store.Drafts.Draft(r.T.Context(), b.Drafts()[0].ID)
		require.NoError(r.T, err)
		require.NoError(r.T, r.Redis.Del(r.T.Context(), "{darkroom}:order:"+d.OrderID).Err())
		r.Settle(10 * time.Second)
		require.Len(r.T, r.Screen.Sent(), 2)
	})
}

func TestHowFarABatchIsIsSaidLessAndLessOften(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Service.NextCreate = append(r.Service.NextCreate, commandstest.Refused("The photos are too small."))
		for range 8 { // the service is away for the other
			r.Service.NextCreate = append(r.Service.NextCreate, commandstest.Unsent)
		}
		b := placesBatch(r, 2)
		r.Settle(5 * time.Second)
		require.Contains(r.T, lastDM(r), "0 of 2 orders placed …")
		require.Contains(r.T, lastDM(r), "1 could not be.")
		r.Settle(20 * time.Minute)
		require.Contains(r.T, lastMessage(r).Text, "1 of 2 orders are placed, 1 is not.")
		require.Contains(r.T, r.Screen.Window(batchWindow), "1 of 2 orders are placed, 1 is not.")
		require.Contains(r.T, r.Screen.Window(batchWindow), "The photos are too small.")
		stand, err := r.Jobs.Batches.Progress(r.T.Context(), b)
		require.NoError(r.T, err)
		states := []store.DraftState{stand.Drafts[0].State, stand.Drafts[1].State}
		require.ElementsMatch(r.T, []store.DraftState{store.DraftRefused, store.DraftPlaced}, states, "which came first is open")
		require.Less(r.T, len(r.Screen.DMs), 6, "no news is not told")
	})
}

// batchDelivery makes a delivery of a batch's job that was put at that age.
func batchDelivery(r *commandstest.Rig, b store.OrderBatch, state string, ago time.Duration) *queue.Delivery {
	r.T.Helper()
	body, err := json.Marshal(map[string]any{"batch": b.ID, "user": "maria", "view": batchWindow, "at": time.Now()})
	require.NoError(r.T, err)
	return &queue.Delivery{
		Job: queue.Job{ID: "batch:" + b.ID, Kind: job.Batch, Body: body}, State: json.RawMessage(state), PutAt: time.Now().Add(-ago),
	}
}

func TestABatchIsLookedAtEveryTwoSecondsAtFirstAndEveryMinuteAtMost(t *testing.T) {
	for ago, pause := range map[time.Duration]time.Duration{
		0: 2 * time.Second, 40 * time.Second: 2 * time.Second, 10 * time.Minute: 30 * time.Second, time.Hour: time.Minute,
	} {
		commandstest.Bubble(t, func(r *commandstest.Rig) {
			r.Service.Set(func(f *commandstest.Service) { f.Down = true })
			b := checked(r, ofFile(r, rowsOf(1)))
			d := batchDelivery(r, b, `{"submitted":1,"mute":true}`, ago)
			r.Screen.Closes() // the window takes no time
			d.Body = json.RawMessage(strings.Replace(string(d.Body), batchWindow, "", 1))
			require.EqualError(r.T, r.Doing(job.Batch)(r.T.Context(), d), queue.Wait(pause).Error(), ago)
		})
	}
}

// Redis goes away at each command of the job in turn, before or after it is carried out.
func TestABatchThatIsCutOffGoesOnWhereItWas(t *testing.T) {
	for breaks, broke := int64(1), true; broke; breaks++ {
		commandstest.Bubble(t, func(r *commandstest.Rig) {
			b := checked(r, ofFile(r, rowsOf(1)))
			r.Flaky.After = breaks%2 == 0
			r.Flaky.Left.Store(breaks)
			require.NoError(r.T, r.Jobs.Batches.PutBatch(r.T.Context(), b, batchWindow))
			r.Settle(10 * time.Second)
			if d, err := r.Store.Drafts.Draft(r.T.Context(), b.Drafts()[0].ID); err == nil && d.State == store.DraftPlaced {
				cardsOf(r, b)
			}
			r.Settle(10 * time.Minute)
			broke = r.Flaky.Left.Load() <= 0
			require.LessOrEqual(r.T, r.Service.Called("create"), 1, "at command %d", breaks)
			require.Len(r.T, files(r), 1, "at command %d", breaks)
			if r.Service.Called("create") == 1 {
				require.Contains(r.T, lastMessage(r).Text, "Every order is placed: 1 order.", "at command %d", breaks)
			} else { // it was marked as being sent, and never left: the person is asked
				require.Contains(r.T, r.Screen.Window(batchWindow), "I do not know if it was placed", "at command %d", breaks)
			}
			require.Zero(r.T, r.Stats().Jobs, "at command %d", breaks)
		})
	}
}

// files returns the files of the direct messages.
func files(r *commandstest.Rig) (all []slack.File) {
	for _, m := range r.Screen.Sent() {
		all = append(all, m.Files...)
	}
	return all
}

// A batch is submitted in pieces, and each order once.
func TestALargeBatchThatIsCutOffGoesOnWhereItWas(t *testing.T) {
	for _, breaks := range []int64{17, 75} {
		commandstest.Bubble(t, func(r *commandstest.Rig) {
			b := checked(r, ofFile(r, rowsOf(22)))
			r.Flaky.Left.Store(breaks)
			require.NoError(r.T, r.Jobs.Batches.PutBatch(r.T.Context(), b, batchWindow))
			r.Settle(20 * time.Minute)
			require.LessOrEqual(r.T, r.Flaky.Left.Load(), int64(0), "it broke")
			require.Equal(r.T, 22, r.Service.Called("create"))
			require.Contains(r.T, lastMessage(r).Text, "Every order is placed: 22 orders.")
		})
	}
}

// lastMessage is the message about a batch.
func lastMessage(r *commandstest.Rig) (last slack.Message) {
	for _, m := range r.Screen.Sent() {
		if cardsbatch.Of(m) != "" {
			last = m
		}
	}
	return last
}

func TestWhoMayNotPostAnyMorePlacesNoBatch(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		b := checked(r, ofFile(r, rowsOf(2)))
		r.Screen.Left = map[string]bool{"maria": true}
		require.Contains(r.T, shows(r, ofFile(r, rowsOf(3))), "Nothing was sent", "nor is another shown to her")
		require.NoError(r.T, r.Jobs.Batches.PutBatch(r.T.Context(), b, batchWindow))
		r.Settle(time.Minute)
		require.Zero(r.T, r.Service.Called("create"))
		require.Contains(r.T, r.Screen.Window(batchWindow), "Nothing was sent")
		require.Empty(r.T, r.Screen.Sent())
		require.Zero(r.T, r.Stats().Jobs)

		r.Screen.Lock()
		r.Screen.Left = nil
		r.Screen.Unlock()
		for range 2 { // who is back presses the button again, twice
			require.NoError(r.T, r.Jobs.Batches.PutBatch(r.T.Context(), b, batchWindow))
		}
		r.Settle(10 * time.Second)
		require.Equal(r.T, 2, r.Service.Called("create"))
	})
}

// Some orders are placed already. Each of the others is refused by itself.
func TestWhoLeavesWhileABatchIsPlacedReadsWhichOrdersAreNot(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		b := checked(r, ofFile(r, rowsOf(2)))
		first, _, err := r.Store.Drafts.Submit(r.T.Context(), b.Drafts()[0])
		require.NoError(r.T, err)
		require.NoError(r.T, r.Jobs.Place.PutPlace(r.T.Context(), first, ""))
		r.Settle(time.Second)
		r.Screen.Lock()
		r.Screen.Left = map[string]bool{"maria": true}
		r.Screen.Unlock()
		d := batchDelivery(r, b, `{"submitted":1}`, 0)
		require.Error(r.T, r.Doing(job.Batch)(r.T.Context(), d))
		r.Settle(time.Second)
		require.Error(r.T, r.Doing(job.Batch)(r.T.Context(), d))
		require.Equal(r.T, 1, r.Service.Called("create"))
		require.Contains(r.T, lastDM(r), "1 of 2 orders are placed, 1 is not.")
		require.Contains(r.T, lastDM(r), "I cannot post in its channel for you")
	})
}

func TestABatchThatIsNotKeptAnyMoreIsADeadLetter(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		require.NoError(r.T, r.Jobs.Batches.PutBatch(r.T.Context(), store.OrderBatch{ID: "gone", Team: "T1", User: "maria"}, batchWindow))
		r.Settle(time.Minute)
		require.Equal(r.T, 1, r.Stats().Dead)
		letters, err := r.Queue.DeadLetters().List(r.T.Context(), 0)
		require.NoError(r.T, err)
		require.Contains(r.T, letters[0].Reason, store.ErrNoBatch.Error())
	})
}

// The message may have arrived, so the app searches for it before it sends another.
func TestAMessageAboutABatchThatMayHaveArrivedIsLookedFor(t *testing.T) {
	for name, row := range map[string]struct {
		arrived  bool
		scopes   []string
		messages int
		found    bool // and so it is edited to its end
	}{
		"it did":                         {true, nil, 1, true},
		"it did not":                     {false, nil, 1, true},
		"it did, which cannot be read":   {true, []string{"files:write"}, 1, false},
		"it did not, and nobody can say": {false, []string{"files:write"}, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				r.Screen.LostAnswers, r.Screen.Scopes = []bool{row.arrived}, row.scopes
				placesBatch(r, 1)
				r.Settle(14 * time.Second)
				require.Len(r.T, r.Screen.Sent(), map[bool]int{true: 1}[row.arrived], "it may be under way still")
				r.Settle(10 * time.Minute)
				sent := r.Screen.Sent()
				require.Len(r.T, sent, row.messages+1, "and the file")
				require.NotEmpty(r.T, sent[len(sent)-1].Files)
				if row.found {
					require.Contains(r.T, lastMessage(r).Text, "Every order is placed")
				}
				require.Contains(r.T, r.Screen.Window(batchWindow), "Every order is placed", "the window has it all the same")
			})
		})
	}
}

// Somebody copies the mark of the app's message. That message is not taken for the app's.
func TestAMessageOfSomebodyElseIsNotTakenForTheBatchs(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Screen.LostAnswers = []bool{false}
		b := placesBatch(r, 1)
		r.Settle(5 * time.Second)
		r.Screen.Writes("maria", slack.Message{Msg: slack.Msg{Text: "forged", Metadata: slack.SlackMetadata{
			EventType: cardsbatch.Metadata, EventPayload: map[string]any{"batch": b.ID},
		}}})
		r.Settle(10 * time.Minute)
		require.Equal(r.T, "forged", r.Screen.Sent()[0].Text)
		require.Contains(r.T, lastMessage(r).Text, "Every order is placed")
	})
}

func TestWhoCanHaveNoMessageReadsOfTheirBatchInTheWindow(t *testing.T) {
	for name, stop := range map[string]func(s *commandstest.Screen){
		"from the beginning": func(s *commandstest.Screen) { s.NoDMs = client.ErrNoUser },
		"from later on":      func(s *commandstest.Screen) { s.NoEdits = client.ErrNoUser },
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				stop(r.Screen)
				placesBatch(r, 2)
				r.Settle(10 * time.Minute)
				require.Contains(r.T, r.Screen.Window(batchWindow), "Every order is placed")
				require.Empty(r.T, r.Screen.Uploads, "nor is a file sent")
				require.Zero(r.T, r.Stats().Jobs)
			})
		})
	}
}

func TestAMessageAboutABatchWaitsForSlack(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Screen.Busy = 3
		placesBatch(r, 1)
		r.Settle(10 * time.Minute)
		require.Len(r.T, r.Screen.Sent(), 2)
	})
}

func TestAFileWithTheResultsThatCannotBeSentIsToldInTheMessage(t *testing.T) {
	for name, row := range map[string]struct {
		meets func(s *commandstest.Screen)
		files int
		says  string
	}{
		"no right to upload":             {func(s *commandstest.Screen) { s.Scopes = []string{"im:history"} }, 0, cardsbatch.FileNoRights},
		"uploading is refused":           {func(s *commandstest.Screen) { s.NoFiles = client.ErrNotAllowed }, 0, cardsbatch.FileUnsent},
		"showing it is refused":          {func(s *commandstest.Screen) { s.NoShare = client.ErrNotAllowed }, 0, cardsbatch.FileUnsent},
		"it may have arrived, and did":   {func(s *commandstest.Screen) { s.LostAnswers = []bool{true} }, 1, ""},
		"it may have arrived, did not":   {func(s *commandstest.Screen) { s.LostAnswers = []bool{false} }, 1, ""},
		"it may have, nobody can look":   {func(s *commandstest.Screen) { s.LostAnswers, s.Scopes = []bool{true}, []string{"files:write"} }, 1, cardsbatch.FileUnsure},
		"it may not have, nobody looks":  {func(s *commandstest.Screen) { s.LostAnswers, s.Scopes = []bool{false}, []string{"files:write"} }, 0, cardsbatch.FileUnsure},
		"it may have, twice, and did so": {func(s *commandstest.Screen) { s.LostAnswers = []bool{false, true} }, 1, ""},
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				placesBatch(r, 1)
				r.Settle(5 * time.Second) // the message is out
				r.Screen.Lock()
				row.meets(r.Screen)
				r.Screen.Unlock()
				r.Settle(10 * time.Minute)
				require.Len(r.T, files(r), row.files)
				require.LessOrEqual(r.T, r.Screen.Uploaded(), 1, "however often it is shown")
				require.Contains(r.T, lastDM(r), row.says)
				for _, other := range []string{cardsbatch.FileNoRights, cardsbatch.FileUnsent, cardsbatch.FileUnsure} {
					require.Equal(r.T, other == row.says, strings.Contains(strings.Join(r.Screen.DMs, "\n"), other), other)
				}
				require.Zero(r.T, r.Stats().Jobs)
			})
		})
	}
}

func TestAFileWithTheResultsWaitsForSlack(t *testing.T) {
	for name, away := range map[string]func(s *commandstest.Screen, err error){
		"to upload": func(s *commandstest.Screen, err error) { s.NoFiles = err },
		"to show":   func(s *commandstest.Screen, err error) { s.NoShare = err },
		"of rights": func(s *commandstest.Screen, err error) { s.NoIdentity = err },
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				r.Screen.Scopes = []string{"files:write"} // nobody needs to look for what was refused
				placesBatch(r, 1)
				r.Settle(5 * time.Second)
				r.Screen.Set(func(s *commandstest.Screen) { away(s, client.ErrTryLater) })
				r.Settle(10 * time.Minute)
				require.Len(r.T, r.Screen.Sent(), 1)
				require.NotZero(r.T, r.Stats().Jobs)
				r.Screen.Set(func(s *commandstest.Screen) { away(s, nil) })
				r.Settle(10 * time.Minute)
				require.Len(r.T, files(r), 1)
				require.Equal(r.T, 1, r.Screen.Uploaded())
				require.NotContains(r.T, strings.Join(r.Screen.AllMessages(), ""), cardsbatch.FileUnsure)
			})
		})
	}
}

func TestTheSameFileOfTheSameFormIsTheSameBatch(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		s := ofFile(r, "images\nhttps://example.com/a.jpg\nhttps://example.com/b.jpg\n")
		first := checked(r, s)
		require.NotEmpty(r.T, first.Rows[0].Name, "orders are known by their names")
		require.NotEqual(r.T, first.Rows[0].Name, first.Rows[1].Name)
		require.NotEmpty(r.T, first.Run)
		other := s
		other.Run, other.UploadGen, other.Credits = "the one before", 7, "12"
		require.Equal(r.T, first, checked(r, other), "what changes while a form is open makes it no other")
		other = s
		other.Origin = "another click"
		require.NotEqual(r.T, first.ID, checked(r, other).ID)
		other.Run = "the run of the form"
		other.Otherwise.CustomerID = "C-7"
		require.Equal(r.T, "the run of the form", checked(r, other).Run, "from when on its orders are looked for")

		require.NoError(r.T, r.Redis.Del(r.T.Context(), "{darkroom}:batch:"+first.ID).Err())
		require.Equal(r.T, first.Rows, checked(r, s).Rows, "the same names, also when it was forgotten")
		require.Contains(r.T, shows(r, s), "Place 2 Orders")
		require.NoError(r.T, r.Jobs.Batches.PutBatch(r.T.Context(), first, batchWindow))
		r.Settle(time.Second)
		require.NotContains(r.T, shows(r, s), "Place 2 Orders", "it is not placed again")
	})
}

// A file at the limit is read whole. A larger one is refused, not cut.
func TestABatchOfAMegabyteIsRead(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		file := "\ufeff" + rowsOf(1) + ","
		file += strings.Repeat(" ", order.MaxBatchFile+3-len(file))
		require.Contains(r.T, shows(r, ofFile(r, file)), "Place 1 Order")
		require.Contains(r.T, shows(r, ofFile(r, file+" ")), "larger than 1 MB")
	})
}

func TestAFileThatCannotBeReadIsNoBatch(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		s := ofFile(r, rowsOf(1))
		for _, refusal := range []error{client.ErrGone, client.ErrNotAllowed} {
			r.Screen.NoFileContent = refusal
			require.Contains(r.T, shows(r, s), "I cannot read this file")
		}
		broken := errors.New("connection reset")
		for _, meets := range []func(){
			func() { r.Screen.NoFileContent = client.ErrTryLater },
			func() { r.Screen.NoFileContent, r.Screen.CutOff = nil, broken },
		} {
			meets()
			_, err := r.Jobs.Batches.CheckBatch(r.T.Context(), s, batchWindow)
			require.ErrorIs(r.T, err, client.ErrTryLater, "it is read again")
		}
		r.Screen.CutOff = nil
		require.Contains(r.T, shows(r, s), "Place 1 Order")
		require.Contains(r.T, shows(r, ofFile(r, "images\nbeach.jpg\n")), "Line 2")
	})
}

// ofThread returns the source of a batch from a thread of photos.
func ofThread(r *commandstest.Rig, user string, messages ...int) batch.Source {
	r.T.Helper()
	t := store.Thread{ID: "thread", User: user}
	for i, photos := range messages {
		m := store.ThreadMessage{Number: i + 1, Words: []string{fmt.Sprintf("Message %d", i+1)}}
		for j := range photos {
			m.Photos = append(m.Photos, store.DraftFile{ID: fmt.Sprintf("F%d-%d", i, j), URL: fmt.Sprintf("https://files.slack.com/%d-%d.jpg", i, j)})
		}
		t.Messages = append(t.Messages, m)
	}
	require.NoError(r.T, r.Store.PhotoThreads.SaveThread(r.T.Context(), t))
	s := ofFile(r, "")
	s.File, s.Thread = "", "thread"
	return s
}

func TestAThreadIsABatchOfItsMessages(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		b := checked(r, ofThread(r, "maria", 1, 2))
		drafts := b.Drafts()
		require.Len(r.T, drafts, 2)
		require.Equal(r.T, "Message 2", drafts[1].ProjectName)
		require.Len(r.T, drafts[1].Files, 2, "photos in Slack, not addresses")
		require.Contains(r.T, shows(r, ofThread(r, "tom", 1)), "This window has expired", "somebody else's")
		s := ofThread(r, "maria", 1)
		s.Thread = "forgotten"
		require.Contains(r.T, shows(r, s), "This window has expired")
	})
}

func TestAThreadHoldsTwoHundredOrdersAtMost(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		full := make([]int, order.MaxBatchOrders-1)
		for i := range full {
			full[i] = 1
		}
		full[0] = order.MaxImages + 1 // two orders
		require.Contains(r.T, shows(r, ofThread(r, "maria", full...)), "Place 200 Orders")
		require.Contains(r.T, shows(r, ofThread(r, "maria", append(full, 1)...)), "201")
	})
}

func TestABatchThatIsCheckedInAFormIsShownThere(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		s := ofFile(r, rowsOf(2))
		require.NoError(r.T, r.Jobs.Batches.PutBatchCheck(r.T.Context(), s, batchWindow, "submission"))
		r.Settle(time.Second)
		require.Contains(r.T, r.Screen.Window(batchWindow), "Place 2 Orders")
		painted := r.Screen.Painted(batchWindow)
		require.NoError(r.T, r.Jobs.Batches.PutBatchCheck(r.T.Context(), s, batchWindow, "submission"), "Slack sends it again")
		r.Settle(time.Second)
		require.Greater(r.T, r.Screen.Painted(batchWindow), painted, "its acknowledgement was painted over the answer")
		require.Contains(r.T, r.Screen.Window(batchWindow), "Place 2 Orders")
		require.Equal(r.T, 1, r.JobCount(job.CheckBatch))

		r.Screen.Closes()
		require.NoError(r.T, r.Jobs.Batches.PutBatchCheck(r.T.Context(), s, batchWindow, "another"))
		r.Settle(time.Minute)
		require.Empty(r.T, r.Screen.AllMessages(), "who has closed the form wanted nothing more")
		require.Zero(r.T, r.Stats().Jobs)
	})
}

// While Slack does not answer, maria's right to order there is unknown.
func TestABatchIsPlacedOnceSlackIsBack(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		b := checked(r, ofFile(r, rowsOf(1)))
		r.Screen.NoUsers = client.ErrTryLater
		_, err := r.Jobs.Batches.CheckBatch(r.T.Context(), ofFile(r, rowsOf(1)), batchWindow)
		require.ErrorIs(r.T, err, client.ErrTryLater)
		require.NoError(r.T, r.Jobs.Batches.PutBatch(r.T.Context(), b, batchWindow))
		r.Settle(time.Minute)
		require.Zero(r.T, r.Service.Called("create"))
		require.Empty(r.T, r.Screen.Window(batchWindow))
		r.Screen.Set(func(s *commandstest.Screen) { s.NoUsers = nil })
		r.Settle(10 * time.Minute)
		require.Equal(r.T, 1, r.Service.Called("create"))
		require.Len(r.T, files(r), 1)
	})
}

func TestABatchIsCheckedOnceSlackIsBack(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		s := ofFile(r, rowsOf(2))
		r.Screen.Denied = client.ErrTryLater
		require.NoError(r.T, r.Jobs.Batches.PutBatchCheck(r.T.Context(), s, batchWindow, "submission"))
		r.Settle(time.Minute)
		require.NotZero(r.T, r.Stats().Jobs)
		r.Screen.Set(func(s *commandstest.Screen) { s.Denied = nil })
		r.Settle(time.Minute)
		require.Contains(r.T, r.Screen.Window(batchWindow), "Place 2 Orders")
	})
}
