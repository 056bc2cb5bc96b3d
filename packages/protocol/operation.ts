/** The operations that a model can perform. */
export const operations = ['generate', 'embed', 'rerank', 'moderate'] as const
export type Operation = (typeof operations)[number]

/** The endpoint of each API, as request rows name it, and its operation. */
export const operationByEndpoint = {
  'chat.completions': 'generate',
  messages: 'generate',
  generate_content: 'generate',
  responses: 'generate',
  completions: 'generate',
  embeddings: 'embed',
  rerank: 'rerank',
  moderations: 'moderate',
} as const satisfies Record<string, Operation>

export type Endpoint = keyof typeof operationByEndpoint
export const endpoints = Object.keys(operationByEndpoint) as Endpoint[]
