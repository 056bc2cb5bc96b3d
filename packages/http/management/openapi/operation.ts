/** Whose credential an endpoint asks for. */
export type Surface = 'open' | 'user' | 'operator' | 'api-key'

export type OperationTag =
  | 'Chat'
  | 'Messages'
  | 'Responses'
  | 'Gemini'
  | 'Completions'
  | 'Embeddings'
  | 'Rankings'
  | 'Moderations'
  | 'Models'
  | 'Account'
  | 'Organizations'
  | 'Keys'
  | 'Budgets'
  | 'Vendor keys'
  | 'Top-up'
  | 'Devices'
  | 'Usage'
  | 'Prompt log'
  | 'Ledger'
  | 'Events'
  | 'Operator'
  | 'Service'

/** What a route is beyond its schemas: its words, its examples, and what else it takes part in. */
export interface Operation {
  /** The operation's identifier, and the action in the audit log; of users' and operators' twins the same. */
  id: string
  tag: OperationTag
  /** A few words, as in a table of contents. */
  summary: string
  /** Markdown: paragraphs, `code` and lists with `-`. */
  description: string
  /** Kept in the audit log. */
  audited?: true
  /** Asked for again and again: answers carry an ETag, and what did not change is 304. */
  polled?: true
  /** Statuses beyond those that follow from the surface, the parameters and the body. */
  errors?: readonly number[]
  /** Example of the body. */
  request?: unknown
  /** What it names is the person's own: the audit log keeps that it was done, and not what it named. */
  personal?: true
  /** Nothing of its body is kept, so that it takes no `Idempotency-Key`. */
  unkept?: true
  /** It needs no field of its body: none at all is as good, as `curl -X POST` sends it. */
  bodyOptional?: true
  /**
   * The fields of a form, in place of a JSON body: an endpoint of OAuth's, whose errors have that form too.
   */
  form?: { fields: Record<string, string>; required: readonly string[] }
  /** Example of the successful answer. */
  answer?: unknown
  /** Of a successful answer that is no JSON: its media types. */
  files?: Record<string, { description: string; example: string }>
  /** What its twin across all accounts tells besides: a further paragraph, and another example. */
  acrossAccounts?: { description: string; answer: unknown }
}

/**
 * The operations of one section of the reference.
 * @param tag the section of all that name no other
 */
export function operationsOf(
  tag: OperationTag,
  operations: Record<string, Omit<Operation, 'tag'> & Partial<Pick<Operation, 'tag'>>>,
): Record<string, Operation> {
  const tagged = Object.entries(operations).map(([route, operation]) => [route, { tag, ...operation }])
  return Object.fromEntries(tagged) as Record<string, Operation>
}
