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

// Credits reads the account's credits for people who may see them. Full members may, unless the operators keep the
// credits to themselves; guests and people of other organisations never may.
type Credits struct {
	Access  *access.Control
	Service job.Service
	Log     *slog.Logger
}

// For returns the credits for one person; not valid if they may not read them, or the service does not answer in time.
func (j *Credits) For(ctx context.Context, r bot.Request) decimal.NullDecimal {
	if !j.MayRead(ctx, r) {
		return decimal.NullDecimal{}
	}
	return j.Balance(ctx)
}

// In returns the credits for all readers of a channel, as For does.
func (j *Credits) In(ctx context.Context, team, channel string) decimal.NullDecimal {
	if !j.AllRead(ctx, team, channel) {
		return decimal.NullDecimal{}
	}
	return j.Balance(ctx)
}

// allowed calls reads with a short timeout. It is false on an error, since answers are as good without credits.
func (j *Credits) allowed(ctx context.Context, reads func(context.Context) (bool, error)) bool {
	quick, cancel := answers.Brief(ctx)
	defer cancel()
	may, err := reads(quick)
	if err != nil {
		j.Log.InfoContext(ctx, "not known who reads the credits", "err", err)
	}
	return err == nil && may
}

// AllRead reports whether all readers of a channel may read credits.
func (j *Credits) AllRead(ctx context.Context, team, channel string) bool {
	return j.allowed(ctx, func(ctx context.Context) (bool, error) { return j.Access.AllReadCredits(ctx, team, channel) })
}

// MayRead reports whether a person may read credits.
func (j *Credits) MayRead(ctx context.Context, r bot.Request) bool {
	return j.allowed(ctx, func(ctx context.Context) (bool, error) { return j.Access.ReadsCredits(ctx, r) })
}

// creditPatience is how long a form waits for its credits.
const creditPatience = 1500 * time.Millisecond

// Text returns the credits as text for a form; "" without credits.
func (j *Credits) Text(ctx context.Context, r bot.Request) string {
	quick, cancel := context.WithTimeout(ctx, creditPatience)
	defer cancel()
	if credits := j.For(quick, r); credits.Valid {
		return kit.Amount(credits.Decimal)
	}
	return ""
}

// Balance returns the account's credits; not valid if the service does not answer.
func (j *Credits) Balance(ctx context.Context) decimal.NullDecimal {
	quick, cancel := answers.Brief(ctx)
	defer cancel()
	left, err := j.Service.Balance(quick)
	if err != nil {
		j.Log.InfoContext(ctx, "credits not known", "err", err)
		return decimal.NullDecimal{}
	}
	return decimal.NewNullDecimal(left)
}
