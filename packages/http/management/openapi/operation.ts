/** The credential that an endpoint requires. */
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

/** What the document says about a route beyond its schemas, and which general features apply to it. */
export interface Operation {
  /** The operation's identifier, and its name in the audit log; users' and operators' twins share it. */
  id: string
  tag: OperationTag
  /** A few words, as in a table of contents. */
  summary: string
  /** Markdown: paragraphs, `code` and lists with `-`. */
  description: string
  /** Recorded in the audit log. */
  audited?: true
  /** Requested repeatedly: responses carry an ETag, and an unchanged one is 304. */
  polled?: true
  /** Statuses besides those that follow from the surface, the parameters and the body. */
  errors?: readonly number[]
  /** An example body. */
  request?: unknown
  /** Its fields are the person's own: the audit log records that it was done, but not its fields. */
  personal?: true
  /** Nothing of its body may be stored, so it accepts no `Idempotency-Key`. */
  unkept?: true
  /** All fields of its body are optional, so the body may be missing, as `curl -X POST` sends it. */
  bodyOptional?: true
  /** A form in place of the JSON body: an OAuth endpoint, whose errors have OAuth's format too. */
  form?: { fields: Record<string, string>; required: readonly string[] }
  /** An example of the successful response. */
  answer?: unknown
  /** The media types of a successful response that is not JSON. */
  files?: Record<string, { description: string; example: string }>
  /** For its twin across all accounts: a further paragraph, and another example. */
  acrossAccounts?: { description: string; answer: unknown }
}

/** The operations of a section of the reference. @param tag for operations that name none */
export function operationsOf(
  tag: OperationTag,
  operations: Record<string, Omit<Operation, 'tag'> & Partial<Pick<Operation, 'tag'>>>,
): Record<string, Operation> {
  const tagged = Object.entries(operations).map(([route, operation]) => [route, { tag, ...operation }])
  return Object.fromEntries(tagged) as Record<string, Operation>
}
