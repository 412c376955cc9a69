package cards

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/order"
	"darkroom/store"
)

func TestGoldenThread(t *testing.T) {
	golden(t, func(s scene) map[string]any {
		thread := store.Thread{ID: "draft1", User: "U0MARIA", Words: []string{s.words}, Left: []string{ThreadMore(200), s.words + ": " + NotAPicture}}
		for n := range 3 {
			m := store.ThreadMessage{Number: n + 1, Words: []string{s.words}}
			for i := range s.images {
				m.Photos = append(m.Photos, store.DraftFile{ID: fmt.Sprintf("F%d-%d", n, i), Name: "a.jpg"})
			}
			thread.Messages = append(thread.Messages, m)
		}
		worded := thread
		thread.Messages = append(thread.Messages, store.ThreadMessage{Number: 9, Photos: []store.DraftFile{{ID: "F9"}}})
		d := store.Draft{ID: "draft1", Channel: "C0PHOTOS", Attempt: 1, Files: worded.Messages[0].Photos[:min(order.MaxImages, len(worded.Messages[0].Photos))]}
		return map[string]any{
			"asks": ThreadPhotos(d, Around{Thread: &thread}, "x1"), "all_have_words": ThreadPhotos(d, Around{Thread: &worded}, "x1"),
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
