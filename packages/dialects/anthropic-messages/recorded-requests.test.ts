import { allRecordings } from '@turnpike/simulators'
import { describe, expect, test } from 'vitest'
import { scanObject } from '../json/scan.ts'
import { targetOf } from '../testing/target.ts'
import { parseRequest } from './caller/request.ts'
import { spliceRequest } from './pass-through/request.ts'
import { sentRequest } from './testing/sent-request.ts'
import { anthropicMessages } from './vendor.ts'

const recordings = allRecordings()
const all = recordings.cases.filter(
  ({ vendor, api, files }) => vendor === 'anthropic' && api === 'messages' && files.request !== undefined,
)

interface Block {
  type: string
  text?: string
  content?: unknown
  is_error?: boolean
}

interface Body {
  model: string
  max_tokens?: number
  messages: { role: string; content: unknown }[]
  system?: unknown
  [field: string]: unknown
}

const textOf = (id: string): string => recordings.request(id)!.toString('utf8')
const bodyOf = (id: string): Body => JSON.parse(textOf(id)) as Body

/** From June 2024: a result without a call, which the vendor has since begun to reject. */
const unpaired = 'dd-trace-py-anthropic-completion-tools-call-with-tool-result-stream-helper-i0'

/** The vendor rejected the others as well, for an invalid message or a missing output bound. */
const valid = all.filter(({ id }) => {
  const { max_tokens: bound, messages } = bodyOf(id)
  return id !== unpaired && bound !== undefined && messages.every((message) => typeof message === 'object')
})

/** Normalizes a text, whether it is a string or a block. Empty if there is no content. */
function plain(content: unknown): unknown {
  const blocks: Block[] =
    typeof content === 'string' ? [{ type: 'text', text: content }] : (content as Block[])
  return blocks.map((block) => {
    // A direct call by the model is the same as a call without a caller.
    if (block.type === 'tool_use') return { ...block, caller: undefined }
    if (block.type !== 'tool_result') return block
    const { is_error: failed, content: held, ...rest } = block
    return { ...rest, ...(failed === true ? { is_error: true } : {}), content: plain(held ?? '') }
  })
}

/** Joins consecutive turns of one side. */
function joined(messages: Body['messages']): Body['messages'] {
  const turns: { role: string; content: unknown[] }[] = []
  for (const { role, content } of messages) {
    const blocks = plain(content) as unknown[]
    if (turns.at(-1)?.role === role) turns.at(-1)!.content.push(...blocks)
    else turns.push({ role, content: blocks })
  }
  return turns
}

/** Removes differences that mean the same in both forms. */
function comparable(body: Body): unknown {
  const { system, messages, tools, tool_choice: choice, stream, ...rest } = body
  const { thinking, ...others } = rest
  return {
    ...others,
    ...(system === undefined || system === '' ? {} : { system: plain(system) }),
    messages: joined(messages),
    ...(Array.isArray(tools) && tools.length > 0 ? { tools } : {}),
    // The automatic choice is the same as no choice.
    ...(choice === undefined || JSON.stringify(choice) === '{"type":"auto"}' ? {} : { choice }),
    stream: stream === true,
    thinks: (thinking as { budget_tokens?: number } | undefined)?.budget_tokens,
  }
}

describe('requests that were sent to Anthropic', () => {
  test.runIf(recordings.areReal)('are all there', () => {
    expect([all.length >= 39, valid.length >= 37]).toEqual([true, true])
  })

  test.each(all.filter((one) => !valid.includes(one)).map(({ id }) => [id]))('are refused: %s', (id) => {
    expect(() => parseRequest(bodyOf(id))).toThrow(expect.objectContaining({ status: 400 }) as Error)
  })

  test.each(valid.map(({ id }) => [id]))('are parsed: %s', (id) => {
    const body = bodyOf(id)
    const { request } = parseRequest(body)
    expect(request.maxOutputTokens).toBe(body.max_tokens)
    const raw = request.messages.some(({ content }) => content.some(({ kind }) => kind === 'raw'))
    if (raw || request.output !== undefined || Object.keys(request.extensions).length > 0) return
    const target = targetOf('anthropic-messages', body.model)
    const formatted = JSON.parse(
      JSON.stringify(anthropicMessages.operations.generate.formatRequest(request, target)),
    ) as Body
    expect(comparable(formatted)).toEqual(comparable(body))
  })

  test.each(valid.map(({ id }) => [id]))('are sent as they were written: %s', (id) => {
    const sent = sentRequest(textOf(id))
    expect(membersOf(spliceRequest(sent))).toEqual(
      membersOf(sent.body).map(([key, text]) => [key, key === 'model' ? '"claude-at-vendor"' : text]),
    )
  })
})

/** Each member with its bytes, in their order. */
function membersOf(body: Buffer): [string, string][] {
  return scanObject(body).members.map(({ key, valueStart, end }) => [
    key,
    body.subarray(valueStart, end).toString('latin1'),
  ])
}
