import type { Member } from './json/members.ts'

/** Says that answers are kept, for code that parses requests. */
export interface Keeping {
  /** The kept answer that the request continues from. The body already contains its conversation. */
  previousId: string | undefined
}

/** A kept answer (a JSON object) and its input (a JSON list). */
export interface KeptTexts {
  answer: Buffer
  input: Buffer
}

/** An item of a kept answer that a request names by id instead of sending it. */
export interface NamedItem {
  id: string
  /** Its index in the list. */
  at: number
  /** The path of its id in the request. */
  param: string
}

/** A body as it came, and where its outermost members are in it. */
export interface MemberedBody {
  body: Buffer
  members: readonly Member[]
}

/** How callers of a format name kept answers, continue from them, and read them again. */
export interface KeptFormat {
  /** The request field that names the answer to continue from. */
  previousField: string
  /**
   * The id of the answer that the body continues from; undefined: none.
   * @throws {GatewayError} 400 if the id is not a string
   */
  previousOf(body: object): string | undefined
  /**
   * The body as if the caller had sent the whole conversation: the kept items precede the new ones, and the
   * id of the kept answer is removed. Everything else stays byte for byte.
   */
  continueFrom(sent: MemberedBody, kept: KeptTexts): Buffer
  /** The items that the body names but does not contain. */
  itemsNamed(body: object): readonly NamedItem[]
  /**
   * The body as if the caller had sent these items. Everything else stays byte for byte.
   * @param items JSON, by their ids
   */
  withItems(sent: MemberedBody, named: readonly NamedItem[], items: ReadonlyMap<string, string>): Buffer
  /** Whether an item could have this id. */
  mayBeItem(id: string): boolean
  /** The answer that an item belongs to, if its id tells. */
  answerOfItem(id: string): string | undefined
  /** The items of an answer, as JSON, by their ids. */
  itemsOf(answer: Buffer): ReadonlyMap<string, string>
  /** The body's input, including the conversation before it, as a JSON list. */
  inputOf(sent: MemberedBody): Buffer
  /**
   * Maps a path in the whole conversation to the caller's path. Undefined if it points to a kept item.
   * @param whole the body with the conversation in it, parsed
   * @param own the caller's body, parsed
   */
  ownPath(path: string, whole: object, own: object): string | undefined
  /**
   * Checks the query of `GET /v1/responses/{id}`.
   * @throws {GatewayError} 400 that names the parameter
   */
  requireReadable(query: URLSearchParams): void
  /** The response to a deletion. */
  formatDeleted(id: string): object
  /**
   * A page of an answer's input items.
   * @throws {GatewayError} 400 that names the parameter
   */
  formatInput(id: string, input: readonly unknown[], query: URLSearchParams): object
}
