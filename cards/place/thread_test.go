package place_test

import (
	"fmt"
	"testing"

	"darkroom/cards/cardstest"
	"darkroom/cards/place"
	"darkroom/cards/talk"
	"darkroom/order"
	"darkroom/store"

	"github.com/stretchr/testify/require"
)

func TestGoldenThread(t *testing.T) {
	cardstest.Golden(t, func(s cardstest.Scene) map[string]any {
		thread := store.Thread{ID: "draft1", User: "U0MARIA", Words: []string{s.Words}, Skipped: []string{place.ThreadMore(200), s.Words + ": " + talk.NotAPicture}}
		for n := range 3 {
			m := store.ThreadMessage{Number: n + 1, Words: []string{s.Words}}
			for i := range s.Images {
				m.Photos = append(m.Photos, store.DraftFile{ID: fmt.Sprintf("F%d-%d", n, i), Name: "a.jpg"})
			}
			thread.Messages = append(thread.Messages, m)
		}
		worded := thread
		thread.Messages = append(thread.Messages, store.ThreadMessage{Number: 9, Photos: []store.DraftFile{{ID: "F9"}}})
		d := store.Draft{ID: "draft1", Channel: "C0PHOTOS", Attempt: 1, Files: worded.Messages[0].Photos[:min(order.MaxImages, len(worded.Messages[0].Photos))]}
		return map[string]any{
			"asks": place.ThreadPhotos(d, place.FormExtras{Thread: &thread}, "x1"), "all_have_words": place.ThreadPhotos(d, place.FormExtras{Thread: &worded}, "x1"),
		}
	})
}

func TestAThreadHasEachPhotoAndEachWordOnce(t *testing.T) {
	thread := store.Thread{Words: []string{"Warm"}, Messages: []store.ThreadMessage{
		{Number: 2, Words: []string{"Warm", "Crop"}, Photos: []store.DraftFile{{ID: "F1", URL: "u1"}}},
		{Number: 4, Photos: []store.DraftFile{{ID: "F1", URL: "u1"}, {ID: "F2", URL: "u2"}}},
	}}
	require.Len(t, thread.Photos(), 2)
	require.Equal(t, []string{"Warm", "Crop"}, thread.Instructions())
	rows := thread.Rows(order.BatchRow{Service: order.ServiceBasic, Instructions: []string{"Else"}})
	require.Equal(t, order.BatchRow{Line: 2, Name: "Warm", Images: []string{"u1"}, Service: order.ServiceBasic, Instructions: []string{"Warm", "Crop"}}, rows[0])
	require.Equal(t, []string{"Else"}, rows[1].Instructions)
	require.Equal(t, "one two three four five six seven eight", order.FirstWords("one two three  four five six seven eight nine"))
}
