package inspect

import (
	"encoding/binary"
	"math"
)

// primary is the colour of one of a profile's three lights, as XYZ under D50.
type primary [3]float64

// primaries maps the profiles that are told apart to their red, green and blue, in that order. Every maker gives them other
// names, but these colours.
var primaries = map[Profile][3]primary{
	SRGB:      {{0.4361, 0.2225, 0.0139}, {0.3851, 0.7169, 0.0971}, {0.1431, 0.0606, 0.7141}},
	DisplayP3: {{0.5151, 0.2412, -0.0011}, {0.2919, 0.6922, 0.0419}, {0.1572, 0.0666, 0.7841}},
	AdobeRGB:  {{0.6097, 0.3111, 0.0195}, {0.2053, 0.6257, 0.0609}, {0.1492, 0.0632, 0.7446}},
}

const (
	iccHeader = 128   // bytes before the table of tags (ICC.1:2022, section 7.2)
	maxICC    = 100   // tags that are read
	near      = 0.002 // by which makers round
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
	var found [3]primary
	for i, tag := range []string{"rXYZ", "gXYZ", "bXYZ"} {
		colour, ok := tagXYZ(profile, tag)
		if !ok {
			return "" // a profile by tables: it may be any
		}
		found[i] = colour
	}
	for name, known := range primaries {
		if isNear(found, known) {
			return name
		}
	}
	return OtherProfile
}

// tagXYZ returns the colour in a tag of a profile.
func tagXYZ(profile []byte, tag string) (colour primary, ok bool) {
	count := min(maxICC, binary.BigEndian.Uint32(profile[iccHeader:]))
	for i := range int(count) {
		at := iccHeader + 4 + 12*i
		if at+12 > len(profile) {
			return colour, false
		}
		if string(profile[at:at+4]) != tag {
			continue
		}
		offset := int64(binary.BigEndian.Uint32(profile[at+4:]))
		if offset+20 > int64(len(profile)) {
			return colour, false
		}
		value := profile[offset:]
		for j := range colour {
			colour[j] = float64(int32(binary.BigEndian.Uint32(value[8+4*j:]))) / 65536 //nolint:gosec // s15Fixed16Number is signed
		}
		return colour, string(value[:4]) == "XYZ "
	}
	return colour, false
}

func isNear(a, b [3]primary) bool {
	for i := range a {
		for j := range a[i] {
			if math.Abs(a[i][j]-b[i][j]) > near {
				return false
			}
		}
	}
	return true
}
