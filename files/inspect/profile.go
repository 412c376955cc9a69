package inspect

import (
	"bytes"
	"cmp"
	"compress/zlib"
	"encoding/binary"
	"io"
)

// markerICC begins a JPEG's segment with a part of its profile; the part's number follows (ICC.1:2022, annex B.4).
const markerICC = "ICC_PROFILE\x00"

// jpegProfile reads the segments before the pixels. A profile may be in several of them, in any order; two suffice.
func jpegProfile(r *remote) Profile {
	var parts [3][]byte
	components := byte(0)
	offset := int64(2)
	for {
		mark, ok := r.bytes(offset, 4)
		if !ok || mark[0] != 0xFF {
			return ""
		}
		if mark[1] == 0xFF { // a filling byte
			offset++
			continue
		}
		length := int(binary.BigEndian.Uint16(mark[2:]))
		switch kind := mark[1]; {
		case kind == 0xDA, kind == 0xD9: // the pixels, or the end
			if profile := append(parts[1], parts[2]...); len(profile) > 0 {
				return classify(profile)
			}
			if components == 4 {
				return CMYK
			}
			return NoProfile
		case kind == 0xE2:
			const head = len(markerICC) + 2
			name, _ := r.bytes(offset+4, head)
			if number := int(name[head-2]); string(name[:head-2]) == markerICC && number < len(parts) {
				parts[number], _ = r.bytes(offset+4+int64(head), max(0, length-2-head))
			}
		case kind >= 0xC0 && kind <= 0xCF && kind != 0xC4 && kind != 0xC8 && kind != 0xCC: // the frame
			frame, _ := r.bytes(offset+4, 6)
			components = frame[5]
		}
		offset += 2 + int64(length)
	}
}

// pngProfile reads the chunks before the pixels, and returns where it stopped (W3C PNG, sections 4.3 and 11.3). Of several
// profiles, the code points count first, then the embedded profile. It unpacks one.
func pngProfile(r *remote) (found Profile, end int64) {
	found, end = NoProfile, 8
	var coded Profile
	var embedded []byte
	for {
		head, ok := r.bytes(end, 8)
		if !ok {
			return "", end
		}
		length := int64(binary.BigEndian.Uint32(head))
		switch string(head[4:]) {
		case "IDAT", "IEND":
			if embedded != nil {
				found = classify(inflated(embedded))
			}
			return cmp.Or(coded, found), end
		case "cICP":
			code, _ := r.bytes(end+8, 2)
			coded = cmp.Or(codes[[2]byte(code)], OtherProfile)
		case "iCCP":
			embedded, _ = r.bytes(end+8, int(min(length, maxProfile)))
		case "sRGB":
			found = SRGB
		}
		end += 12 + length
	}
}

// codes maps the code points of primaries and transfer to profiles (ITU-T H.273).
var codes = map[[2]byte]Profile{{1, 13}: SRGB, {12, 13}: DisplayP3}

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
	for {
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
}
