/** How a request ended (docs/contract.md, 4.7). */
export const outcomes = ['completed', 'client_closed', 'upstream_cut', 'credit_exhausted', 'failed'] as const
export type Outcome = (typeof outcomes)[number]

export const outcomeNames: Record<Outcome, string> = {
  completed: 'Completed',
  client_closed: 'Client disconnected',
  upstream_cut: 'Interrupted by vendor',
  credit_exhausted: 'Credit used up',
  failed: 'Failed',
}

export const outcomeColors: Record<Outcome, string> = {
  completed: 'teal',
  client_closed: 'gray',
  upstream_cut: 'orange',
  credit_exhausted: 'orange',
  failed: 'red',
}
