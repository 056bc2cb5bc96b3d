import { connect, type Socket } from 'node:net'

/** One response as it came over the socket. */
export interface RawAnswer {
  status: number
  headers: Headers
  body: string
}

/** What a server sent until the expected responses were complete, or it closed the connection. */
export interface RawConversation {
  answers: RawAnswer[]
  /** Whether the server closed the connection. */
  closed: boolean
}

/**
 * Sends bytes that no HTTP client would send, and reads this many responses, or until the server closes the
 * connection. Responses must have a content-length, as all plain ones of the gateway do; 1xx have no body.
 */
export async function converse(
  origin: string,
  pieces: (string | Buffer)[],
  { answers: wanted = 1 }: { answers?: number } = {},
): Promise<RawConversation> {
  const socket = await dial(origin)
  const answers: RawAnswer[] = []
  let rest: Buffer = Buffer.alloc(0)
  const ended = new Promise<boolean>((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk])
      for (let next = firstAnswer(rest); next !== undefined; next = firstAnswer(rest)) {
        answers.push(next.answer)
        rest = rest.subarray(next.length)
      }
      if (answers.length >= wanted) resolve(false)
    })
    socket.on('close', () => resolve(true))
    // The connection closed while sending, but responses before that count.
    socket.on('error', () => resolve(true))
  })
  for (const piece of pieces) socket.write(typeof piece === 'string' ? Buffer.from(piece) : piece)
  const closed = await ended
  socket.destroy()
  return { answers, closed }
}

export function dial(origin: string): Promise<Socket> {
  const { hostname, port } = new URL(origin)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => resolve(socket))
    socket.once('error', reject)
  })
}

function firstAnswer(bytes: Buffer): { answer: RawAnswer; length: number } | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd === -1) return undefined
  const [first = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n')
  const headers = new Headers(lines.map((line): [string, string] => splitAt(line, line.indexOf(':'))))
  const start = headEnd + 4
  const length = start + Number(headers.get('content-length') ?? 0)
  if (bytes.length < length) return undefined
  const status = Number(/^HTTP\/1\.1 (\d{3}) /u.exec(first)?.[1])
  return { answer: { status, headers, body: bytes.toString('utf8', start, length) }, length }
}

function splitAt(line: string, at: number): [string, string] {
  return [line.slice(0, at), line.slice(at + 1).trim()]
}

/** A request's head as written on the wire; a header may occur twice. */
export function head(line: string, headers: [string, string | number][]): string {
  return [line, ...headers.map(([name, value]) => `${name}: ${value}`), '', ''].join('\r\n')
}
