package crowd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"
	"golang.org/x/sync/errgroup"

	"darkroom/order"
	"darkroom/store"
	"darkroom/store/conn"
	"darkroom/store/keyspace"
	"darkroom/store/queue"
	"darkroom/store/seal"
	"darkroom/store/tenants"
)

// A hundred thousand orders are written as follows: one goes through the store, over a Redis in this process, and is
// announced as the announcer would; what Redis then holds of it is copied, under other ids.

// The words of the order that is copied, none of which stands elsewhere.
const (
	likeTeam      = "T0LIKE"
	likeOrder     = "likeorder0"
	likeName      = "Like no other"
	likeReference = "LIKE00"
	likeChannel   = "C0LIKE"
	likeCard      = "1500000000.000100"
	likeReply     = "1500000000.000200"
)

// When it was placed, and the run of Redis in which its channel was looked at.
var (
	likeTime = time.Date(2020, 9, 13, 12, 26, 43, 0, time.UTC)
	likeRun  = time.Date(2020, 9, 14, 1, 2, 3, 0, time.UTC)
)

// filling is how many workspaces are written at once.
const filling = 16

// Fill writes all of it into Redis: an installation and an account for each workspace, sealed, and its orders,
// announced and quiet.
func (c *Crowd) Fill(ctx context.Context, rdb redis.UniversalClient, keys *seal.Keys) error {
	like, err := NewLikeness(ctx, likeTeam)
	if err != nil {
		return fmt.Errorf("crowd: the order that is copied: %w", err)
	}
	directory := tenants.NewDirectory(rdb, keys)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(filling)
	for _, w := range c.workspaces {
		group.Go(func() error {
			if err := errors.Join(c.settle(ctx, rdb, directory, w), c.order(ctx, rdb, like, w), inside(rdb, w.id).Connection.WakePoll(ctx, false)); err != nil {
				return fmt.Errorf("crowd: %s: %w", w.id, err)
			}
			return nil
		})
	}
	return group.Wait()
}

// settle has a workspace added the app and connected its account.
func (c *Crowd) settle(ctx context.Context, rdb redis.UniversalClient, d *tenants.Directory, w *workspace) error {
	refresh := ""
	if !w.expires.IsZero() {
		refresh = w.refreshToken(0)
	}
	account := c.account(w, 0, c.began)
	return errors.Join(
		d.Installations.Install(ctx, tenants.Installation{
			ID: w.id, Team: w.id, Name: w.id, AppID: appID, BotUser: botUser, Scopes: []string{"chat:write", "channels:history"},
			Token: w.botToken(0), Refresh: refresh, Expires: w.expires, By: person, At: c.began,
		}),
		d.Accounts.Connect(ctx, w.id, account),
		inside(rdb, w.id).Connection.NoteConnected(ctx, account, tenants.Connection{}),
	)
}

// account is that of a workspace with one of its secrets.
func (c *Crowd) account(w *workspace, secret int, at time.Time) tenants.ServiceAccount {
	return tenants.ServiceAccount{
		URL: c.address(w), Key: w.key(), Secret: w.secret(secret), Params: "query", Signature: "php", Numbers: "string", By: person, At: at,
	}
}

// Reconnect has an admin of a workspace connect its account anew, with a secret that the service made beside those before. It
// is an error that may be tried again when Redis does not take it.
func (c *Crowd) Reconnect(ctx context.Context, rdb redis.UniversalClient, keys *seal.Keys, workspace int) error {
	w := c.workspaces[workspace]
	w.mu.Lock()
	w.secrets++
	account := c.account(w, w.secrets, time.Now())
	w.mu.Unlock()
	in := inside(rdb, w.id)
	was, err := in.Connection.Read(ctx)
	if err == nil {
		err = in.Connection.NoteConnected(ctx, account, was)
	}
	if err == nil {
		err = tenants.NewDirectory(rdb, keys).Accounts.Connect(ctx, w.id, account)
	}
	if err == nil {
		_, err = in.Connection.ConfirmConnected(ctx)
	}
	if err != nil {
		return fmt.Errorf("crowd: %s connected anew: %w", w.id, err)
	}
	return nil
}

// inside is the store of a workspace.
func inside(rdb redis.UniversalClient, id string) *store.Store {
	q := queue.New(rdb, queue.Options{Keyspace: keyspace.Shard(keyspace.ShardOf(id)), Share: 1, Logger: slog.New(slog.DiscardHandler)})
	return store.New(rdb, q.In(id))
}

// ordersAtOnce are how many are written in one pipeline.
const ordersAtOnce = 50

// order writes the orders of a workspace.
func (c *Crowd) order(ctx context.Context, rdb redis.UniversalClient, like *Likeness, w *workspace) error {
	if len(w.orders) == 0 {
		return nil
	}
	run, err := inside(rdb, w.id).Server.Run(ctx)
	if err != nil {
		return err
	}
	copies := make([]Copy, len(w.orders))
	for n := range copies {
		copies[n] = Copy{
			Order: orderID(n), Name: w.name(n), Reference: fmt.Sprintf("R%05d", n), Team: w.id, Channel: w.channel(n),
			Card: cardTS(n), Reply: firstReplyTS(n), Placed: c.orderedAt(w, n), Run: run.Since,
		}
	}
	return like.Write(ctx, rdb, keyspace.OfWorkspace(w.id), copies)
}

// Copy is an order that is written as a copy of one that went through the store.
type Copy struct {
	Order, Name, Reference, Team, Channel string
	Card, Reply                           string    // timestamps: of its card, and of the first message in its thread
	Placed                                time.Time // at the service
	Run                                   time.Time // when the run of Redis began in which its channel was looked at
}

// Write writes copies into a keyspace.
func (l *Likeness) Write(ctx context.Context, rdb redis.UniversalClient, home keyspace.Keyspace, copies []Copy) error {
	for at := range slices.Chunk(copies, ordersAtOnce) {
		pipe := rdb.Pipeline()
		for _, c := range at {
			other := strings.NewReplacer(prefix(l.home), prefix(home), likeTeam, c.Team, likeOrder, c.Order, likeName, c.Name, likeReference, c.Reference,
				likeChannel, c.Channel, likeCard, c.Card, likeReply, c.Reply, likeTime.Format(time.RFC3339), c.Placed.Format(time.RFC3339),
				millis(likeTime), millis(c.Placed), millis(likeRun), millis(c.Run))
			for _, command := range l.commands {
				copied := make([]any, len(command))
				for i, word := range command {
					copied[i] = other.Replace(word)
				}
				pipe.Do(ctx, copied...)
			}
		}
		if _, err := pipe.Exec(ctx); err != nil {
			return err
		}
	}
	return nil
}

// prefix is how the keys of a keyspace begin.
func prefix(home keyspace.Keyspace) string { return home.Key("") }

func millis(t time.Time) string { return strconv.FormatInt(t.UnixMilli(), 10) }

// Likeness is what Redis holds of an order that is announced and quiet, as commands that write it.
type Likeness struct {
	home     keyspace.Keyspace
	commands [][]string
}

// NewLikeness has an order go through the store of a workspace, or of an app for one workspace: "".
func NewLikeness(ctx context.Context, workspace string) (*Likeness, error) {
	m := miniredis.NewMiniRedis()
	if err := m.Start(); err != nil {
		return nil, err
	}
	defer m.Close()
	rdb := redis.NewClient(&redis.Options{Addr: m.Addr(), ContextTimeoutEnabled: true})
	defer func() { _ = rdb.Close() }()
	l, s := &Likeness{}, store.New(rdb, queue.New(rdb, queue.Options{Logger: slog.New(slog.DiscardHandler)}))
	if workspace != "" {
		l.home, s = keyspace.OfWorkspace(workspace), inside(rdb, workspace)
	}
	added, err := s.Changes.AddOrder(ctx, store.NewOrder{
		ID: likeOrder, Owner: store.Owner{Team: likeTeam, Channel: likeChannel, Requester: person}, Reference: likeReference,
		Brief: &order.Brief{By: person, Instructions: []string{"Even out the light."}, Service: order.ServiceBasic, Sources: []order.Source{{Name: "beach.jpg", URL: "https://photos.example.com/beach.jpg"}}},
		Order: order.Order{ID: likeOrder, ProjectName: likeName, Status: order.Status("editing"), Revision: new(int), OrderedAt: likeTime},
	})
	if err != nil {
		return nil, err
	}
	err = errors.Join(
		s.Announcements.CardPosted(ctx, likeOrder, added.Owner.Generation, likeCard, added.Version),
		s.Announcements.EventPosted(ctx, likeOrder, added.Owner.Generation, store.Posted{Event: added.LastEvent, ID: "placed", TS: likeReply}),
		s.Announcements.Compared(ctx, likeOrder, conn.Run{ID: "like", Since: likeRun}, store.Told{Generation: added.Owner.Generation}),
	)
	if err != nil {
		return nil, err
	}
	l.commands, err = dump(ctx, rdb, prefix(l.home))
	return l, err
}

// dump is what a Redis holds of that order. The queue, where its announcement waits, is left out.
func dump(ctx context.Context, rdb *redis.Client, within string) (commands [][]string, err error) {
	keys := rdb.Scan(ctx, 0, within+"*", 1000).Iterator()
	for keys.Next(ctx) {
		if strings.HasPrefix(keys.Val(), within+"q:") {
			continue
		}
		parts, err := commandsOf(ctx, rdb, keys.Val())
		if err != nil {
			return nil, err
		}
		for _, part := range parts {
			if strings.Contains(strings.Join(part, " "), likeOrder) || strings.HasPrefix(part[1], within+"channels") {
				commands = append(commands, part)
			}
		}
	}
	if err := keys.Err(); err != nil {
		return nil, err
	}
	if len(commands) == 0 {
		return nil, io.ErrUnexpectedEOF
	}
	return commands, nil
}

// commandsOf are the commands that write what a key holds, a hash or a list with one; none for a stream.
func commandsOf(ctx context.Context, rdb *redis.Client, key string) (commands [][]string, err error) {
	kind, err := rdb.Type(ctx, key).Result()
	if err != nil {
		return nil, err
	}
	switch kind {
	case "string":
		value, err := rdb.Get(ctx, key).Result()
		return [][]string{{"SET", key, value}}, err
	case "hash":
		fields, err := rdb.HGetAll(ctx, key).Result()
		set := []string{"HSET", key}
		for _, field := range slices.Sorted(maps.Keys(fields)) {
			set = append(set, field, fields[field])
		}
		return [][]string{set}, err
	case "list":
		values, err := rdb.LRange(ctx, key, 0, -1).Result()
		return [][]string{append([]string{"RPUSH", key}, values...)}, err
	case "set":
		values, err := rdb.SMembers(ctx, key).Result()
		return [][]string{append([]string{"SADD", key}, values...)}, err
	case "zset":
		values, err := rdb.ZRangeWithScores(ctx, key, 0, -1).Result()
		for _, z := range values {
			commands = append(commands, []string{"ZADD", key, strconv.FormatFloat(z.Score, 'f', -1, 64), fmt.Sprint(z.Member)})
		}
		return commands, err
	}
	return nil, nil
}
