import { describe, expect, it } from 'vitest'
import { parseRequest } from '../openai-chat/caller/request.ts'
import { withBound } from './lowered-bound.ts'

const messages = [{ role: 'user', content: 'hi' }]
const parse = (body: object): ReturnType<typeof parseRequest>['request'] =>
  parseRequest({ model: 'm', messages, max_tokens: 64_000, ...body }).request

describe('a request whose output bound was lowered', () => {
  it.each([
    ['half of the bound, where the budget does not fit', 31_999, 10_000, 5_000],
    ['the budget as it is, where that fits', 9_999, 10_000, 9_999],
    ['the least there is', 31_999, 1_500, 1_024],
  ])('has %s', (_what, max_tokens, bound, budget) => {
    expect(withBound(parse({ reasoning: { max_tokens } }), bound)).toMatchObject({
      maxOutputTokens: bound,
      reasoning: { budgetTokens: budget },
    })
    const thinking = { type: 'enabled', budget_tokens: max_tokens, display: 'omitted' }
    const { extensions } = withBound(parse({ thinking }), bound)
    expect(extensions['thinking']).toEqual({ ...thinking, budget_tokens: budget })
  })

  it("keeps a thinking budget that already exceeded the caller's own bound", () => {
    const request = parse({ reasoning: { max_tokens: 64_000 } })
    expect(withBound(request, 10_000).reasoning).toEqual({ budgetTokens: 64_000 })
    expect(withBound(request, 64_000)).toBe(request)
  })
})
