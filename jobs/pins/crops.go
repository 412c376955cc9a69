package pins

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"darkroom/bot/client"
	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/files"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

const (
	slotWait = 3 * time.Second // between two tries for the maker's slot
	drawTime = 2 * time.Minute // of one crop
)

// CropArgs is the body of the job that draws a marked crop of each photo with pins, and adds them to the order as
// reference photos. The editor has the words already.
type CropArgs struct {
	answers.Asker
	Order  string   `json:"order"`
	Photos []pinned `json:"photos"`
}

// pinned is a photo with its pins.
type pinned struct {
	Label string     `json:"label"` // "3 · beach.jpg"
	From  []string   `json:"from"`  // addresses of the photo, the best first
	Pins  order.Pins `json:"pins"`
}

// cropState is the durable progress of that job.
type cropState struct {
	Crops []crop `json:"crops,omitempty"` // of the first photos, in their order
}

// crop is an uploaded crop. No file: it cannot be made.
type crop struct {
	File string `json:"file,omitempty"`
	URL  string `json:"url,omitempty"` // made once: a new address would look like another photo
}

// Requested puts the job that sends the crops of the pins in a request, and removes the pins from the draft. Doing it
// twice is doing it once. id is that of the request's job.
func (p *Pins) Requested(ctx context.Context, id string, a answers.Asker, t store.Tracked, sent order.Pins) error {
	if len(sent) == 0 {
		return nil
	}
	if photos := photosWith(sent, t); p.Files != nil && len(photos) > 0 {
		a.View, a.ResponseURL = "", ""
		if err := p.Putter.Put(ctx, job.Crops, id+":crops", "crops:"+t.ID, CropArgs{a, t.ID, photos}); err != nil {
			return err
		}
	}
	return p.Drafts.Sent(ctx, t.ID, a.User, sent)
}

// photosWith returns the photos of an order that have pins, numbered as people see them.
func photosWith(pins order.Pins, t store.Tracked) []pinned {
	var photos []pinned
	for i, image := range order.Latest(t.Order.EditedImages) {
		if on := pins.On(image); len(on) > 0 {
			from := slices.DeleteFunc([]string{image.Origin, image.Thumb}, func(a string) bool { return !order.WebAddress(a) })
			photos = append(photos, pinned{cards.ImageLabel(i+1, image), from, on})
		}
	}
	return photos
}

// CropsKind declares that job.
func (p *Pins) CropsKind() queue.Declared {
	return queue.Kind[CropArgs]{
		Name: job.Crops, Asked: "adding your marked photos", Work: p.sendCrops,
		Truth: job.Always("The editor has your instructions, with the place of each pin in words."),
	}.Declare()
}

func (p *Pins) sendCrops(ctx context.Context, d *queue.Delivery, args CropArgs) error {
	state, err := queue.State[cropState](d)
	if err != nil {
		return err
	}
	for _, photo := range args.Photos[min(len(state.Crops), len(args.Photos)):] {
		made, err := p.crop(ctx, photo, d.Now())
		if err != nil {
			return err
		}
		state.Crops = append(state.Crops, made)
		if err := d.SetState(context.WithoutCancel(ctx), state); err != nil {
			return err
		}
	}
	album := answers.Album{Order: args.Order, User: args.User, Each: map[string]string{}}
	for i, made := range state.Crops {
		if made.File != "" {
			photo := args.Photos[i]
			album.Photos = append(album.Photos, answers.RefPhoto{Name: photo.Label + ", marked", File: made.File, URL: made.URL, Picture: true})
			album.Each[made.URL] = instruction(photo)
		}
	}
	if len(album.Photos) == 0 {
		return nil
	}
	return p.AddReferences(ctx, d.ID+":add", args.Asker, album)
}

// instruction says what the marks of a crop ask for.
func instruction(photo pinned) string {
	return "The marks on " + photo.Label + ":\n" + strings.Join(photo.Pins.Lines(), "\n")
}

// crop draws and uploads one crop. It returns an error to try again.
func (p *Pins) crop(ctx context.Context, photo pinned, now time.Time) (crop, error) {
	done, ok := p.Maker.Begin()
	if !ok {
		return crop{}, queue.Wait(slotWait)
	}
	defer done()
	drawing, cancel := context.WithTimeout(ctx, drawTime)
	defer cancel()
	from := kit.Map(photo.From, func(_ int, address string) files.Photo { return files.Photo{URL: address} })
	marks := kit.Map(photo.Pins, func(_ int, pin order.Pin) files.Mark { return files.Mark{X: pin.X, Y: pin.Y} })
	jpeg, err := p.Maker.MarkPicture(drawing, from, marks)
	if err != nil {
		return p.without(ctx, err)
	}
	file, err := p.Slack.UploadImage(ctx, "marked.jpg", jpeg)
	if errors.Is(err, client.ErrMissingScope) || errors.Is(err, client.ErrNotAllowed) {
		return p.without(ctx, err)
	}
	return crop{file, p.Files.URL(file, photo.Label+" marked.jpg", now)}, err
}

// without leaves out a crop that cannot be made.
func (p *Pins) without(ctx context.Context, err error) (crop, error) {
	if ctx.Err() != nil {
		return crop{}, ctx.Err()
	}
	p.Log.InfoContext(ctx, "a marked crop is left out", "err", err)
	return crop{}, nil
}
