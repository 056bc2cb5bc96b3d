import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { besideCheckout } from '../beside-checkout.ts'
import type { CaseSource } from './director.ts'
import { wireBytes, type RecordedForm } from './reframe.ts'
import type { VendorScript } from './script.ts'

/** A recorded exchange, as in the index. */
export interface RecordedCase {
  /** If a folder has several exchanges, each adds its name: `parity-x-chat-completions:stream`. */
  id: string
  vendor: string
  /** `chat`, `messages`, `responses`, … */
  api: string
  model: string | null
  stream: boolean
  /** 200 if the source did not record it. */
  status: number
  form: RecordedForm
  features: string[]
  /** Paths; the request's is undefined if the source did not record it. */
  files: { case: string; request: string | undefined; response: string }
}

/** The exchanges in a folder with `case.json`, `request.json`, `response*.json` and so on. */
const exchanges = [
  { name: 'plain', request: 'request.json', response: 'response.json', stream: false },
  { name: 'stream', request: 'request.json', response: 'response-streaming.json', stream: true },
  {
    name: 'followup-plain',
    request: 'followup-request.json',
    response: 'followup-response.json',
    stream: false,
  },
  {
    name: 'followup-stream',
    request: 'followup-request.json',
    response: 'followup-response-streaming.json',
    stream: true,
  },
] as const

/** Headers that belonged to the original connection, or do not fit a body that is stored decoded. */
const droppedHeaders = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'keep-alive',
  'set-cookie',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Recordings of our own, in the same form. */
const own = join(import.meta.dirname, 'own-recordings')

interface IndexLine {
  id: string
  dir: string
  vendor: string
  api: string
  model: string | null
  status: number | null
  form: RecordedForm
  features: string[]
}

interface CaseFile {
  response?: { status: number; headers: Record<string, string>; body_file: string } | null
}

/** Recorded exchanges of folders with an `INDEX.jsonl`; each is read on demand. */
export class Recordings implements CaseSource {
  readonly cases: readonly RecordedCase[]
  readonly #byId = new Map<string, RecordedCase>()

  constructor(...folders: string[]) {
    this.cases = folders.flatMap((folder) =>
      readFileSync(join(folder, 'INDEX.jsonl'), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .flatMap((line) => casesOf(folder, JSON.parse(line) as IndexLine)),
    )
    for (const one of this.cases) this.#byId.set(one.id, one)
  }

  /** Whether they include real traffic, which is stored next to the checkout. */
  get areReal(): boolean {
    return this.cases.some(({ id }) => !id.startsWith('own-'))
  }

  /** @throws {Error} if there is no such case */
  get(id: string): RecordedCase {
    const found = this.#byId.get(id)
    if (found !== undefined) return found
    throw new Error(`No recorded case "${id}"`)
  }

  /** The recorded request body. */
  request(id: string): Buffer | undefined {
    const { request } = this.get(id).files
    return request === undefined ? undefined : readFileSync(request)
  }

  /** The response body as it was on the wire. */
  response(id: string): Buffer {
    const { form, api, files } = this.get(id)
    return wireBytes(form, api, readFileSync(files.response))
  }

  script(id: string): VendorScript {
    const recorded = this.get(id)
    const bytes = this.response(id)
    return {
      status: recorded.status,
      headers: headersOf(recorded, bytes),
      steps: [{ type: 'head' }, { type: 'bytes', bytes, tokens: 0 }, { type: 'end' }],
      bill: undefined,
    }
  }
}

/** For tests: our own exchanges, one of each kind, and the recorded ones if they are available. */
export function allRecordings(): Recordings {
  const recorded = besideCheckout('recordings')
  return new Recordings(own, ...(recorded === undefined ? [] : [recorded]))
}

function casesOf(folder: string, line: IndexLine): RecordedCase[] {
  const directory = join(folder, line.dir)
  const path = (name: string): string => join(directory, name)
  const file = readCase(path('case.json'))
  const { id, vendor, api, model, features, form } = line
  const shared = { vendor, api, model, features, status: line.status ?? 200 }
  if (file.response !== undefined && file.response !== null) {
    const body = file.response.body_file
    const request = existsSync(path('request.json')) ? path('request.json') : undefined
    const files = { case: path('case.json'), request, response: path(body) }
    return [{ ...shared, id, form, stream: isStream(form), files }]
  }
  return exchanges
    .filter((exchange) => existsSync(path(exchange.response)))
    .map((exchange) => ({
      ...shared,
      id: `${id}:${exchange.name}`,
      form: exchange.stream ? 'events-json' : 'json-reserialized',
      stream: exchange.stream,
      files: {
        case: path('case.json'),
        request: existsSync(path(exchange.request)) ? path(exchange.request) : undefined,
        response: path(exchange.response),
      },
    }))
}

function isStream(form: RecordedForm): boolean {
  return form !== 'json' && form !== 'json-reserialized'
}

function readCase(path: string): CaseFile {
  return JSON.parse(readFileSync(path, 'utf8')) as CaseFile
}

function headersOf(recorded: RecordedCase, body: Buffer): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': recorded.stream ? 'text/event-stream; charset=utf-8' : 'application/json',
  }
  for (const [name, value] of Object.entries(readCase(recorded.files.case).response?.headers ?? {}))
    if (!droppedHeaders.has(name.toLowerCase())) headers[name.toLowerCase()] = value
  if (!recorded.stream) headers['content-length'] = String(body.length)
  return headers
}
