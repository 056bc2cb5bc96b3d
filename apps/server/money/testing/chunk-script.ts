import type { VendorScript } from '@turnpike/simulators'

type Json = Record<string, unknown>

/** A choice of a chunk with this delta. */
export function delta(content: Json, finish: string | null = null): Json {
  return { index: 0, delta: content, finish_reason: finish }
}

/** A stream in OpenAI's format, with one read per chunk. */
export function chunksScript(chunks: readonly Json[]): VendorScript {
  const head = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' }
  const events = chunks.map((chunk) => `data: ${JSON.stringify({ ...head, ...chunk })}\n\n`)
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    steps: [
      { type: 'head' },
      ...events.flatMap((event) => [
        { type: 'bytes' as const, bytes: Buffer.from(event), tokens: 1 },
        { type: 'delay' as const, delayMs: 0 },
      ]),
      { type: 'bytes', bytes: Buffer.from('data: [DONE]\n\n'), tokens: 0 },
      { type: 'end' },
    ],
    bill: undefined,
  }
}
