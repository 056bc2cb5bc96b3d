import type { Readable } from 'node:stream'
import { completionBody, CompletionReading, type Completion, type CompletionRequest } from '@turnpike/api'
import type { Context } from '../context.ts'
import { exitCodes, Failure } from '../failure.ts'
import { apiFailure, refusalOf } from '../network/answer.ts'
import { networkFailure } from '../network/network-failure.ts'

/** A stream without anything for this long, not even a keep-alive, is abandoned. */
const silenceMs = 120_000

/**
 * Requests a streamed chat completion. Never retried, since each one costs.
 * @param onText called with each piece of the text
 * @throws {Failure} also if the stream breaks off
 */
export async function complete(
  context: Context,
  key: string,
  request: CompletionRequest,
  onText: (text: string) => void,
  signal?: AbortSignal,
): Promise<Completion> {
  const url = `${context.apiUrl}/v1/chat/completions`
  const startMs = performance.now()
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const sent = { method: 'POST', url, headers, body: JSON.stringify(completionBody(request)) }
  const answer = await context.network.send(sent, signal)
  if (!answer.ok) throw await refusalOf(answer, url)
  const requestId = answer.header('x-request-id')
  const failure = (error: Record<string, unknown>): Failure => apiFailure(error, 502, requestId)
  const reading = new CompletionReading({ model: request.model, requestId, startMs, onText, failure })
  await readAnswer(answer.body, url, reading)
  const completion = reading.end()
  if (completion !== undefined) return completion
  throw new Failure(`The connection to ${new URL(url).host} was interrupted during the answer.`, {
    type: 'network_error',
    exitCode: exitCodes.network,
    requestId,
  })
}

async function readAnswer(body: Readable, url: string, reading: CompletionReading): Promise<void> {
  const timer = setTimeout(() => body.destroy(networkFailure(undefined, url, silenceMs)), silenceMs)
  try {
    for await (const piece of body) {
      timer.refresh()
      reading.push(piece as Buffer)
    }
  } catch (error) {
    if (error instanceof Failure || (error instanceof Error && error.name === 'AbortError')) throw error
    throw networkFailure(error, url)
  } finally {
    clearTimeout(timer)
  }
}
