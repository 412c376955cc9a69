package order

// ServiceType is how an ordered image is to be treated.
type ServiceType string

// The service types. A reference image is only looked at, not edited.
const (
	ServiceBasic     ServiceType = "basic"
	ServiceExtensive ServiceType = "extensive"
	ServiceReference ServiceType = "reference" // sent as ""
)
