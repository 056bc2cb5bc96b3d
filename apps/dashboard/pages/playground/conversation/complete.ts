import { askAsUser } from '../../../api/access.ts'
import { ApiFailure } from '../../../api/api-failure.ts'
import type { Schemas } from '../../../api/client.ts'
import { chatBody } from '../code/bodies/chat.ts'
import type { CodeRequest } from '../code/code-request.ts'
import { newStep, type Step, type StepFacts } from './conversation.ts'
import { EventStream } from './event-stream.ts'
import { withChunk, type Chunk } from './with-chunk.ts'

/**
 * The API for the dashboard's playground: authorized by the session, it uses a hidden key of the account.
 */
const path = '/api/v1/playground/chat/completions'
const streamed = { stream: true, stream_options: { include_usage: true } }
/** More frequent updates are not noticeable, and each one redraws the answer. */
const showEveryMs = 80

/**
 * Requests an answer as a stream.
 * @param onChange gets the answer so far
 * @throws {ApiFailure} if the request was refused
 */
export async function complete(
  request: CodeRequest,
  signal: AbortSignal,
  onChange: (step: Step) => void,
): Promise<Step> {
  const startMs = performance.now()
  const response = await answerOf(JSON.stringify({ ...chatBody(request), ...streamed }), signal)
  let step = newStep(request.model)
  step = { ...step, facts: { ...step.facts, ...factsOf(response.headers) } }
  onChange(step)
  const events = new EventStream()
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let shownMs = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    const nowMs = performance.now()
    for (const data of events.push(value))
      if (data !== '[DONE]') step = withChunk(step, JSON.parse(data) as Chunk, nowMs - startMs)
    if (nowMs - shownMs < showEveryMs) continue
    shownMs = nowMs
    onChange(step)
  }
  const totalMs = performance.now() - startMs
  const state = step.facts.problem === undefined ? 'done' : 'failed'
  return { ...step, facts: { ...step.facts, totalMs, state } }
}

async function answerOf(body: string, signal: AbortSignal): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  let response: Response
  try {
    response = await askAsUser(() => new Request(path, { method: 'POST', headers, body, signal }))
  } catch (error) {
    if (signal.aborted) throw error
    throw new ApiFailure('The gateway cannot be reached.', { cause: error })
  }
  if (response.ok && response.body !== null) return response
  const refusal = (await response.json().catch(() => undefined)) as Schemas['Error'] | undefined
  throw ApiFailure.of(response.status, refusal)
}

function factsOf(headers: Headers): Partial<StepFacts> {
  const facts: Partial<StepFacts> = {}
  for (const [name, header] of [
    ['model', 'x-turnpike-model'],
    ['tier', 'x-turnpike-tier'],
    ['route', 'x-turnpike-route'],
    ['requestId', 'x-request-id'],
  ] as const) {
    const value = headers.get(header)
    if (value !== null) facts[name] = value
  }
  return facts
}
