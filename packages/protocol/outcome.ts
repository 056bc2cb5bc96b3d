/** How a request ended; who pays for each is the table of docs/contract.md, 4.7. */
export const outcomes = ['completed', 'client_closed', 'upstream_cut', 'credit_exhausted', 'failed'] as const

export type Outcome = (typeof outcomes)[number]
