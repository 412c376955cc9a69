package tenants

// Families are what a workspace's keys begin with.
var Families = families
