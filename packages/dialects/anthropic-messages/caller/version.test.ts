import { describe, expect, it } from 'vitest'
import { requireKnownVersion } from './version.ts'

const nowMs = Date.parse('2027-03-01T12:00:00Z')
const requestWith =
  (version: string | undefined): (() => void) =>
  () =>
    requireKnownVersion({ header: (name) => (name === 'anthropic-version' ? version : undefined) }, nowMs)

describe('the version of the API', () => {
  it.each([undefined, '2023-01-01', '2023-06-01', '2026-10-21', '2027-03-01'])('may be %s', (version) => {
    expect(requestWith(version)).not.toThrow()
  })

  it.each([
    '',
    'banana',
    '2022-01-01',
    '2024-06-01',
    '2027-03-02',
    '2027-13-01',
    '2023-06-01, 2023-06-01',
    '2027-1-1',
  ])('must not be "%s"', (version) => {
    const refusal = { status: 400, type: 'invalid_request_error', param: 'anthropic-version' }
    expect(requestWith(version)).toThrow(expect.objectContaining(refusal) as Error)
  })
})
