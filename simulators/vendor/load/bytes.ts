/** Bytes of a streamed answer, created once, in chunks of HTTP/1.1. */
export interface StreamBytes {
  /** Everything before the first content: the role, and the vendor's events before it. */
  begin: Buffer
  /** One event of 250 bytes. */
  content: Buffer
  /** Everything after the content, and the end of the body. */
  end: (events: number) => Buffer
}

/** Size of a content event in every format, so that measurements are comparable. */
export const eventBytes = 250

export const streamHead = Buffer.from(
  'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\n' +
    'x-request-id: req_load\r\ntransfer-encoding: chunked\r\n\r\n',
)

/** A plain answer with a JSON body. */
export function httpAnswer(status: string, body: string): Buffer {
  const length = Buffer.byteLength(body)
  return Buffer.from(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\nx-request-id: req_load\r\n` +
      `content-length: ${length}\r\n\r\n${body}`,
  )
}

export function httpChunk(text: string): Buffer {
  return Buffer.from(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`)
}

export function memoize(make: (events: number) => Buffer): (events: number) => Buffer {
  const made = new Map<number, Buffer>()
  return (events) => {
    let bytes = made.get(events)
    if (bytes === undefined) made.set(events, (bytes = make(events)))
    return bytes
  }
}
