/** What is added to the bare proxy, one behind the other. */
export const floorSteps = ['json', 'key', 'log', 'database'] as const
export type FloorStep = (typeof floorSteps)[number]

/** What a request's row has to hold (docs/contract.md, 4.6 and 6.3). */
export interface FloorRow {
  id: string
  accountId: string
  keyId: string
  startedAtMs: number
  durationMs: number
  asked: string
  served: string
  tags: string[]
  outcome: string
  status: number
  /** As the vendor gave it. */
  usage: object
  tokensIn: number
  tokensOut: number
  price: string
  /** A decimal string. */
  chargePico: string
}
