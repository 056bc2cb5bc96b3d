import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { parseArgs } from 'node:util'
import { Agent, type Dispatcher } from 'undici'
import { withoutHopByHop } from './hop-by-hop.ts'

/**
 * The minimal cost of any gateway on Node: `node:http` in front, `undici` behind, and only bytes in between.
 * It does not authenticate, read bodies, count tokens or record anything.
 */
const { values } = parseArgs({ options: { port: { type: 'string' }, origin: { type: 'string' } } })
const origin = values.origin!
const agent = new Agent({ connections: null, pipelining: 1, keepAliveTimeout: 30_000 })

const server = createServer({ noDelay: true, keepAliveTimeout: 75_000 }, (request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    agent.dispatch(
      {
        origin,
        path: request.url ?? '/',
        method: request.method as Dispatcher.HttpMethod,
        headers: withoutHopByHop(request.headers),
        body: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks),
      },
      new Forwarding(response),
    )
  })
})

class Forwarding implements Dispatcher.DispatchHandler {
  readonly #response: ServerResponse
  #whole = false
  #held: Buffer | undefined

  constructor(response: ServerResponse) {
    this.#response = response
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#response.on('close', () => {
      if (!this.#response.writableFinished) controller.abort(new Error('the client has left'))
    })
    this.#response.on('drain', () => controller.resume())
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    this.#whole = headers['content-length'] !== undefined
    const forwarded = withoutHopByHop(headers)
    if (this.#whole) forwarded['content-length'] = headers['content-length']!
    this.#response.writeHead(status, forwarded)
  }

  /** Sends the last piece of a plain response together with its end, and the first with the head. */
  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#whole && this.#held === undefined) {
      this.#held = chunk
      return
    }
    const pending = this.#held
    this.#held = undefined
    this.#whole = false
    if (pending !== undefined) this.#response.write(pending)
    if (!this.#response.write(chunk)) controller.pause()
  }

  onResponseEnd(): void {
    if (this.#held === undefined) this.#response.end()
    else this.#response.end(this.#held)
  }

  onResponseError(): void {
    this.#response.destroy()
  }
}

/** Thousands of streams may start within a moment. */
const backlog = 4_096

server.listen(Number(values.port), '127.0.0.1', backlog)
