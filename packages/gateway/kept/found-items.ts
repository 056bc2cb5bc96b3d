import type { KeptFormat } from '@turnpike/dialects'
import { GatewayError } from '@turnpike/protocol'

/** Items that a request refers to, as far as kept answers contain them. */
export class FoundItems {
  /** JSON, by item id. */
  readonly texts = new Map<string, string>()
  /** Ids that vendors have given to more than one item, so that the reference is ambiguous. */
  readonly ambiguous = new Set<string>()
  readonly #wanted: ReadonlySet<string>
  readonly #format: KeptFormat
  #bytesLeft: number

  /** @param mostBytes the size of all searched answers together */
  constructor(wanted: ReadonlySet<string>, format: KeptFormat, mostBytes: number) {
    this.#wanted = wanted
    this.#format = format
    this.#bytesLeft = mostBytes
  }

  /** How many more bytes of answers may be searched. */
  get bytesLeft(): number {
    return this.#bytesLeft
  }

  get missing(): string[] {
    return [...this.#wanted].filter((id) => !this.texts.has(id) && this.#format.mayBeItem(id))
  }

  /** The ids of answers that some item ids contain. */
  answersOf(ids: readonly string[]): string[] {
    return [...new Set(ids.map((id) => this.#format.answerOfItem(id)).filter((id) => id !== undefined))]
  }

  /** @throws {GatewayError} 413 if the answers are too long together */
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
