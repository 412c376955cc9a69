package files

import (
	"encoding/binary"
	"math"
	"net/url"
	"strings"
	"time"
)

const (
	// ZIPPath is the path of a [ZIPHandler].
	ZIPPath = Path + "zip/"
	// ZIPLife is how long the address of a ZIP works. An updated message gets a new address.
	ZIPLife = 7 * 24 * time.Hour

	maxOrder  = 255 // bytes of an order's id
	bundleLen = 4 + 4
)

// A Bundle names the images of one round of an order: the content of one ZIP.
type Bundle struct {
	Order string
	Round int // the service counts them from 0
	// Generation is that of the order's owner. When the order leaves its channel, the addresses in that
	// channel stop working.
	Generation int
	// Workspace is that of the order; "" in an app for one workspace. [Signer.VerifyZIP] sets it. [Signer.ZIP]
	// ignores it and names the signer's, see [Signer.In].
	Workspace string
}

// Encode returns the content of a token for the bundle, without its workspace, or nil if its fields do not fit.
func (b Bundle) Encode() []byte {
	if b.Order == "" || len(b.Order) > maxOrder || !fits(b.Round) || !fits(b.Generation) {
		return nil
	}
	content := binary.BigEndian.AppendUint32(nil, uint32(b.Round))
	content = binary.BigEndian.AppendUint32(content, uint32(b.Generation))
	return append(content, b.Order...)
}

func fits(n int) bool { return n >= 0 && n <= math.MaxInt32 }

// DecodeBundle reads what [Bundle.Encode] returned. The error is [ErrForged].
func DecodeBundle(workspace string, content []byte) (Bundle, error) {
	if len(content) <= bundleLen {
		return Bundle{}, ErrForged
	}
	return Bundle{
		Order: string(content[bundleLen:]), Round: int(binary.BigEndian.Uint32(content)), Generation: int(binary.BigEndian.Uint32(content[4:])),
		Workspace: workspace,
	}, nil
}

// ZIP returns the address of a ZIP for [ZIPLife]; name is its file name without the extension. It returns "" for a
// bundle whose fields do not fit into an address.
func (s *Signer) ZIP(b Bundle, name string, now time.Time) string {
	content := b.Encode()
	if content == nil {
		return ""
	}
	return s.Address(ZIPPath + s.Seal(zipPurpose, content, now.Add(ZIPLife)) + "/" + url.PathEscape(zipName(name)))
}

// VerifyZIP returns the bundle of a token. The error is [ErrForged] or [ErrExpired].
func (s *Signer) VerifyZIP(token string, now time.Time) (Bundle, error) {
	workspace, content, err := s.Open(zipPurpose, token, now)
	if err != nil {
		return Bundle{}, err
	}
	return DecodeBundle(workspace, content)
}

// zipName makes a safe file name of the name in an address.
func zipName(name string) string {
	stem := name
	if strings.EqualFold(ext(name), ".zip") {
		stem = name[:len(name)-len(".zip")]
	}
	if stem = entryName(stem); stem == "photo" {
		stem = "photos"
	}
	return stem + ".zip"
}
