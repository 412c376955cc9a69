package photos

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"syscall"
)

// maxFetches is how many images are fetched at the same time.
const maxFetches = 8

// fetchedImage is a picture as it came from its address.
type fetchedImage struct {
	kind    string // media type
	content []byte
}

// newFetcher is a client that uses no proxy and, unless told to, connects to
// public addresses only, whatever a name resolves to.
func newFetcher(o Options) *http.Client {
	dialer := &net.Dialer{Timeout: fetchTimeout}
	if !o.AllowPrivateURLs {
		dialer.Control = refusePrivate
	}
	return &http.Client{
		Timeout:   fetchTimeout,
		Transport: &http.Transport{DialContext: dialer.DialContext, TLSHandshakeTimeout: fetchTimeout},
	}
}

func refusePrivate(_, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("address %s: %w", address, err)
	}
	ip := to.Addr().Unmap()
	shared := netip.MustParsePrefix("100.64.0.0/10") // carrier-grade NAT
	if !ip.IsGlobalUnicast() || ip.IsPrivate() || shared.Contains(ip) {
		return fmt.Errorf("address %s: not a public one", address)
	}
	return nil
}

// fetchAll fetches every picture and returns one message for each that is not
// accessible. It carries on when the client that asked has left.
func (s *Service) fetchAll(pictures []Picture) ([]fetchedImage, []string) {
	images := make([]fetchedImage, len(pictures))
	errs := make([]error, len(pictures))
	var group sync.WaitGroup
	for i, p := range pictures {
		s.slots <- struct{}{}
		group.Go(func() {
			defer func() { <-s.slots }()
			images[i], errs[i] = s.fetchImage(s.ctx, p.URL)
		})
	}
	group.Wait()
	var problems []string
	for i, err := range errs {
		if err != nil {
			problems = append(problems, "one file is not accessible from our server: "+pictures[i].URL)
		}
	}
	return images, problems
}

func (s *Service) fetchImage(ctx context.Context, address string) (fetchedImage, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return fetchedImage{}, errors.New("not a web address")
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return fetchedImage{}, err
	}
	response, err := s.client.Do(request)
	if err != nil {
		return fetchedImage{}, err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return fetchedImage{}, errors.New(response.Status)
	}
	return s.readImage(response)
}

func (s *Service) readImage(response *http.Response) (fetchedImage, error) {
	content, err := io.ReadAll(io.LimitReader(response.Body, maxImage+1))
	if err != nil {
		return fetchedImage{}, err
	}
	if int64(len(content)) > maxImage {
		return fetchedImage{}, errors.New("too large")
	}
	kind := imageKind(content, response.Header.Get("Content-Type"))
	if kind == "" {
		return fetchedImage{}, errors.New("not an image")
	}
	return fetchedImage{kind: kind, content: content}, nil
}

// imageKind is the media type of a picture; "": not a picture. The
// content decides; the declared type counts only for what nobody can sniff,
// such as a camera's raw format.
func imageKind(content []byte, declared string) string {
	sniffed := http.DetectContentType(content)
	declared, _, _ = strings.Cut(declared, ";")
	switch {
	case strings.HasPrefix(sniffed, "image/"):
		return sniffed
	case bytes.HasPrefix(content, []byte("II*\x00")), bytes.HasPrefix(content, []byte("MM\x00*")):
		return "image/tiff"
	case heic(content):
		return "image/heic"
	case sniffed == "application/octet-stream" && strings.HasPrefix(declared, "image/"):
		return declared
	}
	return ""
}

func heic(content []byte) bool {
	if len(content) < 12 || string(content[4:8]) != "ftyp" {
		return false
	}
	switch string(content[8:12]) {
	case "heic", "heix", "heif", "mif1", "msf1", "avif":
		return true
	}
	return false
}
