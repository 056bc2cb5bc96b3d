/** The APIs that requests come by. */
export const endpoints = [
  'chat.completions',
  'messages',
  'responses',
  'generate_content',
  'completions',
  'embeddings',
  'rerank',
  'moderations',
] as const
export type Endpoint = (typeof endpoints)[number]

/** What they ask a model for. */
export const operations = ['generate', 'embed', 'rerank', 'moderate'] as const
export type Operation = (typeof operations)[number]

/** As people know them: by what they are called at the vendors whose formats they are. */
export const endpointNames: Record<Endpoint, string> = {
  'chat.completions': 'Chat completions',
  messages: 'Messages',
  responses: 'Responses',
  generate_content: 'Gemini',
  completions: 'Completions',
  embeddings: 'Embeddings',
  rerank: 'Rerank',
  moderations: 'Moderations',
}

export const operationNames: Record<Operation, string> = {
  generate: 'Generate',
  embed: 'Embed',
  rerank: 'Rerank',
  moderate: 'Moderate',
}
