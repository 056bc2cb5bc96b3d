import type { MediaRules } from './media-fetcher.ts'
import type { Slots } from '../../services/slots.ts'

/** Who reads: it shares its places with others of its account, and of the node. */
export interface MediaReader {
  places: Slots
  accountId: string
  /** Absent: those of the public internet. */
  rules?: MediaRules
}
