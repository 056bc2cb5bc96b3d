import { ApiFailure } from '../../api/api-failure.ts'
import type { Schemas } from '../../api/client.ts'
import { chatBody } from './code/bodies.ts'
import type { CodeRequest } from './code/code-request.ts'
import { EventStream } from './event-stream.ts'
import { emptyAnswer, type Turn, type TurnFacts } from './turn.ts'

export interface Asked {
  rawKey: string
  request: CodeRequest
}

type Chunk = Schemas['ChatCompletionChunk'] & {
  usage?: Schemas['Usage'] | null
  error?: Schemas['Error']['error']
}

const streamed = { stream: true, stream_options: { include_usage: true } }

/**
 * Asks for an answer as a stream, as any program does: by an API key, at `/v1`.
 * @param onChange gets the answer as it is so far
 * @throws {ApiFailure} where it was refused
 */
export async function complete(
  { rawKey, request }: Asked,
  signal: AbortSignal,
  onChange: (answer: Turn) => void,
): Promise<void> {
  const startMs = performance.now()
  const response = await fetch('/v1/chat/completions', {
    method: 'POST',
    headers: { authorization: `Bearer ${rawKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...chatBody(request), ...streamed }),
    signal,
  })
  if (!response.ok || response.body === null) throw await refusalOf(response)
  let answer: Turn = { ...emptyAnswer, facts: factsOf(response.headers) }
  const events = new EventStream()
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    for (const data of events.push(value)) {
      if (data !== '[DONE]')
        answer = withChunk(answer, JSON.parse(data) as Chunk, performance.now() - startMs)
    }
    onChange(answer)
  }
  onChange({ ...answer, facts: { ...answer.facts, isDone: true } })
}

function factsOf(headers: Headers): TurnFacts {
  const named = (name: string): string | undefined => headers.get(name) ?? undefined
  return {
    model: named('x-turnpike-model'),
    tier: named('x-turnpike-tier'),
    route: named('x-turnpike-route'),
    requestId: named('x-request-id'),
  }
}

function withChunk(answer: Turn, chunk: Chunk, elapsedMs: number): Turn {
  const delta = chunk.choices[0]?.delta
  const text = delta?.content ?? ''
  const reasoning = delta?.reasoning_content ?? ''
  const isFirst = answer.facts.firstTokenMs === undefined && text + reasoning !== ''
  return {
    ...answer,
    text: answer.text + text,
    reasoning: answer.reasoning + reasoning,
    facts: {
      ...answer.facts,
      ...(isFirst && { firstTokenMs: elapsedMs }),
      ...(chunk.error !== undefined && { problem: chunk.error.message }),
      ...(chunk.usage && {
        costUsd: chunk.usage.cost_usd,
        tokensIn: chunk.usage.prompt_tokens,
        tokensOut: chunk.usage.completion_tokens,
      }),
    },
  }
}

async function refusalOf(response: Response): Promise<ApiFailure> {
  const body = (await response.json().catch(() => undefined)) as Schemas['Error'] | undefined
  return ApiFailure.of(response.status, body)
}
