/**
 * `bucket.ts` in Lua, for all counters of a request at once: takes from all or from none. Uses the server's
 * time, so that the nodes' clocks do not matter; if that clock is set back, draining continues from the new
 * time. A counter's value is `<time in ms> <debt in units>`, and its key expires once nothing is owed.
 *
 * ARGV: `take`, or `add` to take even if there is too little; then for each counter its units per
 * millisecond, its capacity, and how much to take, in units. Returns the index of the counter that has too
 * little (0: none), how many milliseconds to wait, and each counter's debt.
 */
export const countScript = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local most = 4e15
local states = redis.call('MGET', unpack(KEYS))
local rates, takes, owed, ahead = {}, {}, {}, {}
local short, wait = 0, 0
for index = 1, #KEYS do
  local rate = tonumber(ARGV[index * 3 - 1])
  local capacity = tonumber(ARGV[index * 3])
  local take = tonumber(ARGV[index * 3 + 1])
  local units = 0
  if states[index] then
    local at, before = string.match(states[index], '^(%d+) (%d+)$')
    if at then
      units = math.max(0, tonumber(before) - rate * math.max(0, now - tonumber(at)))
      ahead[index] = tonumber(at) > now
    end
  end
  rates[index], takes[index], owed[index] = rate, take, units
  local over = units + take - capacity
  if ARGV[1] == 'take' and over > 0 then
    local needed = math.ceil(over / rate)
    if needed * rate < over then needed = needed + 1 end
    if needed > wait then short, wait = index, needed end
  end
end
for index = 1, #KEYS do
  if short == 0 then
    owed[index] = math.min(most, math.max(0, owed[index] + takes[index]))
  end
  if short == 0 or ahead[index] then
    local units = owed[index]
    if units == 0 then
      redis.call('DEL', KEYS[index])
    else
      local value = string.format('%.0f %.0f', now, units)
      redis.call('SET', KEYS[index], value, 'PX', math.ceil(units / rates[index]))
    end
  end
end
return {short, wait, unpack(owed)}
`
