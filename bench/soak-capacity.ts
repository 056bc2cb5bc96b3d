import { startLoadVendor } from './client/journal.ts'
import { closedLoop } from './client/load.ts'
import { requireAnswers } from './measures/requests.ts'
import { median } from './report/statistics.ts'
import { Turnpike } from './subjects/turnpike.ts'

const connections = 32
const warmUpMs = 3_000
const roundMs = 5_000
const rounds = 3

/**
 * Plain requests a second that one process serves at full speed, beside its vendor and its clients on the
 * same machine; the median of some rounds, on a server of its own.
 */
export async function measuredCapacity(): Promise<number> {
  const vendor = await startLoadVendor()
  const subject = new Turnpike({ vendorPort: vendor.port, keys: 1, creditUsd: '1000' })
  const server = await subject.start()
  try {
    const target = server.target('plain')
    await closedLoop(target, { connections, durationMs: warmUpMs })
    const perSecond: number[] = []
    for (let round = 0; round < rounds; round++) {
      const result = await closedLoop(target, { connections, durationMs: roundMs })
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
