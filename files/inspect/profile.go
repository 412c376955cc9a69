package inspect

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"io"
)

const (
	maxSteps   = 512       // segments or chunks that are passed in a picture
	maxProfile = 128 << 10 // bytes of a profile that are read; what tells it apart comes early
)

// profileOf returns the colour profile of a picture.
func profileOf(r *remote, format string, h header) Profile {
	var found Profile
	switch format {
	case "image/jpeg":
		found = jpegProfile(r)
	case "image/png":
		found = pngProfile(r)
	case "image/webp":
		found = webpProfile(r)
	case "image/gif":
		found = NoProfile
	case "image/tiff":
		found = tiffProfile(h)
	}
	if found == NoProfile && h.adobe {
		return AdobeRGB
	}
	return found
}

func tiffProfile(h header) Profile {
	switch {
	case h.width == 0: // it was not read
		return ""
	case len(h.icc) > 0:
		return classify(h.icc)
	case h.cmyk:
		return CMYK
	}
	return NoProfile
}

// markerICC begins a JPEG's segment with a part of its profile (ICC.1:2022, annex B.4).
const markerICC = "ICC_PROFILE\x00"

// jpegProfile reads the segments before the pixels. A profile may be in several of them, in any order.
func jpegProfile(r *remote) Profile {
	parts, components := map[byte][]byte{}, byte(0)
	offset := int64(2)
	for range maxSteps {
		mark, ok := r.bytes(offset, 4)
		if !ok || mark[0] != 0xFF {
			return ""
		}
		if mark[1] == 0xFF { // a filling byte
			offset++
			continue
		}
		length := int(binary.BigEndian.Uint16(mark[2:]))
		body := offset + 4
		switch kind := mark[1]; {
		case kind == 0xDA, kind == 0xD9: // the pixels, or the end
			return jpegVerdict(parts, components)
		case kind == 0xE2 && length > 2+len(markerICC)+2:
			if data, ok := r.bytes(body, length-2); ok && string(data[:len(markerICC)]) == markerICC {
				parts[data[len(markerICC)]] = data[len(markerICC)+2:]
			}
		case kind >= 0xC0 && kind <= 0xCF && kind != 0xC4 && kind != 0xC8 && kind != 0xCC: // the frame
			if frame, ok := r.bytes(body, 6); ok {
				components = frame[5]
			}
		}
		offset = body - 2 + int64(max(2, length))
	}
	return ""
}

func jpegVerdict(parts map[byte][]byte, components byte) Profile {
	var profile []byte
	for number := 1; number < 256 && len(profile) < maxProfile; number++ {
		profile = append(profile, parts[byte(number)]...)
	}
	switch {
	case len(profile) > 0:
		return classify(profile)
	case components == 4:
		return CMYK
	}
	return NoProfile
}

// pngProfile reads the chunks before the pixels (W3C PNG, section 11.3).
func pngProfile(r *remote) Profile {
	found := NoProfile
	offset := int64(8)
	for range maxSteps {
		head, ok := r.bytes(offset, 8)
		if !ok {
			return ""
		}
		length := int64(binary.BigEndian.Uint32(head))
		switch string(head[4:]) {
		case "IDAT", "IEND":
			return found
		case "sRGB":
			found = SRGB
		case "cICP":
			if code, ok := r.bytes(offset+8, 2); ok {
				return codedProfile(code[0], code[1])
			}
		case "iCCP":
			data, _ := r.bytes(offset+8, int(min(length, maxProfile)))
			found = classify(inflated(data))
		}
		offset += 12 + length
	}
	return ""
}

// codedProfile tells a profile by its code points (ITU-T H.273): primaries and transfer.
func codedProfile(primaries, transfer byte) Profile {
	switch {
	case transfer == 13 && primaries == 1:
		return SRGB
	case transfer == 13 && primaries == 12:
		return DisplayP3
	}
	return OtherProfile
}

// inflated returns the profile in a PNG's chunk: its name, 0, 0, and the profile, compressed.
func inflated(chunk []byte) []byte {
	_, packed, found := bytes.Cut(chunk, []byte{0})
	if !found || len(packed) < 1 || packed[0] != 0 {
		return nil
	}
	unpack, err := zlib.NewReader(bytes.NewReader(packed[1:]))
	if err != nil {
		return nil
	}
	profile, _ := io.ReadAll(io.LimitReader(unpack, maxProfile)) // the beginning suffices
	return profile
}

// webpProfile reads the chunks before the pixels (RFC 9649, section 2.7).
func webpProfile(r *remote) Profile {
	offset := int64(12)
	for range maxSteps {
		head, ok := r.bytes(offset, 8)
		if !ok {
			return ""
		}
		length := int64(binary.LittleEndian.Uint32(head[4:]))
		switch string(head[:4]) {
		case "VP8 ", "VP8L", "ANIM", "ALPH":
			return NoProfile
		case "ICCP":
			data, _ := r.bytes(offset+8, int(min(length, maxProfile)))
			return classify(data)
		}
		offset += 8 + length + length%2
	}
	return ""
}
