package order_test

import (
	"fmt"
	"maps"
	"testing"
	"time"

	"darkroom/order"

	"github.com/stretchr/testify/require"
)

func TestSentencesAreTickedOneByOne(t *testing.T) {
	var many []string
	for i := range 12 {
		many = append(many, fmt.Sprint("s", i))
	}
	for name, c := range map[string]struct{ lines, want []string }{
		"none":            {nil, nil},
		"each once":       {[]string{"a", "b", "a"}, []string{"a", "b"}},
		"ten":             {many[:10], many[:10]},
		"the rest is one": {many, append(append([]string{}, many[:9]...), "s9 s10 s11")},
	} {
		require.Equal(t, c.want, order.Sentences(c.lines), name)
	}
	require.Equal(t, "s9", many[9], "the caller's lines stay")
	require.Len(t, order.SentenceKey("a"), 12)
	require.NotEqual(t, order.SentenceKey("a"), order.SentenceKey("b"))
}

// A tick on a sentence is bound to one edit and one sentence. A good image does all that was asked for.
func TestASentenceIsDoneInOneEdit(t *testing.T) {
	now := time.Now()
	image, other := order.EditedImage{ID: "i1", Name: "1.jpg"}, order.EditedImage{ID: "i2", Name: "2.jpg"}
	images := []order.EditedImage{image, other}
	done := func(i order.EditedImage, s string, is bool) order.Tick {
		return order.Tick{Edit: i.Edit(), Done: order.SentenceKey(s), Good: is}
	}
	v := order.Verdicts{}
	judge := func(by string, ticks ...order.Tick) (stale []string, late []order.Tick) {
		changed, stale, late := v.With(ticks, images, by, now)
		maps.Copy(v, changed)
		return stale, late
	}
	stale, late := judge("UMARIA", done(image, "softer", true))
	require.Empty(t, stale)
	require.Empty(t, late)
	require.True(t, v.Done(image, "softer").Good)
	require.Equal(t, "UMARIA", v.Done(image, "softer").By)
	require.False(t, v.Done(image, "darker").Good)
	require.False(t, v.Done(other, "softer").Good)
	require.False(t, v.Good(image), "the photo itself is not judged")

	changed, _, _ := v.With([]order.Tick{done(image, "softer", true)}, images, "UBEN", now)
	require.Empty(t, changed, "whoever ticked first stays")

	asked := [][]string{{"softer", "darker"}, {"straighten"}}
	require.Equal(t, &order.DoneCount{Done: 1, Of: 3, By: []string{"UMARIA"}}, v.CountDone(images, asked))
	require.Equal(t, order.DoneCount{Done: 1, By: []string{"UMARIA"}}, v.Ticked(images))
	require.Nil(t, v.CountDone(images, [][]string{nil, nil}))

	judge("UBEN", order.Tick{Edit: other.Edit(), Good: true})
	require.Equal(t, &order.DoneCount{Done: 2, Of: 3, By: []string{"UMARIA", "UBEN"}}, v.CountDone(images, asked))
	require.Equal(t, order.DoneCount{Done: 1, By: []string{"UMARIA"}}, v.Ticked(images), "a good photo is no sentence")

	judge("UBEN", done(image, "softer", false))
	require.False(t, v.Done(image, "softer").Good)
	judge("UMARIA", done(image, "softer", true))
	old := image
	images[0].UploadedAt = now
	require.False(t, v.Done(images[0], "softer").Good, "a new edit starts without ticks")
	require.Zero(t, v.Ticked(images))
	stale, late = judge("UBEN", done(old, "darker", true))
	require.Equal(t, []string{"i1#" + order.SentenceKey("softer")}, stale)
	require.Len(t, late, 1)
	require.False(t, order.Verdicts{"#k": {Done: "k", Good: true}}.Done(order.EditedImage{}, "k").Good, "without an ID there is no verdict")
}

func TestFewWhoTickedAreNamed(t *testing.T) {
	var images []order.EditedImage
	var asked [][]string
	v := order.Verdicts{}
	for i := range order.MaxTickers + 3 {
		image := order.EditedImage{ID: fmt.Sprint("i", i)}
		images, asked = append(images, image), append(asked, []string{"softer"})
		v[image.ID] = order.Verdict{Edit: image.Edit(), Good: true, By: fmt.Sprint("U", i)}
	}
	count := v.CountDone(images, asked)
	require.Equal(t, order.MaxTickers+3, count.Done)
	require.Len(t, count.By, order.MaxTickers)
}

func TestAnEventKeepsWhatWasTicked(t *testing.T) {
	count := &order.DoneCount{Done: 1, Of: 2, By: []string{"UMARIA"}}
	for verb, seen := range map[string]order.Order{order.VerbApprove: anOrder(order.StatusClosed, 0), order.VerbRevise: anOrder(order.StatusRevising, 1)} {
		events := order.Diff(known(anOrder(order.StatusReviewing, 0)), seen, &order.Intent{Verb: verb, Actor: "UBEN", Ticked: count}, noon)
		require.Equal(t, count, events[0].Ticked, verb)
	}
}
