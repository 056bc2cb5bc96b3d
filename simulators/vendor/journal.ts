import type { Plan } from './plan.ts'
import type { VendorRequest, VendorScript } from './script.ts'

/** What a vendor saw of one request and did about it, for tests to hold against a gateway's books. */
export interface JournalEntry {
  /** As the vendor got it: without the plan's part of the path. */
  request: VendorRequest
  label: string | undefined
  plan: Plan
  script: VendorScript
  /** Unix epoch milliseconds. */
  startedAtMs: number
  closedAtMs: number | undefined
  ending: Ending
  headSent: boolean
  /** Of the body, as handed to the connection. */
  bytesSent: number
  tokensSent: number
}

/** `client-closed`: the caller left before the script had come to its end. */
export type Ending = 'open' | 'ended' | 'reset' | 'client-closed'

/** Told by an adapter how far it has come. */
export interface ScriptWatcher {
  headSent(): void
  recordSent(bytes: number, tokens: number): void
  recordClosed(ending: Exclude<Ending, 'open'>): void
}

/** A script to be played, and who watches. */
export interface Performance {
  script: VendorScript
  watcher: ScriptWatcher | undefined
}

export interface Billed {
  promptTokens: number
  cachedTokens: number
  completionTokens: number
}

/** What the vendor would charge: the input, and the output it has sent. Undefined where nobody can know. */
export function billedOf(entry: JournalEntry): Billed | undefined {
  const bill = entry.script.bill
  if (bill === undefined) return undefined
  const { promptTokens, cachedTokens } = bill
  return { promptTokens, cachedTokens, completionTokens: entry.tokensSent }
}

const defaultLimit = 10_000

export class Journal {
  readonly entries: JournalEntry[] = []
  /** How many requests there were, those included that the limit has pushed out. */
  total = 0
  #open = 0
  readonly #limit: number
  #waiting: (() => void)[] = []

  /** Beyond `limit` the oldest entries are forgotten, so that a soak does not fill the memory. */
  constructor(limit: number = defaultLimit) {
    this.#limit = limit
  }

  /** Requests whose answer is still under way. */
  get open(): number {
    return this.#open
  }

  findByLabel(label: string): JournalEntry[] {
    return this.entries.filter((entry) => entry.label === label)
  }

  /** Resolves once no request is open: an aborted call reaches the vendor a little after its caller. */
  async awaitSettled(): Promise<void> {
    if (this.#open > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  clear(): void {
    this.entries.length = 0
  }

  begin(request: VendorRequest, plan: Plan, script: VendorScript): ScriptWatcher {
    const entry: JournalEntry = {
      request,
      label: plan.label,
      plan,
      script,
      startedAtMs: Date.now(),
      closedAtMs: undefined,
      ending: 'open',
      headSent: false,
      bytesSent: 0,
      tokensSent: 0,
    }
    this.entries.push(entry)
    if (this.entries.length > this.#limit) this.entries.splice(0, this.entries.length - this.#limit)
    this.total++
    this.#open++
    return {
      headSent: () => {
        entry.headSent = true
      },
      recordSent: (bytes, tokens) => {
        entry.bytesSent += bytes
        entry.tokensSent += tokens
      },
      recordClosed: (ending) => {
        entry.closedAtMs = Date.now()
        entry.ending = ending
        if (--this.#open === 0) for (const resolve of this.#waiting.splice(0)) resolve()
      },
    }
  }
}
