// Package access says who may see an order and who may act on it.
//
// The members of an order's channel see it; full members of our workspace act on it; guests and
// people of other organisations only look; operators do what concerns the whole account. What
// somebody is to us [bot.Identity.Standing] says. Looks go by what Slack told a minute ago at
// most; before a deed it is asked afresh, so that who has left does nothing more.
//
// The package asks Slack and the store, and changes nothing but for one thing: before an order is
// placed in a public channel, the app joins it ([Control.WhyNotPost]).
package access

import (
	"context"
	"log/slog"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/store"
	"darkroom/store/queue"
)

// Slack is what is asked of the one Slack client.
type Slack interface {
	Identity(ctx context.Context) (bot.Identity, error)
	User(ctx context.Context, id string) (slack.User, error)
	UserNow(ctx context.Context, id string) (slack.User, error)
	IsMember(ctx context.Context, channel, user string) (bool, error)
	IsMemberNow(ctx context.Context, channel, user string) (bool, error)
	Members(ctx context.Context, channel string) (ids map[string]bool, whole bool, err error)
	UserChannels(ctx context.Context, user string) ([]string, error)
	Channel(ctx context.Context, id string) (slack.Channel, error)
	Join(ctx context.Context, id string) error
}

// Config is what [New] needs; Operators may be empty, everything else is required.
type Config struct {
	Slack     Slack
	Store     *store.Store
	Operators []string // user ids; none: the workspace's admins
	Log       *slog.Logger
}

// Control decides who may do what.
type Control struct {
	slack     Slack
	store     *store.Store
	operators []string
	log       *slog.Logger
}

// New returns what decides.
func New(cfg Config) *Control {
	return &Control{slack: cfg.Slack, store: cfg.Store, operators: cfg.Operators, log: cfg.Log}
}

// unanswered says that nobody knows yet: Slack or Redis did not answer, or refuses the app
// until an operator acts.
func unanswered(ctx context.Context, err error) bool {
	return bot.Outage(err) || bot.Mendable(err) || queue.Away(err) || ctx.Err() != nil
}
