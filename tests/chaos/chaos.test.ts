import { describe, expect, inject, it } from 'vitest'
import { differenceLines } from '../torture/report.ts'
import { chaos } from './chaos.ts'
import { troubles } from './parts.ts'

const troubleMs = 2_500
/** The run takes two minutes. A hanging run ends before vitest's timeout, and reports what it has seen. */
const deadlineMs = 600_000
const timeoutMs = deadlineMs + 60_000
/** Half of what is sent while a part is away, since a busy machine sends less. */
const fewestRequests = 50

const say = (line: string): void => void process.stdout.write(`${line}\n`)

describe.skipIf(inject('postgresUrl') === null)('each part of an installation, killed and halted', () => {
  it(
    'fails only requests that the design allows to fail, and keeps the books balanced',
    async () => {
      const seed = Date.now() % 1_000_000_000
      say(`chaos: seed ${seed}`)
      const report = await chaos({ seed, troubleMs, deadlineMs, say })
      const differences = differenceLines(report)
      for (const line of differences) say(`chaos: seed ${seed}: ${line}`)
      expect(differences).toEqual([])
      // Without load on a part, or without the part, the test would prove nothing about it.
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
