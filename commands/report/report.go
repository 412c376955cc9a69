// Package report shows a month's orders as figures, a chart and a file.
package report

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/slack-go/slack"
	"golang.org/x/sync/errgroup"

	"darkroom/access"
	"darkroom/bot"
	"darkroom/bot/client"
	"darkroom/cards"
	"darkroom/cards/kit"
	cardsreport "darkroom/cards/report"
	"darkroom/commands/answer"
	"darkroom/jobs/answers"
	"darkroom/order"
	"darkroom/store"
)

// Handler reports a month's orders.
type Handler struct {
	slack   answers.Slack
	orders  *store.Orders
	reports *store.Reports
	access  *access.Control
	log     *slog.Logger
	guard   *answer.Guard
	answers *answer.Messages
	windows *answer.Windows
}

// New returns the handler.
func New(slack answers.Slack, store *store.Store, access *access.Control, log *slog.Logger, guard *answer.Guard, answers *answer.Messages, windows *answer.Windows) *Handler {
	return &Handler{slack: slack, orders: store.Orders, reports: store.Reports, access: access, log: log, guard: guard, answers: answers, windows: windows}
}

// Help is the help on `report`.
var Help = cards.HelpRow{
	Verb: "report", Usage: "report [month] [by person|channel|customer|preset|round] [csv]", Does: "shows what a month's orders cost and how long they took",
	Example: "report last month by person",
	More: []string{
		"A month is 2026-11, november, november 2026 or last month. Without one, you get this month. Add csv for a file with every order, by direct message.",
		"By preset or by round shows how reviews went: how many orders were approved in round 1, and median rounds and times.",
		"An order counts for the preset that filled its form last, else for No preset. Nobody is ranked.",
		"Operators see all channels: report account by channel.",
	},
}

// reporting is a report in the making.
type reporting struct {
	line   reportLine
	shown  cardsreport.View
	rows   []order.ReportRow
	window string
}

// Open shows a month's figures in a window, and then adds the chart. The file goes by direct message, so that only the
// person who asked gets it.
func (c *Handler) Open(ctx context.Context, r bot.Request) error {
	line, unknown := parseReport(r.Args)
	if unknown != "" {
		return c.answers.Send(ctx, r, cardsreport.Problem(unknown, client.AsTyped(r.Args)))
	}
	channel := answer.OriginChannel(r)
	if line.account {
		channel = ""
		if err := c.guard.OperatorsOnly(ctx, r, "read the report of the whole account"); err != nil {
			return err
		}
	} else if channel == "" {
		return c.answers.Send(ctx, r, kit.Say(cardsreport.NeedsChannel))
	}
	var made *reporting
	err := c.windows.Open(ctx, r, "report", cardsreport.Title, func(ctx context.Context, window string) (answers.ViewFunc, error) {
		p := &reporting{line: line, window: window}
		if err := c.load(ctx, r, p, channel); err != nil {
			return nil, err
		}
		made = p
		return answer.Static(cardsreport.Window(p.shown, window)), nil
	})
	if err != nil || made == nil || made.shown.Total.Orders == 0 {
		return err
	}
	return c.addFiles(ctx, r, made)
}

// load reads and counts the orders, if the person may read them.
func (c *Handler) load(ctx context.Context, r bot.Request, p *reporting, channel string) error {
	if err := c.authorize(ctx, r, p, channel); err != nil {
		return err
	}
	zone, told := c.answers.Zone(ctx, r.User)
	month := order.MonthOf(time.Now(), zone)
	if len(p.line.month) > 0 {
		month, _ = order.ParseMonth(p.line.month, time.Now(), zone)
	}
	channels := []string{channel}
	if channel == "" {
		var err error
		if channels, err = c.orders.Channels(ctx, r.Team); err != nil {
			return err
		}
	}
	rows, whole, err := c.reports.Report(ctx, r.Team, channels, month.Begins(), month.Ends())
	if err == nil && channel == "" {
		err = c.redactUnseen(ctx, r, rows)
	}
	if err != nil {
		return err
	}
	if !whole {
		p.shown.Cut = store.MaxReport
	}
	p.rows, p.shown.Channel, p.shown.Month, p.shown.UTC = rows, channel, month, !told
	p.shown.Report = order.NewReport(rows, month, p.line.by, time.Now())
	return nil
}

// authorize refuses a report that the person may not read, and sets whether it shows credits.
func (c *Handler) authorize(ctx context.Context, r bot.Request, p *reporting, channel string) (err error) {
	if channel != "" {
		permit, err := c.access.Authorize(ctx, r, store.Tracked{Owner: store.Owner{Team: r.Team, Channel: channel}})
		switch {
		case err != nil:
			return err
		case !permit.Sees:
			return answer.Refuse(cardsreport.Denied(channel, order.DeniedNotMember), "")
		case !permit.Acts():
			return answer.Refuse(cardsreport.Denied(channel, permit.Denial), "")
		}
	}
	p.shown.Money, err = c.access.ReadsCredits(ctx, r)
	return err
}

// redactUnseen removes channel, person, preset and reference from orders in channels that the person does not see, like the
// account's list.
func (c *Handler) redactUnseen(ctx context.Context, r bot.Request, rows []order.ReportRow) error {
	viewer := c.access.Viewer(r)
	sees := map[string]bool{}
	for i, row := range rows {
		see, known := sees[row.Channel]
		if !known {
			var err error
			see, err = viewer.Sees(ctx, store.Tracked{Owner: store.Owner{Team: r.Team, Channel: row.Channel}})
			if err != nil {
				return err
			}
			sees[row.Channel] = see
		}
		if !see {
			rows[i].Channel, rows[i].Person, rows[i].Reference, rows[i].Preset = "", "", "", ""
		}
	}
	return nil
}

// addFiles sends the file if it was asked for, and adds the chart to the window.
func (c *Handler) addFiles(ctx context.Context, r bot.Request, p *reporting) error {
	me, err := c.slack.Identity(ctx)
	if err != nil {
		return err
	}
	if !me.Granted("files:write") {
		p.shown.Notes = []string{cardsreport.FilesNotAllowed}
		return c.repaint(ctx, p)
	}
	if p.line.file {
		p.shown.Notes = append(p.shown.Notes, c.sendCSV(ctx, r, p))
	}
	if err := c.addChart(ctx, p); err == nil || errors.Is(err, client.ErrGone) {
		return nil
	}
	return c.repaint(ctx, p)
}

// sendCSV sends the file and returns the sentence about the result.
func (c *Handler) sendCSV(ctx context.Context, r bot.Request, p *reporting) string {
	table := cardsreport.CSV(p.rows, p.shown.Month.Zone, c.names(ctx, p.rows), p.shown.Money, time.Now())
	name := "darkroom-" + strings.ToLower(strings.ReplaceAll(p.shown.Month.String(), " ", "-")) + ".csv"
	err := c.slack.SendFile(ctx, r.User, name, cardsreport.FileComment(p.shown), table)
	switch {
	case err == nil:
		return cardsreport.FileSent(len(p.rows))
	case errors.Is(err, client.ErrUnknownOutcome):
		return cardsreport.FileUnsure
	case errors.Is(err, client.ErrNotAllowed):
		return cardsreport.FilesNotAllowed
	}
	c.log.WarnContext(ctx, "a report's file was not sent", "user", r.User, "err", err)
	return cardsreport.FileUnsent
}

// chartWait is the wait between attempts to show an uploaded chart that Slack is still processing.
const chartWait = 1500 * time.Millisecond

// addChart draws the chart and shows it in the window after Slack has processed it. A failure becomes a note of the
// report.
func (c *Handler) addChart(ctx context.Context, p *reporting) error {
	failed := func(note string, err error) error {
		c.log.InfoContext(ctx, "a report's chart is not shown", "err", err)
		p.shown.Chart, p.shown.Notes = "", append(p.shown.Notes, note)
		return err
	}
	picture, err := cardsreport.Chart(p.shown)
	if err == nil {
		p.shown.Chart, err = c.slack.UploadImage(ctx, "report.png", picture)
	}
	if err != nil {
		return failed(cardsreport.ChartUnsent, err)
	}
	end, _ := ctx.Deadline()
	for {
		err = c.slack.UpdateView(ctx, p.window, "", "", cardsreport.Window(p.shown, p.window))
		if !errors.Is(err, client.ErrPayload) && !answer.Transient(err) {
			return err
		}
		if time.Until(end) < 2*chartWait { // leave time to show the note
			return failed(cardsreport.ChartNotYet, err)
		}
		select {
		case <-time.After(chartWait):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// repaint redraws the report. A closed window is no error.
func (c *Handler) repaint(ctx context.Context, p *reporting) error {
	err := c.windows.Update(ctx, p.window, "", cardsreport.Window(p.shown, p.window))
	if errors.Is(err, client.ErrGone) {
		return nil
	}
	return err
}

const (
	maxNames     = 100             // people and channels looked up for one file
	namesAtOnce  = 8               // concurrent calls
	namePatience = 3 * time.Second // limit of all calls
)

// names returns the names of a file's people and channels by id, as far as Slack returns them in time.
func (c *Handler) names(ctx context.Context, rows []order.ReportRow) map[string]string {
	ctx, cancel := context.WithTimeout(ctx, namePatience)
	defer cancel()
	names := map[string]string{}
	var mu sync.Mutex
	var all errgroup.Group
	all.SetLimit(namesAtOnce)
	asked := map[string]bool{}
	ask := func(id string, name func() (string, error)) {
		if id == "" || asked[id] || len(asked) >= maxNames {
			return
		}
		asked[id] = true
		all.Go(func() error {
			said, err := name()
			if err != nil {
				c.log.DebugContext(ctx, "name not told", "id", id, "err", err)
				return nil // the file has the id instead
			}
			mu.Lock()
			defer mu.Unlock()
			names[id] = said
			return nil
		})
	}
	for _, row := range rows {
		ask(row.Person, func() (string, error) { return personName(c.slack.User(ctx, row.Person)) })
		ask(row.Channel, func() (string, error) { return channelName(c.slack.Channel(ctx, row.Channel)) })
	}
	_ = all.Wait() // no call returns an error
	return names
}

func personName(who slack.User, err error) (string, error) {
	return cmp.Or(who.Profile.DisplayName, who.RealName, who.Name), err
}

func channelName(where slack.Channel, err error) (string, error) {
	if where.Name == "" {
		return "", err
	}
	return "#" + where.Name, err
}
