import { Ajv2020 } from 'ajv/dist/2020.js'
import { closed, oddities } from './look.ts'

interface Media {
  schema: object
  example?: unknown
}

interface Operation {
  operationId: string
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, { content?: Record<string, Media> }>
}

export interface Document {
  paths: Record<string, Record<string, Operation>>
}

interface Asked {
  method?: string
  body?: object
  headers: Record<string, string>
}

/** The body of any response, with the fields that furnishing an account needs. */
export interface AnswerBody {
  id: string
  raw: string
  event_id: string
  member_id: string
  session_id: string
  checkout_url: string
  data: { id: string }[]
}

const json = 'application/json'

/** The management API of a real gateway, which compares every response with the document. */
export class DocumentedApi {
  readonly document: Document
  /** Differences, as sentences. */
  readonly odd: string[] = []
  /** Operations that returned a response. */
  readonly answered = new Set<string>()
  readonly #origin: string
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true })

  constructor(origin: string, document: Document) {
    this.#origin = origin
    this.document = document
    this.#ajv.addSchema(closed(document), 'openapi')
  }

  static async of(origin: string): Promise<DocumentedApi> {
    const answer = await fetch(`${origin}/openapi.json`)
    return new DocumentedApi(origin, (await answer.json()) as Document)
  }

  /** @throws if the response is an error */
  async ask(path: string, { method = 'GET', body, headers }: Asked): Promise<AnswerBody> {
    const answer = await fetch(this.#origin + path, {
      method,
      headers: { 'content-type': json, ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    const template = this.#templateOf(path, method)
    const type = answer.headers.get('content-type')?.split(';')[0]
    const value = type === json ? (JSON.parse(text) as AnswerBody) : ({} as AnswerBody)
    if (type === json) this.#compare(template, method.toLowerCase(), String(answer.status), value)
    else this.#compareFile(template, type ?? '', text)
    return value
  }

  /** Violations by a value of the schema at a pointer into the document. */
  misfit(pointer: string, value: unknown): string {
    return this.#ajv.validate({ $ref: `openapi#${pointer}` }, value) ? '' : this.#ajv.errorsText()
  }

  #compare(template: string, method: string, status: string, value: unknown): void {
    const operation = this.document.paths[template]![method]!
    this.answered.add(operation.operationId)
    const name = `${method.toUpperCase()} ${template}`
    const content = operation.responses[status]?.content ?? {}
    const media = content[json]
    if (media === undefined) return
    const place = `/paths/${escaped(template)}/${method}/responses/${status}/content/${escaped(json)}/schema`
    const misfit = this.misfit(place, value)
    if (misfit !== '') this.odd.push(`${name} answers ${misfit}`)
    if (isEmptyList(value) && !isEmptyList(media.example)) this.odd.push(`${name} has no row to compare with`)
    this.odd.push(...oddities(media.example, [value], '').map((one) => `${name} example ${one}`))
  }

  /** Compares a file's rows; for CSV its column names, of which an example may show only the first. */
  #compareFile(template: string, type: string, text: string): void {
    const operation = this.document.paths[template]!['get']!
    this.answered.add(operation.operationId)
    const example = operation.responses['200']?.content?.[type]?.example
    if (typeof example !== 'string') return
    if (type === 'text/csv' && !firstLine(text).startsWith(firstLine(example)))
      this.odd.push(`GET ${template} example ${firstLine(example)} is not how ${firstLine(text)} begins`)
    if (type !== 'application/jsonl') return
    const odd = oddities(JSON.parse(firstLine(example)), rowsOf(text), '')
    const names = Object.keys(JSON.parse(firstLine(example)) as object).join()
    const real = Object.keys(rowsOf(text)[0] ?? {}).join()
    if (names !== real) odd.push(`has the fields ${names}, real ones have ${real}`)
    this.odd.push(...odd.map((one) => `GET ${template} example ${one}`))
  }

  #templateOf(path: string, method: string): string {
    const { pathname } = new URL(path, this.#origin)
    const found = Object.keys(this.document.paths).filter(
      (template) =>
        this.document.paths[template]![method.toLowerCase()] !== undefined &&
        new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(pathname),
    )
    // `/vendor-keys/providers` also matches `/vendor-keys/{vendor_key_id}`.
    const [best] = found.toSorted((a, b) => a.split('{').length - b.split('{').length)
    if (best === undefined) throw new Error(`${method} ${path} is not in the document`)
    return best
  }
}

function firstLine(text: string): string {
  return text.split(/\r?\n/)[0]!
}

function rowsOf(jsonLines: string): object[] {
  return jsonLines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object)
}

function isEmptyList(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('data' in value)) return false
  return Array.isArray(value.data) && value.data.length === 0
}

export function escaped(text: string): string {
  return encodeURIComponent(text.replaceAll('~', '~0').replaceAll('/', '~1'))
}
