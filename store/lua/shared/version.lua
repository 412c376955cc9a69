-- The script does not run if the order has changed since it was read.
if redis.call('HGET', order, 'version') ~= a.version then return 0 end
