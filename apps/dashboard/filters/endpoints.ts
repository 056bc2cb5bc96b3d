import type { Schemas } from '../api/client.ts'

export type Endpoint = Schemas['Request']['endpoint']
export type Operation = Schemas['Request']['operation']

/** The APIs that requests use, by the names their vendors gave them. */
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

/** The operations that requests ask for. */
export const operationNames: Record<Operation, string> = {
  generate: 'Generate',
  embed: 'Embed',
  rerank: 'Rerank',
  moderate: 'Moderate',
}

export const endpoints = Object.keys(endpointNames) as Endpoint[]
export const operations = Object.keys(operationNames) as Operation[]
