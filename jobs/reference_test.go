package jobs_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/cards/kit"
	"darkroom/commands"
	"darkroom/commands/commandstest"
	"darkroom/jobs"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/order"
	"darkroom/store/queue"
)

func TestReferenceImagesOfUnknownOutcome(t *testing.T) {
	for name, answers := range map[string][]func(func() order.Order) (order.Order, error){
		"that arrived":        {commandstest.Lost},
		"that did not":        {commandstest.Never, commandstest.Never},
		"of an app that died": {killed},
		"that never left":     {commandstest.Unsent, commandstest.Unsent, commandstest.Unsent},
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				r.InReview()
				r.Service.NextReference = answers
				r.Types("reference order1 https://e.com/a.jpg")
				r.Settle(5 * time.Minute)
				require.Len(r.T, r.Service.References, 1)
				require.Len(r.T, r.Events(order.EventReferences), 1)
				require.Contains(r.T, r.Screen.LastMessage(), "1 reference photo")
			})
		})
	}
}

func TestADuplicateImageAtTheFirstTryIsShown(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.InReview()
		r.Types("reference order1 https://e.com/a.jpg")
		r.Types("reference order1 https://e.com/a.jpg")
		require.Contains(r.T, r.Screen.LastMessage(), "has these photos already")
		require.Contains(r.T, r.Screen.LastMessage(), "https://e.com/a.jpg")
	})
}

func TestAServiceWithoutReferenceImagesSaysSo(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.InReview()
		r.Service.NextReference = append(r.Service.NextReference, noSuchPath)
		r.Types("reference order1 https://e.com/a.jpg")
		require.Contains(r.T, r.Screen.LastMessage(), "This photo service does not offer that")
		require.Contains(r.T, r.Screen.LastMessage(), "https://e.com/a.jpg")
	})
}

func noSuchPath(func() order.Order) (order.Order, error) {
	return order.Order{}, &order.Error{Op: "reference", Outcome: order.ErrNoSuchPath}
}

func TestTwoPhotosOfOneNameAreTwoEvents(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.InThread()
		r.Signs()
		for range 2 {
			r.Shortcut(commands.ShortcutReference, commandstest.SharedPhoto(commandstest.CardTS))
			r.Fills(nil)
			r.Settle(time.Second)
		}
		require.Len(r.T, r.Service.References, 2)
		require.Len(r.T, r.Events(order.EventReferences), 2)
	})
}

func TestARefusalNamesThePhotoAndNotItsAddress(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.InThread()
		r.Signs()
		r.Shortcut(commands.ShortcutReference, commandstest.SharedPhoto(commandstest.CardTS))
		form := r.Filled("maria", map[string]string{"Instruction": "The light"})
		kept, err := r.Jobs.Albums.Album(r.T.Context(), kit.DecodeMeta(form.View.PrivateMetadata).Note, "maria")
		require.NoError(r.T, err)
		r.Service.NextReference = append(r.Service.NextReference, commandstest.Refused("one file is not accessible from our server: "+kept.Photos[0].URL))
		_, err = r.Handle(r.T.Context(), form)
		require.NoError(r.T, err)
		r.Settle(time.Second)
		require.Contains(r.T, r.Screen.Modal(), "not accessible from our server: image.png")
		require.NotContains(r.T, r.Screen.Modal(), kept.Photos[0].URL)
		require.Contains(r.T, r.Screen.Modal(), "The light")
		r.Fills(nil) // everything is still there
		require.Len(r.T, r.Service.References, 1)
		require.Equal(r.T, kept.Photos[0].URL, r.Service.References[0].URL)
	})
}

// A line that was typed again is another job. The service takes an image once, so its thread shows it once.
func TestTheSameImageInTwoLinesIsOneEvent(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.InReview()
		r.Types("reference order1 https://e.com/a.jpg")
		r.Service.NextReference = append(r.Service.NextReference, commandstest.Never)
		r.Types("reference order1 https://e.com/a.jpg")
		r.Settle(time.Minute)
		require.Len(r.T, r.Service.References, 1)
		require.Len(r.T, r.Events(order.EventReferences), 1)
	})
}

// Crops come beside a request whose words the editor has: only a failure is news.
func TestOfMarkedPhotosOnlyAFailureIsTold(t *testing.T) {
	const address, refusal = "https://d.test/files/secret/1.jpg", "one file is not accessible from our server: https://d.test/files/secret/1.jpg"
	for name, test := range map[string]struct {
		answers []commandstest.ServiceAnswer
		says    string // "": nothing
	}{
		"added":                                 {nil, ""},
		"not offered":                           {[]commandstest.ServiceAnswer{noSuchPath}, ""},
		"refused":                               {[]commandstest.ServiceAnswer{commandstest.Refused(refusal)}, "I could not add your marked photos to *Smith wedding"},
		"refused after a try without an answer": {[]commandstest.ServiceAnswer{commandstest.Never, commandstest.Refused(refusal)}, "I do not know if your marked photos were added to *Smith wedding"},
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				id := r.InReview()
				r.Service.NextReference = test.answers
				body, err := json.Marshal(jobs.ReferenceArgs{
					Asker: answers.Asker{Team: "T1", User: "maria", Channel: r.Stored(id).Owner.Channel}, Order: id, Marked: true,
					Photos: []answers.RefPhoto{{Name: "1 · beach.jpg, marked", File: "F1", URL: address, Picture: true}},
				})
				require.NoError(r.T, err)
				_, err = r.Queue.Put(r.T.Context(), queue.Job{ID: "crops", Lane: "order:" + id, Kind: job.Reference, Body: body})
				require.NoError(r.T, err)
				r.Settle(5 * time.Minute)
				require.NotZero(r.T, r.Service.Called("reference"))
				said := r.Screen.LastMessage()
				if test.says == "" {
					require.NotContains(r.T, said, "marked photos")
					return
				}
				require.Contains(r.T, said, test.says)
				require.Contains(r.T, said, "The editor has your instructions")
				require.Contains(r.T, said, "not accessible from our server: 1 · beach.jpg, marked")
				require.NotContains(r.T, said, address, "it is secret")
			})
		})
	}
}
