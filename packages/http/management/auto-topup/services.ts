import type { AutoTopups, AutoTopupStore } from '@turnpike/billing'

/** What charging saved payment methods needs; built by the composition root. */
export interface AutoTopupServices {
  autoTopups: Pick<AutoTopups, 'removeMethod'>
  store: AutoTopupStore
}
