import type { Gateway } from '../context/gateway.ts'
import type { Attempt } from '../context/stages.ts'
import { mayBillUnseen } from '../metering/unseen-reasoning.ts'
import type { BackgroundRead } from '../services/background-reads.ts'

/**
 * The client has left, and the vendor goes on and bills what it thought: it is read until it says how much
 * that was. Undefined where it bills nothing unseen, or no further answer may be read.
 * @param end called where its time is over
 */
export function startBackgroundRead(
  attempt: Attempt,
  reasoningSeen: boolean,
  gateway: Gateway,
  end: () => void,
): BackgroundRead | undefined {
  return mayBillUnseen(attempt, reasoningSeen) ? gateway.backgroundReads.startRead(end) : undefined
}
