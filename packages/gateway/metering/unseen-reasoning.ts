import type { OutputSeen } from '../context/ending.ts'
import type { Attempt } from '../context/stages.ts'

/** Models that think give some 100 tokens a second; a vendor bills them whether or not it shows them. */
const tokensPerMs = 0.1
/** So long an answer's first token takes without any thought. */
const unthinkingMs = 1_000

/**
 * Whether the vendor may bill what only its usage tells, so that an answer is read on without its client:
 * reasoning that nobody sees, or searches and pages that its own tools read.
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
 * What unseen reasoning comes to where the vendor does not tell, from how long the first token took, or how
 * long none came; never more than what is held beside the output that was seen.
 */
export function unseenReasoningTokens(attempt: Attempt, output: OutputSeen, outputTokens: number): number {
  const { request, calledAtMs, heldOutputTokens } = attempt
  const { exchange, record, call } = request
  if (!mayReasonUnseen(attempt, output.reasoningSeen)) return 0
  const untilMs =
    record.firstTokenMs === null ? performance.now() : exchange.startedAtMonotonicMs + record.firstTokenMs
  let tokens = Math.round((untilMs - calledAtMs - unthinkingMs) * tokensPerMs)
  // A plain answer comes as a whole: its text took a part of that time.
  if (!call.request.stream) tokens -= outputTokens
  return Math.max(0, Math.min(tokens, heldOutputTokens - outputTokens))
}
