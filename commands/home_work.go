package commands

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"darkroom/access"
	"darkroom/bot"
	"darkroom/cards"
	"darkroom/store"
	"darkroom/store/queue"
)

// homing is the body of the job that publishes a person's Home.
type homing struct {
	Team   string `json:"team"`
	User   string `json:"user"`
	Opened bool   `json:"opened,omitempty"` // they have just come: begin at the first page
	Left   string `json:"left,omitempty"`   // the channel that they have just left
}

// publishHome shows a person what they chose, as it is now.
func (c *Commands) publishHome(ctx context.Context, d *queue.Delivery) error {
	var body homing
	if err := json.Unmarshal(d.Body, &body); err != nil {
		return queue.Dead(fmt.Errorf("home %s: %w", d.ID, err))
	}
	if body.Left != "" {
		c.slack.Forget(body.Left, body.User)
	}
	state, _, err := c.homeState(ctx, body.Team, body.User)
	if err != nil {
		return err
	}
	if body.Opened {
		state.Page = 0
		if err := c.store.Note(ctx, homeNote(body.Team, body.User), state, homeLife); err != nil {
			return err
		}
	}
	home, err := c.home(ctx, bot.Request{Team: body.Team, User: body.User}, state)
	if err != nil {
		return err
	}
	err = c.slack.PublishHome(ctx, body.User, "", cards.HomeView(home, time.Now()))
	if err != nil && !outage(err) && ctx.Err() == nil {
		c.log.ErrorContext(ctx, "home not published", "user", body.User, "err", err)
		return nil
	}
	return err
}

// home is what the person may see of what they chose. Credits are a decoration: a service
// that is away costs nothing else.
func (c *Commands) home(ctx context.Context, r bot.Request, state homeState) (cards.Home, error) {
	why, err := c.access.WhyNoMember(ctx, r.User)
	if err != nil {
		return cards.Home{}, err
	}
	h := cards.Home{Filter: state.Filter, Page: state.Page, Why: why}
	if why == "" {
		h.Can = Verbs()
	}
	reads, err := c.access.ReadsCredits(ctx, r)
	if err != nil {
		return cards.Home{}, err
	}
	if h.Secret = !reads; reads {
		h.Credits = c.creditsLeft(ctx)
	}
	found, err := c.homeOrders(ctx, c.access.Viewer(r), state.Filter)
	if err != nil {
		return h, err
	}
	h.Totals = map[cards.HomeSection]int{}
	for _, o := range found {
		h.Totals[o.section]++
	}
	h.Pages = pagesOf(len(found), listSize)
	h.Page = min(h.Page, h.Pages-1)
	here := found[h.Page*listSize : min(len(found), (h.Page+1)*listSize)]
	for _, o := range here {
		t, err := c.store.Order(ctx, o.id)
		if errors.Is(err, store.ErrNotTracked) || err == nil && t.Untracked {
			continue // untracked at this very moment
		}
		if err != nil {
			return h, err
		}
		h.Orders = append(h.Orders, t)
	}
	return h, nil
}

// homeOrder is an order's place in the Home.
type homeOrder struct {
	id      string
	section cards.HomeSection
	at      time.Time
}

// homeOrders are all orders that the filter lets through and the person may see, in the
// order of the sections, newest first. The orders themselves are not kept: they may be
// very many, and a page shows ten.
func (c *Commands) homeOrders(ctx context.Context, s *access.Viewer, f cards.HomeFilter) ([]homeOrder, error) {
	found := map[string]homeOrder{}
	collect := func(t store.Tracked) bool {
		if section := cards.SectionOf(t); f.Has(section) && s.Shows(ctx, t) {
			found[t.ID] = homeOrder{t.ID, section, t.Order.OrderedAt}
		}
		return false
	}
	if f.All {
		channels, err := s.Channels(ctx)
		if err != nil {
			return nil, err
		}
		if _, _, err := c.store.InChannels(ctx, s.Request.Team, channels, collect, 0, 1); err != nil {
			return nil, err
		}
	}
	_, _, err := c.store.Requested(ctx, s.Request.Team, s.Request.User, collect, 0, 1)
	if err = errors.Join(err, s.Err); err != nil {
		return nil, err
	}
	orders := make([]homeOrder, 0, len(found))
	for _, o := range found {
		orders = append(orders, o)
	}
	slices.SortFunc(orders, homeOrder.compare)
	return orders, nil
}

func (o homeOrder) compare(other homeOrder) int {
	sections := cards.HomeSections()
	return cmp.Or(
		cmp.Compare(slices.Index(sections, o.section), slices.Index(sections, other.section)),
		other.at.Compare(o.at),
		cmp.Compare(other.id, o.id), // as lists do
	)
}
