package photos

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/shopspring/decimal"
)

// maxCustomerID is the longest customer id, in characters.
const maxCustomerID = 20

// form is what a client asks for when it creates an order.
type form struct {
	project, customer string

	instructions []string
	pictures     []Picture
}

// create takes an order, or says everything that is wrong with it at once.
func (s *Service) create(c *call) answer {
	f, problems := readForm(c.params, s.named(c.params))
	if len(problems) > 0 {
		return refusal(problems...)
	}
	fetched, problems := s.fetchAll(f.pictures)
	defer s.change()()
	price := priceOf(f.pictures)
	if missing := price.Sub(s.credits); missing.IsPositive() {
		problems = slices.Insert(problems, 0, fmt.Sprintf("insufficient balance: %s credits", missing))
	}
	if len(problems) > 0 {
		return refusal(problems...)
	}
	s.credits = s.credits.Sub(price)
	o := s.open(f, price, fetched)
	v := o.priced()
	v.EstimatedDelivery = timestamp(o.estimatedAt)
	return success(v)
}

func readForm(p params, project string) (form, []string) {
	f := form{project: strings.TrimSpace(project), customer: p.text("customer_id")}
	var problems []string
	note := func(err error) {
		if err != nil {
			problems = append(problems, err.Error())
		}
	}
	var err error
	f.instructions, err = p.words("instructions")
	note(err)
	if err == nil && len(f.instructions) == 0 {
		note(errors.New("instructions is required"))
	}
	if utf8.RuneCountInString(f.customer) > maxCustomerID {
		note(fmt.Errorf("customer_id is too long (maximum is %d characters)", maxCustomerID))
	}
	f.pictures, err = readPictures(p["images"])
	note(err)
	return f, problems
}

// readPictures reads [[url, service type, instruction], …].
func readPictures(value any) ([]Picture, error) {
	entries, _ := value.([]any)
	if len(entries) == 0 {
		return nil, errors.New("images is required")
	}
	pictures := make([]Picture, 0, len(entries))
	for _, entry := range entries {
		words, err := stringsOf("each image", entry)
		if err != nil {
			return nil, err
		}
		if len(words) == 0 || len(words) > 3 || words[0] == "" {
			return nil, errors.New("each image must be [url, service type, instruction]")
		}
		words = append(words, "", "")
		pictures = append(pictures, Picture{URL: words[0], Service: words[1], Instruction: words[2]})
	}
	if !slices.ContainsFunc(pictures, Picture.edited) {
		return nil, errors.New("images must hold at least one image to edit")
	}
	return pictures, nil
}

// edited reports whether the picture is to be edited; any other is a reference.
func (p Picture) edited() bool {
	return p.Service == "basic" || p.Service == "extensive"
}

// priceOf is what the pictures cost; references are free.
func priceOf(pictures []Picture) decimal.Decimal {
	sum := int64(0)
	for _, p := range pictures {
		if p.edited() {
			sum += price
		}
	}
	return decimal.NewFromInt(sum)
}

// open puts a paid order on the books; the mutex is held.
func (s *Service) open(f form, price decimal.Decimal, fetched []fetchedImage) *order {
	now := s.opts.Now()
	o := &order{
		id:           s.newID(8, func(id string) bool { return s.byID[id] != nil }),
		project:      s.kept(f.project),
		asked:        f.project,
		customer:     f.customer,
		price:        price,
		status:       editing,
		orderedAt:    now,
		estimatedAt:  now.Add(s.opts.Turnaround),
		instructions: f.instructions,
	}
	if o.project == "" {
		o.project = s.projectName()
	}
	o.words = o.searchable()
	for i, p := range f.pictures {
		o.take(p, fetched[i])
	}
	s.orders = append(s.orders, o)
	s.byID[o.id] = o
	s.did(o, DeedPlaced, "")
	s.schedule(o)
	return o
}

// refer files a picture under those that are only looked at.
func (o *order) refer(p Picture, image fetchedImage) {
	o.references = append(o.references, Reference{URL: p.URL, Instruction: p.Instruction})
	o.looks = append(o.looks, image)
}

// take files a picture under those to edit or under the references.
func (o *order) take(p Picture, image fetchedImage) {
	if !p.edited() {
		o.refer(p, image)
		return
	}
	o.wanted = append(o.wanted, len(o.sources))
	o.sources = append(o.sources, source{
		Picture: p,
		name:    o.uniqueName(fileName(p.URL, image.kind)),
		kind:    image.kind,
		content: image.content,
	})
}
