import type { RerankRequest } from '@turnpike/protocol'
import { expect, it } from 'vitest'
import { mostSearchUnits, searchUnits } from './search-units.ts'

const request = (query: string, documents: readonly string[], more: object = {}): RerankRequest =>
  ({ query, documents, ...more }) as unknown as RerankRequest

const times = (count: number, text: string): string[] => Array.from({ length: count }, () => text)
const bytes = (count: number): string => 'x'.repeat(count)

it.each([
  ['one document', request('q', ['a']), 1],
  ['100 documents', request('q', times(100, 'a')), 1],
  ['101 documents', request('q', times(101, 'a')), 2],
  ['one without a text', request('q', ['']), 1],
  ['two pieces each', request('q', times(100, bytes(500))), 2],
  ['one piece each, with the query', request('q', times(100, bytes(499))), 1],
  ['cut documents', request('q', times(100, bytes(90_000))), 9],
  ['documents cut earlier', request('q', times(100, bytes(90_000)), { maxTokensPerDocument: 400 }), 1],
  ['a long query', request(bytes(2_000), times(100, 'a')), 5],
])('%s', (_, request, units) => expect(mostSearchUnits(request)).toBe(units))

it('counts objects in the form in which they are sent', () => {
  const documents = times(100, '').map(() => ({ title: bytes(600), text: 'a' }))
  expect(searchUnits(request('q', documents as never), (count) => count)).toBe(2)
  expect(mostSearchUnits(request('q', documents as never, { rankFields: ['text'] }))).toBe(1)
})
