package client_test

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"darkroom/bot/client"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAPostNeverUnfurlsAndBearsItsMark(t *testing.T) {
	f := newSlack(t, answers{"chat.postMessage": says(200, `{"ok":true,"ts":"1.2"}`)})
	ts, err := f.client(t).Messages.Post(t.Context(), client.Post{
		Channel: "C1", Thread: "1.1", Broadcast: true, Text: "a & b", Blocks: []slack.Block{slack.NewDividerBlock()},
		Metadata: &slack.SlackMetadata{EventType: "card", EventPayload: map[string]any{"order_id": "o1"}},
	})
	require.NoError(t, err)
	assert.Equal(t, "1.2", ts)
	sent := f.calls("chat.postMessage")[0].Form
	assert.Equal(t, map[string][]string{
		"channel": {"C1"}, "thread_ts": {"1.1"}, "reply_broadcast": {"true"}, "text": {"a & b"},
		"unfurl_links": {"false"}, "unfurl_media": {"false"}, "blocks": {`[{"type":"divider"}]`},
		"metadata": {`{"event_type":"card","event_payload":{"order_id":"o1"}}`},
	}, map[string][]string(sent))
}

func TestABroadcastNeedsAThread(t *testing.T) {
	f := newSlack(t, answers{"chat.postMessage": says(200, `{"ok":true,"ts":"1.2"}`)})
	_, err := f.client(t).Messages.Post(t.Context(), client.Post{Channel: "C1", Broadcast: true, Text: "x"})
	require.NoError(t, err)
	assert.False(t, f.calls("chat.postMessage")[0].Form.Has("reply_broadcast"))
}

func TestAnEditKeepsMetadataUnlessGivenAndRemovesBlocks(t *testing.T) {
	f := newSlack(t, answers{"chat.update": says(200, `{"ok":true,"ts":"1.2"}`)})
	c := f.client(t)
	require.NoError(t, c.Messages.Edit(t.Context(), "1.2", client.Post{Channel: "C1", Text: "plain"}))
	require.NoError(t, c.Messages.Edit(t.Context(), "1.2", client.Post{Channel: "C1", Text: "rich", Blocks: []slack.Block{slack.NewDividerBlock()}, Metadata: &slack.SlackMetadata{EventType: "card"}}))
	first, second := f.calls("chat.update")[0].Form, f.calls("chat.update")[1].Form
	assert.False(t, first.Has("metadata"))
	assert.Equal(t, "[]", first.Get("blocks"))
	assert.Equal(t, "1.2", first.Get("ts"))
	assert.Equal(t, `{"event_type":"card","event_payload":null}`, second.Get("metadata"))
	assert.Equal(t, `[{"type":"divider"}]`, second.Get("blocks"))
}

func TestWhatIsSoAlreadyIsFine(t *testing.T) {
	f := newSlack(t, answers{
		"reactions.add": says(200, `{"ok":false,"error":"already_reacted"}`),
		"chat.delete":   says(200, `{"ok":false,"error":"message_not_found"}`),
	})
	c := f.client(t)
	require.NoError(t, c.Messages.React(t.Context(), "C1", "1.2", "white_check_mark"))
	require.NoError(t, c.Messages.Delete(t.Context(), "C1", "1.2"))
	assert.Equal(t, "white_check_mark", f.calls("reactions.add")[0].Form.Get("name"))
	assert.Equal(t, "1.2", f.calls("chat.delete")[0].Form.Get("ts"))
}

func TestADirectMessageOpensItsChannelOnce(t *testing.T) {
	f := newSlack(t, answers{
		"conversations.open": says(200, `{"ok":true,"channel":{"id":"D1"}}`),
		"chat.postMessage":   says(200, `{"ok":true,"ts":"1.2"}`),
	})
	c := f.client(t)
	for range 2 {
		channel, ts, err := c.Messages.DM(t.Context(), "U1", client.Post{Channel: "C9", Text: "x"})
		require.NoError(t, err)
		assert.Equal(t, "D1 1.2", channel+" "+ts)
	}
	require.Len(t, f.calls("conversations.open"), 1)
	assert.Equal(t, "U1", f.calls("conversations.open")[0].Form.Get("users"))
	assert.Equal(t, "D1", f.calls("chat.postMessage")[1].Form.Get("channel"))
}

func TestADirectMessageThatCannotBeOpened(t *testing.T) {
	f := newSlack(t, answers{"conversations.open": says(200, `{"ok":true}`)})
	_, _, err := f.client(t).Messages.DM(t.Context(), "U1", client.Post{Text: "x"})
	assertClass(t, err, client.ErrTryLater)
	f = newSlack(t, answers{"conversations.open": says(200, `{"ok":false,"error":"user_not_found"}`)})
	_, _, err = f.client(t).Messages.DM(t.Context(), "U1", client.Post{Text: "x"})
	assertClass(t, err, client.ErrNoUser)
}

// limits answers 429 with a Retry-After of a second for chosen calls, and counts them.
type limits struct {
	on    atomic.Bool
	calls atomic.Int32
}

func (l *limits) answer(ok string) func(call) (int, string) {
	return func(call) (int, string) {
		l.calls.Add(1)
		if l.on.Load() {
			return 429, ""
		}
		return 200, ok
	}
}

func TestAfterALimitTheMethodFailsFastUntilSlacksWaitIsOver(t *testing.T) {
	t.Parallel()
	var l limits
	l.on.Store(true)
	f := newSlack(t, answers{"chat.update": l.answer(`{"ok":true}`), "chat.postMessage": says(200, `{"ok":true,"ts":"1.2"}`)})
	f.header.Set("Retry-After", "2")
	c := f.client(t)
	err := edit(t.Context(), c)
	assertClass(t, err, client.ErrTryLater)
	wait, told := client.RetryAfter(fmt.Errorf("card: %w", err))
	assert.True(t, told)
	assert.Equal(t, 2*time.Second, wait)

	err = edit(t.Context(), c)
	assertClass(t, err, client.ErrTryLater)
	wait, _ = client.RetryAfter(err)
	assert.LessOrEqual(t, wait, 2*time.Second)
	assert.Positive(t, wait)
	assert.Equal(t, int32(1), l.calls.Load(), "Slack is left alone")
	require.NoError(t, post(t.Context(), c), "other methods are not")

	l.on.Store(false)
	require.Eventually(t, func() bool { return edit(t.Context(), c) == nil }, time.Minute, 50*time.Millisecond)
	assert.Equal(t, int32(2), l.calls.Load())
}

func TestALimitOnPostsHoldsBackOneChannelOnly(t *testing.T) {
	f := newSlack(t, answers{"chat.update": says(200, `{"ok":true}`), "chat.postMessage": func(q call) (int, string) {
		if q.Form.Get("channel") == "C1" {
			return 429, ""
		}
		return 200, `{"ok":true,"ts":"1.2"}`
	}})
	f.header.Set("Retry-After", "3600")
	c := f.client(t)
	assertClass(t, post(t.Context(), c), client.ErrTryLater)
	err := post(t.Context(), c)
	assertClass(t, err, client.ErrTryLater)
	wait, _ := client.RetryAfter(err) // told at once, and not in an hour
	assert.InDelta(t, time.Hour, wait, float64(10*time.Minute))
	assert.InDelta(t, time.Hour, c.Messages.Slot(t.Context(), "C1"), float64(10*time.Minute))
	assert.Len(t, f.calls("chat.postMessage"), 1, "the channel is left alone")

	assert.Zero(t, c.Messages.Slot(t.Context(), "C2"))
	_, err = c.Messages.Post(t.Context(), client.Post{Channel: "C2", Text: "x"})
	require.NoError(t, err, "another channel is not held up")
	require.NoError(t, edit(t.Context(), c))
}

func TestALimitOnOneResponseURLIsNotAnothers(t *testing.T) {
	f := newSlack(t, answers{"hook/a": says(429, ""), "hook/b": says(200, "ok")})
	f.header.Set("Retry-After", "7")
	c := f.client(t)
	for range 2 {
		assertClass(t, c.Messages.Respond(t.Context(), f.URL+"/proxy/api/hook/a", "x"), client.ErrTryLater)
	}
	assert.Len(t, f.calls("hook/a"), 1)
	require.NoError(t, c.Messages.Respond(t.Context(), f.URL+"/proxy/api/hook/b", "x"))
}

func TestALimitThatSaysNothingSensibleIsBounded(t *testing.T) {
	for header, want := range map[string]time.Duration{"": 30 * time.Second, "soon": 30 * time.Second, "0": time.Second, "-5": time.Second, "7": 7 * time.Second, "9999999999": time.Hour} {
		f := newSlack(t, answers{"users.info": says(429, "")})
		f.header.Set("Retry-After", header)
		wait, _ := client.RetryAfter(look(t.Context(), f.client(t)))
		assert.Equal(t, want, wait, header)
	}
	_, told := client.RetryAfter(nil)
	assert.False(t, told)
}

func TestAPictureIsUploadedInThreeSteps(t *testing.T) {
	f := newSlack(t, nil)
	f.answers = answers{
		"files.getUploadURLExternal":   says(200, `{"ok":true,"upload_url":"`+f.URL+`/proxy/api/upload/SECRET","file_id":"F1"}`),
		"upload/SECRET":                says(200, "OK - 3"),
		"files.completeUploadExternal": says(200, `{"ok":true,"files":[{"id":"F1","title":"a.jpg"}]}`),
	}
	id, err := f.client(t).Files.UploadImage(t.Context(), "a.jpg", []byte("jpg"))
	require.NoError(t, err)
	assert.Equal(t, "F1", id)
	assert.Equal(t, "3", f.calls("files.getUploadURLExternal")[0].Form.Get("length"))
	assert.Equal(t, "jpg", f.calls("upload/SECRET")[0].Body)
	assert.Empty(t, f.calls("upload/SECRET")[0].Header.Get("Authorization"))
	assert.Equal(t, url.Values{"files": {`[{"id":"F1","title":"a.jpg"}]`}}, f.calls("files.completeUploadExternal")[0].Form, "in no channel")
}

func TestAnUploadThatFailsIsOfAClass(t *testing.T) {
	tests := map[string]struct {
		step string
		want error
	}{
		"no url":       {"files.getUploadURLExternal", client.ErrTryLater},
		"no bytes":     {"upload/SECRET", client.ErrTryLater},
		"no share":     {"files.completeUploadExternal", client.ErrUnknownOutcome},
		"nothing left": {"", client.ErrPayload},
	}
	for name, tt := range tests {
		f := newSlack(t, nil)
		f.answers = answers{
			"files.getUploadURLExternal":   says(200, `{"ok":true,"upload_url":"`+f.URL+`/proxy/api/upload/SECRET","file_id":"F1"}`),
			"upload/SECRET":                says(200, "OK"),
			"files.completeUploadExternal": says(200, `{"ok":true}`),
		}
		data := []byte("jpg")
		if f.answers[tt.step] == nil {
			data = nil
			f.answers["files.getUploadURLExternal"] = func(q call) (int, string) {
				require.Equal(t, "0", q.Form.Get("length"))
				return 200, `{"ok":false,"error":"invalid_arguments"}`
			}
		} else {
			f.answers[tt.step] = says(500, "")
		}
		_, err := f.client(t).Files.UploadImage(t.Context(), "a.jpg", data)
		assertClass(t, err, tt.want)
		_ = name
	}
}

func TestPostsToOneChannelArePacedAndOthersAreNot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := client.New(client.Config{Wrap: carried(always(`{"ok":true,"ts":"1.2"}`))})
		began := time.Now()
		for range 4 {
			require.NoError(t, post(t.Context(), c))
		}
		paced := time.Since(began)
		assert.GreaterOrEqual(t, paced, 3*time.Second)
		assert.Less(t, paced, 3300*time.Millisecond)
		_, err := c.Messages.Post(t.Context(), client.Post{Channel: "C2", Text: "x"})
		require.NoError(t, err)
		assert.Equal(t, paced, time.Since(began))
	})
}

func TestParallelPostsToOneChannelTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := client.New(client.Config{Wrap: carried(always(`{"ok":true,"ts":"1.2"}`)), Rate: 4})
		began := time.Now()
		var group sync.WaitGroup
		for range 5 {
			group.Go(func() { assert.NoError(t, post(t.Context(), c)) })
		}
		group.Wait()
		assert.Equal(t, time.Second, time.Since(began))
	})
}

func TestAPostThatCannotWaitItsTurnIsTriedLater(t *testing.T) {
	tests := map[string]struct {
		pace   float64
		within time.Duration // what the caller allows
		wait   time.Duration
	}{
		"too long for anybody":  {0.1, time.Hour, 10 * time.Second},
		"too long for this one": {1, 500 * time.Millisecond, time.Second},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := client.New(client.Config{Wrap: carried(always(`{"ok":true,"ts":"1.2"}`)), Rate: tt.pace})
				require.NoError(t, post(t.Context(), c))
				ctx, cancel := contextWithTimeout(t, tt.within)
				defer cancel()
				began := time.Now()
				err := post(ctx, c)
				assertClass(t, err, client.ErrTryLater)
				wait, _ := client.RetryAfter(err)
				assert.Equal(t, tt.wait, wait)
				assert.Zero(t, time.Since(began), "told at once")
				assert.Equal(t, tt.wait, c.Messages.Slot(ctx, "C1"))
			})
		})
	}
}

func TestThePaceOfManyChannelsIsBoundedAndKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := client.New(client.Config{Wrap: carried(always(`{"ok":true,"ts":"1.2"}`)), Rate: 1})
		began := time.Now()
		for round := range 2 {
			for n := range 2500 {
				_, err := c.Messages.Post(t.Context(), client.Post{Channel: fmt.Sprintf("C%d-%d", round, n), Text: "x"})
				require.NoError(t, err)
			}
			<-time.After(time.Second)
		}
		assert.Equal(t, 2*time.Second, time.Since(began))
	})
}

// noPacer is a shared limiter that fails.
type noPacer struct{}

func (noPacer) Reserve(context.Context, string, time.Duration) (time.Duration, error) {
	return 0, errAway
}

func (noPacer) Delay(context.Context, string) (time.Duration, error) { return 0, errAway }

func (noPacer) Block(context.Context, string, time.Duration) error { return errAway }

var errAway = errors.New("away")

func TestWithoutTheOthersThePaceIsKeptAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := client.New(client.Config{Wrap: carried(always(`{"ok":true,"ts":"1.2"}`)), Rate: 1, Limiter: noPacer{}})
		began := time.Now()
		for range 3 {
			require.NoError(t, post(t.Context(), c))
		}
		assert.Equal(t, 2*time.Second, time.Since(began))
	})
}

func TestUploadedFilesAreSharedInAThreadAsOneMessage(t *testing.T) {
	f := newSlack(t, answers{"files.completeUploadExternal": says(200, `{"ok":true}`)})
	files := []slack.FileSummary{{ID: "F1", Title: "a"}, {ID: "F2", Title: "b"}}
	require.NoError(t, f.client(t).Files.ShareFiles(t.Context(), "C1", "1.2", "", files))
	assert.Equal(t, url.Values{
		"files": {`[{"id":"F1","title":"a"},{"id":"F2","title":"b"}]`}, "channel_id": {"C1"}, "thread_ts": {"1.2"},
	}, f.calls("files.completeUploadExternal")[0].Form)
}
