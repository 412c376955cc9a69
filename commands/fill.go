package commands

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/store"
	"darkroom/store/queue"
)

const fillJob = "fill"

// A view that is sent as an acknowledgement must fit a frame of Socket Mode (20,480
// bytes); one that is the body of a job should not fill Redis.
const (
	ackView  = 18_000
	bodyView = 64_000
)

// filling is the body of the job that puts a view where its loading was acknowledged.
type filling struct {
	Window string          `json:"window"`
	User   string          `json:"user"`
	From   string          `json:"from,omitempty"` // the channel in which the window was opened
	Render string          `json:"render"`         // what asked for it; a later one makes this one old
	View   json.RawMessage `json:"view,omitempty"`
	Note   string          `json:"note,omitempty"` // where a large view is kept instead
	At     time.Time       `json:"at"`             // when its loading was acknowledged
}

// replyView answers a submitted form with the next view of the same window. One that is
// too large for an acknowledgement, or has pictures that Slack may be unable to fetch,
// is put there a moment later, in place of a view that says so.
func (c *Commands) replyView(ctx context.Context, r bot.Request, v slack.ModalViewRequest) (bot.Reply, error) {
	if v.ExternalID == "" && r.View != nil {
		v.ExternalID = r.View.ExternalID
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return bot.Reply{}, fmt.Errorf("view %s: %w", v.ExternalID, err)
	}
	if _, pictures := withoutPictures(v); len(raw) < ackView && !pictures {
		return bot.Update(v), c.supersede(ctx, r)
	}
	f := filling{Window: v.ExternalID, User: r.User, From: standing(r), Render: r.ID, View: raw, At: time.Now()}
	id := fillJob + ":" + hash(f.Window+" "+r.ID)
	if len(raw) > bodyView {
		f.View, f.Note = nil, id
		if err := c.store.Note(ctx, f.Note, json.RawMessage(raw), clickLife); err != nil {
			return bot.Reply{}, err
		}
	}
	if err := c.store.Note(ctx, renderNote(f.Window), r.ID, clickLife); err != nil {
		return bot.Reply{}, err
	}
	title := ""
	if v.Title != nil {
		title = v.Title.Text
	}
	return bot.Update(cards.Loading(title, f.Window)), c.put(ctx, fillJob, id, "view:"+f.Window, f)
}

// supersede makes the views old that are still on their way into the window that was
// acted on. Whoever answers such a window without replyView calls it first. A window
// that shows little was not filled late, and costs nothing here.
func (c *Commands) supersede(ctx context.Context, r bot.Request) error {
	if r.View == nil || r.View.ExternalID == "" {
		return nil
	}
	_, pictures := withoutPictures(slack.ModalViewRequest{Blocks: r.View.Blocks})
	if raw, err := json.Marshal(r.View.Blocks); err == nil && len(raw) < ackView/2 && !pictures {
		return nil
	}
	return c.store.Note(ctx, renderNote(r.View.ExternalID), r.ID, clickLife)
}

// renderNote is where the newest view of a window is named.
func renderNote(window string) string { return "render:" + hash(window) }

// fill does the job: the view comes after its loading, and never over a newer one.
func (c *Commands) fill(ctx context.Context, d *queue.Delivery) error {
	var f filling
	if err := json.Unmarshal(d.Body, &f); err != nil {
		return queue.Dead(fmt.Errorf("job %s: %w", d.ID, err))
	}
	if err := f.window().painted(ctx); err != nil { // what came meanwhile is newer
		return err
	}
	var newest string
	if err := c.store.Noted(ctx, renderNote(f.Window), &newest); err != nil && !errors.Is(err, store.ErrNoNote) {
		return err
	}
	if newest != f.Render {
		return nil
	}
	if f.Note != "" {
		if err := c.store.Noted(ctx, f.Note, &f.View); err != nil {
			return err
		}
	}
	var view slack.ModalViewRequest
	if err := json.Unmarshal(f.View, &view); err != nil {
		return queue.Dead(fmt.Errorf("job %s: its view: %w", d.ID, err))
	}
	return c.fillLate(ctx, f, view)
}

func (f filling) window() window {
	return window{View: f.Window, User: f.User, Channel: f.From, Acked: f.At}
}

func (c *Commands) fillLate(ctx context.Context, f filling, view slack.ModalViewRequest) error {
	w := f.window()
	err := c.update(ctx, w, view)
	if bare, pictures := withoutPictures(view); errors.Is(err, bot.ErrPayload) && pictures {
		c.log.WarnContext(ctx, "shown without pictures", "user", f.User, "err", err)
		err = c.update(ctx, w, bare)
	}
	switch {
	case !errors.Is(err, bot.ErrGone):
		return err
	case view.Submit != nil: // a form that was closed is not wanted
		return nil
	}
	for _, m := range cards.ToldInFull(view) { // an answer is, and has what was typed
		if err := c.tellAlone(ctx, w, m); err != nil {
			return err
		}
	}
	return nil
}

// withoutPictures is the view without what Slack would have to fetch, and whether there
// was any.
func withoutPictures(v slack.ModalViewRequest) (slack.ModalViewRequest, bool) {
	var kept []slack.Block
	found := false
	for _, block := range v.Blocks.BlockSet {
		if section, ok := block.(*slack.SectionBlock); ok && section.Accessory != nil && section.Accessory.ImageElement != nil {
			bare := *section
			bare.Accessory, found = nil, true
			block = &bare
		}
		if block.BlockType() == slack.MBTImage {
			found = true
			continue
		}
		kept = append(kept, block)
	}
	v.Blocks.BlockSet = kept
	return v, found
}
