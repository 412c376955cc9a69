package commands_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"darkroom/access"
	"darkroom/bot"
	"darkroom/cards"
	cardshome "darkroom/cards/home"
	"darkroom/commands"
	"darkroom/commands/commandstest"
	"darkroom/jobs"
	"darkroom/jobs/job"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
	"darkroom/store/storetest"
)

// BenchmarkAThousandOrders reads many orders over a real Redis: a thousand in one channel and a thousand in fifty
// others, all maria's, each with as many edited images as the name says. kB/op is what Redis sends.
func BenchmarkAThousandOrders(b *testing.B) {
	shelves := []int{2, 50}
	if testing.Short() {
		shelves = shelves[:1]
	}
	for _, images := range shelves {
		router, done, kept, rdb := shelved(b, images)
		line := func(verb, args string) func(ctx context.Context) error {
			return work(b, done, commands.ClickJob, bot.Request{
				Kind: bot.KindCommand, ID: "bench", Name: commands.Slash, Verb: verb, Args: args, Text: verb + " " + args,
				TriggerID: "bench", Team: "T1", User: "maria", Channel: "C1", At: time.Now(),
			})
		}
		turn := func(listing string) func(ctx context.Context) error {
			return work(b, done, commands.ClickJob, bot.Request{
				Kind: bot.KindAction, ID: "bench", Name: cards.ActionList + "older", Value: listing,
				Team: "T1", User: "maria", Channel: "C1", ResponseURL: "https://hooks", At: time.Now(),
			})
		}
		picks := func(verb, typed, channel string) func(ctx context.Context) error {
			q := bot.Request{Kind: bot.KindOptions, Name: cards.ActionPick + verb, Value: typed, Team: "T1", User: "maria", Channel: channel}
			return func(ctx context.Context) error {
				if router.Handle(ctx, q).Body == nil {
					return errors.New("nothing is offered")
				}
				return nil
			}
		}
		home := jobs.HomeArgs{Team: "T1", User: "maria"}
		for _, what := range []struct {
			name string
			do   func(ctx context.Context) error
		}{
			{"list", turn(`{"channel":"C1"}`)},
			{"list last page", turn(`{"channel":"C1","page":99}`)},
			{"list words", line("list", "reviewing project 77")},
			{"list own", turn(`{}`)},
			{"suggest", picks("show", "", "C1")},
			{"suggest words", picks("approve", "project 77", "C1")},
			{"suggest in a DM", picks("approve", "project 77", "")},
			{"which one", line("approve", "lovely work")},
			{"home", work(b, done, job.Home, home)},
			{"home of all channels", func(ctx context.Context) error {
				all := jobs.HomeState{Filter: cardshome.Filter{All: true}}
				if err := kept.Documents.PutTTL(ctx, jobs.HomeDoc("T1", "maria"), all, time.Hour); err != nil {
					return err
				}
				return work(b, done, job.Home, home)(ctx)
			}},
		} {
			b.Run(fmt.Sprintf("%s/%d images", what.name, images), func(b *testing.B) {
				before := sentBytes(b, rdb)
				n := 0
				for b.Loop() {
					n++
					require.NoError(b, what.do(b.Context()))
				}
				b.ReportMetric(float64(sentBytes(b, rdb)-before)/float64(n)/1000, "kB/op")
			})
		}
	}
}

// work returns a function that runs a job of that kind at once.
func work(b *testing.B, done *jobs.Jobs, kind string, body any) func(ctx context.Context) error {
	b.Helper()
	raw, err := json.Marshal(body)
	require.NoError(b, err)
	k, ok := done.Kinds().Kind(kind)
	require.True(b, ok, kind)
	return func(ctx context.Context) error {
		return k.Work(ctx, &queue.Delivery{Job: queue.Job{ID: "bench", Kind: kind, Body: raw}, PutAt: time.Now()})
	}
}

// shelved returns the commands over a Redis with two thousand orders.
func shelved(b *testing.B, images int) (*bot.Router, *jobs.Jobs, *store.Store, redis.UniversalClient) {
	b.Helper()
	rdb := storetest.Client(b)
	s := &commandstest.Screen{Shown: map[string]string{}, Channels: map[string]commandstest.Channel{}}
	q := queue.New(rdb, queue.Options{Logger: slog.New(slog.DiscardHandler)})
	kept := store.New(rdb, q)
	for i := range 2000 {
		channel := "C1"
		if i >= 1000 {
			channel = fmt.Sprint("C1", i%50)
		}
		s.Channels[channel] = commandstest.Channel{Members: []string{"maria"}}
		_, err := kept.Changes.AddOrder(b.Context(), store.NewOrder{
			ID: fmt.Sprint("order", i), Owner: store.Owner{Team: "T1", Channel: channel, Requester: "maria"},
			Reference: fmt.Sprintf("R%05d", i), Images: images, Order: shelvedOrder(i, images),
		})
		require.NoError(b, err)
	}
	service := &commandstest.Service{Credits: decimal.NewFromInt(100)}
	who := access.New(access.Config{Slack: s, Orders: kept.Orders, Settings: kept.Settings, Log: slog.New(slog.DiscardHandler)})
	done, err := jobs.New(jobs.Config{Slack: s, Service: service, Store: kept, Queue: q, Access: who, Log: slog.New(slog.DiscardHandler)})
	require.NoError(b, err)
	c, err := commands.New(commands.Config{Slack: s, Service: service, Store: kept, Jobs: done, Access: who, Log: slog.New(slog.DiscardHandler), Running: &commands.Running{}})
	require.NoError(b, err)
	router := bot.NewRouter(slog.New(slog.DiscardHandler))
	c.Routes(router)
	return router, done, kept, rdb
}

// shelvedOrder returns an order with two revisions of each image: one of ten is being edited, one of ten is in review,
// the others are finished.
func shelvedOrder(i, images int) order.Order {
	revision := 1
	o := order.Order{
		ProjectName: fmt.Sprintf("Project %d [R%05d]", i, i), Status: order.StatusClosed, Revision: &revision,
		OrderedAt: time.Unix(int64(1_700_000_000+i), 0),
	}
	switch i % 10 {
	case 0:
		o.Status = order.StatusEditing
	case 7:
		o.Status = order.StatusReviewing
	}
	for n := range 2 * images {
		o.EditedImages = append(o.EditedImages, order.EditedImage{
			ID: fmt.Sprintf("image%d", n), Name: fmt.Sprintf("IMG_%04d.jpg", n/2), Width: 4000, Height: 3000, Size: "3.2MB", Revision: n % 2,
			Thumb:  "https://photos.example.com/thumbs/8f742231b10e8888abcd99/" + strings.Repeat("t", 80),
			Origin: "https://photos.example.com/full/8f742231b10e8888abcd99/" + strings.Repeat("o", 80),
		})
	}
	return o
}

var netOutput = regexp.MustCompile(`total_net_output_bytes:(\d+)`)

func sentBytes(b *testing.B, rdb redis.UniversalClient) int {
	b.Helper()
	info, err := rdb.Info(b.Context(), "stats").Result()
	require.NoError(b, err)
	sent, err := strconv.Atoi(netOutput.FindStringSubmatch(info)[1])
	require.NoError(b, err)
	return sent
}
