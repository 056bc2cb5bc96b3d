import type { Member } from './json/members.ts'

/** That answers are kept, to whoever reads a request. */
export interface Keeping {
  /** The kept answer that the request went on from: its body holds the conversation by now. */
  previousId: string | undefined
}

/** An answer and what it answers, as JSON: an object, and a list. */
export interface KeptTexts {
  answer: Buffer
  input: Buffer
}

/** An item of a kept answer that a request names in place of sending it. */
export interface NamedItem {
  id: string
  /** Its place in the list. */
  at: number
  /** The path of its id in the request. */
  param: string
}

/** A body as it came, and where its outermost members stand in it. */
export interface MemberedBody {
  body: Buffer
  members: readonly Member[]
}

/** How callers of a format name answers that are kept, go on from them, and read them again. */
export interface KeptFormat {
  /** The field of a request that names the answer it goes on from. */
  previousField: string
  /**
   * The answer that the body goes on from; undefined: none.
   * @throws {GatewayError} 400 where it is named by something else than a text
   */
  previousOf(body: object): string | undefined
  /**
   * The body as if the caller had sent the whole conversation: what was kept stands before what is new, and
   * the answer is named no more. All else is byte for byte as it came.
   */
  continueFrom(sent: MemberedBody, kept: KeptTexts): Buffer
  /** The items that the body names, and does not hold. */
  itemsNamed(body: object): readonly NamedItem[]
  /**
   * The body as if the caller had sent these items. All else is byte for byte as it came.
   * @param items JSON, by their ids
   */
  withItems(sent: MemberedBody, named: readonly NamedItem[], items: ReadonlyMap<string, string>): Buffer
  /** Whether there may be an item of that id. */
  mayBeItem(id: string): boolean
  /** The answer that an item is of, where its id tells. */
  answerOfItem(id: string): string | undefined
  /** The items of an answer, as JSON, by their ids. */
  itemsOf(answer: Buffer): ReadonlyMap<string, string>
  /** What the body asks to be answered, the conversation before it included: JSON of a list. */
  inputOf(sent: MemberedBody): Buffer
  /**
   * The path by which the caller knows a field of the whole conversation; undefined: it is of what was kept.
   * @param whole the body with the conversation in it, parsed
   * @param own the caller's, parsed
   */
  ownPath(path: string, whole: object, own: object): string | undefined
  /**
   * What `GET /v1/responses/{id}` may ask besides.
   * @throws {GatewayError} 400 naming the parameter
   */
  requireReadable(query: URLSearchParams): void
  /** The answer to a deletion. */
  formatDeleted(id: string): object
  /**
   * A page of what an answer answers.
   * @throws {GatewayError} 400 naming the parameter
   */
  formatInput(id: string, input: readonly unknown[], query: URLSearchParams): object
}
