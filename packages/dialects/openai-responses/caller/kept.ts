import { invalidRequest } from '@turnpike/protocol'
import { isObject } from '../../json/object.ts'
import { withMembers, type Member } from '../../json/members.ts'
import { parseJson } from '../../json/parse-json.ts'
import type { KeptFormat, KeptTexts, MemberedBody } from '../../kept-answers.ts'
import { formatInputItems } from './input/input-items.ts'
import { answerOfItem, itemsNamed, itemsOf, mayBeKept, inputWith } from './kept-items.ts'
import { wrongMember } from '../../requests/fields/typed-members.ts'

const previousField = 'previous_response_id'

/**
 * Conversations that continue from a kept answer
 * (https://platform.openai.com/docs/guides/conversation-state). Items are carried over; `instructions` are
 * not.
 */
export const keptResponses: KeptFormat = {
  previousField,
  previousOf(body) {
    const { [previousField]: id } = body as Record<string, unknown>
    if (id === undefined || id === null) return undefined
    if (typeof id !== 'string') throw wrongMember(id, previousField, 'the id of an answer, a string')
    return id
  },
  continueFrom(sent, kept) {
    const changes = new Map([
      [previousField, undefined],
      ['input', `[${[...formatItems(kept), ownItems(sent)].filter((items) => items !== '').join(',')}]`],
    ])
    return withMembers(sent.body, sent.members, changes)
  },
  itemsNamed,
  withItems(sent, named, items) {
    const list = listIn(sent)
    if (list === undefined) return sent.body
    return withMembers(sent.body, sent.members, new Map([['input', inputWith(list, named, items)]]))
  },
  mayBeItem: mayBeKept,
  answerOfItem,
  itemsOf,
  inputOf: (sent) => listIn(sent) ?? Buffer.from(`[${ownItems(sent)}]`),
  ownPath,
  requireReadable(query) {
    if (query.get('stream') === 'true') throw notStreamed
    if (query.has('starting_after'))
      throw invalidRequest('starting_after', 'starting_after: only streams support it.')
  },
  formatDeleted: (id) => ({ id, object: 'response', deleted: true }),
  formatInput: formatInputItems,
}

const openBracket = 0x5b

const notStreamed = invalidRequest(
  'stream',
  'stream: this response cannot be streamed because it was not created with background=true: read it whole.',
)

function inputMember({ members }: MemberedBody): Member | undefined {
  // Of repeated names, the last one counts.
  return members.findLast(({ key }) => key === 'input')
}

/** The input's own bytes. Undefined if it is a text, or missing. */
function listIn(sent: MemberedBody): Buffer | undefined {
  const member = inputMember(sent)
  if (member === undefined || sent.body[member.valueStart] !== openBracket) return undefined
  return sent.body.subarray(member.valueStart, member.end)
}

/** The items that the caller sends now, as JSON without brackets. A text is one message. */
function ownItems(sent: MemberedBody): string {
  const member = inputMember(sent)
  if (member === undefined) return ''
  const text = sent.body.toString('utf8', member.valueStart, member.end)
  if (text.startsWith('[')) return within(text)
  return `{"type":"message","role":"user","content":[{"type":"input_text","text":${text}}]}`
}

/** The conversation so far: the items before the answer, and the answer's own. */
function formatItems({ answer, input }: KeptTexts): string[] {
  const parsed = parseJson(answer.toString('utf8'))
  const output = isObject(parsed) && Array.isArray(parsed['output']) ? parsed['output'] : []
  return [within(input.toString('utf8')), within(JSON.stringify(output))]
}

/** The JSON between the brackets of a list. */
function within(list: string): string {
  return list.slice(1, -1).trim()
}

const itemPath = /^input\[(\d+)\]/

function ownPath(path: string, whole: object, own: object): string | undefined {
  const found = itemPath.exec(path)
  if (found === null) return path
  const before = itemCount(whole) - itemCount(own)
  const index = Number(found[1]) - before
  if (index < 0) return undefined
  if (typeof (own as { input?: unknown }).input === 'string') return 'input'
  return `input[${index}]${path.slice(found[0].length)}`
}

/** A text counts as one item. */
function itemCount({ input }: { input?: unknown }): number {
  return Array.isArray(input) ? input.length : 1
}
