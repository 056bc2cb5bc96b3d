import type { MediaRules } from './media-fetcher.ts'
import type { MediaPlaces } from './media-places.ts'

/** Who reads: it shares its places with others of its account, and of the node. */
export interface MediaReader {
  places: MediaPlaces
  accountId: string
  /** Absent: those of the public internet. */
  rules?: MediaRules
}
