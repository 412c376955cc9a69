package files

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	_ "image/gif"  // registers its decoder
	_ "image/jpeg" // registers its decoder
	_ "image/png"  // registers its decoder
	"io"
	"runtime"
	"time"

	"github.com/bep/imagemeta"
	_ "golang.org/x/image/tiff" // registers its decoder
	_ "golang.org/x/image/webp" // registers its decoder
)

const (
	// maxDecoded is how much memory all pictures may take together while they are decoded, in bytes. A photo of 24
	// megapixels fits, as most cameras write it.
	maxDecoded = 80 << 20
	// decodeTimeout bounds the decoding of one picture: a small file can repeat the same pixels many thousand times.
	decodeTimeout = 20 * time.Second
	// largePicture is the cost, in bytes, from which a picture's memory is collected at once.
	largePicture = 8 << 20
)

// ErrTooManyPixels says that a picture would take too much memory.
var ErrTooManyPixels = errors.New("more pixels than are decoded")

// decodable is a picture with a known size and cost.
type decodable struct {
	data   []byte
	format string // "jpeg"
	cost   int64  // of decoding, in bytes, at most
}

// examine reads only the header of a picture. The error is [ErrNotPicture] if it cannot be decoded here, and
// ErrTooManyPixels if it is too large.
func examine(data []byte) (d decodable, err error) {
	defer recoverDecoder(&err)
	config, format, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return d, fmt.Errorf("%w: %w", ErrNotPicture, err)
	}
	if config.Width <= 0 || config.Height <= 0 {
		return d, fmt.Errorf("%w: no pixels", ErrNotPicture)
	}
	d = decodable{data: data, format: format, cost: costOf(data, format, config)}
	if d.cost > maxDecoded {
		return d, fmt.Errorf("%w: %d × %d", ErrTooManyPixels, config.Width, config.Height)
	}
	return d, nil
}

// Thumbnail decodes a picture of any size, turned upright and scaled to the size that is asked for, whatever its
// proportions. Transparent pixels stay transparent. seen is the size of the picture, upright. The error is
// [ErrNotPicture], or [ErrTooManyPixels] if decoding may take more than maxCost bytes.
func Thumbnail(ctx context.Context, data []byte, size image.Point, maxCost int64) (small *image.RGBA, seen image.Point, err error) {
	d, err := examine(data)
	if err == nil && d.cost > maxCost {
		err = ErrTooManyPixels
	}
	if err != nil {
		return nil, seen, err
	}
	return d.scaled(ctx, size, stretch)
}

// scaled decodes the picture, turns it upright and scales it to a size, as scale does. seen is its own size, upright.
func (d decodable) scaled(ctx context.Context, size image.Point, scale scaler) (small *image.RGBA, seen image.Point, err error) {
	defer recoverDecoder(&err)
	if d.cost >= largePicture {
		defer runtime.GC() // before the next picture needs memory
	}
	ctx, cancel := context.WithTimeout(ctx, decodeTimeout)
	defer cancel()
	picture, _, err := image.Decode(&ctxReader{ctx: ctx, Reader: bytes.NewReader(d.data)})
	if err != nil {
		return nil, seen, fmt.Errorf("decode: %w", err)
	}
	turn := orientationOf(d.data, d.format)
	seen = picture.Bounds().Size()
	if turn.onItsSide() {
		size, seen = image.Pt(size.Y, size.X), image.Pt(seen.Y, seen.X)
	}
	return turn.upright(scale(picture, size)), seen, nil
}

// recoverDecoder turns a decoder's panic into an error. The bytes come from others.
func recoverDecoder(err *error) {
	if panicked := recover(); panicked != nil {
		*err = fmt.Errorf("%w: the decoder panicked: %v", ErrNotPicture, panicked)
	}
}

// ctxReader lets a decoder read until its context ends.
type ctxReader struct {
	*bytes.Reader
	ctx context.Context
}

// Read implements [io.Reader].
func (u *ctxReader) Read(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.Reader.Read(p)
}

// ReadByte implements [io.ByteReader]. Decoders prefer it to Read.
func (u *ctxReader) ReadByte() (byte, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.Reader.ReadByte()
}

// ReadAt implements [io.ReaderAt].
func (u *ctxReader) ReadAt(p []byte, off int64) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.Reader.ReadAt(p, off)
}

var _ io.ReaderAt = (*ctxReader)(nil)

// exifFormats lists the formats that tell how the camera was held.
var exifFormats = map[string]imagemeta.ImageFormat{
	"jpeg": imagemeta.JPEG, "png": imagemeta.PNG, "tiff": imagemeta.TIFF, "webp": imagemeta.WebP,
}

// orientationOf reads the orientation of a picture; 1 (upright) if it has none or an invalid one.
func orientationOf(data []byte, format string) orientation {
	kind, known := exifFormats[format]
	if !known {
		return 1
	}
	found := orientation(1)
	_, err := imagemeta.Decode(imagemeta.Options{
		R: bytes.NewReader(data), ImageFormat: kind, Sources: imagemeta.EXIF, Timeout: time.Second, LimitNumTags: 500, LimitTagSize: 64,
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
