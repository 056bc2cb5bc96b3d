import type { FactGroup } from './facts.ts'

/** Common facts of ranking models. */
export const rankings = {
  output: 0,
  input: ['text'],
  operations: ['rerank'],
} as const satisfies Partial<FactGroup>

/** Common facts of moderation models. */
export const moderations = {
  output: 0,
  operations: ['moderate'],
  parameters: [],
} as const satisfies Partial<FactGroup>

/** Common facts of embedding models. */
export const vectors = {
  output: 0,
  input: ['text'],
  operations: ['embed'],
} as const satisfies Partial<FactGroup>
