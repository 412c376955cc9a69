package order

// Status is where an order stands. A status the interface does not name is
// kept as the service wrote it.
type Status string

// The statuses that the interface names.
const (
	StatusEditing   Status = "editing"
	StatusRevising  Status = "revising"
	StatusPaused    Status = "paused"
	StatusReviewing Status = "reviewing"
	StatusClosed    Status = "closed"
	StatusCanceled  Status = "canceled"
)

// Final says that an order in this status changes no more.
func (s Status) Final() bool { return s == StatusClosed || s == StatusCanceled }

// Open says that something is still to come from the service: an order in this status neither
// waits for us nor is over.
func (s Status) Open() bool { return !s.Final() && s != StatusReviewing }

// Works says that the editor works on an order in this status.
func (s Status) Works() bool { return s == StatusEditing || s == StatusRevising }

// Listed says that the service has a list of the orders in this status (interface: List).
func (s Status) Listed() bool { return s != StatusCanceled }
