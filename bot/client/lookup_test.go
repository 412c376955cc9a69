package client_test

import (
	"fmt"
	"net/http"
	"net/url"
	"testing"
	"testing/synctest"
	"time"

	"darkroom/bot/client"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAThreadIsReadToItsEndOldestFirst(t *testing.T) {
	f := newSlack(t, answers{"conversations.replies": func(c call) (int, string) {
		if c.Form.Get("cursor") == "" {
			return 200, `{"ok":true,"has_more":true,"messages":[{"ts":"1.000001","text":"root"},{"ts":"3.000000","text":"c","metadata":{"event_type":"card","event_payload":{"order_id":"o1"}}}],"response_metadata":{"next_cursor":"two"}}`
		}
		return 200, `{"ok":true,"messages":[{"ts":"1.000001","text":"root"},{"ts":"2.000000","text":"b","blocks":{"odd":1}}],"response_metadata":{"next_cursor":""}}`
	}})
	all, err := f.client(t).Conversations.Replies(t.Context(), "C1", "1.000001", time.Unix(2, 5000))
	require.NoError(t, err)
	require.Len(t, all, 3)
	assert.Equal(t, []string{"root", "b", "c"}, []string{all[0].Text, all[1].Text, all[2].Text})
	assert.Equal(t, "o1", all[2].Metadata.EventPayload["order_id"])
	asked := f.calls("conversations.replies")
	require.Len(t, asked, 2)
	assert.Equal(t, []string{"C1", "1.000001", "2.000005", "true", "true", "two"}, []string{
		asked[1].Form.Get("channel"), asked[1].Form.Get("ts"), asked[1].Form.Get("oldest"),
		asked[1].Form.Get("include_all_metadata"), asked[1].Form.Get("inclusive"), asked[1].Form.Get("cursor"),
	})
}

func TestHistoryIsReadOldestFirst(t *testing.T) {
	f := newSlack(t, answers{"conversations.history": says(200, `{"ok":true,"messages":[{"ts":"2.0","text":"b"},{"ts":"1.0","text":"a"}]}`)})
	all, err := f.client(t).Conversations.History(t.Context(), "C1", time.Time{})
	require.NoError(t, err)
	assert.Equal(t, []string{"a", "b"}, []string{all[0].Text, all[1].Text})
	assert.False(t, f.calls("conversations.history")[0].Form.Has("oldest"))
}

func TestReadingIsBounded(t *testing.T) {
	f := newSlack(t, answers{
		"conversations.history": says(200, `{"ok":true,"messages":[{"ts":"1.0"}],"response_metadata":{"next_cursor":"again"}}`),
		"conversations.members": says(200, `{"ok":true,"members":["U2"],"response_metadata":{"next_cursor":"again"}}`),
	})
	assertClass(t, read(t.Context(), f.client(t)), client.ErrTooMany)
	assert.Len(t, f.calls("conversations.history"), 25)
	some, err := f.client(t).Conversations.History(t.Context(), "C1", time.Time{})
	assertClass(t, err, client.ErrTooMany)
	assert.Len(t, some, 1, "what was read")
	_, err = f.client(t).People.IsMember(t.Context(), "C1", "U1")
	assertClass(t, err, client.ErrTooMany)
	assert.Len(t, f.calls("conversations.members"), 50)
}

func TestADeletedThreadIsGone(t *testing.T) {
	f := newSlack(t, answers{"conversations.replies": says(200, `{"ok":false,"error":"thread_not_found"}`)})
	_, err := f.client(t).Conversations.Replies(t.Context(), "C1", "1.0", time.Time{})
	assertClass(t, err, client.ErrGone)
}

func TestMembersAreReadOverAllPagesOnce(t *testing.T) {
	f := newSlack(t, answers{"conversations.members": func(c call) (int, string) {
		if c.Form.Get("cursor") == "" {
			return 200, `{"ok":true,"members":["U1"],"response_metadata":{"next_cursor":"two"}}`
		}
		return 200, `{"ok":true,"members":["U2"]}`
	}})
	c := f.client(t)
	for user, want := range map[string]bool{"U1": true, "U2": true, "U3": false} {
		in, err := c.People.IsMember(t.Context(), "C1", user)
		require.NoError(t, err)
		assert.Equal(t, want, in, user)
	}
	assert.Len(t, f.calls("conversations.members"), 2)
}

// changing is a transport with a changeable answer, for synctest bubbles.
type changing struct {
	answer *string
	asked  *int
}

func (c changing) RoundTrip(r *http.Request) (*http.Response, error) {
	*c.asked++
	return always(*c.answer).RoundTrip(r)
}

func TestAMemberIsKnownForAMinuteAndAStrangerForFiveSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		answer, asked := `{"ok":true,"members":["U1"]}`, 0
		c := client.New(client.Config{Wrap: carried(changing{&answer, &asked})})
		in := func(user string) bool {
			yes, err := c.People.IsMember(t.Context(), "C1", user)
			require.NoError(t, err)
			return yes
		}
		assert.True(t, in("U1"))
		assert.False(t, in("U2"))
		answer = `{"ok":true,"members":["U2"]}`
		<-time.After(4 * time.Second)
		assert.False(t, in("U2"))
		assert.Equal(t, 1, asked)
		<-time.After(time.Second)
		assert.True(t, in("U1"), "who was a member is for a minute")
		assert.Equal(t, 1, asked)
		assert.True(t, in("U2"), "who was none is looked for again")
		<-time.After(time.Minute)
		assert.False(t, in("U1"))
		assert.Equal(t, 3, asked)
	})
}

func TestAPersonIsReadOnceInFiveMinutes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		answer, asked := `{"ok":true,"user":{"id":"U1","team_id":"T9","is_restricted":true,"is_stranger":true}}`, 0
		c := client.New(client.Config{Wrap: carried(changing{&answer, &asked})})
		for range 2 {
			u, err := c.People.User(t.Context(), "U1")
			require.NoError(t, err)
			assert.True(t, u.IsRestricted && u.IsStranger)
			assert.Equal(t, "T9", u.TeamID)
		}
		assert.Equal(t, 1, asked)
		<-time.After(5 * time.Minute)
		require.NoError(t, look(t.Context(), c))
		assert.Equal(t, 2, asked)
	})
}

// UserLately sees a person's change within five seconds, and calls Slack once in that time.
func TestAPersonIsReadAgainInFiveSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		answer, asked := `{"ok":true,"user":{"id":"U1"}}`, 0
		c := client.New(client.Config{Wrap: carried(changing{&answer, &asked})})
		lately := func() bool {
			u, err := c.People.UserLately(t.Context(), "U1")
			require.NoError(t, err)
			return u.IsAdmin
		}
		require.False(t, lately())
		answer = `{"ok":true,"user":{"id":"U1","is_admin":true}}`
		<-time.After(4 * time.Second)
		require.False(t, lately())
		require.Equal(t, 1, asked)
		<-time.After(time.Second)
		require.True(t, lately())
		require.Equal(t, 2, asked)
		u, err := c.People.User(t.Context(), "U1")
		require.NoError(t, err)
		require.True(t, u.IsAdmin)
		require.Equal(t, 2, asked)
	})
}

func TestManyPeopleAreNotAllKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		answer, asked := `{"ok":true,"user":{"id":"U"}}`, 0
		c := client.New(client.Config{Wrap: carried(changing{&answer, &asked})})
		for n := range 5000 {
			_, err := c.People.User(t.Context(), fmt.Sprint("U", n))
			require.NoError(t, err)
		}
		_, err := c.People.User(t.Context(), "U4999")
		require.NoError(t, err)
		assert.Equal(t, 5000, asked)
		<-time.After(10 * time.Minute)
		for n := range 5000 {
			_, err := c.People.User(t.Context(), fmt.Sprint("V", n))
			require.NoError(t, err)
		}
	})
}

func TestAChannelIsReadAndJoined(t *testing.T) {
	f := newSlack(t, answers{
		"conversations.info": says(200, `{"ok":true,"channel":{"id":"C1","name":"g","is_private":true,"is_member":true}}`),
		"conversations.join": says(200, `{"ok":true,"channel":{"id":"C1"},"warning":"already_in_channel"}`),
	})
	c := f.client(t)
	ch, err := c.People.Channel(t.Context(), "C1")
	require.NoError(t, err)
	assert.True(t, ch.IsPrivate && ch.IsMember)
	require.NoError(t, c.People.Join(t.Context(), "C1"))

	f.answers["conversations.info"] = says(200, `{"ok":false,"error":"channel_not_found"}`)
	f.answers["conversations.join"] = says(200, `{"ok":false,"error":"method_not_supported_for_channel_type"}`)
	f.answers["conversations.members"] = says(200, `{"ok":false,"error":"channel_not_found"}`)
	_, err = c.People.Channel(t.Context(), "C1")
	assertClass(t, err, client.ErrNoChannel)
	assertClass(t, c.People.Join(t.Context(), "C1"), client.ErrNotAllowed)
	_, err = c.People.IsMember(t.Context(), "C1", "U1")
	assertClass(t, err, client.ErrNoChannel)
	_, err = c.People.Channel(t.Context(), "")
	assertClass(t, err, client.ErrPayload)
}

// Slack returns the number of members only on request.
func TestAChannelSaysHowManyMembersItHas(t *testing.T) {
	f := newSlack(t, answers{"conversations.info": func(q call) (int, string) {
		if q.Form.Get("include_num_members") != "true" {
			return 200, `{"ok":true,"channel":{"id":"C1"}}`
		}
		return 200, `{"ok":true,"channel":{"id":"C1","num_members":5000}}`
	}})
	ch, err := f.client(t).People.Channel(t.Context(), "C1")
	require.NoError(t, err)
	assert.Equal(t, 5000, ch.NumMembers)
}

func TestAnAnswerAboutNobodyIsAnError(t *testing.T) {
	f := newSlack(t, answers{"conversations.info": says(200, `{"ok":true,"channel":[]}`), "users.info": says(200, `{"ok":true}`)})
	_, err := f.client(t).People.Channel(t.Context(), "C1")
	assertClass(t, err)
	assertClass(t, look(t.Context(), f.client(t)))
}

func TestTheTokenIsAskedWhoItIsOnce(t *testing.T) {
	f := newSlack(t, answers{
		"auth.test": says(500, ""),
	})
	f.header.Set("X-OAuth-Scopes", "commands, chat:write")
	c := f.client(t)
	_, err := c.People.Identity(t.Context())
	assertClass(t, err, client.ErrTryLater)

	f.answers["auth.test"] = says(200, `{"ok":true,"url":"https://x.slack.com/","team":"X","team_id":"T1","user_id":"U0","bot_id":"B1"}`)
	want := client.Identity{Team: "T1", BotUser: "U0", BotID: "B1", URL: "https://x.slack.com/", Scopes: []string{"commands", "chat:write"}}
	for range 2 {
		who, err := c.People.Identity(t.Context())
		require.NoError(t, err)
		assert.Equal(t, want, who)
	}
	assert.Len(t, f.calls("auth.test"), 2)
	assert.Equal(t, "Bearer "+token, f.calls("auth.test")[0].Header.Get("Authorization"))
}

func TestAViewIsAddressedByOneName(t *testing.T) {
	f := newSlack(t, answers{
		"views.update": func(q call) (int, string) {
			if !q.Form.Has("external_id") && !q.Form.Has("view_id") {
				return 200, `{"ok":false,"error":"invalid_arguments"}`
			}
			return 200, `{"ok":true,"view":{"id":"V1","hash":"h2"}}`
		},
		"views.publish": says(200, `{"ok":true,"view":{"id":"V2"}}`),
		"views.open":    says(200, `{"ok":true,"view":{"id":"V1"}}`),
	})
	c := f.client(t)
	modal := slack.ModalViewRequest{Type: slack.VTModal, CallbackID: "new", ExternalID: "x"}
	require.NoError(t, c.Views.UpdateView(t.Context(), "x", "V1", "h1", modal))
	assert.Equal(t, url.Values{
		"external_id": {"x"}, "hash": {"h1"}, "view": {`{"type":"modal","blocks":null,"callback_id":"new","external_id":"x"}`},
	}, f.calls("views.update")[0].Form)
	require.NoError(t, c.Views.UpdateView(t.Context(), "", "V1", "", modal))
	assert.Equal(t, "V1", f.calls("views.update")[1].Form.Get("view_id"))

	assertClass(t, c.Views.UpdateView(t.Context(), "", "", "", modal), client.ErrPayload)
	assertClass(t, c.Views.OpenView(t.Context(), "", modal), client.ErrTrigger)

	home := slack.HomeTabViewRequest{Type: slack.VTHomeTab}
	require.NoError(t, c.Views.PublishHome(t.Context(), "U1", home))
	assert.Equal(t, url.Values{"user_id": {"U1"}, "view": {`{"type":"home","blocks":null}`}}, f.calls("views.publish")[0].Form)
}
