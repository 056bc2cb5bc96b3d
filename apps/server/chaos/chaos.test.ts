import { describe, expect, inject, it } from 'vitest'
import { differenceLines } from '../torture/report.ts'
import { chaos } from './chaos.ts'

const troubleMs = 2_500
const timeoutMs = 300_000

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
    },
    timeoutMs,
  )
})
