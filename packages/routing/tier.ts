/** How much a prompt asks of a model, from the least to the most (docs/contract.md, 5.2). */
export const tiers = ['SIMPLE', 'MEDIUM', 'COMPLEX', 'REASONING'] as const

export type Tier = (typeof tiers)[number]
