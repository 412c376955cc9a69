-- Nothing is written to an order that has changed since it was read.
if redis.call('HGET', order, 'version') ~= a.version then return 0 end
