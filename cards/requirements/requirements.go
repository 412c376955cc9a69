// Package requirements asks what delivered photos must be, for a channel's settings and for a preset.
package requirements

import (
	"slices"
	"strconv"
	"strings"

	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/order"

	"github.com/slack-go/slack"
)

// question is one question about delivered photos.
type question struct {
	field, label, hint string
	required           bool                                                                // the form has no empty answer
	input              func(field string, now order.Requirements) slack.BlockElement       // filled in from now
	read               func(a slack.BlockAction, now *order.Requirements) (problem string) // applies the answer
}

// Ask adds the inputs of all questions, filled in from now.
func Ask(p *kit.Page, now order.Requirements) {
	for _, q := range questions {
		p.Put(kit.Field(kit.BlockID(q.field, 0, 0), q.label, q.hint, q.input(q.field, now)).WithOptional(!q.required))
	}
}

// Read applies the answers and returns problems by block id; nil: none. It keeps values that the form did not ask for.
func Read(view slack.View, now *order.Requirements) map[string]string {
	problems := map[string]string{}
	for _, q := range questions {
		for _, answer := range kit.AnswersOf(view, q.field) {
			if problem := q.read(answer.BlockAction, now); problem != "" {
				problems[answer.Block] = problem
			}
		}
	}
	return kit.Either(len(problems) > 0, problems, nil)
}

const (
	maxTyped  = 30    // characters of a size or ratio
	anything  = "any" // the value of the option that requires nothing
	sameNames = "names"
)

// questions are asked in this order.
var questions = []question{
	{
		field: "photo-size", label: "Size in pixels", hint: "2000 is the least long edge. 2000 × 1500 is exact.",
		input: typed(order.Requirements.Size),
		read:  parsed(order.Requirements.WithSize, "Type 2000 for the long edge, or 2000 × 1500 for an exact size."),
	},
	{
		field: "photo-ratio", label: "Aspect ratio", hint: "3:2 holds for upright photos, too.",
		input: typed(order.Requirements.Ratio), read: parsed(order.Requirements.WithRatio, "Type two numbers, as 3:2."),
	},
	{field: "photo-formats", label: "File formats", input: formats, read: readFormats},
	{field: "photo-profile", label: "Color profile", required: true, input: profiles, read: readProfile},
	{field: "photo-megabytes", label: "Largest file in MB", input: typed(megabytes), read: readMegabytes},
	{field: "photo-also", label: "Also", input: others, read: readOthers},
}

// typed is a line of text.
func typed(value func(order.Requirements) string) func(string, order.Requirements) slack.BlockElement {
	return func(field string, now order.Requirements) slack.BlockElement {
		return kit.Input(field, value(now), maxTyped)
	}
}

// parsed applies typed text, or returns the problem.
func parsed(with func(order.Requirements, string) (order.Requirements, error), problem string) func(slack.BlockAction, *order.Requirements) string {
	return func(a slack.BlockAction, now *order.Requirements) string {
		changed, err := with(*now, a.Value)
		if err != nil {
			return problem
		}
		*now = changed
		return ""
	}
}

func megabytes(r order.Requirements) string { return kit.OnlyIf(r.MaxMB > 0, strconv.Itoa(r.MaxMB)) }

func readMegabytes(a slack.BlockAction, now *order.Requirements) string {
	typed := strings.TrimSpace(a.Value)
	if typed == "" {
		now.MaxMB = 0
		return ""
	}
	n, err := strconv.Atoi(typed)
	if err != nil || n < 1 || n > order.MaxFileMB {
		return "Type a whole number from 1 to 10,000."
	}
	now.MaxMB = n
	return ""
}

func formats(field string, now order.Requirements) slack.BlockElement {
	return kit.Checkboxes(field, kit.Map(order.Formats(), func(_ int, format string) *slack.OptionBlockObject {
		return kit.Option(format, cards.FormatName(format), "")
	}), now.Formats...)
}

func readFormats(a slack.BlockAction, now *order.Requirements) string {
	chosen := kit.ChosenIn(a)
	now.Formats = nil
	for _, format := range order.Formats() {
		if slices.Contains(chosen, format) {
			now.Formats = append(now.Formats, format)
		}
	}
	return ""
}

func profiles(field string, now order.Requirements) slack.BlockElement {
	options := []*slack.OptionBlockObject{kit.Option(anything, "Any", "")}
	for _, profile := range order.Profiles() {
		name := cards.ProfileName(profile)
		options = append(options, kit.Option(profile, kit.Either(profile == order.ProfileSRGB, "Standard ("+name+")", name), ""))
	}
	return kit.Menu(field, now.Profile, options)
}

func readProfile(a slack.BlockAction, now *order.Requirements) string {
	switch chosen := a.SelectedOption.Value; {
	case chosen == anything:
		now.Profile = ""
	case slices.Contains(order.Profiles(), chosen):
		now.Profile = chosen
	}
	return ""
}

func others(field string, now order.Requirements) slack.BlockElement {
	return kit.Checkboxes(field, []*slack.OptionBlockObject{
		kit.Option(string(order.BackgroundWhite), "Plain white background", ""),
		kit.Option(string(order.BackgroundTransparent), "Transparent background", ""),
		kit.Option(sameNames, "File names stay the same", ""),
	}, string(now.Backdrop), kit.OnlyIf(now.Names, sameNames))
}

func readOthers(a slack.BlockAction, now *order.Requirements) string {
	chosen := kit.ChosenIn(a)
	now.Names, now.Backdrop = slices.Contains(chosen, sameNames), ""
	for _, background := range []order.Background{order.BackgroundWhite, order.BackgroundTransparent} {
		switch {
		case !slices.Contains(chosen, string(background)):
		case now.Backdrop != "":
			return "A background is white or transparent. Choose one."
		default:
			now.Backdrop = background
		}
	}
	return ""
}

// Says says what delivered photos must be, or "" if that is nothing.
func Says(r order.Requirements) string {
	edge := kit.OnlyIf(r.LongEdge > 0, "long edge "+kit.Thousands(r.LongEdge)+" px or more")
	exact := kit.OnlyIf(r.Width > 0, r.Size()+" px")
	backdrop := kit.OnlyIf(r.Backdrop != "", cards.BackgroundName(r.Backdrop)+" background")
	profile := kit.OnlyIf(r.Profile != "", cards.ProfileName(r.Profile))
	return kit.Prefixed("Photos: ", kit.FullStop(kit.Join(", ", edge, exact, r.Ratio(), cards.FormatNames(r.Formats), profile,
		kit.OnlyIf(r.MaxMB > 0, "at most "+megabytes(r)+" MB"), backdrop, kit.OnlyIf(r.Names, "same file names"))))
}
