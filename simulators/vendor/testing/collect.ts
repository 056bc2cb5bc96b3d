import type { UpstreamCall, UpstreamClient, UpstreamHeaders, UpstreamRequest } from '@turnpike/gateway'

/** For tests: everything that a receiver gets from one call. */
export interface Collected {
  /** The names of the receiver's calls in order; `onData` only once. */
  order: string[]
  status: number | undefined
  headers: UpstreamHeaders
  chunks: Buffer[]
  body: string
  error: Error | undefined
}

export type CollectOptions = {
  [Name in keyof UpstreamRequest]?: UpstreamRequest[Name]
} & {
  onCall?: (call: UpstreamCall) => void
  onChunk?: (call: UpstreamCall, chunk: Buffer, count: number) => void
}

const patient = { connectMs: 5000, firstByteMs: 5000, idleMs: 5000, totalMs: 10_000 }

/** Sends a call and resolves at its end, successful or not. */
export async function collect(client: UpstreamClient, options: CollectOptions): Promise<Collected> {
  const { onCall, onChunk, ...request } = options
  const result: Collected = {
    order: [],
    status: undefined,
    headers: {},
    chunks: [],
    body: '',
    error: undefined,
  }
  let call: UpstreamCall
  await new Promise<void>((resolve) => {
    const receiver = {
      onCall(given: UpstreamCall) {
        call = given
        result.order.push('onCall')
        onCall?.(given)
      },
      onHead(status: number, headers: UpstreamHeaders) {
        result.order.push('onHead')
        Object.assign(result, { status, headers })
      },
      onData(chunk: Buffer) {
        if (result.order.at(-1) !== 'onData') result.order.push('onData')
        result.chunks.push(chunk)
        onChunk?.(call, chunk, result.chunks.length)
      },
      onEnd() {
        result.order.push('onEnd')
        resolve()
      },
      onError(error: Error) {
        result.order.push('onError')
        result.error = error
        resolve()
      },
    }
    const whole: UpstreamRequest = {
      method: 'POST',
      origin: 'http://sandbox.invalid',
      path: '/v1/chat/completions',
      headers: { 'content-type': 'application/json' },
      body: null,
      timeouts: patient,
      ...request,
    }
    client.send(whole, receiver)
  })
  result.body = Buffer.concat(result.chunks).toString()
  return result
}

/** The body of a chat completion request to the echo model. */
export function echoBody(text: string, more: Record<string, unknown> = {}): Buffer {
  return Buffer.from(JSON.stringify({ model: 'echo', messages: [{ role: 'user', content: text }], ...more }))
}
