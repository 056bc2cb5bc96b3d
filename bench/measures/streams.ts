import { setTimeout as delay } from 'node:timers/promises'
import type { LoadVendor } from '../client/journal.ts'
import { OpenStreams } from '../client/load.ts'
import type { Shape } from '../client/request-bytes.ts'
import type { Measure } from '../report/figures.ts'
import type { RunningSubject } from '../subjects/subject.ts'

/** Wait until all streams have passed their first events. */
const leadMs = 700
/**
 * Wait after the forced collection until one-time work is over: two to three seconds after its request, the
 * gateway takes the connection of a lasting stream over from `node:http`, and V8 marks the whole heap once or
 * twice more within two seconds of a forced collection, since it sets the heap's next limit tightly.
 */
const lastingMs = 2_500
const goneMs = 500

/** CPU time per event of one kind. */
export interface EventMeasure {
  measure: Measure
  shape: Shape
  /**
   * Names of the subjects to measure; absent: all. The bare proxy relays the vendor's bytes, so it is left
   * out if the same bytes were measured before.
   */
  of?: readonly string[]
}

/** In the order of measurement. */
export const eventMeasures: readonly EventMeasure[] = [
  { measure: 'eventMicroseconds', shape: 'steady' },
  { measure: 'translatedMicroseconds', shape: 'translated', of: ['bare', 'turnpike', 'one-api', 'litellm'] },
  { measure: 'messagesMicroseconds', shape: 'messages', of: ['turnpike'] },
  { measure: 'googleMicroseconds', shape: 'google', of: ['bare', 'turnpike'] },
  { measure: 'chatToGoogleMicroseconds', shape: 'chat-to-google', of: ['turnpike'] },
  { measure: 'googleToChatMicroseconds', shape: 'google-to-chat', of: ['turnpike'] },
  { measure: 'responsesMicroseconds', shape: 'responses', of: ['bare', 'turnpike'] },
  { measure: 'chatToResponsesMicroseconds', shape: 'chat-to-responses', of: ['turnpike'] },
  { measure: 'responsesToChatMicroseconds', shape: 'responses-to-chat', of: ['turnpike'] },
]

/**
 * CPU time per event, with many open streams of 20 events a second each. Only the time in which all of them
 * are running counts, after a collection of what their requests left behind, so that the cost of requests is
 * excluded.
 */
export async function cpuPerEvent(
  subject: RunningSubject,
  vendor: LoadVendor,
  { durationMs, shape, streams: count }: { durationMs: number; shape: Shape; streams: number },
): Promise<number> {
  const streams = new OpenStreams(subject.target(shape), count)
  try {
    await vendor.streamsOpen(count)
    await delay(leadMs)
    await subject.settle()
    await delay(lastingMs)
    const before = { cpu: subject.use().cpuMicroseconds, events: streams.events }
    await delay(durationMs)
    const used = subject.use().cpuMicroseconds - before.cpu
    if (streams.failures.size > 0)
      throw new Error(`streams ended: ${[...streams.failures.keys()].join(', ')}`)
    return used / (streams.events - before.events)
  } finally {
    streams.close()
    await vendor.streamsOpen(0)
    await delay(goneMs)
  }
}

/**
 * Memory per silent stream: the resident set with many of them minus the one before, both after a forced
 * collection, in a process that has served requests but has never had so many streams.
 */
export async function kilobytesPerSilentStream(
  subject: RunningSubject,
  vendor: LoadVendor,
  count: number,
): Promise<number> {
  await subject.settle()
  const before = subject.use().rssKilobytes
  const streams = new OpenStreams(subject.target('silent'), count)
  try {
    await vendor.streamsOpen(count)
    await delay(leadMs)
    await subject.settle()
    return (subject.use().rssKilobytes - before) / count
  } finally {
    streams.close()
  }
}
