import { hash } from 'node:crypto'
import { openSync, writeSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { newIdentifier } from '@turnpike/protocol'
import { Agent, type Dispatcher } from 'undici'
import { floorSteps, type FloorRow, type FloorStep } from './floor-row.ts'
import { withoutHopByHop } from './hop-by-hop.ts'

/**
 * The bare proxy with the least that a gateway must do beside it, up to the step that is named, and written
 * for that alone: no validation, no limits, no hold, no error but 401, no metrics, no streams. What it takes
 * is what a budget for all of that begins with.
 */
const { values } = parseArgs({
  options: {
    port: { type: 'string' },
    origin: { type: 'string' },
    folder: { type: 'string' },
    step: { type: 'string' },
  },
})
const step = floorSteps.indexOf(values.step as FloorStep)
const does = (one: FloorStep): boolean => floorSteps.indexOf(one) <= step
const readsJson = does('json')
const knowsKeys = does('key')
const writesLog = does('log')
const writesRows = does('database')

const agent = new Agent({ connections: null, pipelining: 1, keepAliveTimeout: 30_000 })
const keys = new Map([
  [hash('sha256', 'bench', 'hex'), { id: newIdentifier('key'), account: newIdentifier('acct') }],
])
type Key = NonNullable<ReturnType<typeof keys.get>>

interface ChatAnswer {
  model: string
  usage: { prompt_tokens: number; completion_tokens: number; cost_usd?: string }
}

const server = createServer({ noDelay: true, keepAliveTimeout: 75_000 }, (request, response) => {
  // Whoever asks whether it is ready.
  if (request.method !== 'POST') return void response.end()
  const key = knowsKeys ? keyOf(request) : undefined
  if (knowsKeys && key === undefined) return void response.writeHead(401).end()
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
    const asked = readsJson ? (JSON.parse(body.toString()) as { model: string }) : undefined
    const answer = new Answer(response, key, asked?.model ?? '')
    const { url: path = '/', headers } = request
    agent.dispatch(
      { origin: values.origin!, path, method: 'POST', headers: withoutHopByHop(headers), body },
      answer,
    )
  })
})

function keyOf({ headers }: IncomingMessage): Key | undefined {
  const { authorization = '' } = headers
  return keys.get(hash('sha256', authorization.slice('Bearer '.length), 'hex'))
}

class Answer implements Dispatcher.DispatchHandler {
  readonly #response: ServerResponse
  readonly #key: Key | undefined
  readonly #asked: string
  readonly #startedAtMs = Date.now()
  readonly #chunks: Buffer[] = []
  #status = 0
  #headers: IncomingHttpHeaders = {}

  constructor(response: ServerResponse, key: Key | undefined, asked: string) {
    this.#response = response
    this.#key = key
    this.#asked = asked
  }

  onRequestStart(): void {
    // Nobody leaves while the floor is measured.
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    this.#status = status
    this.#headers = headers
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    const body = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks)
    if (readsJson) this.#respondPriced(JSON.parse(body.toString()) as ChatAnswer)
    else this.#respond(body)
  }

  onResponseError(): void {
    this.#response.destroy()
  }

  #respondPriced(answer: ChatAnswer): void {
    const { usage } = answer
    const pico = BigInt(usage.prompt_tokens) * 150_000n + BigInt(usage.completion_tokens) * 600_000n
    const text = JSON.stringify({
      ...answer,
      usage: { ...usage, cost_usd: `0.${String(pico).padStart(12, '0')}` },
    })
    if (!writesLog) return this.#respond(text)
    append(this.#row(answer, pico), () => this.#respond(text))
  }

  #row({ model, usage }: ChatAnswer, pico: bigint): FloorRow {
    return {
      id: newIdentifier('req'),
      accountId: this.#key!.account,
      keyId: this.#key!.id,
      startedAtMs: this.#startedAtMs,
      durationMs: Date.now() - this.#startedAtMs,
      asked: this.#asked,
      served: model,
      tags: ['team-search', 'production'],
      outcome: 'completed',
      status: this.#status,
      usage,
      tokensIn: usage.prompt_tokens,
      tokensOut: usage.completion_tokens,
      price: 'price_1',
      chargePico: String(pico),
    }
  }

  #respond(body: string | Buffer): void {
    const headers = withoutHopByHop(this.#headers)
    headers['content-length'] = String(Buffer.byteLength(body))
    this.#response.writeHead(this.#status, headers).end(body)
  }
}

const batchRows = 500
const batchDelayMs = 1_000
const log = writesLog ? openSync(join(values.folder!, 'floor.log'), 'a') : -1
const rowsThread = writesRows
  ? new Worker(new URL('floor-rows.ts', import.meta.url), { workerData: join(values.folder!, 'floor.db') })
  : undefined
let waiting: { row: FloorRow; respond: () => void }[] = []
let lines: string[] = []
let timer: NodeJS.Timeout | undefined

/** Rows of one turn are one write; only then are their answers sent. */
function append(row: FloorRow, respond: () => void): void {
  if (waiting.length === 0) setImmediate(writeWaiting)
  waiting.push({ row, respond })
}

function writeWaiting(): void {
  const written = waiting
  waiting = []
  const texts = written.map(({ row }) => JSON.stringify(row))
  writeSync(log, `${texts.join('\n')}\n`)
  for (const { respond } of written) respond()
  if (rowsThread === undefined) return
  lines.push(...texts)
  if (lines.length >= batchRows) handOver()
  else timer ??= setTimeout(handOver, batchDelayMs)
}

function handOver(): void {
  clearTimeout(timer)
  timer = undefined
  rowsThread?.postMessage(lines.join('\n'))
  lines = []
}

server.listen(Number(values.port), '127.0.0.1')
