import { vectors as plain } from './embeddings.ts'
import type { FactGroup } from './facts.ts'

const vectors = { ...plain, context: 8_192, formats: ['openai-embeddings'] } as const
const ofAnySize = { ...vectors, parameters: ['dimensions', 'encoding_format', 'user'] }

/** https://platform.openai.com/docs/guides/embeddings */
export const embeddingsGroups: FactGroup[] = [
  { ...ofAnySize, models: { 'text-embedding-3-small': '2024-01-25' }, dimensions: 1_536 },
  { ...ofAnySize, models: { 'text-embedding-3-large': '2024-01-25' }, dimensions: 3_072 },
  {
    ...vectors,
    models: { 'text-embedding-ada-002': '2022-12-15' },
    parameters: ['encoding_format', 'user'],
    dimensions: 1_536,
  },
]

export const embeddingsNames = {
  'text-embedding-3-small': 'Text Embedding 3 Small',
  'text-embedding-3-large': 'Text Embedding 3 Large',
  'text-embedding-ada-002': 'Text Embedding Ada 002',
}
