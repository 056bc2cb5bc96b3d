import { describe, expect, test } from 'vitest'
import { suiteKey, suiteNode } from '../../nodes/suite.ts'

const session = '6d4cdf52-3fbc-4c00-a1cd-1b3842c58b0d'
const body = { model: 'sandbox/echo', max_tokens: 64, messages: [{ role: 'user', content: 'hello' }] }
const many = (count: number): string[] => Array.from({ length: count }, (_, index) => `tag-${index}`)

/** Claude Code describes a request in headers. They are not the caller's, so they never cause a refusal. */
describe("a client's headers of attribution become tags", () => {
  const node = suiteNode({ providers: { sandbox: { style: 'sandbox' } } })
  const key = suiteKey(node)

  async function tagsOf(headers: Record<string, string>, path = '/messages', sent: object = body) {
    const answer = await fetch(node.baseUrl + path, {
      method: 'POST',
      headers: { 'x-api-key': key.raw, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(sent),
    })
    await answer.arrayBuffer()
    const id = answer.headers.get('x-request-id')!
    const { tags } = await node.admin<{ tags: string[] }>(`/accounts/${key.accountId}/usage/requests/${id}`)
    return { status: answer.status, tags }
  }

  test.each<[string, Record<string, string>, string[]]>([
    ['a session', { 'x-claude-code-session-id': session }, [`session:${session}`]],
    [
      'a sub-agent of one',
      {
        'x-claude-code-session-id': session,
        'x-claude-code-agent-id': 'a1',
        'x-claude-code-agent-type': 'Explore',
        'x-claude-code-request-class': 'subagent',
      },
      [`session:${session}`, 'agent:a1', 'agent-type:Explore', 'request-class:subagent'],
    ],
    [
      "the caller's own tags first",
      { 'x-turnpike-tags': 'team:a', 'x-claude-code-session-id': 's' },
      ['team:a', 'session:s'],
    ],
    ['duplicates once', { 'x-turnpike-tags': 'session:s', 'x-claude-code-session-id': 's' }, ['session:s']],
    ['none for a value that is too long', { 'x-claude-code-session-id': 'x'.repeat(57) }, []],
    ['one of 64 characters', { 'x-claude-code-session-id': 'x'.repeat(56) }, [`session:${'x'.repeat(56)}`]],
    ['none for an empty value', { 'x-claude-code-session-id': '  ' }, []],
    ['none for a value that is not ASCII', { 'x-claude-code-agent-id': 'caf\u00e9' }, []],
    [
      'none if there is no room',
      { 'x-turnpike-tags': many(20).join(','), 'x-claude-code-session-id': 's' },
      many(20),
    ],
  ])('%s', async (_what, headers, expected) => {
    expect(await tagsOf(headers)).toEqual({ status: 200, tags: expected })
  })

  test('also if the request is refused', async () => {
    const refused = await tagsOf({ 'x-claude-code-session-id': 's' }, '/messages', {
      ...body,
      max_tokens: -1,
    })
    expect(refused).toEqual({ status: 400, tags: ['session:s'] })
  })

  test('but not for chat completions, whose clients send none', async () => {
    const { messages, model } = body
    const sent = await tagsOf({ 'x-claude-code-session-id': 's' }, '/chat/completions', { messages, model })
    expect(sent).toEqual({ status: 200, tags: [] })
  })
})
