import type { FactGroup } from './facts.ts'

/** What models of rankings have in common. */
export const rankings = {
  output: 0,
  input: ['text'],
  operations: ['rerank'],
} as const satisfies Partial<FactGroup>

/** What models of moderations have in common. */
export const moderations = {
  output: 0,
  operations: ['moderate'],
  parameters: [],
} as const satisfies Partial<FactGroup>

/** What models of vectors have in common. */
export const vectors = {
  output: 0,
  input: ['text'],
  operations: ['embed'],
} as const satisfies Partial<FactGroup>
