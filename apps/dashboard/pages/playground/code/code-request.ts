/** A request of the playground, as its code says it. */
export interface CodeRequest {
  /** Of the gateway: `https://llm.example.com`. */
  origin: string
  model: string
  /** Empty for none. */
  system: string
  /** Questions and answers in turn, the last one a question. */
  turns: readonly { role: 'user' | 'assistant'; text: string }[]
  tags: readonly string[]
  maxTokens?: number
  effort?: Effort
}

/** How much the model is to think; `none`: not at all, where it can be kept from it. */
export const efforts = ['none', 'low', 'medium', 'high'] as const
export type Effort = (typeof efforts)[number]

/** Where the code reads the key from, which does not stand in it. */
export const keyVariable = 'TURNPIKE_API_KEY'
