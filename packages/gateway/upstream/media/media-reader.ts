import type { MediaRules } from './media-fetcher.ts'
import type { Places } from '../../services/places.ts'

/** Who reads: it shares its places with others of its account, and of the node. */
export interface MediaReader {
  places: Places
  accountId: string
  /** Absent: those of the public internet. */
  rules?: MediaRules
}
