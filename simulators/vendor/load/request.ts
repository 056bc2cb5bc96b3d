/** The parts of a request that the load server reads: as few as possible, to keep it cheap. */
export interface LoadRequest {
  method: string
  path: string
  /** The head as received, with the request line. */
  head: string
  body: Buffer
}

const headEnd = Buffer.from('\r\n\r\n')
const lineEnd = Buffer.from('\r\n')
const nothing = Buffer.alloc(0)

/**
 * Splits a connection's bytes into requests, including pipelined ones. It trusts its callers, which are our
 * own load generators and the proxies under test: no limits, no obsolete line folding, no trailers.
 */
export class LoadRequestReader {
  #pending: Buffer = nothing

  /** The requests that these bytes complete. */
  push(bytes: Buffer): LoadRequest[] {
    this.#pending = this.#pending.length === 0 ? bytes : Buffer.concat([this.#pending, bytes])
    const requests: LoadRequest[] = []
    for (let request = this.#take(); request !== undefined; request = this.#take()) requests.push(request)
    return requests
  }

  #take(): LoadRequest | undefined {
    const end = this.#pending.indexOf(headEnd)
    if (end < 0) return undefined
    const head = this.#pending.toString('latin1', 0, end)
    const from = end + headEnd.length
    const body = readBody(this.#pending, from, head)
    if (body === undefined) return undefined
    this.#pending = body.end === this.#pending.length ? nothing : this.#pending.subarray(body.end)
    const space = head.indexOf(' ')
    const path = head.slice(space + 1, head.indexOf(' ', space + 1))
    return { method: head.slice(0, space), path, head, body: body.bytes }
  }
}

/** The value of a header, given its name in lower case; undefined if it is absent. */
export function headerOf(head: string, name: string): string | undefined {
  const lower = head.toLowerCase()
  const at = lower.indexOf(`\r\n${name}:`)
  if (at < 0) return undefined
  const from = at + name.length + 3
  const end = head.indexOf('\r\n', from)
  return head.slice(from, end < 0 ? head.length : end).trim()
}

function readBody(bytes: Buffer, from: number, head: string): { bytes: Buffer; end: number } | undefined {
  const length = headerOf(head, 'content-length')
  if (length !== undefined) {
    const end = from + Number(length)
    return bytes.length < end ? undefined : { bytes: bytes.subarray(from, end), end }
  }
  if (headerOf(head, 'transfer-encoding') !== 'chunked') return { bytes: nothing, end: from }
  return readChunks(bytes, from)
}

function readChunks(bytes: Buffer, from: number): { bytes: Buffer; end: number } | undefined {
  const pieces: Buffer[] = []
  for (let at = from; ;) {
    const sizeEnd = bytes.indexOf(lineEnd, at)
    if (sizeEnd < 0) return undefined
    const size = Number.parseInt(bytes.toString('latin1', at, sizeEnd), 16)
    const start = sizeEnd + lineEnd.length
    const end = start + size + lineEnd.length
    if (bytes.length < end) return undefined
    if (size === 0) return { bytes: Buffer.concat(pieces), end }
    pieces.push(bytes.subarray(start, start + size))
    at = end
  }
}
