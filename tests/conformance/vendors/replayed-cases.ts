import type { PathPlan, RecordedCase, Recordings } from '@turnpike/simulators'
import { suiteStart } from '../../nodes/suite.ts'
import { startVendorNode, upstreamModel, type VendorNode } from './vendor-node.ts'

/** The seed of the splits of replayed answers; tests print it, so that a failure can be repeated. */
export const replaySeed = Number(process.env['TURNPIKE_TEST_SEED'] ?? Date.now() % 1_000_000)

/** Replays a recorded answer in random pieces, about 150 of them. */
export function replayPlan(recordings: Recordings, { id }: RecordedCase, index: number): PathPlan {
  const meanBytes = Math.max(3, Math.ceil(recordings.response(id).length / 150))
  return { case: id, split: { seed: replaySeed + index, meanBytes }, label: id }
}

/**
 * A gateway for a suite of tests, in front of vendors that replay these cases.
 * @param vendorOf the vendor that serves a case; by default the one that it was recorded of
 */
export function suiteReplay(
  recordings: Recordings,
  cases: readonly RecordedCase[],
  vendorOf: (recorded: RecordedCase) => string = ({ vendor }) => vendor,
): VendorNode {
  const models = cases.map((recorded, index) => ({
    vendor: vendorOf(recorded),
    model: upstreamModel(recorded),
    plan: replayPlan(recordings, recorded, index),
  }))
  return suiteStart(() => startVendorNode(models, recordings))
}

/** The rows of a test per case: its name, the case, and its index. */
export function namedCases(cases: readonly RecordedCase[]): [string, RecordedCase, number][] {
  return cases.map((recorded, index) => [`${recorded.vendor} ${recorded.id}`, recorded, index])
}
