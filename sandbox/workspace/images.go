package workspace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"
)

const (
	imageTimeout = 3 * time.Second
	maxImage     = 10 << 20
	imageAgent   = "Slack-ImgProxy (+https://api.slack.com/robots)"
)

var errNotAnImage = errors.New("not a png, jpg or gif")

// imageClient fetches pictures as Slack does; it may be told to refuse
// addresses that Slack could not reach.
func imageClient(publicOnly bool) *http.Client {
	dialer := &net.Dialer{Timeout: imageTimeout}
	if publicOnly {
		dialer.Control = refusePrivate
	}
	return &http.Client{
		Timeout:   imageTimeout,
		Transport: &http.Transport{DialContext: dialer.DialContext, MaxIdleConnsPerHost: imagesAtOnce},
	}
}

func refusePrivate(_, address string, _ syscall.RawConn) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return err
	}
	if ip := net.ParseIP(host); ip == nil || ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast() {
		return fmt.Errorf("%s is not reachable from Slack", address)
	}
	return nil
}

// imagesAtOnce are fetched of one message or view at the same time.
const imagesAtOnce = 8

// fetchImages downloads the pictures of a message or view, and fails with the first of those that are not to be had.
func (w *Workspace) fetchImages(images []image) error {
	failed := make([]error, len(images))
	var all errgroup.Group
	all.SetLimit(imagesAtOnce)
	for n, i := range images {
		all.Go(func() error {
			if err := w.fetchImage(i.name); err != nil {
				failed[n] = rejectedImage(i.at, unreachable)
			}
			return nil
		})
	}
	_ = all.Wait() // what failed stands in failed
	return cmp.Or(failed...)
}

// fetchImage downloads the picture and looks at what it really is.
func (w *Workspace) fetchImage(url string) error {
	ctx, cancel := context.WithTimeout(w.ctx, imageTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return err
	}
	request.Header.Set("User-Agent", imageAgent)
	answer, err := w.images.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("status %d", answer.StatusCode)
	}
	body, err := io.ReadAll(io.LimitReader(answer.Body, maxImage+1))
	if err != nil {
		return err
	}
	if len(body) > maxImage || !shown(sniffed(body)) {
		return errNotAnImage
	}
	return nil
}

func shown(kind string) bool {
	return slices.Contains([]string{"image/png", "image/jpeg", "image/gif"}, kind)
}

func sniffed(body []byte) string {
	kind, _, _ := strings.Cut(http.DetectContentType(body), ";")
	return kind
}
