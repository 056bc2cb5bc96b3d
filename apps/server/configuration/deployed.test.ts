import { readFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { loadConfiguration } from './load.ts'
import { formatMistake } from './mistakes/mistake.ts'

const deploy = join(import.meta.dirname, '..', '..', '..', 'deploy')
const directory = mkdtempSync(join(tmpdir(), 'turnpike-test-'))
afterAll(() => rmSync(directory, { recursive: true }))

const environment = {
  DATABASE_URL: 'postgres://turnpike:secret@postgres:5432/turnpike',
  REDIS_URL: 'redis://valkey:6379',
  OPENAI_API_KEY: 'sk-openai',
  TURNPIKE_INTERNAL_SECRET: '0123456789abcdef0123456789abcdef',
  TURNPIKE_PUBLIC_URL: 'https://llm.example.com',
}

function mistakesIn(path: string): string[] {
  const { mistakes } = loadConfiguration({ path, environment, directory })
  return mistakes.map((mistake) => formatMistake(path, mistake))
}

describe('the gateway starts with', () => {
  test('the configuration of the compose file', () => {
    expect(mistakesIn(join(deploy, 'compose', 'turnpike.yaml'))).toEqual([])
  })

  test("the chart's default configuration", () => {
    const values = parse(readFileSync(join(deploy, 'helm', 'turnpike', 'values.yaml'), 'utf8')) as {
      config: object
      metrics: { port: number }
    }
    const path = join(directory, 'turnpike.yaml')
    const telemetry = { metrics_port: values.metrics.port }
    writeFileSync(path, stringify({ ...values.config, telemetry }))
    expect(mistakesIn(path)).toEqual([])
  })
})
