/** How capable a model a prompt needs, from the least to the most (docs/contract.md, 5.2). */
export const tiers = ['SIMPLE', 'MEDIUM', 'COMPLEX', 'REASONING'] as const

export type Tier = (typeof tiers)[number]
