import type { Correction, Profile, PromptScore, RouteDecision, RouteNeeds, Tier } from '@turnpike/routing'
import type { Candidate } from '../candidates/candidate.ts'

/** Why a request gets a stronger model than the previous one of its conversation. */
export type Escalation = 'retry' | 'stall'

/** The tier after correction by the account's past outcomes. */
export interface Calibrated {
  tier: Tier
  correction: Correction
  /** False if the correction is recorded only. */
  used: boolean
}

/** The tier that a prompt needs, with its reasons. */
export interface Verdict {
  /** The profile's tolerance: how much lower than the best tier's a tier's success probability may be. */
  delta: number
  /** Its probabilities are rounded as the row stores them, so that the row leads to the same decision. */
  score: PromptScore
  /** The tier that the prompt alone needs. */
  scored: Tier
  /** The tier with the account's correction; undefined if calibration is off. */
  calibrated: Calibrated | undefined
  /** Which of the two tiers counts. */
  basis: Tier
}

/** Where a request goes, and every reason for it. */
export interface AutoRoute extends Verdict {
  profile: Profile
  accountId: string
  /** How many messages the user has sent in the conversation so far. */
  asks: number
  /** The conversation's previous tier; undefined at its beginning. */
  conversationTier: Tier | undefined
  escalation: Escalation | undefined
  decision: RouteDecision
  /** Upstreams and keys of the ranked models, in the order in which to try them. */
  candidates: readonly Candidate[]
  /** One of the account's keys for these models forbids the operator's keys for the candidates after it. */
  forbidsShared: boolean
  conversation: string
  needs: RouteNeeds
}
