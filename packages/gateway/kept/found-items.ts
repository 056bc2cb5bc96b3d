import type { KeptFormat } from '@turnpike/dialects'
import { GatewayError } from '@turnpike/protocol'

/** Items that a request names, as far as they are found in kept answers. */
export class FoundItems {
  /** JSON, by their ids. */
  readonly texts = new Map<string, string>()
  /** Vendors may call two items alike: which one is meant, nobody knows. */
  readonly ambiguous = new Set<string>()
  readonly #wanted: ReadonlySet<string>
  readonly #format: KeptFormat
  #bytesLeft: number

  /** @param mostBytes of all answers together in which they are looked for */
  constructor(wanted: ReadonlySet<string>, format: KeptFormat, mostBytes: number) {
    this.#wanted = wanted
    this.#format = format
    this.#bytesLeft = mostBytes
  }

  /** What an answer may still have. */
  get bytesLeft(): number {
    return this.#bytesLeft
  }

  get missing(): string[] {
    return [...this.#wanted].filter((id) => !this.texts.has(id) && this.#format.mayBeItem(id))
  }

  /** Answers that the ids themselves tell. */
  answersOf(ids: readonly string[]): string[] {
    return [...new Set(ids.map((id) => this.#format.answerOfItem(id)).filter((id) => id !== undefined))]
  }

  /** @throws {GatewayError} 413 where the answers are longer than they may be together */
  take(answer: Buffer): void {
    this.#bytesLeft -= answer.length
    if (this.#bytesLeft < 0) throw tooLong
    for (const [id, text] of this.#format.itemsOf(answer)) {
      if (!this.#wanted.has(id)) continue
      if ((this.texts.get(id) ?? text) !== text) this.ambiguous.add(id)
      this.texts.set(id, text)
    }
  }
}

export const tooLong = new GatewayError(
  'request_too_large',
  'input: the request is too long once the items it refers to are added. Send a shorter conversation.',
  { param: 'input' },
)
