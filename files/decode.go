package files

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	_ "image/gif"  // what is decoded
	_ "image/jpeg" // what is decoded
	_ "image/png"  // what is decoded
	"io"
	"runtime"
	"time"

	"github.com/bep/imagemeta"
	_ "golang.org/x/image/tiff" // what is decoded
	_ "golang.org/x/image/webp" // what is decoded
)

const (
	// MaxDecoded is how much memory pictures that are decoded may take together, in bytes: a photo of 24 megapixels
	// fits, as most cameras write it.
	MaxDecoded = 80 << 20
	// decodeTime is what one picture may take: a small file can ask for the same pixels many thousand times.
	decodeTime = 20 * time.Second
	// worthCollecting is from how large a picture on its memory is given back at once.
	worthCollecting = 8 << 20
)

// ErrTooManyPixels says that a picture would take too much memory.
var ErrTooManyPixels = errors.New("more pixels than are decoded")

// decodable is a picture whose size is known, and what it takes to decode it.
type decodable struct {
	data   []byte
	format string // "jpeg"
	cost   int64  // bytes, at most
}

// examine reads a picture's head and nothing else: [ErrNotPicture] is one that cannot be decoded here,
// [ErrTooManyPixels] one that may not.
func examine(data []byte) (d decodable, err error) {
	defer guardDecoder(&err)
	config, format, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return d, fmt.Errorf("%w: %w", ErrNotPicture, err)
	}
	if config.Width <= 0 || config.Height <= 0 {
		return d, fmt.Errorf("%w: no pixels", ErrNotPicture)
	}
	d = decodable{data: data, format: format, cost: costOf(data, format, config)}
	if d.cost > MaxDecoded {
		return d, fmt.Errorf("%w: %d × %d", ErrTooManyPixels, config.Width, config.Height)
	}
	return d, nil
}

// scaled decodes the picture and makes it fit into a box, the right way up.
func (d decodable) scaled(ctx context.Context, box image.Point) (small *image.RGBA, err error) {
	defer guardDecoder(&err)
	if d.cost >= worthCollecting {
		defer runtime.GC() // the next one would else come on top of it
	}
	ctx, cancel := context.WithTimeout(ctx, decodeTime)
	defer cancel()
	picture, _, err := image.Decode(&until{ctx: ctx, Reader: bytes.NewReader(d.data)})
	if err != nil {
		return nil, fmt.Errorf("decode: %w", err)
	}
	turn := orientationOf(d.data, d.format)
	if turn.onItsSide() {
		box = image.Pt(box.Y, box.X)
	}
	return turn.upright(shrink(picture, box)), nil
}

// guardDecoder makes an error of a decoder's panic: others wrote the bytes that it stumbled over.
func guardDecoder(err *error) {
	if stumbled := recover(); stumbled != nil {
		*err = fmt.Errorf("%w: the decoder stumbled: %v", ErrNotPicture, stumbled)
	}
}

// until lets a decoder read as long as its time lasts.
type until struct {
	*bytes.Reader
	ctx context.Context
}

// Read implements [io.Reader].
func (u *until) Read(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.Reader.Read(p)
}

// ReadByte implements [io.ByteReader]: decoders that find it read nothing else.
func (u *until) ReadByte() (byte, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.Reader.ReadByte()
}

// ReadAt implements [io.ReaderAt].
func (u *until) ReadAt(p []byte, off int64) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.Reader.ReadAt(p, off)
}

var _ io.ReaderAt = (*until)(nil)

// metaFormats are those that say in which way the camera was held.
var metaFormats = map[string]imagemeta.ImageFormat{
	"jpeg": imagemeta.JPEG, "png": imagemeta.PNG, "tiff": imagemeta.TIFF, "webp": imagemeta.WebP,
}

// orientationOf reads how a picture is to be turned; one that does not say so, or says nonsense, is upright.
func orientationOf(data []byte, format string) orientation {
	kind, tells := metaFormats[format]
	if !tells {
		return 1
	}
	found := orientation(1)
	_, err := imagemeta.Decode(imagemeta.Options{
		R: bytes.NewReader(data), ImageFormat: kind, Sources: imagemeta.EXIF, Timeout: time.Second, LimitNumTags: 500,
		ShouldHandleTag: func(tag imagemeta.TagInfo) bool { return tag.Namespace == "IFD0" && tag.Tag == "Orientation" },
		HandleTag: func(tag imagemeta.TagInfo) error {
			if value, is := tag.Value.(uint16); is && value >= 1 && value <= 8 {
				found = orientation(value)
			}
			return imagemeta.ErrStopWalking
		},
	})
	if err != nil {
		return 1
	}
	return found
}
