package order_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/order"
)

// course applies answer after answer to an order and collects the announced events.
type course struct {
	known order.Known
	told  []order.Event
}

// see applies one answer. It returns the new events, and whether they fulfill the intent.
func (c *course) see(seen order.Order, intent *order.Intent) (events []order.Event, fulfilled bool) {
	c.known, events, fulfilled = order.Observe(c.known, seen, intent, noon)
	c.told = append(c.told, events...)
	return events, fulfilled
}

// words returns the announced messages of the conversation.
func (c *course) words() []string {
	var all []string
	for _, e := range c.told {
		all = append(all, e.Words...)
	}
	return all
}

// message returns Maria's intent to send a text. answered says that the service confirmed it.
func message(words string, answered bool) *order.Intent {
	return &order.Intent{Verb: order.VerbMessage, Actor: "UMARIA", Words: []string{words}, Job: words, At: noon, Answered: answered}
}

// talking returns an order with a conversation.
func talking(entries ...order.Entry) order.Known {
	return known(talk(anOrder(order.StatusEditing, 0), entries...))
}

func TestEveryEntryIsToldOnceAndOursWithWhoWroteIt(t *testing.T) {
	c := &course{known: known(anOrder(order.StatusEditing, 0))}
	first := []order.Entry{entry("service", "Which sky?", 0), entry("client", " the blue one\r\n", 1)}
	events, fulfilled := c.see(talk(order.Order{}, first...), message("the blue one", false))
	require.Equal(t, []order.EventKind{order.EventEditor, order.EventMessage}, kinds(events))
	assert.True(t, fulfilled)
	assert.Empty(t, events[0].Actor)
	assert.Equal(t, "UMARIA", events[1].Actor)
	assert.Equal(t, []string{"the blue one"}, events[1].Words, "as they were typed")
	assert.Equal(t, noon.Add(time.Minute), events[1].At, "when it was written")

	assert.Nil(t, events[0].Revision, "the service does not say")

	again := append(slices.Clone(first), entry("service", "Which sky?", 2))
	again[2].Revision = new(int)
	events, _ = c.see(talk(order.Order{}, again...), nil)
	assert.Equal(t, []order.EventKind{order.EventEditor}, kinds(events), "the same words a second time")
	assert.Equal(t, new(int), events[0].Revision, "of the first round")
	events, _ = c.see(talk(order.Order{}, again[2:]...), nil)
	assert.Empty(t, events, "only the latest: nothing new, nothing forgotten")
	assert.Len(t, c.known.Order.Conversation, 3)
}

// Two people write the same text: the one being sent is the last entry.
func TestTheLastOfTheSameWordsIsTheOneThatIsBeingSent(t *testing.T) {
	for name, k := range map[string]order.Known{
		"placed here": known(anOrder(order.StatusEditing, 0)),
		"adopted":     {Order: anOrder(order.StatusEditing, 0), Adopted: true},
	} {
		t.Run(name, func(t *testing.T) {
			c := &course{known: k}
			events, fulfilled := c.see(talk(order.Order{}, entry("client", "thanks", 0), entry("client", "thanks", 1)), message("thanks", false))
			assert.True(t, fulfilled)
			last := events[len(events)-1]
			assert.Equal(t, "UMARIA", last.Actor)
			assert.Equal(t, noon.Add(time.Minute), last.At)
			for _, e := range events[:len(events)-1] {
				assert.Empty(t, e.Actor)
			}
			assert.Len(t, events, map[string]int{"placed here": 2, "adopted": 1}[name], "what was said before an adopted order was ours is history")
		})
	}
}

// An answer that confirms a message, and shows only known entries, has no events.
func TestAConfirmedMessageThatIsKnownIsNotToldAgain(t *testing.T) {
	c := &course{known: known(anOrder(order.StatusEditing, 0))}
	hello := entry("client", "hello", 0)
	c.see(talk(order.Order{}, hello), nil)
	events, _ := c.see(talk(order.Order{}, hello), message("hello", true))
	assert.Empty(t, events)
	assert.Len(t, c.known.Order.Conversation, 1)
}

func TestAMessageOfOthersFulfilsNobodysIntent(t *testing.T) {
	c := &course{known: known(anOrder(order.StatusEditing, 0))}
	events, fulfilled := c.see(talk(order.Order{}, entry("client", "from their own page", 0)), message("mine", false))
	require.Equal(t, []order.EventKind{order.EventMessage}, kinds(events))
	assert.Empty(t, events[0].Actor)
	assert.False(t, fulfilled)
}

// What was said before an order was tracked here is kept silently; everything from our first
// message on is news, whatever part of it the answers show.
func TestWhatComesAfterTheFirstMessageToAnAdoptedOrderIsNews(t *testing.T) {
	history := []order.Entry{entry("client", "long ago", 0), entry("service", "yes", 1)}
	hello, reply := entry("client", "hello", 2), entry("service", "reply", 3)
	for name, tt := range map[string]struct {
		first, then []order.Entry // the answer to the message, and a later one
	}{
		"the answer shows it all":                    {append(history, hello), append(history, hello, reply)},
		"it shows the latest, later answers more":    {[]order.Entry{hello}, append(history, hello, reply)},
		"it shows no conversation, later answers do": {nil, append(history, hello, reply)},
		"it shows a reply that came meanwhile":       {append(history, hello, reply), append(history, hello, reply)},
	} {
		t.Run(name, func(t *testing.T) {
			c := &course{known: order.Known{Order: anOrder(order.StatusEditing, 0), Adopted: true}}
			_, fulfilled := c.see(talk(order.Order{}, slices.Clone(tt.first)...), message("hello", true))
			assert.True(t, fulfilled)
			for range 2 {
				c.see(talk(order.Order{}, slices.Clone(tt.then)...), nil)
			}
			assert.Equal(t, []string{"hello", "reply"}, c.words())
		})
	}
}

func TestAnAdoptedOrderThatShowedNoConversationHasNoHistory(t *testing.T) {
	c := &course{known: order.Known{Order: anOrder(order.StatusEditing, 0), Adopted: true}}
	c.see(talk(order.Order{}, []order.Entry{}...), nil)
	c.see(order.Order{Conversation: []order.Entry{}}, nil)
	assert.Empty(t, c.told)
	c.see(talk(order.Order{}, entry("service", "Which sky?", 0)), nil)
	assert.Equal(t, []string{"Which sky?"}, c.words())
}

// A service may confirm a message without showing it. Until it does, the conversation has the message at its
// sending time. The service's times are whole seconds, so they differ from it.
func TestAConfirmedMessageThatNoAnswerShows(t *testing.T) {
	c := &course{known: talking(entry("service", "later", 5))}
	intent := message("hello", true)
	intent.At = noon.Add(-time.Minute).In(time.FixedZone("", 4*3600))
	events, fulfilled := c.see(order.Order{}, intent)
	require.Equal(t, []order.EventKind{order.EventMessage}, kinds(events))
	assert.True(t, fulfilled)
	require.Len(t, c.known.Order.Conversation, 2)
	sent := c.known.Order.Conversation[0]
	assert.Equal(t, "hello", sent.Content, "before what was written after it")
	assert.Equal(t, noon.Add(-time.Minute+time.Nanosecond), sent.CreatedAt)
	events, _ = c.see(talk(order.Order{}, entry("client", "hello", 0)), nil)
	assert.Empty(t, events, "shown later, it is the same message")
	assert.Len(t, c.known.Order.Conversation, 2)
}

// No answer shows reference images: only the answer to their own request proves them. The same images from two
// jobs are one event.
func TestReferenceImagesAreProvedByTheirOwnAnswer(t *testing.T) {
	intent := order.Intent{Verb: order.VerbReference, Actor: "UMARIA", Words: []string{"http://a/b.jpg"}, Job: "j1", DedupKey: "same"}
	c := &course{known: known(anOrder(order.StatusEditing, 0))}
	events, fulfilled := c.see(order.Order{}, &intent)
	assert.Empty(t, events)
	assert.False(t, fulfilled)
	intent.Answered = true
	first, fulfilled := c.see(order.Order{}, &intent)
	require.Equal(t, []order.EventKind{order.EventReferences}, kinds(first))
	assert.True(t, fulfilled)
	intent.Job = "j2"
	second, _ := c.see(order.Order{}, &intent)
	assert.Equal(t, ids(first), ids(second))
	intent.DedupKey = ""
	other, _ := c.see(order.Order{}, &intent)
	assert.NotEqual(t, ids(first), ids(other))
}

func TestADeliveryIsRememberedWithItsPictures(t *testing.T) {
	c := &course{known: known(anOrder(order.StatusEditing, 0))}
	c.see(delivered(0, "a"), nil)
	require.Equal(t, &order.Delivered{Revision: 0, Images: print("a")}, c.known.Delivered)
	c.see(anOrder(order.StatusRevising, 0), nil)
	c.see(delivered(0, "b"), nil)
	require.Equal(t, &order.Delivered{Revision: 0, Images: print("b"), Again: true}, c.known.Delivered, "other pictures under the same number")
	c.see(delivered(1, "c"), nil)
	assert.False(t, c.known.Delivered.Again)
	assert.Equal(t, 1, c.known.Delivered.Revision)
}

func TestPausesAreCounted(t *testing.T) {
	c := &course{known: known(anOrder(order.StatusEditing, 0))}
	for range 2 {
		c.see(anOrder(order.StatusPaused, 0), nil)
		c.see(anOrder(order.StatusEditing, 0), nil)
	}
	assert.Equal(t, 2, c.known.Pauses)
	assert.Equal(t, []string{"paused", "resumed", "paused:2", "resumed:2"}, ids(c.told))
}

// An order tracked during a pause announces the end of that pause, and the next pause as a new one.
func TestAPauseThatWasNeverToldIsCountedWhenItEnds(t *testing.T) {
	c := &course{known: known(anOrder(order.StatusPaused, 0))}
	for _, status := range []order.Status{order.StatusEditing, order.StatusPaused, order.StatusEditing} {
		c.see(anOrder(status, 0), nil)
	}
	assert.Equal(t, []string{"resumed", "paused:2", "resumed:2"}, ids(c.told))
}

func TestWhatWasGoneAndIsSeenIsBack(t *testing.T) {
	c := &course{known: order.Known{Order: anOrder(order.StatusEditing, 0), Gone: true, Version: 7}}
	events, _ := c.see(anOrder(order.StatusEditing, 0), nil)
	assert.Equal(t, []string{"back:v7"}, ids(events))
	assert.False(t, c.known.Gone)
}

func TestNobodyIsToldOfAnUntrackedOrder(t *testing.T) {
	c := &course{known: order.Known{Order: anOrder(order.StatusEditing, 0), Untracked: true}}
	events, fulfilled := c.see(talk(anOrder(order.StatusCanceled, 0), entry("service", "bye", 0)), nil)
	assert.Empty(t, events)
	assert.False(t, fulfilled)
	assert.True(t, c.known.Order.Canceled(), "but it is known")
	assert.Len(t, c.known.Order.Conversation, 1)
}
