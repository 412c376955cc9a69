package files

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
)

// costOf returns how many bytes it takes at most to decode a picture.
func costOf(data []byte, format string, c image.Config) int64 {
	pixels := int64(c.Width) * int64(c.Height) // each is below 2³¹
	if pixels > maxDecoded {
		return pixels // too large already; the products below cannot overflow
	}
	switch format {
	case "jpeg":
		return costOfJPEG(data, pixels)
	case "png":
		return pixels * bytesOf(c.ColorModel) * interlaced(data)
	case "gif":
		return 2 * pixels
	case "webp":
		return pixels * lossless(c.ColorModel)
	}
	return pixels * (8 + bytesOf(c.ColorModel)) // TIFF also holds one strip, which may be the whole picture
}

// bytesOf returns the bytes of a pixel.
func bytesOf(m color.Model) int64 {
	switch m {
	case color.GrayModel:
		return 1
	case color.Gray16Model:
		return 2
	case color.RGBA64Model, color.NRGBA64Model:
		return 8
	}
	if _, paletted := m.(color.Palette); paletted {
		return 1
	}
	return 4
}

// interlaced returns 2 for a PNG whose passes are decoded separately and then merged, else 1.
func interlaced(data []byte) int64 {
	const method = 8 + 8 + 12 // the offset in IHDR, after the signature and the chunk's head
	if len(data) > method && data[method] != 0 {
		return 2
	}
	return 1
}

// lossless returns the bytes of a WebP pixel. Lossless and transparent pictures are decoded in several steps.
func lossless(m color.Model) int64 {
	if m == color.YCbCrModel {
		return 2
	}
	return 8
}

// Segments of a JPEG (ITU T.81, table B.1).
const (
	jpegSOF0, jpegSOF1, jpegSOF2 = 0xc0, 0xc1, 0xc2
	jpegSOS, jpegAPP14           = 0xda, 0xee
)

// costOfJPEG finds the frame header. A progressive picture takes four more bytes for each sample until the last
// scan. RGB and CMYK take four more bytes for each pixel.
func costOfJPEG(data []byte, pixels int64) int64 {
	rgb := false
	for rest := data[min(2, len(data)):]; ; {
		at := bytes.IndexByte(rest, 0xff)
		if at < 0 || len(rest) < at+4 {
			return pixels * 24 // no readable header: the most that any JPEG takes
		}
		if kind := rest[at+1]; kind == 0xff || kind == 0 || kind == 1 || kind >= 0xd0 && kind <= 0xd7 {
			rest = rest[at+1:]
			continue
		}
		kind, size := rest[at+1], int(binary.BigEndian.Uint16(rest[at+2:]))
		segment := rest[at+4 : min(len(rest), max(at+4, at+2+size))]
		switch kind {
		case jpegAPP14:
			rgb = rgb || len(segment) > 11 && bytes.HasPrefix(segment, []byte("Adobe")) && segment[11] == 0
		case jpegSOF0, jpegSOF1, jpegSOF2:
			return costOfFrame(segment, pixels, kind == jpegSOF2, rgb)
		case jpegSOS:
			return pixels * 24
		}
		rest = rest[at+4+len(segment):]
	}
}

// costOfFrame counts the samples of the components.
func costOfFrame(head []byte, pixels int64, progressive, rgb bool) int64 {
	const first = 6 // precision, height, width, number of components
	if len(head) < first {
		return pixels * 24
	}
	components := int(head[first-1])
	if components == 0 || len(head) < first+3*components {
		return pixels * 24
	}
	var ids []byte
	var samples, mostH, mostV int64
	for i := range components {
		one := head[first+3*i:]
		h, v := int64(one[1]>>4), int64(one[1]&15)
		ids = append(ids, one[0])
		samples, mostH, mostV = samples+h*v, max(mostH, h), max(mostV, v)
	}
	if components == 1 { // with one component, its sampling factors do not matter
		samples, mostH, mostV = 1, 1, 1
	}
	cost := pixels * samples / max(1, mostH*mostV)
	if progressive {
		cost *= 5
	}
	if components == 4 || rgb || bytes.Equal(ids, []byte("RGB")) {
		cost += 4 * pixels
	}
	return cost
}
