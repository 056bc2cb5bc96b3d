import { expect, test } from 'vitest'
import type { OpenapiDocument } from '../openapi/document-types.ts'
import { documentedStatuses } from './documented-statuses.ts'

const answers = (...statuses: number[]) => ({
  responses: Object.fromEntries(statuses.map((status) => [status, { description: 'An answer.' }])),
})
const document = {
  paths: {
    '/notes/{note_id}': { get: answers(200, 404) },
    '/notes/latest': { get: answers(200), post: answers(201) },
  },
} as unknown as OpenapiDocument
const check = documentedStatuses(document)

test.each([
  ['GET', '/notes/note_1', 404],
  ['GET', '/notes/latest?limit=1', 200],
  ['HEAD', '/notes/latest', 200],
  ['POST', '/notes/latest', 201],
  // Not operations: `DELETE` is 405 here, and nothing serves the last path.
  ['DELETE', '/notes/latest', 405],
  ['GET', '/notes/note_1/pages', 404],
])('%s %s may answer %i', (method, path, status) => {
  expect(() => check(method, path, status)).not.toThrow()
})

test.each([
  ['GET', '/notes/note_1', 409, 'GET /notes/{note_id} answered 409'],
  ['GET', '/notes/latest', 404, 'GET /notes/latest answered 404'],
  ['HEAD', '/notes/latest', 404, 'HEAD /notes/latest answered 404'],
  ['POST', '/notes/latest', 200, 'POST /notes/latest answered 200'],
])('%s %s may not answer %i, which the document does not list', (method, path, status, message) => {
  expect(() => check(method, path, status)).toThrow(message)
})
