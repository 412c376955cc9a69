package files

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
)

// costOf is how many bytes it takes at most to decode a picture of that size.
func costOf(data []byte, format string, c image.Config) int64 {
	pixels := int64(c.Width) * int64(c.Height) // each is below 2³¹
	if pixels > MaxDecoded {
		return pixels // enough to know, and nothing below overflows
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
	return pixels * (8 + bytesOf(c.ColorModel)) // TIFF holds one of its strips beside them, which may be all
}

// bytesOf is what a pixel takes.
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

// interlaced is 2 for a PNG whose passes are decoded each for itself, and then put together.
func interlaced(data []byte) int64 {
	const method = 8 + 8 + 12 // behind the signature, the chunk's head, and what IHDR says before
	if len(data) > method && data[method] != 0 {
		return 2
	}
	return 1
}

// lossless WebP is decoded in more than one step, as is what is transparent in a lossy one.
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

// costOfJPEG looks for the head of the frame: a progressive one keeps four bytes for each sample until the
// last scan, and colours that are not stored side by side take as much again.
func costOfJPEG(data []byte, pixels int64) int64 {
	turned := false // RGB
	for rest := data[min(2, len(data)):]; ; {
		at := bytes.IndexByte(rest, 0xff)
		if at < 0 || len(rest) < at+4 {
			return pixels * 24 // no head that we can read: the most that any takes
		}
		if kind := rest[at+1]; kind == 0xff || kind == 0 || kind == 1 || kind >= 0xd0 && kind <= 0xd7 {
			rest = rest[at+1:]
			continue
		}
		kind, size := rest[at+1], int(binary.BigEndian.Uint16(rest[at+2:]))
		segment := rest[at+4 : min(len(rest), max(at+4, at+2+size))]
		switch kind {
		case jpegAPP14:
			turned = turned || len(segment) > 11 && bytes.HasPrefix(segment, []byte("Adobe")) && segment[11] == 0
		case jpegSOF0, jpegSOF1, jpegSOF2:
			return costOfFrame(segment, pixels, kind == jpegSOF2, turned)
		case jpegSOS:
			return pixels * 24
		}
		rest = rest[at+4+len(segment):]
	}
}

// costOfFrame knows how many samples the components have.
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
	if components == 1 { // its own sampling says nothing
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
