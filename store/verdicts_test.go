package store_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"darkroom/order"
	"darkroom/store"
	"darkroom/store/retention"
	"darkroom/store/storetest"
)

// inReview records a delivery of these images.
func inReview(t *testing.T, s *store.Store, id string, revision int, images []order.EditedImage) store.Tracked {
	t.Helper()
	o := anOrder(order.StatusReviewing, revision)
	o.EditedImages = images
	tracked, _ := record(t, s, id, o)
	return tracked
}

// images are so many, as they are first delivered.
func images(n int) (all []order.EditedImage) {
	for i := range n {
		all = append(all, order.EditedImage{ID: fmt.Sprintf("i%d", i+1), Name: fmt.Sprintf("%d.jpg", i+1), UploadedAt: noon})
	}
	return all
}

func good(images ...order.EditedImage) (ticks []order.Tick) {
	for _, image := range images {
		ticks = append(ticks, order.Tick{Edit: image.Edit(), Image: image.ID, Name: image.Name, Good: true})
	}
	return ticks
}

// Over any rounds an image is good just as long as nobody edits it or thinks otherwise; whether the service
// keeps the ids of the images it edits again or not.
func TestWhatIsGoodStaysGoodUntilItIsEditedAgain(t *testing.T) {
	t.Parallel()
	s := newStore(storetest.Client(t))
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		id := fmt.Sprintf("g%d", n)
		place(t, s, id)
		now := images(rapid.IntRange(1, 5).Draw(rt, "images"))
		inReview(t, s, id, 0, now)
		want := map[string]bool{}
		for revision := range rapid.IntRange(1, 4).Draw(rt, "rounds") {
			if revision > 0 {
				renamed := rapid.Bool().Draw(rt, "new ids")
				for i := range now {
					if rapid.Bool().Draw(rt, "edited") {
						now[i].Revision, now[i].UploadedAt = revision, noon.Add(time.Duration(revision)*time.Hour)
						if renamed {
							now[i].ID += "b"
						}
						want[now[i].Name] = false
					}
				}
				record(t, s, id, anOrder(order.StatusRevising, revision))
				inReview(t, s, id, revision, append([]order.EditedImage(nil), now...))
			}
			for i, image := range now {
				if rapid.Bool().Draw(rt, "judged") {
					is := rapid.Bool().Draw(rt, "good")
					_, overtaken, err := s.Verdicts.Judge(t.Context(), id, "UMARIA", []order.Tick{{Edit: now[i].Edit(), Image: image.ID, Good: is}})
					require.NoError(t, err)
					require.Empty(t, overtaken)
					want[image.Name] = is
				}
			}
			seen, err := s.Orders.Order(t.Context(), id)
			require.NoError(t, err)
			for _, image := range order.Latest(seen.Order.EditedImages) {
				require.Equal(rt, want[image.Name], seen.Verdicts.Good(image), "%s in round %d", image.Name, revision+1)
			}
			require.LessOrEqual(rt, len(seen.Verdicts), 2*len(now), "what is over is forgotten")
		}
	})
}

// A tick for an edit that is the newest no longer counts for nothing, also when the newer one comes
// between reading and writing, and what another has said of that stays.
func TestATickForAnOlderEditDoesNotCount(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		first := images(2)
		inReview(t, s, "1", 0, first)
		second := images(2)
		second[0].Revision, second[0].UploadedAt = 1, noon.Add(time.Hour)
		late := overtaken(t, rdb, func(other *store.Store) {
			inReview(t, other, "1", 1, second)
			_, _, err := other.Verdicts.Judge(t.Context(), "1", "UBEN", good(second[0]))
			require.NoError(t, err)
		})
		now, over, err := late.Verdicts.Judge(t.Context(), "1", "UMARIA", []order.Tick{{Edit: first[0].Edit(), Name: "1.jpg"}, good(first[1])[0]})
		require.NoError(t, err)
		assert.Equal(t, []order.Tick{{Edit: first[0].Edit(), Name: "1.jpg"}}, over)
		assert.Equal(t, "2/2", now.Tally(), "Ben's of the newer edit, and Maria's of the other")
		assert.Equal(t, "UBEN", now.Verdicts["i1"].By)
		assert.Equal(t, "UMARIA", now.Verdicts["i2"].By)
		assert.WithinDuration(t, time.Now(), now.Verdicts["i2"].At, time.Minute)
	})
}

// Many people judge different images at the same time, and all of it counts; of those who judge the same
// one, the last does.
func TestAllWhoJudgeAtOnceCount(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		all := images(12)
		inReview(t, s, "1", 0, all)
		var people sync.WaitGroup
		for i := range 6 {
			people.Go(func() {
				for _, image := range all[2*i : 2*i+2] {
					_, _, err := s.Verdicts.Judge(t.Context(), "1", fmt.Sprintf("U%d", i), good(image))
					assert.NoError(t, err)
				}
			})
		}
		people.Wait()
		now, err := s.Orders.Order(t.Context(), "1")
		require.NoError(t, err)
		require.Equal(t, "12/12", now.Tally())
		now, _, err = s.Verdicts.Judge(t.Context(), "1", "UBEN", []order.Tick{{Edit: all[3].Edit()}})
		require.NoError(t, err)
		require.Equal(t, "11/12", now.Tally())
		require.Equal(t, "UBEN", now.Verdicts["i4"].By)
	})
}

// Two people tick different sentences of one photo at the same time, and both count. A new edit forgets them.
func TestSentencesAreTickedByManyAtOnce(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		all := images(1)
		inReview(t, s, "1", 0, all)
		done := func(sentence string) []order.Tick {
			return []order.Tick{{Edit: all[0].Edit(), Done: order.SentenceKey(sentence), Good: true}}
		}
		var people sync.WaitGroup
		for i := range 4 {
			people.Go(func() {
				_, _, err := s.Verdicts.Judge(t.Context(), "1", fmt.Sprintf("U%d", i), done(fmt.Sprintf("s%d", i)))
				assert.NoError(t, err)
			})
		}
		people.Wait()
		now, err := s.Orders.Order(t.Context(), "1")
		require.NoError(t, err)
		require.Regexp(t, `^4 (U\d ?){4}$`, now.Tally(), "the review shows who ticked")
		require.Equal(t, "U2", now.Verdicts.Done(all[0], "s2").By)
		good, _ := now.Good()
		require.Zero(t, good)

		all[0].Revision, all[0].UploadedAt = 1, noon.Add(time.Hour)
		inReview(t, s, "1", 1, all)
		now, _, err = s.Verdicts.Judge(t.Context(), "1", "UBEN", done("s9"))
		require.NoError(t, err)
		require.Equal(t, "1 UBEN", now.Tally())
		require.Len(t, now.Verdicts, 1, "what is over is forgotten")
	})
}

// However many judge in a quarter of a minute, the channel is shown it once at once and once at its end;
// what is said again is shown never. It is no change of the order.
func TestVerdictsAreShownTogether(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		all := images(10)
		before := inReview(t, s, "1", 0, all)
		jobs := func() int {
			return len(storetest.Main(t.Context(), rdb).Keys(t.Context(), "*job:announce:1:g1:verdicts:*").Val())
		}
		for _, image := range all {
			for range 2 {
				_, _, err := s.Verdicts.Judge(t.Context(), "1", "UMARIA", good(image))
				require.NoError(t, err)
			}
		}
		assert.Equal(t, 2, jobs())
		later := storetest.Main(t.Context(), rdb).ZRangeWithScores(t.Context(), "{darkroom}:q:later", 0, -1).Val()
		require.Len(t, later, 1)
		wait := time.Until(time.UnixMilli(int64(later[0].Score)))
		require.LessOrEqual(t, wait, 15*time.Second)
		require.Greater(t, wait, 10*time.Second)
		now, err := s.Orders.Order(t.Context(), "1")
		require.NoError(t, err)
		assert.Equal(t, before.Version, now.Version)

		_, _, err = s.Verdicts.Judge(t.Context(), "none", "UMARIA", good(all...))
		require.ErrorIs(t, err, store.ErrNotTracked)
		_, err = s.Changes.Untrack(t.Context(), "1", "UBEN")
		require.NoError(t, err)
		_, _, err = s.Verdicts.Judge(t.Context(), "1", "UMARIA", []order.Tick{{Edit: all[0].Edit()}})
		require.ErrorIs(t, err, store.ErrNotTracked)
	})
}

// Verdicts go where the order goes, and no further: to another channel, and not with one that has shrunk.
func TestVerdictsHaveTheLifeOfTheirOrder(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		all := images(2)
		inReview(t, s, "1", 0, all)
		_, _, err := s.Verdicts.Judge(t.Context(), "1", "UMARIA", good(all...))
		require.NoError(t, err)
		moved, err := s.Changes.Move(t.Context(), "1", "C2", "UBEN")
		require.NoError(t, err)
		require.Equal(t, "2/2", moved.Tally())

		_, err = retention.NewPeople(s).Forget(t.Context(), "UMARIA", false)
		require.NoError(t, err)
		now, err := s.Orders.Order(t.Context(), "1")
		require.NoError(t, err)
		require.Equal(t, "2/2", now.Tally(), "what is good is the channel's")
		require.Equal(t, order.FormerPerson, now.Verdicts["i1"].By)

		closed := anOrder(order.StatusClosed, 0)
		record(t, s, "1", closed)
		require.NoError(t, s.Announcements.SkipPending(t.Context(), "1", 2))
		for _, key := range storetest.Main(t.Context(), rdb).Keys(t.Context(), "{darkroom}:q:*").Val() {
			require.NoError(t, rdb.Del(t.Context(), key).Err())
		}
		applyRetention(t, s, atOnce)
		now, err = s.Orders.Order(t.Context(), "1")
		require.NoError(t, err)
		require.True(t, now.Shrunk)
		require.Empty(t, now.Verdicts)
		for _, doc := range dump(t, rdb) {
			require.False(t, strings.Contains(doc, "verdict"), doc)
		}
	})
}
