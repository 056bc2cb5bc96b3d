import type { FactGroup } from './facts.ts'

/** What models of vectors have in common. */
export const vectors = {
  output: 0,
  input: ['text'],
  operations: ['embed'],
} as const satisfies Partial<FactGroup>
