package files

import (
	"encoding/binary"
	"math"
	"net/url"
	"strings"
	"time"
)

const (
	// ZIPPath is where a [ZIPHandler] is served.
	ZIPPath = Path + "zip/"
	// ZIPLife is how long the address of a ZIP works. Whoever writes a message anew puts a new one into it.
	ZIPLife = 7 * 24 * time.Hour

	maxZIPToken = 512
	maxOrder    = 255 // bytes of an order's id
	bundleLen   = 4 + 4
)

// A Bundle is what one ZIP holds, as its address names it: the images of one round of an order.
type Bundle struct {
	Order string
	Round int // as the service counts them, from 0
	// Generation is that of the order's owner: when the order leaves its channel, the addresses that were
	// written there end.
	Generation int
	// Workspace is that of the order, as its address says; "" where there is one workspace only. Whoever makes an
	// address has its signer say it: see [Signer.In].
	Workspace string
}

// ZIP is the address of a ZIP for [ZIPLife]; name is what it is saved as, without its ending. It is "" for a bundle
// that no address can name.
func (s *Signer) ZIP(b Bundle, name string, now time.Time) string {
	if b.Order == "" || len(b.Order) > maxOrder || !fits(b.Round) || !fits(b.Generation) {
		return ""
	}
	says := binary.BigEndian.AppendUint32(nil, uint32(b.Round))
	says = binary.BigEndian.AppendUint32(says, uint32(b.Generation))
	token := s.seal(zipPurpose, append(says, b.Order...), now.Add(ZIPLife))
	return s.base + ZIPPath + token + "/" + url.PathEscape(zipName(name))
}

func fits(n int) bool { return n >= 0 && n <= math.MaxInt32 }

// VerifyZIP says which ZIP a token is for. The error is [ErrForged] or [ErrExpired].
func (s *Signer) VerifyZIP(token string, now time.Time) (Bundle, error) {
	if len(token) > maxZIPToken {
		return Bundle{}, ErrForged
	}
	workspace, says, err := s.open(zipPurpose, token, now)
	switch {
	case err != nil:
		return Bundle{}, err
	case len(says) <= bundleLen:
		return Bundle{}, ErrForged
	}
	return Bundle{
		Order: string(says[bundleLen:]), Round: int(binary.BigEndian.Uint32(says)), Generation: int(binary.BigEndian.Uint32(says[4:])),
		Workspace: workspace,
	}, nil
}

// zipName is what a ZIP is saved as, whatever it is called in its address.
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
