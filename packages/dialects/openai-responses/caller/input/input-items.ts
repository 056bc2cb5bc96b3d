import { invalidRequest } from '@turnpike/protocol'
import { isObject } from '../../../json/object.ts'
import { requireIncludable } from '../includable.ts'
import { wrongMember, type Members } from '../../../requests/fields/typed-members.ts'

const defaultLimit = 20
const mostLimit = 100

/**
 * A page of a kept answer's input items
 * (https://platform.openai.com/docs/api-reference/responses/input-items), the latest first unless the query
 * asks for another order.
 * @throws {GatewayError} 400 that names the parameter
 */
export function formatInputItems(id: string, input: readonly unknown[], query: URLSearchParams): object {
  const limit = limitOf(query)
  const isAscending = orderOf(query) === 'asc'
  requireIncludable(query.getAll('include').concat(query.getAll('include[]')))
  const items = nameItems(id, input)
  if (!isAscending) items.reverse()
  const after = query.get('after')
  const start = after === null ? 0 : 1 + items.findIndex((item) => item['id'] === after)
  if (after !== null && start === 0) throw wrongMember(after, 'after', 'the id of an item of this list')
  const data = items.slice(start, start + limit)
  return {
    object: 'list',
    data,
    first_id: data[0]?.['id'] ?? null,
    last_id: data.at(-1)?.['id'] ?? null,
    has_more: start + limit < items.length,
  }
}

function limitOf(query: URLSearchParams): number {
  const text = query.get('limit')
  if (text === null) return defaultLimit
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (limit >= 1 && limit <= mostLimit) return limit
  throw invalidRequest('limit', `limit: expected a whole number from 1 to ${mostLimit}.`)
}

function orderOf(query: URLSearchParams): string {
  const order = query.get('order') ?? 'desc'
  if (order === 'asc' || order === 'desc') return order
  throw invalidRequest('order', 'order: expected "asc" or "desc".')
}

/** Gives each item an id: its own, or one made from its index. */
function nameItems(id: string, input: readonly unknown[]): Members[] {
  const taken = new Set<unknown>()
  return input.filter(isObject).map((item, index) => {
    const own = typeof item['id'] === 'string' && item['id'] !== '' && !taken.has(item['id'])
    const name = own ? item['id'] : `item_${id.replace(/^resp_/, '')}_${index}`
    taken.add(name)
    return { ...spellOutMessage(item), id: name }
  })
}

/** A message as OpenAI lists it: with its type, its status, and its text as a part. */
function spellOutMessage(item: Members): Members {
  const { type, role, content } = item
  if ((type !== undefined && type !== null && type !== 'message') || role === undefined) return item
  const kind = role === 'assistant' ? 'output_text' : 'input_text'
  const more = kind === 'output_text' ? { annotations: [] } : {}
  const parts = typeof content === 'string' ? [{ type: kind, text: content, ...more }] : content
  return { status: 'completed', ...item, type: 'message', content: parts }
}
