import { Journal, startVendorServer, type JournalEntry, type VendorServer } from '@turnpike/simulators'
import type { TokenCounts } from '../world/prices.ts'

/** What the vendor did about one call, without its bytes, which would fill the memory in a long run. */
export interface VendorCall {
  status: number
  /** The usage of the whole answer, whether or not it was reported; undefined if there was no answer. */
  bill: (TokenCounts & { reported: boolean; told?: number }) | undefined
  /** The answer's text up to the last write before the connection ended. */
  textSent: string
  ending: JournalEntry['ending']
}

const compactEveryMs = 1_000
const marker = /#(\d+) /

/** The simulated vendor, with a record of its calls by request number. */
export class VendorCalls {
  readonly server: VendorServer
  readonly #byNumber = new Map<number, VendorCall[]>()
  readonly #timer: NodeJS.Timeout

  private constructor(server: VendorServer) {
    this.server = server
    this.#timer = setInterval(() => this.#compact(), compactEveryMs)
  }

  static async start(): Promise<VendorCalls> {
    return new VendorCalls(await startVendorServer({ journal: new Journal(Number.MAX_SAFE_INTEGER) }))
  }

  /** Complete once the vendor has no open request. */
  of(number: number): readonly VendorCall[] {
    return this.#byNumber.get(number) ?? []
  }

  async settle(): Promise<void> {
    await this.server.journal.awaitSettled()
    this.#compact()
  }

  get total(): number {
    return this.server.journal.total
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.server.close()
  }

  #compact(): void {
    const { entries } = this.server.journal
    const open: JournalEntry[] = []
    for (const entry of entries) {
      if (entry.ending === 'open') open.push(entry)
      else this.#note(entry)
    }
    entries.splice(0, entries.length, ...open)
  }

  #note(entry: JournalEntry): void {
    const [, number] = marker.exec(entry.request.body.toString('utf8')) ?? []
    if (number === undefined) return
    const calls = this.#byNumber.get(Number(number)) ?? []
    this.#byNumber.set(Number(number), calls)
    const { bill, status } = entry.script
    calls.push({ status, bill, textSent: textSent(entry), ending: entry.ending })
  }
}

function textSent(entry: JournalEntry): string {
  const pieces: Buffer[] = []
  let left = entry.bytesSent
  for (const step of entry.script.steps) {
    if (step.type !== 'bytes') continue
    pieces.push(step.bytes)
    left -= step.bytes.length
    if (left < 0) break
  }
  return answerText(Buffer.concat(pieces).toString('utf8'))
}

interface AnswerPart {
  choices?: {
    delta?: { content?: string | null; reasoning_content?: string }
    message?: { content?: string | null; reasoning_content?: string }
  }[]
}

/** The text of a stream or of a plain answer, with its reasoning first; '' if it is neither. */
export function answerText(body: string): string {
  if (!body.startsWith('data: ')) return textOf(body)
  return body
    .split('\n\n')
    .map((event) => (event.startsWith('data: {') ? textOf(event.slice('data: '.length)) : ''))
    .join('')
}

function textOf(json: string): string {
  try {
    const part = JSON.parse(json) as AnswerPart
    const says = part.choices?.[0]?.delta ?? part.choices?.[0]?.message
    return (says?.reasoning_content ?? '') + (says?.content ?? '')
  } catch (error) {
    if (error instanceof SyntaxError) return ''
    throw error
  }
}
