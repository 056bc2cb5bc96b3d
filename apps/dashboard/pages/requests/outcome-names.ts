import type { Outcome } from './request-search.ts'

/** How a request ended, in words (contract, section 4.7). */
export const outcomeNames: Record<Outcome, string> = {
  completed: 'Completed',
  client_closed: 'Client left',
  upstream_cut: 'Cut by the vendor',
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
