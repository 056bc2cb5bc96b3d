import type { AutoTopups, AutoTopupStore } from '@turnpike/billing'

/** The services for charging saved payment methods; built by the composition root. */
export interface AutoTopupServices {
  autoTopups: Pick<AutoTopups, 'removeMethod'>
  store: AutoTopupStore
}
