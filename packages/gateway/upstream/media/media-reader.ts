import type { MediaRules } from './media-fetcher.ts'
import type { Slots } from '../../services/slots.ts'

/** Fetches media. Its places are shared by the requests of an account, and of the node. */
export interface MediaReader {
  places: Slots
  accountId: string
  /** Absent: the rules for the public internet. */
  rules?: MediaRules
}
