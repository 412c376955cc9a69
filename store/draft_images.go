package store

import (
	"cmp"
	"net/url"
	"path"

	"darkroom/order"
)

// DraftImage is one image of an order as it will be sent.
type DraftImage struct {
	Address     string
	Name        string // the file's name, or [ImageName] of the address
	Service     order.ServiceType
	Instruction string // its own; "" = only the order's
}

// Images returns the images of the order as they are sent: the photos first, then
// the addresses.
func (d Draft) Images() []DraftImage {
	images := make([]DraftImage, 0, len(d.Files)+len(d.URLs))
	for _, f := range d.Files {
		images = append(images, d.image(f.URL, f.Name))
	}
	for _, address := range d.URLs {
		images = append(images, d.image(address, ImageName(address)))
	}
	return images
}

// ByService counts the draft's images by service type.
func (d Draft) ByService() map[order.ServiceType]int {
	all := map[order.ServiceType]int{}
	for _, image := range d.Images() {
		all[image.Service]++
	}
	return all
}

// Brief returns what the draft's order asks for.
func (d Draft) Brief() *order.Brief {
	b := &order.Brief{By: d.User, Instructions: d.Instructions, Service: d.Service, CustomerID: d.CustomerID, Preset: d.presetName()}
	if d.Allowed.Covers(d) {
		b.AllowedBy, b.AllowedAt = d.Allowed.By, d.Allowed.At
	}
	for i, image := range d.Images() {
		s := order.Source{Name: image.Name, URL: image.Address, Service: image.Service, Instruction: image.Instruction}
		if i < len(d.Files) {
			s.URL, s.File = "", d.Files[i].ID
		}
		if s.Service == d.Service {
			s.Service = ""
		}
		b.Sources = append(b.Sources, s)
	}
	return b
}

func (d Draft) image(address, name string) DraftImage {
	own := d.Each[address]
	return DraftImage{Address: address, Name: name, Service: cmp.Or(own.Service, d.Service), Instruction: own.Instruction}
}

// ImageName returns a name for the image at an address: the last part of its path, else its host.
func ImageName(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	if name := path.Base(u.Path); name != "." && name != "/" {
		return name
	}
	return cmp.Or(u.Host, address)
}
