import type { ScriptStep } from '../vendor/script.ts'
import type { StreamEvent } from './chunks.ts'
import { errorBody, SandboxError } from './error.ts'
import type { Knobs } from './knobs.ts'
import type { Pace } from './pace.ts'

const notJson = '{"id":"chatcmpl-sandbox","choices":[{"del'
const eventsBeforeMalformed = 2

/** The steps of a stream, with the failures that the knobs request. */
export function streamSteps(all: StreamEvent[], knobs: Knobs, pace: Pace): ScriptStep[] {
  let events = all.filter((event) => {
    if (knobs.no_finish === true) return !['finish', 'usage', 'done'].includes(event.kind)
    return knobs.no_done !== true || event.kind !== 'done'
  })
  if (knobs.malformed === true)
    events = events.toSpliced(eventsBeforeMalformed, 0, { kind: 'broken', data: notJson, tokens: 0 })
  const limit = Math.min(knobs.cut ?? Infinity, knobs.stall ?? Infinity, knobs.error_after ?? Infinity)
  const steps: ScriptStep[] = [{ type: 'head' }]
  for (const event of events.slice(0, limit)) {
    const delayMs = event.kind === 'delta' ? pace.nextMs() : 0
    if (delayMs > 0) steps.push({ type: 'delay', delayMs })
    steps.push({ type: 'bytes', bytes: Buffer.from(`data: ${event.data}\n\n`), tokens: event.tokens })
  }
  if (knobs.error_after === limit)
    steps.push({ type: 'bytes', bytes: Buffer.from(`data: ${errorBody(knobError(knobs))}\n\n`), tokens: 0 })
  steps.push(lastStep(knobs))
  return steps
}

/** The steps of a plain answer, with the failures that the knobs request. */
export function plainSteps(body: string, tokens: number, knobs: Knobs): ScriptStep[] {
  const bytes = Buffer.from(body)
  const last = lastStep(knobs)
  const sent = last.type === 'end' && knobs.malformed !== true ? bytes : bytes.subarray(0, bytes.length / 2)
  return [{ type: 'head' }, { type: 'bytes', bytes: sent, tokens: sent === bytes ? tokens : 0 }, last]
}

function lastStep(knobs: Knobs): ScriptStep {
  if (knobs.cut !== undefined) return { type: 'reset' }
  return { type: knobs.stall === undefined ? 'end' : 'hang' }
}

export function knobError(knobs: Knobs): SandboxError {
  const retryAfterSeconds = knobs.retry_after
  return new SandboxError(
    knobs.error ?? 500,
    `The sandbox fails as the prompt asked: error ${knobs.error ?? 500}.`,
    retryAfterSeconds === undefined ? {} : { retryAfterSeconds },
  )
}
