import { describe, expect, it } from 'vitest'
import { withoutThought } from '../requests/thoughts-in-ids.ts'
import { formatToolCallId, parseToolCallId } from './tool-call-id.ts'

const signatures = [
  undefined,
  'CpUCAdHtim9pjKa09PSMm2rJMx/w+Zv+17DcCbM08LMBheh0ksyO8A==',
  'AAA=',
  '+/+/',
  'no base64 at all: é',
  'dGV4dF8',
  'text_AAA',
  'text/AAA',
  '__thought_',
]

describe('the id of a tool call', () => {
  describe.each(signatures)('with the signature %s', (thoughtSignature) => {
    it.each([undefined, 'd6vd9r5q', 'function-call-123', '__thought_x'])(
      'keeps it with the id %s',
      (googleId) => {
        const id = formatToolCallId({ googleId, thoughtSignature }, 'response_0_1')
        const back = parseToolCallId(id)
        expect(back.thoughtSignature).toBe(thoughtSignature)
        expect(back.googleId).toBe(googleId === '__thought_x' ? undefined : googleId)
        expect(id).toMatch(/^[a-zA-Z0-9_-]+$/)
        expect(parseToolCallId(withoutThought(id))).toEqual({ ...back, thoughtSignature: undefined })
      },
    )
  })

  it.each(['call_abc', 'toolu_01A', 'D681PevKs', ''])(
    "contains nothing if it is another vendor's: %s",
    (id) => {
      expect(parseToolCallId(id)).toEqual({ googleId: undefined, thoughtSignature: undefined })
      expect(withoutThought(id)).toBe(id)
    },
  )
})
