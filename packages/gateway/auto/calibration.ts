import {
  Calibrator,
  applyCorrection,
  OpenAnswers,
  tierFor,
  type PromptScore,
  type Tier,
} from '@turnpike/routing'
import type { AutoRoute, Calibrated } from './auto-route.ts'

/** `shadow`: the corrected tier is computed and recorded, but not used. */
export const calibrationModes = ['off', 'shadow', 'on'] as const
export type CalibrationMode = (typeof calibrationModes)[number]

/** Learns from the outcomes of routed answers how often each tier suffices for an account. */
export class Calibration {
  readonly #mode: CalibrationMode
  readonly #calibrator = new Calibrator()
  readonly #open = new OpenAnswers(this.#calibrator)

  constructor(mode: CalibrationMode) {
    this.#mode = mode
  }

  /** Undefined if calibration is off. */
  of(accountId: string, score: PromptScore, delta: number): Calibrated | undefined {
    if (this.#mode === 'off') return undefined
    const correction = this.#calibrator.correctionOf(accountId)
    const probabilities = applyCorrection(score.probabilities, correction)
    return { tier: tierFor({ ...score, probabilities }, delta), correction, used: this.#mode === 'on' }
  }

  recordFollowUp(
    { accountId, conversation, escalation, asks }: AutoRoute,
    retryOf: string | undefined,
    nowMs: number,
  ): void {
    if (this.#mode === 'off') return
    const stalled = escalation === 'stall'
    this.#open.recordFollowUp({ accountId, conversation, retryOf, stalled, asks, nowMs })
  }

  recordAnswer(route: AutoRoute, requestId: string, tier: Tier, nowMs: number): void {
    if (this.#mode === 'off') return
    const { accountId, conversation, asks, score } = route
    const predicted = score.probabilities[tier]
    this.#open.open({ requestId, accountId, conversation, tier, predicted, asks, answeredAtMs: nowMs })
  }
}
