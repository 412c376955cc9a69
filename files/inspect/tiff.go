package inspect

import (
	"encoding/binary"
	"slices"
)

// Tags of a TIFF (TIFF 6.0, section 8, and ICC.1:2022, annex B.3).
const tagSubfile, tagWidth, tagHeight, tagColours, tagTurn, tagICC = 254, 256, 257, 262, 274, 34675

// readTIFF reads the first directory. It follows no pointer but that to the profile, so no directory is read twice. BigTIFF
// and camera raws, whose first directory is of a small copy, are not read.
func readTIFF(r *remote) header {
	head, _ := r.bytes(0, 8)
	var order binary.ByteOrder = binary.LittleEndian
	if head[0] == 'M' {
		order = binary.BigEndian
	}
	at := int64(order.Uint32(head[4:]))
	count, _ := r.bytes(at, 2)
	entries, ok := r.bytes(at+2, 12*min(maxTags, int(order.Uint16(count))))
	if !ok || len(entries) == 0 || order.Uint16(head[2:]) != 42 {
		return header{}
	}
	values, lengths := map[uint16]uint32{}, map[uint16]uint32{}
	for entry := range slices.Chunk(entries, 12) {
		tag, value := order.Uint16(entry), order.Uint32(entry[8:])
		if order.Uint16(entry[2:]) == 3 { // a short
			value = uint32(order.Uint16(entry[8:]))
		}
		values[tag], lengths[tag] = value, order.Uint32(entry[4:])
	}
	if values[tagSubfile]&1 == 1 {
		return header{}
	}
	h := header{width: int(values[tagWidth]), height: int(values[tagHeight]), profile: NoProfile}
	switch {
	case lengths[tagICC] > 0:
		profile, _ := r.bytes(int64(values[tagICC]), int(min(maxProfile, lengths[tagICC])))
		h.profile = classify(profile)
	case values[tagColours] == 5: // separated, for printing
		h.profile = CMYK
	}
	return h.turned(uint16(values[tagTurn]))
}
