package kit

// Map is what becomes of every one of a list, nil of none; place is where it stands, from 0.
func Map[E, T any](list []E, becomes func(place int, one E) T) []T {
	var all []T
	for i, one := range list {
		all = append(all, becomes(i, one))
	}
	return all
}
