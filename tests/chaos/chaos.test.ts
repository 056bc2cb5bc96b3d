import { describe, expect, inject, it } from 'vitest'
import { differenceLines } from '../torture/report.ts'
import { chaos } from './chaos.ts'
import { troubles } from './parts.ts'

const troubleMs = 2_500
/** Of itself it takes two minutes. What hangs ends before the test does, and tells what it has seen. */
const deadlineMs = 600_000
const timeoutMs = deadlineMs + 60_000
/** Half of what is asked while a part is away: a busy machine sends less. */
const fewestRequests = 50

const say = (line: string): void => void process.stdout.write(`${line}\n`)

describe.skipIf(inject('postgresUrl') === null)('each part of an installation, killed and halted', () => {
  it(
    'fails no request but what the design says, and the books agree',
    async () => {
      const seed = Date.now() % 1_000_000_000
      say(`chaos: seed ${seed}`)
      const report = await chaos({ seed, troubleMs, deadlineMs, say })
      const differences = differenceLines(report)
      for (const line of differences) say(`chaos: seed ${seed}: ${line}`)
      expect(differences).toEqual([])
      // It would prove nothing of a part without load, nor of one that was left out.
      const without = inject('redisProgram') === null ? 'Redis' : undefined
      const parts = troubles.map(({ part }) => part).filter((part) => part.split(',')[0] !== without)
      expect(report.tallies.map(({ part }) => part)).toEqual(parts)
      for (const { part, requests, delivered } of report.tallies) {
        expect(requests, part).toBeGreaterThan(fewestRequests)
        expect(delivered, part).toBeGreaterThan(requests / 2)
      }
    },
    timeoutMs,
  )
})
