package inspect

import (
	"encoding/binary"
	"math"
	"slices"
)

// primaries maps the profiles that are told apart to their red, green and blue, each as XYZ under D50. Every maker gives
// them other names, but these colours.
var primaries = map[Profile][]float64{
	SRGB:      {0.4361, 0.2225, 0.0139, 0.3851, 0.7169, 0.0971, 0.1431, 0.0606, 0.7141},
	DisplayP3: {0.5151, 0.2412, -0.0011, 0.2919, 0.6922, 0.0419, 0.1572, 0.0666, 0.7841},
	AdobeRGB:  {0.6097, 0.3111, 0.0195, 0.2053, 0.6257, 0.0609, 0.1492, 0.0632, 0.7446},
}

const (
	iccHeader  = 128       // bytes before the table of tags (ICC.1:2022, section 7.2)
	maxProfile = 128 << 10 // bytes that are read; what tells a profile apart comes early
	maxICCTags = 100       // tags that are read
	near       = 0.002     // by which makers round
)

// classify tells a colour profile by the beginning of its bytes; "" if it cannot be read. The counts and offsets in it are
// not trusted: the libraries that read profiles make as much memory as these ask for.
func classify(profile []byte) Profile {
	if len(profile) < iccHeader+4 || string(profile[36:40]) != "acsp" {
		return ""
	}
	switch string(profile[16:20]) {
	case "CMYK":
		return CMYK
	case "RGB ":
	default:
		return OtherProfile
	}
	var found []float64
	for _, tag := range []string{"rXYZ", "gXYZ", "bXYZ"} {
		value := tagXYZ(profile, tag)
		if value == nil {
			return "" // a profile by tables: it may be any
		}
		for ; len(value) > 0; value = value[4:] {
			found = append(found, float64(int32(binary.BigEndian.Uint32(value)))/65536)
		}
	}
	for name, known := range primaries {
		if slices.EqualFunc(found, known, func(a, b float64) bool { return math.Abs(a-b) <= near }) {
			return name
		}
	}
	return OtherProfile
}

// tagXYZ returns the three numbers in a tag of a profile, or nil for another tag.
func tagXYZ(profile []byte, tag string) []byte {
	count := min(maxICCTags, int(binary.BigEndian.Uint32(profile[iccHeader:])))
	table := profile[iccHeader+4:]
	for entry := range slices.Chunk(table[:min(len(table), 12*count)], 12) {
		if len(entry) < 12 || string(entry[:4]) != tag {
			continue
		}
		offset := int(binary.BigEndian.Uint32(entry[4:]))
		if offset+20 > len(profile) || string(profile[offset:offset+4]) != "XYZ " {
			return nil
		}
		return profile[offset+8 : offset+20]
	}
	return nil
}
