-- The announcer writes only while the order has the generation that it read.
local generation = redis.call('HGET', order, 'generation')
if not generation then return -1 end
if generation ~= a.generation then return 0 end
