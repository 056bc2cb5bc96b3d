import type { OutputSeen } from '../context/ending.ts'
import type { Attempt } from '../context/stages.ts'

/** Reasoning models produce some 100 tokens a second. Vendors bill them whether or not they show them. */
const tokensPerMs = 0.1
/** The usual time to an answer's first token without any reasoning. */
const usualFirstTokenMs = 1_000

/**
 * Whether the vendor may bill tokens that only its usage reveals, so the answer is read on after its client
 * left: unseen reasoning, or searches and pages that the vendor's tools read.
 */
export function mayBillUnseen(attempt: Attempt, reasoningSeen: boolean): boolean {
  const { request, candidate } = attempt
  if (mayReasonUnseen(attempt, reasoningSeen)) return true
  const { services } = request.operation
  return services?.readsOn(request.call.request, candidate.provider) === true
}

/** Whether the vendor may bill reasoning that no caller gets to see. */
function mayReasonUnseen({ request, candidate }: Attempt, reasoningSeen: boolean): boolean {
  return request.operation.mayReasonUnseen?.(request.call.request, candidate, reasoningSeen) === true
}

/**
 * Estimates unseen reasoning tokens if the vendor does not report them, from the time to the first token, or
 * the time without one. Never more than the hold covers besides the seen output.
 */
export function unseenReasoningTokens(attempt: Attempt, output: OutputSeen, outputTokens: number): number {
  const { request, calledAtMs, heldOutputTokens } = attempt
  const { exchange, record, call } = request
  if (!mayReasonUnseen(attempt, output.reasoningSeen)) return 0
  const untilMs =
    record.firstTokenMs === null ? performance.now() : exchange.startedAtMonotonicMs + record.firstTokenMs
  let tokens = Math.round((untilMs - calledAtMs - usualFirstTokenMs) * tokensPerMs)
  // A plain answer arrives as a whole, so producing its text took part of that time.
  if (!call.request.stream) tokens -= outputTokens
  return Math.max(0, Math.min(tokens, heldOutputTokens - outputTokens))
}
