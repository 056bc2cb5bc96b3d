import type { Correction, Profile, PromptScore, RouteDecision, RouteNeeds, Tier } from '@turnpike/routing'
import type { Candidate } from '../candidates/candidate.ts'

/** Why a request is answered by more than the last one was. */
export type Escalation = 'retry' | 'stall'

/** What an account's outcomes make of a prompt's score. */
export interface Calibrated {
  tier: Tier
  correction: Correction
  /** False: it is only written down. */
  used: boolean
}

/** What a prompt asks for. */
export interface Verdict {
  /** Of the profile: how much less likely to succeed than the best a tier may be. */
  delta: number
  /** Its probabilities are rounded as a row holds them, so that the row decides the same. */
  score: PromptScore
  /** What the prompt alone asks for. */
  scored: Tier
  /** What it asks for with the account's correction; undefined where calibration is off. */
  calibrated: Calibrated | undefined
  /** Which of both counts. */
  basis: Tier
}

/** Where a request goes, and all that led there. */
export interface AutoRoute extends Verdict {
  profile: Profile
  accountId: string
  /** User asks of the conversation so far. */
  asks: number
  /** The tier that the conversation was at; undefined at its beginning. */
  conversationTier: Tier | undefined
  escalation: Escalation | undefined
  decision: RouteDecision
  /** Upstreams and keys of the ranked models, in the order in which they are tried. */
  candidates: readonly Candidate[]
  /** One of the account's keys that serve them keeps what comes behind them from the operator's. */
  forbidsShared: boolean
  conversation: string
  needs: RouteNeeds
}
