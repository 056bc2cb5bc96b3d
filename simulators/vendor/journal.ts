import type { Plan } from './plan.ts'
import type { VendorRequest, VendorScript } from './script.ts'

/** One request as the vendor received it and what it did, for comparison with a gateway's books. */
export interface JournalEntry {
  /** As the vendor saw it: without the plan's part of the path. */
  request: VendorRequest
  label: string | undefined
  plan: Plan
  script: VendorScript
  /** Unix epoch milliseconds. */
  startedAtMs: number
  closedAtMs: number | undefined
  ending: Ending
  headSent: boolean
  /** Body bytes that were written to the connection. */
  bytesSent: number
  tokensSent: number
}

/** `client-closed`: the caller left before the script was finished. */
export type Ending = 'open' | 'ended' | 'reset' | 'client-closed'

/** An adapter reports its progress here. */
export interface ScriptWatcher {
  headSent(): void
  recordSent(bytes: number, tokens: number): void
  recordClosed(ending: Exclude<Ending, 'open'>): void
}

/** A script to play, and its observer. */
export interface Performance {
  script: VendorScript
  watcher: ScriptWatcher | undefined
}

export interface Billed {
  promptTokens: number
  cachedTokens: number
  completionTokens: number
}

/** What the vendor would charge: the input, and the output that it has sent. Undefined if unknown. */
export function billedOf(entry: JournalEntry): Billed | undefined {
  const bill = entry.script.bill
  if (bill === undefined) return undefined
  const { promptTokens, cachedTokens } = bill
  return { promptTokens, cachedTokens, completionTokens: entry.tokensSent }
}

const defaultLimit = 10_000

export class Journal {
  readonly entries: JournalEntry[] = []
  /** Number of all requests, including those that the limit has removed. */
  total = 0
  #open = 0
  readonly #limit: number
  #waiting: (() => void)[] = []

  /** @param limit after which the oldest entries are removed, so that a long run does not fill the memory */
  constructor(limit: number = defaultLimit) {
    this.#limit = limit
  }

  /** Number of requests in progress. */
  get open(): number {
    return this.#open
  }

  findByLabel(label: string): JournalEntry[] {
    return this.entries.filter((entry) => entry.label === label)
  }

  /** Resolves once no request is open: the vendor notices an aborted call slightly later than its caller. */
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
