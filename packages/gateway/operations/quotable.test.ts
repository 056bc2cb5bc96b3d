import type { ModerateRequest, RerankRequest } from '@turnpike/protocol'
import { expect, it } from 'vitest'
import { loggable } from '../services/loggable.ts'
import { moderate } from './moderate/rules.ts'
import { rerank } from './rerank/rules.ts'

/** A log contains no text of a request, even if a vendor quotes only a part of it. */

it.each([
  ['a query', 'no rank for: J. Doe, Bern'],
  ['a text', 'cannot read "a@b.test"'],
  ['a member of an object', 'cannot read 123-45-6789'],
  ['a member of a member', 'cannot read 4711-0815'],
])('%s of a ranking', (_, message) => {
  const documents = ['a@b.test', { id: 7, ssn: '123-45-6789', cards: [{ number: '4711-0815' }] }]
  const request = { query: 'J. Doe, Bern', documents } as unknown as RerankRequest
  expect(loggable(message, rerank.quotable(request))).toContain('withheld')
})

it.each([
  ['a text', 'cannot judge "J. Doe, Bern"'],
  ['the address of an image', 'cannot load https://example.com/a.png?signature=4711'],
])('%s of a moderation', (_, message) => {
  const inputs: ModerateRequest['inputs'] = [
    { kind: 'text', text: 'J. Doe, Bern' },
    { kind: 'image', url: 'https://example.com/a.png?signature=4711' },
  ]
  expect(loggable(message, moderate.quotable({ inputs } as ModerateRequest))).toContain('withheld')
})

it('a message that quotes nothing is kept', () => {
  const request = { query: 'J. Doe, Bern', documents: [{ ssn: '123-45-6789' }] } as unknown as RerankRequest
  expect(loggable('upstream status 500: down', rerank.quotable(request))).toBe('upstream status 500: down')
})
