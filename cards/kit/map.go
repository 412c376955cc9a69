package kit

// CountFunc returns how many elements fit.
func CountFunc[E any](list []E, fits func(E) bool) (n int) {
	for _, one := range list {
		if fits(one) {
			n++
		}
	}
	return n
}

// Map applies becomes to each element and its index. It returns nil for an empty list.
func Map[E, T any](list []E, becomes func(place int, one E) T) []T {
	var all []T
	for i, one := range list {
		all = append(all, becomes(i, one))
	}
	return all
}
