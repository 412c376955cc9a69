package workspace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"darkroom/cards"
	"darkroom/files"
	"darkroom/order"
	"darkroom/review"
	"darkroom/store"
	"darkroom/store/tenants"
)

// The messages for people who open the address of a ZIP that does not exist.
const (
	zipLeft     = "This order has left the channel in which this link was posted, so the link no longer works. The order's images are where the order is now."
	zipUnknown  = "Darkroom no longer keeps this order, so this link no longer works. The photo service may still have its images."
	zipGone     = "The photo service no longer knows this order, so there is nothing to download."
	zipCanceled = "This order was canceled, so there is nothing to download."
	zipEmpty    = "The photo service has no edited images of this order."
)

// deliveryRecord reads the orders and events that a ZIP is made from.
type deliveryRecord interface {
	Order(ctx context.Context, id string) (store.Tracked, error)
	Events(ctx context.Context, id string) ([]order.Event, error)
}

// deliveryService reads an order at the service.
type deliveryService interface {
	Fetch(ctx context.Context, id string) (order.Order, error)
}

// deliveries returns the contents of ZIPs. It asks the service, because recorded addresses may have expired.
type deliveries struct {
	record  deliveryRecord
	service deliveryService
}

// Delivery implements [files.Deliveries].
func (d deliveries) Delivery(ctx context.Context, b files.Bundle) (files.Delivery, error) {
	if err := d.Offered(ctx, b); err != nil {
		return files.Delivery{}, err
	}
	events, err := d.record.Events(ctx, b.Order)
	if err != nil {
		return files.Delivery{}, err
	}
	now, err := d.service.Fetch(ctx, b.Order)
	switch {
	case errors.Is(err, order.ErrInvalidOrder):
		return files.Delivery{}, &files.Refusal{Message: zipGone}
	case err != nil:
		return files.Delivery{}, err
	case now.Canceled():
		return files.Delivery{}, &files.Refusal{Message: zipCanceled}
	}
	found := roundOf(now, events, b.Round)
	if len(found.Images)+len(found.Missing) == 0 {
		return files.Delivery{}, &files.Refusal{Message: zipEmpty}
	}
	return found, nil
}

// Offered implements [files.Offers]. It refuses an order that has moved, was canceled, or is gone.
func (d deliveries) Offered(ctx context.Context, b files.Bundle) error {
	t, err := d.record.Order(ctx, b.Order)
	switch {
	case errors.Is(err, store.ErrNotTracked):
		return &files.Refusal{Message: zipUnknown}
	case err != nil:
		return err
	case t.Untracked, t.Owner.Generation != b.Generation:
		return &files.Refusal{Message: zipLeft}
	case t.Gone:
		return &files.Refusal{Message: zipGone}
	case t.Order.Canceled():
		return &files.Refusal{Message: zipCanceled}
	}
	return nil
}

// roundOf returns the delivery of a round, with the service's present images. If an image was edited again
// since, the edit of that round counts; if the service no longer has it, the image is missing.
func roundOf(now order.Order, events []order.Event, round int) files.Delivery {
	images := now.EditedImages
	if now.Rev() > round {
		images = slices.DeleteFunc(slices.Clone(images), func(i order.EditedImage) bool { return i.Revision > round })
	}
	var d files.Delivery
	images = order.Latest(images)
	for _, image := range images {
		d.Images = append(d.Images, files.Image{ID: image.ID, Name: imageName(image), URL: image.Origin, Modified: image.UploadedAt})
	}
	for _, image := range announcedIn(events, round) {
		if !slices.ContainsFunc(images, func(other order.EditedImage) bool { return sameImage(image, other) }) {
			d.Missing = append(d.Missing, files.Missing{
				Name: imageName(image), Why: fmt.Sprintf("The photo service no longer offers it as it was in %s.", cards.Round(round)),
			})
		}
	}
	return d
}

// announcedIn returns the images of the newest announced delivery of a round.
func announcedIn(events []order.Event, round int) []order.EditedImage {
	for _, e := range slices.Backward(events) {
		if e.Kind == order.EventReady && e.Order.Rev() == round {
			return order.Latest(e.Order.EditedImages)
		}
	}
	return nil
}

func sameImage(a, b order.EditedImage) bool {
	return a.ID != "" && a.ID == b.ID || a.Name != "" && a.Name == b.Name
}

func imageName(i order.EditedImage) string { return cmp.Or(i.Name, i.ID) }

// Files serves the files, the ZIPs and the reviews of all workspaces.
type Files struct {
	Of func(ctx context.Context, workspace string) (*App, error)
}

// Offered implements [files.Offers].
func (a Files) Offered(ctx context.Context, b files.Bundle) error {
	its, err := a.of(ctx, b.Workspace, &files.Refusal{Message: zipUnknown})
	if err != nil {
		return err
	}
	return its.deliveries.Offered(ctx, b)
}

// Delivery implements [files.Deliveries].
func (a Files) Delivery(ctx context.Context, b files.Bundle) (files.Delivery, error) {
	its, err := a.of(ctx, b.Workspace, &files.Refusal{Message: zipUnknown})
	if err != nil {
		return files.Delivery{}, err
	}
	return its.deliveries.Delivery(ctx, b)
}

// of returns a workspace. gone is the error for one that has removed the app.
func (a Files) of(ctx context.Context, workspace string, gone error) (*App, error) {
	its, err := a.Of(ctx, workspace)
	if errors.Is(err, tenants.ErrNotInstalled) {
		err = fmt.Errorf("%w: %w", gone, err)
	}
	return its, err
}

// Review returns what the pages of a workspace's reviews need, see [review.Config].
func (a Files) Review(ctx context.Context, workspace string) (review.Workspace, error) {
	its, err := a.of(ctx, workspace, store.ErrNotTracked)
	if err != nil {
		return review.Workspace{}, err
	}
	return review.Workspace{Orders: its.Store.Orders, Pins: its.Jobs.Pins}, nil
}

// Open implements [files.Source].
func (a Files) Open(ctx context.Context, file, rng string) (*http.Response, error) {
	workspace, id := files.SplitFile(file)
	its, err := a.of(ctx, workspace, files.ErrGone)
	if err != nil {
		return nil, err
	}
	return photos{its.Slack.Files}.Open(ctx, id, rng)
}

// Originals returns a fetcher for images in full size.
func (s *Shared) Originals() *files.Fetcher {
	return files.NewFetcher(files.FetcherConfig{AllowPrivate: s.Config.AllowPrivateURLs, MaxBytes: files.MaxSize, Timeout: files.ZIPTime})
}
