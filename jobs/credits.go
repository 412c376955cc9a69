package jobs

import (
	"context"
	"time"

	"github.com/shopspring/decimal"

	"darkroom/bot"
	"darkroom/cards"
)

// The credits are the account's: full members read them, unless the operators keep them to
// themselves; guests and people of other organisations never do.

// creditsFor are the credits for one person's eyes: not valid when they are not theirs to
// read, or not known in time.
func (j *Jobs) creditsFor(ctx context.Context, r bot.Request) decimal.NullDecimal {
	if !j.mayRead(ctx, r) {
		return decimal.NullDecimal{}
	}
	return j.creditsLeft(ctx)
}

// creditsIn are the credits for all who read a channel.
func (j *Jobs) creditsIn(ctx context.Context, team, channel string) decimal.NullDecimal {
	if !j.allRead(ctx, team, channel) {
		return decimal.NullDecimal{}
	}
	return j.creditsLeft(ctx)
}

// may is whether credits may be read, as far as that is known soon. They decorate an answer that is as good without them.
func (j *Jobs) may(ctx context.Context, reads func(context.Context) (bool, error)) bool {
	quick, cancel := Brief(ctx)
	defer cancel()
	may, err := reads(quick)
	if err != nil {
		j.log.InfoContext(ctx, "not known who reads the credits", "err", err)
	}
	return err == nil && may
}

// allRead is whether all who read a channel may read credits.
func (j *Jobs) allRead(ctx context.Context, team, channel string) bool {
	return j.may(ctx, func(ctx context.Context) (bool, error) { return j.access.AllReadCredits(ctx, team, channel) })
}

// mayRead is whether a person may read credits.
func (j *Jobs) mayRead(ctx context.Context, r bot.Request) bool {
	return j.may(ctx, func(ctx context.Context) (bool, error) { return j.access.ReadsCredits(ctx, r) })
}

// creditPatience is how long a form waits for the credits that it shows.
const creditPatience = 1500 * time.Millisecond

// CreditWords is creditsFor as words for a form that somebody waits for, "" when there are none.
func (j *Jobs) CreditWords(ctx context.Context, r bot.Request) string {
	quick, cancel := context.WithTimeout(ctx, creditPatience)
	defer cancel()
	if credits := j.creditsFor(quick, r); credits.Valid {
		return cards.Credits(credits.Decimal)
	}
	return ""
}

// creditsLeft are what the account has left, not valid when the service does not tell.
func (j *Jobs) creditsLeft(ctx context.Context) decimal.NullDecimal {
	quick, cancel := Brief(ctx)
	defer cancel()
	left, err := j.service.Balance(quick)
	if err != nil {
		j.log.InfoContext(ctx, "credits not known", "err", err)
		return decimal.NullDecimal{}
	}
	return decimal.NewNullDecimal(left)
}
