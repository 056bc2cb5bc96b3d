import { totalmem } from 'node:os'
import type { Configuration } from '../configuration.ts'
import { defaults } from '../defaults.ts'
import { milliseconds } from './providers.ts'
import type { ConfigurationInput } from '../schema/schema.ts'

/** A body is in memory as bytes, as text and as the parsed value, which is several times its size. */
const partOfMemory = 1 / 8
/** At least so many bodies of the largest allowed size fit. */
const leastBodies = 2

export function resolveOverload(
  input: ConfigurationInput['overload'],
  maxBodyBytes: number,
): Configuration['overload'] {
  const overload = { ...defaults.overload, ...input }
  return {
    maxRequests: overload.max_requests,
    maxBodiesBytes: input?.max_bodies_bytes ?? bodiesBytes(maxBodyBytes),
    maxEventLoopDelayMs: milliseconds(overload.max_event_loop_delay_seconds),
    maxUpstreamConnections: overload.max_upstream_connections,
    maxUpstreamWaiting: overload.max_upstream_waiting,
  }
}

function bodiesBytes(maxBodyBytes: number): number {
  // 0, or more than the machine has, if only the machine limits the process's memory.
  const constrained = process.constrainedMemory()
  const memory = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()
  return Math.max(leastBodies * maxBodyBytes, Math.floor(memory * partOfMemory))
}
