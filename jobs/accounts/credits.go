package accounts

import (
	"context"
	"log/slog"
	"time"

	"github.com/shopspring/decimal"

	"darkroom/access"
	"darkroom/bot"
	"darkroom/cards/kit"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
)

// Credits are the account's, for the eyes of those who may read them.
type Credits struct {
	Access  *access.Control
	Service job.Service
	Log     *slog.Logger
}

// The credits are the account's: full members read them, unless the operators keep them to
// themselves; guests and people of other organisations never do.

// For are the credits for one person's eyes: not valid when they are not theirs to
// read, or not known in time.
func (j *Credits) For(ctx context.Context, r bot.Request) decimal.NullDecimal {
	if !j.MayRead(ctx, r) {
		return decimal.NullDecimal{}
	}
	return j.Left(ctx)
}

// In are the credits for all who read a channel.
func (j *Credits) In(ctx context.Context, team, channel string) decimal.NullDecimal {
	if !j.AllRead(ctx, team, channel) {
		return decimal.NullDecimal{}
	}
	return j.Left(ctx)
}

// may is whether credits may be read, as far as that is known soon. They decorate an answer that is as good without them.
func (j *Credits) may(ctx context.Context, reads func(context.Context) (bool, error)) bool {
	quick, cancel := answers.Brief(ctx)
	defer cancel()
	may, err := reads(quick)
	if err != nil {
		j.Log.InfoContext(ctx, "not known who reads the credits", "err", err)
	}
	return err == nil && may
}

// AllRead is whether all who read a channel may read credits.
func (j *Credits) AllRead(ctx context.Context, team, channel string) bool {
	return j.may(ctx, func(ctx context.Context) (bool, error) { return j.Access.AllReadCredits(ctx, team, channel) })
}

// MayRead is whether a person may read credits.
func (j *Credits) MayRead(ctx context.Context, r bot.Request) bool {
	return j.may(ctx, func(ctx context.Context) (bool, error) { return j.Access.ReadsCredits(ctx, r) })
}

// creditPatience is how long a form waits for the credits that it shows.
const creditPatience = 1500 * time.Millisecond

// Text returns the credits as text for a form that a person waits for; "" without credits.
func (j *Credits) Text(ctx context.Context, r bot.Request) string {
	quick, cancel := context.WithTimeout(ctx, creditPatience)
	defer cancel()
	if credits := j.For(quick, r); credits.Valid {
		return kit.Amount(credits.Decimal)
	}
	return ""
}

// Left are what the account has left, not valid when the service does not tell.
func (j *Credits) Left(ctx context.Context) decimal.NullDecimal {
	quick, cancel := answers.Brief(ctx)
	defer cancel()
	left, err := j.Service.Balance(quick)
	if err != nil {
		j.Log.InfoContext(ctx, "credits not known", "err", err)
		return decimal.NullDecimal{}
	}
	return decimal.NewNullDecimal(left)
}
