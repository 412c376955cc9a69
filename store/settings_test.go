package store_test

import (
	"errors"
	"strconv"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/store"
	"darkroom/store/settingstest"
)

func TestSettingsAreAChannelsOwn(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		want := store.Settings{Relay: store.RelayReplies}
		settingstest.Save(t, s, "T1", "C1", want)
		got, err := s.Settings.Of(t.Context(), "T1", "C1")
		require.NoError(t, err)
		assert.Equal(t, want, got)
		for _, other := range [][2]string{{"T1", "C2"}, {"T2", "C1"}} {
			got, err = s.Settings.Of(t.Context(), other[0], other[1])
			require.NoError(t, err)
			assert.Zero(t, got)
		}
		require.NoError(t, rdb.Set(t.Context(), "{darkroom}:settings:T1:C1", "{", 0).Err())
		_, err = s.Settings.Of(t.Context(), "T1", "C1")
		require.ErrorContains(t, err, "settings of C1", "broken is not the same as none")
	})
}

func TestSettingsThatAreChangedAtOnceAllCount(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		var all sync.WaitGroup
		for i := range 8 {
			all.Go(func() {
				assert.NoError(t, s.Settings.EditSettings(t.Context(), store.SettingsEdit{Team: "T1", Channel: "C1"}, func(now *store.Settings, all *store.Account) error {
					now.Decides.Approvers = append(now.Decides.Approvers, strconv.Itoa(i))
					now.SayLate = true
					all.Credits = store.CreditsOperators
					return nil
				}))
			})
		}
		all.Wait()
		got, err := s.Settings.Of(t.Context(), "T1", "C1")
		require.NoError(t, err)
		assert.Len(t, got.Decides.Approvers, 8)
		account, err := s.Settings.Account(t.Context(), "T1")
		require.NoError(t, err)
		assert.Equal(t, store.CreditsOperators, account.Credits)
		reminding, err := s.Settings.Reminding(t.Context())
		require.NoError(t, err)
		assert.Equal(t, map[store.Place]store.Settings{{Team: "T1", Channel: "C1"}: got}, reminding)

		no := errors.New("no")
		require.ErrorIs(t, s.Settings.EditSettings(t.Context(), store.SettingsEdit{Team: "T1", Channel: "C1"}, func(now *store.Settings, _ *store.Account) error {
			now.SayLate = false
			return no
		}), no)
		after, err := s.Settings.Of(t.Context(), "T1", "C1")
		require.NoError(t, err)
		assert.Equal(t, got, after)
		settingstest.Save(t, s, "T1", "C1", store.Settings{})
		assert.Zero(t, rdb.SCard(t.Context(), "{darkroom}:reminding").Val())
	})
}

func TestWhoIsNamedSpendsAndApproves(t *testing.T) {
	maria, ben := []string{"UMARIA"}, []string{"UBEN"}
	for name, row := range map[string]struct {
		decides                    store.Decides
		spends, approves           bool
		spendersIn, approversAreIn []string // user groups to be asked
	}{
		"nobody is named":     {spends: true, approves: true},
		"as a spender":        {decides: store.Decides{Spenders: maria}, spends: true, approves: true},
		"as an approver":      {decides: store.Decides{Spenders: ben, Approvers: maria}, spends: true, approves: true},
		"another spender":     {decides: store.Decides{Spenders: ben}, approves: true},
		"another approver":    {decides: store.Decides{Approvers: ben}, spends: true},
		"a group of spenders": {decides: store.Decides{SpenderGroups: []string{"S1"}, ApproverGroups: []string{"S2"}}, spendersIn: []string{"S1", "S2"}, approversAreIn: []string{"S2"}},
		"and so is the group": {decides: store.Decides{Spenders: maria, SpenderGroups: []string{"S1"}, Approvers: maria, ApproverGroups: []string{"S2"}}, spends: true, approves: true},
	} {
		spends, in := row.decides.MaySpend("UMARIA")
		assert.Equal(t, row.spends, spends, name)
		assert.Equal(t, row.spendersIn, in, name)
		approves, in := row.decides.MayApprove("UMARIA")
		assert.Equal(t, row.approves, approves, name)
		assert.Equal(t, row.approversAreIn, in, name)
	}
}

func TestEachOfWhoDecidesMakesADifference(t *testing.T) {
	before := store.Decides{Approvers: []string{"U1"}, ApproverGroups: []string{"S1"}, Spenders: []string{"U2"}, SpenderGroups: []string{"S2"}, OrderLimit: 1, MonthLimit: 2}
	require.True(t, before.Equal(before))
	for name, change := range map[string]func(d *store.Decides){
		"approvers":       func(d *store.Decides) { d.Approvers = nil },
		"approver groups": func(d *store.Decides) { d.ApproverGroups = nil },
		"spenders":        func(d *store.Decides) { d.Spenders = nil },
		"spender groups":  func(d *store.Decides) { d.SpenderGroups = nil },
		"order limit":     func(d *store.Decides) { d.OrderLimit++ },
		"month limit":     func(d *store.Decides) { d.MonthLimit++ },
	} {
		after := before
		change(&after)
		require.False(t, after.Equal(before), name)
	}
}

func TestALimitBeginsAtOneCredit(t *testing.T) {
	require.False(t, store.Decides{}.Limited())
	require.True(t, store.Decides{OrderLimit: 1}.Limited())
	require.True(t, store.Decides{MonthLimit: 1}.Limited())
}

func TestAChannelIsRemindedAfterAnHourAtLeast(t *testing.T) {
	require.False(t, store.Settings{}.Reminds())
	require.True(t, store.Settings{RemindHours: 1}.Reminds())
}

// A change that binds others puts the job that tells the channel, once, in the step that saves it.
func TestOnlyAChangeThatBindsOthersPutsItsJob(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		edit := func(id string, change func(now *store.Settings)) {
			t.Helper()
			require.NoError(t, s.Settings.EditSettings(t.Context(), store.SettingsEdit{Team: "T1", Channel: "C1", By: "UMARIA", ID: id}, func(now *store.Settings, _ *store.Account) error {
				change(now)
				return nil
			}))
		}
		jobs := func() int64 { return rdb.LLen(t.Context(), "{darkroom}:q:lane:channel:T1:C1").Val() }
		edit("e1", func(now *store.Settings) { now.RemindHours, now.Relay = 4, store.RelayMentions })
		require.Zero(t, jobs(), "nobody else is bound")
		edit("e2", func(now *store.Settings) { now.News = store.NewsThread })
		require.EqualValues(t, 1, jobs())
		edit("e3", func(now *store.Settings) { now.News = store.NewsThread })
		require.EqualValues(t, 1, jobs(), "it is so already")
		edit("e4", func(now *store.Settings) { now.Decides.OrderLimit = 5 })
		require.EqualValues(t, 2, jobs())
	})
}
