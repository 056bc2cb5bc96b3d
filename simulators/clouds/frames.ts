import { EventStreamCodec, type Message } from '@smithy/eventstream-codec'

/* Builds frames of AWS's event stream with AWS's own codec. */

const codec = new EventStreamCodec(
  (bytes) => (typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('utf8')),
  (text) => Buffer.from(text, 'utf8'),
)

/** A frame with these headers, all of type string. */
export function frameOf(headers: Readonly<Record<string, string>>, body: Uint8Array): Buffer {
  const named = Object.entries(headers).map(([name, value]) => [name, { type: 'string' as const, value }])
  return Buffer.from(codec.encode({ headers: Object.fromEntries(named) as Message['headers'], body }))
}

export function eventFrame(type: string, body: Uint8Array): Buffer {
  const headers = { ':event-type': type, ':content-type': 'application/json', ':message-type': 'event' }
  return frameOf(headers, body)
}

export function exceptionFrame(type: string, body: object): Buffer {
  const headers = {
    ':exception-type': type,
    ':content-type': 'application/json',
    ':message-type': 'exception',
  }
  return frameOf(headers, json(body))
}

/** An error that the service does not model: it is described by headers alone. */
export function errorFrame(code: string, message: string): Buffer {
  return frameOf(
    { ':error-code': code, ':error-message': message, ':message-type': 'error' },
    Buffer.alloc(0),
  )
}

/** An event of `ConverseStream`, with padding of varying length as AWS sends it. */
export function converseFrame(type: string, body: object): Buffer {
  return eventFrame(type, json({ ...body, p: paddingOf(JSON.stringify(body)) }))
}

/** One of Anthropic's events, wrapped as `InvokeModelWithResponseStream` does it. */
export function invokeFrame(event: object): Buffer {
  const bytes = json(event).toString('base64')
  return eventFrame('chunk', json({ bytes, p: paddingOf(bytes) }))
}

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'

function paddingOf(text: string): string {
  return letters.slice(0, 1 + ((text.length * 7) % (letters.length - 1)))
}

function json(value: object): Buffer {
  return Buffer.from(JSON.stringify(value))
}
