package commands

import (
	"context"
	"fmt"
	"strconv"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/jobs"
)

// asidePage shows operators a page of the jobs that were set aside.
func (c *Commands) asidePage(ctx context.Context, r bot.Request) error {
	if err := c.operatorsOnly(ctx, r, "see the jobs that were set aside"); err != nil {
		return err
	}
	page, err := strconv.Atoi(r.Value)
	if err != nil || page < 0 {
		return fmt.Errorf("no page is called %q", r.Value)
	}
	return c.jobs.ShowHome(ctx, r, func(s *jobs.HomeState) { s.Aside = jobs.AsideState{Open: true, Page: page} })
}

// decideLetter puts a job back that was set aside, or drops it.
func (c *Commands) decideLetter(ctx context.Context, r bot.Request) error {
	if err := c.operatorsOnly(ctx, r, cards.DecideLetters); err != nil {
		return err
	}
	letter, died, ok := cards.ParseLetterValue(r.Value)
	if !ok {
		return fmt.Errorf("no job is called %q", r.Value)
	}
	verdict := cards.BackAgain
	if r.Name == cards.ActionDrop {
		verdict = cards.Dropped
	}
	return c.jobs.PutDecision(ctx, jobs.DecideArgs{Asker: jobs.AskerOf(r), Letter: letter, Died: died, Verb: verdict})
}
