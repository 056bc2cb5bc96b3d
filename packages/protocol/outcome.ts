/** How a request ended; docs/contract.md, 4.7, has a table of who pays for which. */
export const outcomes = ['completed', 'client_closed', 'upstream_cut', 'credit_exhausted', 'failed'] as const

export type Outcome = (typeof outcomes)[number]
