import type { Schemas } from '../../api/client.ts'

interface Span {
  name: string
  note: string
  kind: 'serving' | 'failed' | 'answer'
  durationMs: number
  startPercent: number
  widthPercent: number
}

type Timed = Pick<Schemas['RequestDetail'], 'attempts' | 'latency_ms' | 'time_to_first_token_ms'>

/**
 * The attempts one after the other, then the answer from its first to its last token, each as percentages
 * of the whole. A successful attempt ends at its first token here: the rest is the answer.
 */
export function spansOf({ attempts, latency_ms: latencyMs, time_to_first_token_ms: firstMs }: Timed): Span[] {
  let atMs = 0
  const parts = attempts.map((attempt) => {
    const isServing = attempt.result === 'ok'
    const endMs = isServing && firstMs !== null ? Math.max(atMs, firstMs) : atMs + attempt.duration_ms
    const part = {
      name: `${attempt.provider}/${attempt.model}`,
      note: isServing ? 'until the first token' : resultOf(attempt),
      kind: isServing ? ('serving' as const) : ('failed' as const),
      startMs: atMs,
      endMs,
    }
    atMs = endMs
    return part
  })
  const answer =
    firstMs === null
      ? []
      : [
          {
            name: 'Answer',
            note: 'until the last token',
            kind: 'answer' as const,
            startMs: firstMs,
            endMs: latencyMs,
          },
        ]
  const all = [...parts, ...answer]
  const wholeMs = Math.max(latencyMs, ...all.map(({ endMs }) => endMs), 1)
  return all.map(({ startMs, endMs, ...span }) => ({
    ...span,
    durationMs: Math.max(0, endMs - startMs),
    startPercent: Math.min(99, (startMs / wholeMs) * 100),
    widthPercent: Math.max(0, ((endMs - startMs) / wholeMs) * 100),
  }))
}

/** `status-429` already contains its status. */
function resultOf({ result, status }: Schemas['RequestDetail']['attempts'][number]): string {
  return status === null || result.endsWith(String(status)) ? result : `${result}, ${status}`
}
