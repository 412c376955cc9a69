package client_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/bot/client"
)

// turnKeeper implements [client.Reads] in memory. Each slot is free unless a test says otherwise.
type turnKeeper struct {
	limited map[string]time.Duration
	wait    time.Duration // of everybody's turn
	asked   []string
	kept    map[string][]byte
}

func (k *turnKeeper) Slot(_ context.Context, method, who string, late bool) (time.Duration, bool, error) {
	k.asked = append(k.asked, fmt.Sprintf("%s %t", who, late))
	_, limited := k.limited[method]
	return k.wait, limited, nil
}

func (k *turnKeeper) Limit(_ context.Context, method string, wait time.Duration) (bool, error) {
	if k.limited == nil {
		k.limited = map[string]time.Duration{}
	}
	_, known := k.limited[method]
	k.limited[method] = wait
	return !known, nil
}

func (k *turnKeeper) Save(_ context.Context, who string, progress any) (err error) {
	if k.kept == nil {
		k.kept = map[string][]byte{}
	}
	k.kept[who], err = json.Marshal(progress)
	return err
}

func (k *turnKeeper) Load(_ context.Context, who string, progress any) error {
	if k.kept[who] == nil {
		return nil
	}
	return json.Unmarshal(k.kept[who], progress)
}

func (k *turnKeeper) Drop(_ context.Context, who string) error {
	delete(k.kept, who)
	return nil
}

const limitedMethod = "conversations.history"

// talk answers with the requested part of a number of messages, one a second from second 1000 on, 15 a
// page, newest first. The app wrote those at the named seconds.
func talk(n int, ours ...int) func(call) (int, string) {
	return func(c call) (int, string) {
		limit, _ := strconv.Atoi(c.Form.Get("limit"))
		from, _ := strconv.Atoi(c.Form.Get("cursor"))
		oldest, latest := 0.0, 1e12
		if text := c.Form.Get("oldest"); text != "" {
			oldest, _ = strconv.ParseFloat(text, 64)
		}
		if text := c.Form.Get("latest"); text != "" {
			latest, _ = strconv.ParseFloat(text, 64)
		}
		var found []string
		for second := 1000 + n - 1; second >= 1000; second-- {
			if at := float64(second); at < oldest || at > latest {
				continue
			}
			user := "UMARIA"
			for _, at := range ours {
				if at == second {
					user = "UBOT"
				}
			}
			found = append(found, fmt.Sprintf(`{"ts":"%d.000000","user":"%s","text":"words"}`, second, user))
		}
		next, to := "", from+min(limit, 15)
		if to < len(found) {
			next = strconv.Itoa(to)
		}
		page := found[min(from, len(found)):min(to, len(found))]
		return 200, fmt.Sprintf(`{"ok":true,"messages":[%s],"response_metadata":{"next_cursor":"%s"}}`, strings.Join(page, ","), next)
	}
}

// limitedSlack is a Slack that is known to limit reading.
func limitedSlack(t *testing.T, says func(call) (int, string)) (*fakeSlack, *client.Client, *turnKeeper) {
	t.Helper()
	f := newSlack(t, answers{
		limitedMethod: says, "conversations.replies": says,
		"auth.test": func(call) (int, string) { return 200, `{"ok":true,"team_id":"T1","user_id":"UBOT","bot_id":"BBOT"}` },
	})
	k := &turnKeeper{limited: map[string]time.Duration{limitedMethod: 0, "conversations.replies": 0}}
	c := client.New(client.Config{Token: token, APIURL: f.URL + "/proxy/api", Reads: k})
	t.Cleanup(c.Close)
	return f, c, k
}

// readsOut repeats a reading until it is complete, and returns the messages' seconds.
func readsOut(t *testing.T, c *client.Client, r client.Reading) (seconds []string) {
	t.Helper()
	for range 100 {
		found, err := c.Conversations.Read(t.Context(), r)
		if err == nil {
			for _, m := range found {
				seconds = append(seconds, strings.TrimSuffix(m.Timestamp, ".000000"))
			}
			return seconds
		}
		assertClass(t, err, client.ErrTryLater, client.ErrNoReadSlot)
		after, told := client.RetryAfter(err)
		require.True(t, told)
		require.Equal(t, time.Minute, after)
	}
	require.Fail(t, "it never ends")
	return nil
}

func posted(second int) func(slack.Message) bool {
	return func(m slack.Message) bool { return m.Timestamp == fmt.Sprintf("%d.000000", second) }
}

func TestALimitedAppReadsAFewMessagesAtATimeAndMissesNone(t *testing.T) {
	const noon = 1300
	tests := map[string]struct {
		messages int
		is       func(slack.Message) bool
		ours     []int
		calls    int
		found    []string
	}{
		"few messages":                {15, posted(1007), []int{1002, 1007}, 1, []string{"1002", "1007"}},
		"all are wanted":              {40, nil, []int{1002, 1039}, 3, []string{"1002", "1039"}},
		"it is among the newest":      {600, posted(1599), []int{1599}, 1, []string{"1599"}},
		"it was posted when we say":   {600, posted(noon), []int{noon}, 4, []string{"1300"}}, // the newest, and of 36 seconds the first 31
		"slack dates it otherwise":    {600, posted(1100), []int{1100}, 37, []string{"1100"}},
		"it is not there":             {600, posted(1100), nil, 43, nil},
		"another one of the app's":    {600, posted(1100), []int{noon, 1001}, 43, []string{"1001", "1300"}},
		"nobody has ever said a word": {0, posted(1100), nil, 1, nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			f, c, k := limitedSlack(t, talk(test.messages, test.ours...))
			r := client.Reading{Channel: "C1", Is: test.is, Near: time.Unix(noon, 0), Late: true}
			require.Equal(t, test.found, readsOut(t, c, r))
			require.Len(t, f.calls(limitedMethod), test.calls)
			require.Empty(t, k.kept, "nothing stays half read")
			for _, who := range k.asked {
				require.Equal(t, k.asked[0], who, "the same one comes back")
				require.Contains(t, who, "true")
			}
		})
	}
}

func TestNobodyReadsOutOfTurn(t *testing.T) {
	f, c, k := limitedSlack(t, talk(3))
	k.wait = 5 * time.Minute
	for name, reads := range map[string]func() error{
		"a channel": func() error { return read(t.Context(), c) },
		"a root":    func() error { _, err := c.Conversations.Root(t.Context(), "C1", "1000.000000"); return err },
		"a form":    func() error { _, _, err := c.Conversations.Begin(t.Context(), "C1", "1000.000000", 100); return err },
	} {
		err := reads()
		assertClass(t, err, client.ErrTryLater, client.ErrNoReadSlot)
		after, _ := client.RetryAfter(err)
		require.Equal(t, k.wait, after, name)
	}
	require.Empty(t, f.calls(limitedMethod))
	require.Empty(t, f.calls("conversations.replies"))
}

func TestWhoWaitsForAFormGetsOnePage(t *testing.T) {
	f, c, _ := limitedSlack(t, talk(40))
	some, more, err := c.Conversations.Begin(t.Context(), "C1", "1000.000000", 100)
	require.NoError(t, err)
	require.True(t, more)
	require.Len(t, some, 15)
	require.Len(t, f.calls("conversations.replies"), 1)
}

func TestTheLimitIsLearnedFromWhatSlackDoes(t *testing.T) {
	tests := map[string]struct {
		says    func(call) (int, string)
		after   string
		learned bool
	}{
		"it gives fifteen of two hundred":  {talk(40), "", true},
		"it gives all there is":            {talk(15), "", false},
		"it refuses so large a page":       {says(200, `{"ok":false,"error":"invalid_limit"}`), "", true},
		"it asks to wait for a minute":     {says(http.StatusTooManyRequests, ""), "58", true},
		"it asks to wait, as of everybody": {says(http.StatusTooManyRequests, ""), "3", false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			f, c, k := limitedSlack(t, test.says)
			k.limited = nil
			f.header.Set("Retry-After", test.after)
			_, err := c.Conversations.Read(t.Context(), client.Reading{Channel: "C1"})
			_, learned := k.limited[limitedMethod]
			require.Equal(t, test.learned, learned, "%v", err)
			require.Len(t, f.calls(limitedMethod), 1, "and it is not asked more")
		})
	}
}
