import { startFaultyVendors, startLoadVendor } from '../client/journal.ts'
import { runClosedLoop } from '../client/load.ts'
import { soakedModel } from '../faults/configuration.ts'
import { noShares } from '../faults/schedule.ts'
import { requireAnswers } from '../measures/requests.ts'
import { median } from '../report/statistics.ts'
import { Turnpike } from '../subjects/turnpike.ts'

const connections = 32
const warmUpMs = 3_000
const roundMs = 5_000
const rounds = 3

/**
 * Plain requests a second that one process serves at full speed, with its vendor and its clients on the same
 * machine; the median of some rounds, on a separate server.
 * @param faults uses the vendors of a soak with faults, but none of them fails here
 */
export async function measureCapacity(faults: boolean): Promise<number> {
  const vendor = faults ? await startFaultyVendors(1, noShares) : await startLoadVendor()
  const subject = new Turnpike({ vendorPort: vendor.port, keys: 1, creditUsd: '1000', faults })
  const server = await subject.start()
  try {
    const plain = server.target('plain')
    const target = faults ? { ...plain, request: server.requestOf(soakedModel, false, 0) } : plain
    await runClosedLoop(target, { connections, durationMs: warmUpMs })
    const perSecond: number[] = []
    for (let round = 0; round < rounds; round++) {
      const result = await runClosedLoop(target, { connections, durationMs: roundMs })
      requireAnswers(result)
      perSecond.push(result.answers / (roundMs / 1_000))
    }
    return median(perSecond)
  } finally {
    await server.stop()
    await vendor.stop()
    subject.remove()
  }
}
