package inspect

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/image/tiff"
)

var (
	big    = binary.BigEndian
	little = binary.LittleEndian
)

// icc makes a profile of the given lights: red, green, blue, each as XYZ. Without lights it has none.
func icc(space string, lights ...float64) []byte {
	data := make([]byte, iccHeader)
	copy(data[12:], "mntr"+space+"XYZ ")
	copy(data[36:], "acsp")
	names := []string{"wtpt", "rXYZ", "gXYZ", "bXYZ"}[:1+len(lights)/3]
	data = big.AppendUint32(data, uint32(len(names)))
	lights = append([]float64{0.9642, 1, 0.8249}, lights...)
	for i, name := range names {
		data = append(data, name...)
		data = big.AppendUint32(data, uint32(iccHeader+4+12*len(names)+20*i))
		data = big.AppendUint32(data, 20)
	}
	for i := range names {
		data = append(data, "XYZ \x00\x00\x00\x00"...)
		for _, v := range lights[3*i : 3*i+3] {
			data = big.AppendUint32(data, uint32(int32(v*65536)))
		}
	}
	return data
}

// The profiles have the numbers that HP's sRGB, Apple's Display P3 and Adobe's RGB (1998) have.
var (
	iccSRGB  = icc("RGB ", 0.436066, 0.222488, 0.013916, 0.385147, 0.716873, 0.097076, 0.143066, 0.060608, 0.714096)
	iccP3    = icc("RGB ", 0.515121, 0.241196, -0.001053, 0.291977, 0.692245, 0.041885, 0.157104, 0.066574, 0.784073)
	iccAdobe = icc("RGB ", 0.609741, 0.311111, 0.019470, 0.205276, 0.625671, 0.060867, 0.149185, 0.063217, 0.744568)
	iccWide  = icc("RGB ", 0.797668, 0.288040, 0, 0.135193, 0.711868, 0, 0.031342, 0.000092, 0.824905) // ProPhoto
	iccPrint = icc("CMYK")
)

func small(w, h int) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for i := range m.Pix {
		m.Pix[i] = byte(i * 7)
		if i%4 == 3 {
			m.Pix[i] = 255
		}
	}
	return m
}

// segment is a segment of a JPEG.
func segment(kind byte, body []byte) []byte {
	return append(big.AppendUint16([]byte{0xFF, kind}, uint16(len(body)+2)), body...)
}

// jpegOf encodes a picture with further segments in front.
func jpegOf(tb testing.TB, m image.Image, segments ...[]byte) []byte {
	tb.Helper()
	var out bytes.Buffer
	require.NoError(tb, jpeg.Encode(&out, m, nil))
	return append(append([]byte{0xFF, 0xD8}, bytes.Join(segments, nil)...), out.Bytes()[2:]...)
}

// iccSegments puts a profile into segments of so many bytes.
func iccSegments(profile []byte, size int) (segments [][]byte) {
	count := (len(profile) + size - 1) / size
	for i := range count {
		head := append([]byte(markerICC), byte(i+1), byte(count))
		segments = append(segments, segment(0xE2, append(head, profile[i*size:min(len(profile), (i+1)*size)]...)))
	}
	return segments
}

// tag is an entry of a TIFF's directory. Values that take more than four bytes lie behind the directory.
type tag struct {
	id, kind uint16
	count    uint32
	value    uint32
	data     []byte
}

func short(id uint16, value uint32) tag { return tag{id: id, kind: 3, count: 1, value: value} }
func long(id uint16, value uint32) tag  { return tag{id: id, kind: 4, count: 1, value: value} }
func ascii(id uint16, value string) tag {
	return tag{id: id, kind: 2, count: uint32(len(value)), data: []byte(value)}
}

func unknown(id uint16, value []byte) tag {
	return tag{id: id, kind: 7, count: uint32(len(value)), data: value}
}

// directory encodes tags, for a place in a file.
func directory(order binary.AppendByteOrder, at int, tags ...tag) []byte {
	out := order.AppendUint16(nil, uint16(len(tags)))
	var behind []byte
	for _, t := range tags {
		out = order.AppendUint32(order.AppendUint16(order.AppendUint16(out, t.id), t.kind), t.count)
		switch {
		case len(t.data) > 4:
			out = order.AppendUint32(out, uint32(at+2+12*len(tags)+4+len(behind)))
			behind = append(behind, t.data...)
		case t.data != nil:
			out = append(out, append(t.data, 0, 0, 0, 0)[:4]...)
		case t.kind == 3:
			out = order.AppendUint16(order.AppendUint16(out, uint16(t.value)), 0)
		default:
			out = order.AppendUint32(out, t.value)
		}
	}
	return append(order.AppendUint32(out, 0), behind...)
}

// tiffOf makes a TIFF whose directory is at a place.
func tiffOf(order binary.AppendByteOrder, at int, tags ...tag) []byte {
	mark := "II"
	if order == binary.AppendByteOrder(big) {
		mark = "MM"
	}
	head := order.AppendUint32(order.AppendUint16([]byte(mark), 42), uint32(at))
	return append(append(head, make([]byte, at-8)...), directory(order, at, tags...)...)
}

// exifOf makes an EXIF block with an orientation; interop is the camera's mark.
func exifOf(orientation uint32, interop string) []byte {
	tags := []tag{short(274, orientation)}
	if interop != "" {
		tags = append(tags, long(0x8769, 200))
	}
	block := tiffOf(big, 8, tags...)
	block = append(block, make([]byte, 400-len(block))...)
	copy(block[200:], directory(big, 200, long(0xA005, 300)))
	copy(block[300:], directory(big, 300, ascii(1, interop+"\x00")))
	return block
}

func exifSegment(block []byte) []byte { return segment(0xE1, append([]byte("Exif\x00\x00"), block...)) }

// chunk is a chunk of a PNG.
func chunk(kind string, body []byte) []byte {
	data := append(big.AppendUint32(nil, uint32(len(body))), kind...)
	data = append(data, body...)
	return big.AppendUint32(data, crc32.ChecksumIEEE(data[4:]))
}

// pngOf encodes a picture with further chunks between its header and its pixels.
func pngOf(tb testing.TB, m image.Image, chunks ...[]byte) []byte {
	tb.Helper()
	var out bytes.Buffer
	require.NoError(tb, png.Encode(&out, m))
	const head = 8 + 25
	return append(append(bytes.Clone(out.Bytes()[:head]), bytes.Join(chunks, nil)...), out.Bytes()[head:]...)
}

func packed(tb testing.TB, data []byte) []byte {
	tb.Helper()
	var out bytes.Buffer
	z := zlib.NewWriter(&out)
	_, err := z.Write(data)
	require.NoError(tb, err)
	require.NoError(tb, z.Close())
	return out.Bytes()
}

func iccp(tb testing.TB, profile []byte) []byte {
	tb.Helper()
	return chunk("iCCP", append([]byte("my profile\x00\x00"), packed(tb, profile)...))
}

// onePixel is the chunk of a lossless WebP of one pixel.
const onePixel = "VP8L\x0d\x00\x00\x00\x2f\x00\x00\x00\x10\x07\x10\x11\x11\x88\x88\x08\x00\x00"

func riff(kind string, body []byte) []byte {
	data := append(little.AppendUint32([]byte(kind), uint32(len(body))), body...)
	return append(data, make([]byte, len(body)%2)...)
}

// webpOf makes a WebP; vp8x is the header of one with more than pixels.
func webpOf(chunks ...[]byte) []byte {
	body := append([]byte("WEBP"), bytes.Join(chunks, nil)...)
	return riff("RIFF", body)
}

func vp8x(flags byte, w, h int) []byte {
	return riff("VP8X", []byte{flags, 0, 0, 0, byte(w - 1), byte((w - 1) >> 8), 0, byte(h - 1), byte((h - 1) >> 8), 0})
}

func box(kind string, bodies ...[]byte) []byte {
	body := bytes.Join(bodies, nil)
	return append(append(big.AppendUint32(nil, uint32(len(body)+8)), kind...), body...)
}

// heifOf makes the head of a HEIC or AVIF; quarters is how often it is turned.
func heifOf(brand string, w, h uint32, quarters byte, more ...[]byte) []byte {
	ispe := box("ispe", make([]byte, 4), big.AppendUint32(big.AppendUint32(nil, w), h))
	thumb := box("ispe", make([]byte, 4), big.AppendUint32(big.AppendUint32(nil, 32), 32))
	ipma := box("ipma", make([]byte, 4), []byte{0, 0, 0, 1, 0, 7, 2, 2, 3})
	return append(box("ftyp", []byte(brand), make([]byte, 4), []byte("mif1")), box("meta", make([]byte, 4),
		box("hdlr", make([]byte, 24)), box("pitm", make([]byte, 4), []byte{0, 7}),
		box("iprp", box("ipco", thumb, ispe, box("irot", []byte{quarters})), ipma), bytes.Join(more, nil))...)
}

// heicWithEXIF is the head of a HEIC that lies on its side by its EXIF, which does not count.
func heicWithEXIF() []byte {
	infe := box("infe", []byte{2, 0, 0, 0, 0, 9, 0, 0}, []byte("Exif"))
	extent := big.AppendUint32(big.AppendUint32([]byte{0x44, 0, 0, 1, 0, 9, 0, 0, 0, 1}, 400), 200)
	data := heifOf("heic", 6000, 4000, 0, box("iinf", make([]byte, 4), []byte{0, 1}, infe), box("iloc", make([]byte, 4), extent))
	data = append(data, make([]byte, 400-len(data))...)
	return append(append(data, 0, 0, 0, 0), exifOf(6, "")...)
}

func gifOf(tb testing.TB, w, h int) []byte {
	tb.Helper()
	var out bytes.Buffer
	m := image.NewPaletted(image.Rect(0, 0, w, h), color.Palette{color.White, color.Black})
	require.NoError(tb, gif.Encode(&out, m, nil))
	return out.Bytes()
}

// encodedTIFF is a TIFF as an encoder writes it: the directory comes last.
func encodedTIFF(tb testing.TB, m image.Image) []byte {
	tb.Helper()
	var out bytes.Buffer
	require.NoError(tb, tiff.Encode(&out, m, nil))
	return out.Bytes()
}
