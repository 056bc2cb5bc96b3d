import type { Schemas } from '../api/client.ts'

export type Endpoint = Schemas['Request']['endpoint']
export type Operation = Schemas['Request']['operation']

/** The APIs that requests come by, by what they are called at the vendors whose formats they are. */
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

/** What they ask a model for. */
export const operationNames: Record<Operation, string> = {
  generate: 'Generate',
  embed: 'Embed',
  rerank: 'Rerank',
  moderate: 'Moderate',
}

export const endpoints = Object.keys(endpointNames) as Endpoint[]
export const operations = Object.keys(operationNames) as Operation[]
