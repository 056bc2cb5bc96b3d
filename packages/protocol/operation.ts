/** What a caller asks a model for. */
export const operations = ['generate', 'embed', 'rerank', 'moderate'] as const
export type Operation = (typeof operations)[number]

/** The APIs that requests come by, as their rows name them, and what each of them asks for. */
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
