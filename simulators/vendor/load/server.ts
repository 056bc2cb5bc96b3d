import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { parseArgs } from 'node:util'
import { loadAnswers } from './answers.ts'
import { httpAnswer, streamHead, type StreamBytes } from './bytes.ts'
import { messageStream } from './messages.ts'
import { googleStream } from './google.ts'
import { responsesStream } from './responses.ts'
import { headerOf, LoadRequestReader, type LoadRequest } from './request.ts'
import { LoadWheel } from './wheel.ts'

export interface LoadServerOptions {
  port?: number
  /** Default number of events of a stream. */
  events?: number
  intervalMs?: number
}

/** The response to GET /journal. */
export interface LoadCounters {
  requests: number
  plain: number
  streamsOpen: number
  streamsCompleted: number
  /** Streams whose caller left before their end. */
  streamsAborted: number
  eventsSent: number
  socketsOpen: number
}

export interface LoadServer {
  port: number
  origin: string
  counters: LoadCounters
  close(): Promise<void>
}

const defaultEvents = 100
/** Thousands of streams may start within a moment. */
const backlog = 4_096
const defaultIntervalMs = 20

/**
 * A vendor that uses very little CPU, on bare sockets, so that a benchmark measures what is in front of it.
 * `"stream":true` in the body requests a stream; `x-sim-events`, `x-sim-interval-ms` and `x-sim-silent` shape
 * it, as headers, in the query or in the path: `/x-sim-events/50/x-sim-silent/1/v1`. The path selects the
 * format: `/v1/messages` is Anthropic's, `/v1/responses` that of OpenAI's Responses, and
 * `:streamGenerateContent` Google's.
 */
export async function startLoadServer(options: LoadServerOptions = {}): Promise<LoadServer> {
  const load = new LoadVendor(options)
  const server = createServer({ noDelay: true }, (socket) => load.serve(socket))
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', backlog, resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    counters: load.counters,
    close: () => closeServer(server, load),
  }
}

async function closeServer(server: Server, load: LoadVendor): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  for (const socket of load.sockets) socket.destroy()
  await closed
}

class LoadVendor {
  readonly counters: LoadCounters = {
    requests: 0,
    plain: 0,
    streamsOpen: 0,
    streamsCompleted: 0,
    streamsAborted: 0,
    eventsSent: 0,
    socketsOpen: 0,
  }
  readonly sockets = new Set<Socket>()
  readonly #answers = loadAnswers()
  readonly #messages = messageStream()
  readonly #google = googleStream()
  readonly #responses = responsesStream()
  readonly #wheel = new LoadWheel()
  readonly #events: number
  readonly #intervalMs: number

  constructor(options: LoadServerOptions) {
    this.#events = options.events ?? defaultEvents
    this.#intervalMs = options.intervalMs ?? defaultIntervalMs
  }

  serve(socket: Socket): void {
    const reader = new LoadRequestReader()
    this.sockets.add(socket)
    this.counters.socketsOpen++
    socket.on('data', (bytes: Buffer) => {
      for (const request of reader.push(bytes)) this.#answer(request, socket)
    })
    // Callers break connections all the time here; 'close' follows and is counted.
    socket.on('error', () => socket.destroy())
    socket.once('close', () => {
      this.sockets.delete(socket)
      this.counters.socketsOpen--
    })
  }

  #answer(request: LoadRequest, socket: Socket): void {
    if (request.path.startsWith('/journal')) {
      socket.write(httpAnswer('200 OK', JSON.stringify(this.counters)))
      return
    }
    this.counters.requests++
    if (request.method !== 'POST') socket.write(this.#answers.notFound)
    else if (isGooglesStream(request) || asksFor(request.body, 'stream')) this.#stream(request, socket)
    else {
      this.counters.plain++
      socket.write(this.#answers.plain)
    }
  }

  #stream(request: LoadRequest, socket: Socket): void {
    const bytes = this.#bytesFor(request)
    const shape = shapeOf(request)
    this.counters.streamsOpen++
    socket.write(Buffer.concat([streamHead, bytes.begin]))
    const stream = { socket, bytes, left: shape.events ?? this.#events, over: false }
    const onAborted = (): void => {
      stream.over = true
      this.counters.streamsOpen--
      this.counters.streamsAborted++
    }
    socket.once('close', onAborted)
    if (shape.silent) return
    const total = stream.left
    this.#wheel.add({
      intervalMs: shape.intervalMs ?? this.#intervalMs,
      beat: () => {
        if (stream.over) return false
        if (stream.left > 0) return this.#sendEvent(stream)
        socket.off('close', onAborted)
        socket.write(bytes.end(total))
        this.counters.streamsOpen--
        this.counters.streamsCompleted++
        return false
      },
    })
  }

  #bytesFor(request: LoadRequest): StreamBytes {
    const { path, body } = request
    if (isGooglesStream(request)) return this.#google
    if (path.endsWith('/v1/messages')) return this.#messages
    if (path.endsWith('/v1/responses')) return this.#responses
    const { withUsage, withoutUsage } = this.#answers.stream
    return asksFor(body, 'include_usage') ? withUsage : withoutUsage
  }

  /** Skips a client that has stopped reading; its events are sent when it reads again. */
  #sendEvent(stream: { socket: Socket; bytes: StreamBytes; left: number }): true {
    if (stream.socket.writableNeedDrain) return true
    stream.left--
    this.counters.eventsSent++
    stream.socket.write(stream.bytes.content)
    return true
  }
}

function isGooglesStream({ path }: LoadRequest): boolean {
  return path.includes(':streamGenerateContent')
}

/** Finds `"name":true` without parsing the body. */
function asksFor(body: Buffer, name: string): boolean {
  const at = body.indexOf(`"${name}"`)
  if (at < 0) return false
  return /^\s*:\s*true/u.test(body.toString('latin1', at + name.length + 2, at + name.length + 16))
}

function shapeOf(request: LoadRequest): { events?: number; intervalMs?: number; silent: boolean } {
  const events = settingOf(request, 'x-sim-events')
  const intervalMs = settingOf(request, 'x-sim-interval-ms')
  return {
    ...(events === undefined ? {} : { events }),
    ...(intervalMs === undefined ? {} : { intervalMs }),
    silent: (settingOf(request, 'x-sim-silent') ?? 0) > 0,
  }
}

function settingOf(request: LoadRequest, name: string): number | undefined {
  const found =
    new RegExp(`[/?&]${name}[/=](\\d+)`, 'u').exec(request.path)?.[1] ?? headerOf(request.head, name)
  return found === undefined ? undefined : Number(found)
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '0' },
      events: { type: 'string', default: String(defaultEvents) },
      'interval-ms': { type: 'string', default: String(defaultIntervalMs) },
    },
  })
  const server = await startLoadServer({
    port: Number(values.port),
    events: Number(values.events),
    intervalMs: Number(values['interval-ms']),
  })
  console.log(JSON.stringify({ port: server.port, origin: server.origin }))
}
