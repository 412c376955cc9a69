package store_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/order"
	"darkroom/store"
	"darkroom/store/retention"
)

func preset(name string, instructions ...string) store.Preset {
	return store.Preset{Name: name, SavedBy: "UMARIA", Brief: order.Brief{Service: order.ServiceBasic, Instructions: instructions}}
}

func TestPresetsAreAChannelsOwn(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		ctx := t.Context()
		for _, name := range []string{"Harbour", "beach", "Attic"} {
			require.NoError(t, s.Presets.SavePreset(ctx, "T", "C1", preset(name, "x"), "", false))
		}
		require.NoError(t, s.Presets.PinPreset(ctx, "T", "C1", store.PresetID("HARBOUR"), true))
		all, err := s.Presets.In(ctx, "T", "C1")
		require.NoError(t, err)
		require.Equal(t, []string{"Harbour", "Attic", "beach"}, presetNames(all))
		require.Equal(t, "Harbour", store.HouseStyle(all).Name)
		for _, elsewhere := range [][2]string{{"T", "C2"}, {"T2", "C1"}} {
			none, err := s.Presets.In(ctx, elsewhere[0], elsewhere[1])
			require.NoError(t, err)
			require.Empty(t, none)
		}

		require.ErrorIs(t, s.Presets.SavePreset(ctx, "T", "C1", preset("BEACH ", "y"), "", false), store.ErrPresetExists)
		require.NoError(t, s.Presets.SavePreset(ctx, "T", "C1", preset("beach", "x"), "", false), "the very same")
		require.ErrorIs(t, s.Presets.SavePreset(ctx, "T", "C1", preset("harbour", "y"), all[0].Print(), false), store.ErrPresetPinned)
		require.ErrorIs(t, s.Presets.RemovePreset(ctx, "T", "C1", store.PresetID("harbour"), false), store.ErrPresetPinned)
		require.ErrorIs(t, s.Presets.PinPreset(ctx, "T", "C1", "nothing", true), store.ErrNoPreset)
		require.ErrorIs(t, s.Presets.SavePreset(ctx, "T", "C1", preset("Long", strings.Repeat("x", 16_000)), "", false), store.ErrPresetLarge)
		rules := order.Requirements{LongEdge: 2000}
		require.ErrorIs(t, s.Presets.RequirePreset(ctx, "T", "C1", store.PresetID("harbour"), rules, false), store.ErrPresetPinned)
		require.ErrorIs(t, s.Presets.RequirePreset(ctx, "T", "C1", "nothing", rules, true), store.ErrNoPreset)
		require.NoError(t, s.Presets.RequirePreset(ctx, "T", "C1", store.PresetID("harbour"), rules, true))
		harbour, err := s.Presets.ByID(ctx, "T", "C1", store.PresetID("harbour"))
		require.NoError(t, err)
		require.Equal(t, rules, harbour.Requires)
		require.NoError(t, s.Presets.SavePreset(ctx, "T", "C1", preset("harbour", "y"), harbour.Print(), true), "the rules are not what a person replaces")
		harbour, err = s.Presets.ByID(ctx, "T", "C1", store.PresetID("harbour"))
		require.NoError(t, err)
		require.Equal(t, rules, harbour.Requires)
		require.Equal(t, []string{"y"}, harbour.Brief.Instructions)
		none, err := s.Presets.ByID(ctx, "T", "C1", "nothing")
		require.NoError(t, err)
		require.Nil(t, none)
		for _, p := range all {
			require.NoError(t, s.Presets.RemovePreset(ctx, "T", "C1", p.ID(), true))
			require.NoError(t, s.Presets.RemovePreset(ctx, "T", "C1", p.ID(), true), "twice is once")
		}
		require.Zero(t, rdb.Exists(ctx, "{darkroom}:presets:T:C1").Val(), "nothing is left of them")
	})
}

func presetNames(all []store.Preset) (names []string) {
	for _, p := range all {
		names = append(names, p.Name)
	}
	return names
}

func TestPresetsSavedAtOnceAreAllKeptAndNoMoreThanFifty(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		var wg sync.WaitGroup
		for i := range 6 {
			wg.Go(func() {
				assert.NoError(t, s.Presets.SavePreset(t.Context(), "T", "C1", preset(fmt.Sprint("Preset ", i), "x"), "", false))
			})
		}
		wg.Wait()
		for i := 6; i < store.MaxPresets; i++ {
			require.NoError(t, s.Presets.SavePreset(t.Context(), "T", "C1", preset(fmt.Sprint("Preset ", i), "x"), "", false))
		}
		require.ErrorIs(t, s.Presets.SavePreset(t.Context(), "T", "C1", preset("More", "x"), "", false), store.ErrPresetsFull)
		require.NoError(t, s.Presets.SavePreset(t.Context(), "T", "C1", preset("Preset 7", "y"), preset("Preset 7", "x").Print(), false), "in another's place")
		all, err := s.Presets.In(t.Context(), "T", "C1")
		require.NoError(t, err)
		require.Len(t, all, store.MaxPresets)
	})
}

func TestOfWhoWasForgottenAPresetKeepsItsWordsOnly(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		require.NoError(t, s.Presets.SavePreset(t.Context(), "T", "C1", preset("Beach", "As <@UMARIA> likes it."), "", false))
		for _, look := range []bool{true, false} {
			f, err := retention.NewPeople(s).Forget(t.Context(), "UMARIA", look)
			require.NoError(t, err)
			require.Equal(t, 1, f.Presets)
		}
		all, err := s.Presets.In(t.Context(), "T", "C1")
		require.NoError(t, err)
		require.Equal(t, order.FormerPerson, all[0].SavedBy)
		require.Equal(t, []string{"As somebody who left likes it."}, all[0].Brief.Instructions)
		f, err := retention.NewPeople(s).Forget(t.Context(), "UMARIA", false)
		require.NoError(t, err)
		require.Zero(t, f.Presets)
	})
}

func TestWhatAPresetTookThePlaceOfComesBack(t *testing.T) {
	mood := order.Source{URL: "https://e.com/mood.jpg", Service: order.ServiceReference, Instruction: "These colours."}
	given := order.Brief{Service: order.ServiceExtensive, Instructions: []string{"P1", "P2"}, CustomerID: "42", Sources: []order.Source{mood}}
	d := store.Draft{Service: order.ServiceBasic, Instructions: []string{"A"}, URLs: []string{"https://e.com/a.jpg"}, ProjectName: "N"}
	was := d
	d.Fill(store.Filling{ID: "p", Given: given, Gen: "1"})
	require.Equal(t, given.Instructions, d.Instructions)
	require.Equal(t, []string{"https://e.com/a.jpg", mood.URL}, d.URLs)
	require.Equal(t, store.PerImage{Service: order.ServiceReference, Instruction: "These colours."}, d.Each[mood.URL])

	d.Instructions = []string{"P1", "B"} // somebody types over it
	d.Fill(store.Filling{ID: "q", Given: order.Brief{Instructions: []string{"Q"}}, Gen: "2"})
	require.Equal(t, []string{"Q"}, d.Instructions)
	require.Equal(t, was.URLs, d.URLs)
	require.Empty(t, d.Each)
	require.Empty(t, d.CustomerID)
	require.Equal(t, order.ServiceBasic, d.Service)
	d.Fill(store.Filling{Gen: "3"})
	require.Equal(t, []string{"A", "B"}, d.Instructions)
	require.Equal(t, "N", d.ProjectName)

	full := store.Draft{Files: make([]store.DraftFile, order.MaxImages)}
	full.Fill(store.Filling{ID: "p", Given: given, Gen: "1"})
	require.Equal(t, 1, full.Filling.Crowd)
	require.Empty(t, full.URLs)
}

// An order remembers the preset that filled its form in last.
func TestABriefNamesThePresetThatFilledTheForm(t *testing.T) {
	d := store.Draft{Instructions: []string{"A"}}
	require.Empty(t, d.Brief().Preset, "only the person")
	for _, row := range []struct {
		filling store.Filling
		preset  string
	}{
		{store.Filling{ID: "p", Name: "Beach"}, "Beach"},
		{store.Filling{ID: "q", Name: "Attic", House: true}, "Attic"},
		{store.Filling{ID: store.LastOrder, Name: "Same as last order"}, ""},
		{store.Filling{ID: "p", Name: "Beach"}, "Beach"},
		{store.Filling{Gen: "none"}, ""},
	} {
		d.Fill(row.filling)
		require.Equal(t, row.preset, d.Brief().Preset, row.filling)
	}
}

func TestTheNewestOrderOfAChannelThatIsKnown(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		none, err := s.Orders.LastBrief(t.Context(), "T", "C1")
		require.NoError(t, err)
		require.Nil(t, none)
		for i, b := range []*order.Brief{{Instructions: []string{"old"}}, {Instructions: []string{"new"}}, nil} {
			o := order.Order{ID: fmt.Sprint("o", i), Status: order.StatusEditing, OrderedAt: midday.AddDate(0, 0, i)}
			_, err := s.Changes.AddOrder(t.Context(), store.NewOrder{ID: o.ID, Owner: store.Owner{Team: "T", Channel: "C1", Requester: "UMARIA"}, Order: o, Brief: b})
			require.NoError(t, err)
		}
		last, err := s.Orders.LastBrief(t.Context(), "T", "C1")
		require.NoError(t, err)
		require.Equal(t, []string{"new"}, last.Brief.Instructions)
	})
}

// An index may name an order that moved, or was untracked, a moment ago: it is another channel's, or nobody's, by now.
func TestAChannelsFormIsFilledFromItsOwnOrdersAlone(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		ctx := t.Context()
		for i, owner := range []store.Owner{{Team: "T", Channel: "C1"}, {Team: "T", Channel: "C2"}, {Team: "T2", Channel: "C1"}, {Team: "T", Channel: "C1"}} {
			o := order.Order{ID: fmt.Sprint("o", i), Status: order.StatusEditing, OrderedAt: midday.AddDate(0, 0, i)}
			owner.Requester = "UMARIA"
			_, err := s.Changes.AddOrder(ctx, store.NewOrder{ID: o.ID, Owner: owner, Order: o, Brief: &order.Brief{Instructions: []string{o.ID}}})
			require.NoError(t, err)
			require.NoError(t, rdb.ZAdd(ctx, "{darkroom}:channel:T:C1", redis.Z{Score: float64(i), Member: o.ID}).Err())
		}
		_, err := s.Changes.Untrack(ctx, "o3", "UBOSS")
		require.NoError(t, err)
		require.NoError(t, rdb.ZAdd(ctx, "{darkroom}:channel:T:C1", redis.Z{Score: 3, Member: "o3"}).Err())
		recent, err := s.Orders.Recent(ctx, "T", "C1")
		require.NoError(t, err)
		require.Len(t, recent, 1)
		require.Equal(t, "o0", recent[0].ID)
	})
}

func TestAPresetKeepsItsPinWhoeverSavesItAnew(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		ctx := t.Context()
		require.NoError(t, s.Presets.SavePreset(ctx, "T", "C1", preset("Beach", "x"), "", false))
		require.NoError(t, s.Presets.PinPreset(ctx, "T", "C1", store.PresetID("Beach"), true))
		require.NoError(t, s.Presets.SavePreset(ctx, "T", "C1", preset("Beach", "y"), preset("Beach", "x").Print(), true))
		all, err := s.Presets.In(ctx, "T", "C1")
		require.NoError(t, err)
		require.True(t, all[0].Pinned)
		require.Equal(t, []string{"y"}, all[0].Brief.Instructions)

		again := preset("Beach", "y")
		again.SavedAt = midday
		require.NoError(t, s.Presets.SavePreset(ctx, "T", "C1", again, "", false), "the very same, a little later")
		other := again
		other.SavedBy = "UTOM"
		require.ErrorIs(t, s.Presets.SavePreset(ctx, "T", "C1", other, "", false), store.ErrPresetExists, "somebody else's")
	})
}

// A form opens filled in with the house style, when there is just one.
func TestOneHouseStyleIsTheHouseStyle(t *testing.T) {
	one, two := store.Preset{Name: "One", Pinned: true}, store.Preset{Name: "Two", Pinned: true}
	require.Nil(t, store.HouseStyle([]store.Preset{{Name: "None"}}))
	require.Equal(t, "One", store.HouseStyle([]store.Preset{{Name: "None"}, one}).Name)
	require.Nil(t, store.HouseStyle([]store.Preset{one, two}))
}

func TestAPresetMayBeAsLargeAsItMayBe(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		empty, err := json.Marshal(preset("Long", ""))
		require.NoError(t, err)
		full := strings.Repeat("x", 16_000-len(empty))
		require.NoError(t, s.Presets.SavePreset(t.Context(), "T", "C1", preset("Long", full), "", false))
		require.ErrorIs(t, s.Presets.SavePreset(t.Context(), "T", "C1", preset("Longer", full), "", false), store.ErrPresetLarge)
	})
}
