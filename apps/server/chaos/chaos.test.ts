import { describe, expect, inject, it } from 'vitest'
import { differenceLines } from '../torture/report.ts'
import { chaos } from './chaos.ts'
import { troubles } from './parts.ts'

const troubleMs = 2_500
const timeoutMs = 300_000
/** Half of what is asked while a part is away: a busy machine sends less. */
const fewestRequests = 50

const say = (line: string): void => void process.stdout.write(`${line}\n`)

describe.skipIf(inject('postgresUrl') === null)('each part of an installation, killed and halted', () => {
  it(
    'fails no request but what the design says, and the books agree',
    async () => {
      const seed = Date.now() % 1_000_000_000
      say(`chaos: seed ${seed}`)
      const report = await chaos({ seed, troubleMs, say })
      for (const { part, requests, delivered, allowed, failed } of report.tallies)
        say(`chaos: ${part}: ${requests} requests, ${delivered} delivered, ${allowed} cut, ${failed} failed`)
      expect(differenceLines(report)).toEqual([])
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
