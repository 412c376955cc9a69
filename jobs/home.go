package jobs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/slack-go/slack"

	"darkroom/access"
	"darkroom/bot"
	"darkroom/cards"
	"darkroom/cards/change"
	cardshome "darkroom/cards/home"
	"darkroom/jobs/accounts"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/store"
	"darkroom/store/queue"
)

// Home publishes what people see in their App Home.
type Home struct {
	slack      answers.Slack
	documents  *store.DocumentStore
	orders     *store.Orders
	access     *access.Control
	account    *accounts.Account
	credits    *accounts.Credits
	liveOrders *job.Orders
	messages   *answers.Messages
	forms      *answers.Forms
	putter     *job.Putter
	log        *slog.Logger
}

// HomeLife is how long a person's choice is saved, and their Home is kept current, since they last looked at it.
const HomeLife = 30 * 24 * time.Hour

// HomeState is what a person chose to see in their Home. It exists once they have opened it.
type HomeState struct {
	Filter cardshome.Filter `json:"filter,omitzero"`
	Page   int              `json:"page,omitempty"` // from 0
	TS     string           `json:"ts,omitempty"`   // Slack's time of the newest choice
}

// HomeDoc names the document with a person's [HomeState].
func HomeDoc(team, user string) string { return "home:" + team + ":" + user }

// Changed publishes a person's Home again after they acted, if they ever opened it. It logs a failure.
func (j *Home) Changed(ctx context.Context, team, user string) {
	_, opened, err := j.State(ctx, team, user)
	if err == nil && opened {
		id := fmt.Sprintf("%s:%s:%s:%d", job.Home, team, user, time.Now().UnixNano())
		err = j.Put(ctx, id, HomeArgs{Team: team, User: user})
	}
	if err != nil {
		j.log.WarnContext(ctx, "home not published anew", "user", user, "err", err)
	}
}

// State returns a person's last choice, and whether they ever opened their Home.
func (j *Home) State(ctx context.Context, team, user string) (state HomeState, opened bool, err error) {
	err = j.documents.Get(ctx, HomeDoc(team, user), &state)
	if errors.Is(err, store.ErrAbsent) {
		return HomeState{}, false, nil
	}
	return state, err == nil, err
}

// Put puts the job that publishes a person's Home. All jobs of one Home share a lane.
func (j *Home) Put(ctx context.Context, id string, body HomeArgs) error {
	return j.putter.Put(ctx, job.Home, id, job.Home+":"+body.Team+":"+body.User, body)
}

// HomeArgs is the body of the job that publishes a person's Home.
type HomeArgs struct {
	Team        string `json:"team"`
	User        string `json:"user"`
	Opened      bool   `json:"opened,omitempty"` // they have just opened it: show the first page
	LeftChannel string `json:"left,omitempty"`   // channel that they have just left
}

// publishHome shows a person their Home as it is now.
func (j *Home) publishHome(ctx context.Context, _ *queue.Delivery, body HomeArgs) error {
	if body.LeftChannel != "" {
		j.slack.Forget(body.LeftChannel, body.User)
	}
	var turn func(*HomeState)
	if body.Opened {
		turn = fromTheTop
	}
	err := j.Show(ctx, bot.Request{Team: body.Team, User: body.User}, turn)
	if err != nil && !job.Outage(err) && ctx.Err() == nil {
		j.log.ErrorContext(ctx, "home not published", "user", body.User, "err", err)
		return nil
	}
	return err
}

func fromTheTop(s *HomeState) { s.Page = 0 }

// Open shows a person's Home from its first page. In an outage it puts a job, because nothing else fills a Home that
// was never published.
func (j *Home) Open(ctx context.Context, r bot.Request) error {
	err := j.Show(ctx, r, fromTheTop)
	if !job.Outage(err) {
		return err
	}
	j.log.InfoContext(ctx, "home is shown later", "user", r.User, "err", err)
	put, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	if j.Put(put, job.Home+":"+r.ID, HomeArgs{Team: r.Team, User: r.User, Opened: true}) != nil {
		return err
	}
	return nil
}

// Show publishes the Home of r.User. turn, if not nil, changes their choice. A choice that is older than the saved one
// is ignored.
func (j *Home) Show(ctx context.Context, r bot.Request, turn func(*HomeState)) error {
	state, _, err := j.State(ctx, r.Team, r.User)
	if err == nil && turn != nil && (r.ActionTS == "" || r.ActionTS >= state.TS) {
		newest := max(state.TS, r.ActionTS)
		turn(&state)
		state.TS = newest
		err = j.save(ctx, r, state)
	}
	if err != nil {
		return err
	}
	return j.show(ctx, r, state)
}

func (j *Home) save(ctx context.Context, r bot.Request, state HomeState) error {
	return j.documents.PutPersonal(ctx, r.User, HomeDoc(r.Team, r.User), state, HomeLife)
}

// maxChoices bounds the choices, made meanwhile, that show follows.
const maxChoices = 5

// show publishes a person's choice. If a newer choice was saved meanwhile, it publishes that; over an older one, it
// saves its own again. So the newest of two concurrent choices is shown in the end.
func (j *Home) show(ctx context.Context, r bot.Request, state HomeState) error {
	for range maxChoices {
		home, err := j.view(ctx, bot.Request{Team: r.Team, User: r.User}, state)
		if err != nil {
			return err
		}
		err = j.forms.ShowBest(ctx, func(thumbs cards.Thumbs) ([]slack.Block, error) {
			view := cardshome.Tab(home, thumbs, time.Now())
			return view.Blocks.BlockSet, j.slack.PublishHome(ctx, r.User, view)
		})
		if err != nil {
			return err
		}
		newest, kept, err := j.State(ctx, r.Team, r.User)
		switch {
		case err != nil || !kept || newest == state:
			return err
		case newest.TS >= state.TS:
			state = newest
		default:
			if err := j.save(ctx, r, state); err != nil {
				return err
			}
		}
	}
	return nil
}

// view returns what the person may see of their choice. If the service is away, only the credits are missing.
func (j *Home) view(ctx context.Context, r bot.Request, state HomeState) (cardshome.View, error) {
	why, err := j.access.WhyNoMember(ctx, r.User)
	if err != nil {
		return cardshome.View{}, err
	}
	h := cardshome.View{Filter: state.Filter, Page: state.Page, Why: why, Links: j.messages.Links(ctx), Rounds: map[string]cards.RoundHistory{}, Others: map[string]bool{}}
	if why != "" {
		h.Filter.All = true // they have no orders of their own
	}
	if h.Connect, err = j.account.Connection(ctx, r); err != nil || h.Connect != nil && h.Connect.Account == nil {
		return h, err
	}
	reads, err := j.access.ReadsCredits(ctx, r)
	if err != nil {
		return cardshome.View{}, err
	}
	if h.Secret = !reads; reads {
		h.Credits = j.credits.Balance(ctx)
	}
	found, err := j.listed(ctx, j.access.Viewer(r), h.Filter, why == "")
	if err != nil {
		return h, err
	}
	if h.Started, err = j.started(ctx, r, found); err != nil {
		return h, err
	}
	found = slices.DeleteFunc(found, func(o homeOrder) bool { return !h.Filter.Has(o.section) })
	h.Totals = map[cardshome.Section]int{}
	for _, o := range found {
		h.Totals[o.section]++
	}
	var here []homeOrder
	here, h.Page = shownOf(found, h.Filter, h.Page)
	for _, o := range here {
		t, err := j.orders.Order(ctx, o.id)
		if errors.Is(err, store.ErrNotTracked) || err == nil && t.Untracked {
			continue // untracked meanwhile
		}
		if err != nil {
			return h, err
		}
		h.Orders, h.Others[t.ID] = append(h.Orders, t), o.others
		if o.section == cardshome.Review {
			h.Rounds[t.ID] = j.liveOrders.RoundHistory(ctx, t.ID)
		}
	}
	return h, nil
}

// shownOf returns the orders that the Home shows: the first ones of each section, or a page of the one that was chosen.
func shownOf(found []homeOrder, f cardshome.Filter, page int) ([]homeOrder, int) {
	if f.Section != "" {
		page = min(page, cards.PagesOf(len(found), cards.PageSize)-1)
		first, last := cards.PageSpan(len(found), page, cards.PageSize)
		return found[first:last], page
	}
	var here []homeOrder
	count := map[cardshome.Section]int{}
	for _, o := range found {
		if count[o.section]++; count[o.section] <= cardshome.Most(o.section) {
			here = append(here, o)
		}
	}
	return here, 0
}

// started returns which first steps are done. It asks Slack for the app's channels only where no order is.
func (j *Home) started(ctx context.Context, r bot.Request, found []homeOrder) (s cardshome.Started, err error) {
	s.Placed = len(found) > 0
	s.Decided = slices.ContainsFunc(found, func(o homeOrder) bool { return o.decided })
	if s.Invited = s.Placed; s.Placed {
		return s, nil
	}
	app, err := j.slack.Identity(ctx)
	if err != nil {
		return s, err
	}
	s.Invited, err = j.access.Viewer(bot.Request{Team: r.Team, User: app.BotUser}).InAny(ctx)
	return s, err
}

// homeOrder is an order's place in the Home.
type homeOrder struct {
	id      string
	section cardshome.Section
	at      time.Time
	decided bool // a delivery was approved, or changes were requested
	others  bool // it waits for others, who decide in its channel
}

// listed returns the orders of all sections that the person may see, newest first in each. It returns no whole orders,
// because a page shows ten of perhaps very many. An order that waits for this person's decision is listed, also if
// somebody else placed it. One that waits for another approver is in progress. acts says that the person may decide.
func (j *Home) listed(ctx context.Context, s *access.Viewer, f cardshome.Filter, acts bool) ([]homeOrder, error) {
	channels, others, err := j.access.Approving(ctx, s.Request)
	if err != nil {
		return nil, err
	}
	found := map[string]homeOrder{}
	collect := func(t store.Tracked) bool {
		if s.Shows(ctx, t) {
			o := homeOrder{t.ID, cardshome.SectionOf(t), t.Order.OrderedAt, t.Approved() || t.Order.Rev() > 0, false}
			if acts && o.section == cardshome.Review && others[t.Owner.Channel] {
				o.section, o.others = cardshome.Progress, true
			}
			found[t.ID] = o
		}
		return false
	}
	here := func(t store.Tracked) bool { return acts && cardshome.SectionOf(t) == cardshome.Review && collect(t) }
	if f.All {
		here = collect
		if channels, err = s.Channels(ctx); err != nil {
			return nil, err
		}
	}
	if _, _, err := j.orders.InChannels(ctx, s.Request.Team, channels, here, 0, 1); err != nil {
		return nil, err
	}
	_, _, err = j.orders.Requested(ctx, s.Request.Team, s.Request.User, collect, 0, 1)
	if err = errors.Join(err, s.Err); err != nil {
		return nil, err
	}
	return slices.SortedFunc(maps.Values(found), homeOrder.compare), nil
}

func (o homeOrder) compare(other homeOrder) int {
	sections := cardshome.Sections()
	return cmp.Or(
		cmp.Compare(slices.Index(sections, o.section), slices.Index(sections, other.section)),
		other.at.Compare(o.at),
		cmp.Compare(other.id, o.id), // as lists do
	)
}

// Kind declares the job that publishes a Home.
func (j *Home) Kind() queue.Declared {
	return queue.Kind[HomeArgs]{
		Name: job.Home, Work: j.publishHome,
		Asked: "showing the Home tab", Truth: job.Always("Nothing else is missing. Open it again."),
		Quiet: func(_ context.Context, b HomeArgs) bool { return !b.Opened },
	}.Declare()
}

// ToReview returns the newest orders of the person's Home that wait for their review.
func (j *Home) ToReview(ctx context.Context, r bot.Request) (change.Selection, error) {
	s := change.Selection{Rounds: map[string]cards.RoundHistory{}}
	state, _, err := j.State(ctx, r.Team, r.User)
	if err != nil {
		return s, err
	}
	found, err := j.listed(ctx, j.access.Viewer(r), state.Filter, true)
	if err != nil {
		return s, err
	}
	found = slices.DeleteFunc(found, func(o homeOrder) bool { return o.section != cardshome.Review })
	s.Total = len(found)
	fresh := j.access.FreshViewer(r)
	for _, o := range found[:min(len(found), change.MostSelected)] {
		t, err := j.orders.Order(ctx, o.id)
		if errors.Is(err, store.ErrNotTracked) || err == nil && (t.Untracked || !change.Selectable(t)) {
			continue
		}
		if err != nil {
			return s, err
		}
		sees, err := fresh.Sees(ctx, t)
		if err != nil {
			return s, err
		}
		if !sees {
			continue
		}
		why, err := j.liveOrders.NotApprover(ctx, r.User, t)
		if err != nil {
			return s, err
		}
		if why == "" {
			s.Orders, s.Rounds[t.ID] = append(s.Orders, t), j.liveOrders.RoundHistory(ctx, t.ID)
		}
	}
	return s, nil
}
