import { elementsOf } from '../../json/elements.ts'
import { isObject } from '../../json/object.ts'
import { parseJson } from '../../json/parse-json.ts'
import type { NamedItem } from '../../kept-answers.ts'
import type { Members } from '../../requests/fields/typed-members.ts'

/*
 * Items of kept answers that a request names instead of sending them: an `item_reference`, or an
 * `image_generation_call` without its image
 * (https://platform.openai.com/docs/api-reference/responses/create#responses-create-input).
 */

/** An id from our encoder, which shows which answer the item belongs to. */
const ownId = /^[a-z]{2,3}_(req_[0-9a-z]{26})_\d{1,6}$/
/** Every vendor's ids match this. */
const storableId = /^[\x21-\x7e]{1,128}$/
/** More items of one answer are not found by their ids. */
const mostIds = 1_000

/** The answer that an item of ours belongs to. Undefined if its vendor or the caller made the id. */
export function answerOfItem(id: string): string | undefined {
  const requestId = ownId.exec(id)?.[1]
  return requestId === undefined ? undefined : `resp_${requestId}`
}

/** Whether an item with this id may have been kept. */
export function mayBeKept(id: string): boolean {
  return storableId.test(id)
}

/** Items that the body names but does not contain. Other mistakes are found later. */
export function itemsNamed(body: object): NamedItem[] {
  const { input } = body as { input?: unknown }
  if (!Array.isArray(input)) return []
  const named: NamedItem[] = []
  for (let at = 0; at < input.length; at++) {
    const id = referencedId(input[at])
    if (id !== undefined) named.push({ id, at, param: `input[${at}].id` })
  }
  return named
}

/** The id of an item that is only named: an `item_reference`, typed or not, or an image without data. */
export function referencedId(item: unknown): string | undefined {
  if (!isObject(item) || typeof item['id'] !== 'string') return undefined
  const { type, id } = item
  if (type === 'item_reference') return id
  if (type === 'image_generation_call') return (item['result'] ?? null) === null ? id : undefined
  return (type ?? null) === null && Object.keys(item).every((name) => name === 'id' || name === 'type')
    ? id
    : undefined
}

/**
 * Replaces named items by the items themselves. Everything else stays byte for byte.
 * @param input JSON of a list
 * @param items JSON, by their ids
 */
export function inputWith(
  input: Buffer,
  named: readonly NamedItem[],
  items: ReadonlyMap<string, string>,
): string {
  const idAt = new Map(named.map(({ at, id }) => [at, id]))
  const texts = elementsOf(input).map(({ start, end }, at) => {
    const id = idAt.get(at)
    return (id === undefined ? undefined : items.get(id)) ?? input.toString('utf8', start, end)
  })
  return `[${texts.join(',')}]`
}

/** The items of an answer by their ids, in the form in which they are sent back. */
export function itemsOf(answer: Buffer): Map<string, string> {
  const parsed = parseJson(answer.toString('utf8'))
  const items = new Map<string, string>()
  for (const item of isObject(parsed) ? outputOf(parsed) : [])
    if (isObject(item) && typeof item['id'] === 'string') items.set(item['id'], JSON.stringify(item))
  return items
}

/** Ids of an answer's items that do not show which answer they belong to. */
export function vendorIds(answer: Members, answerId: string): string[] {
  const ids = new Set<string>()
  for (const item of outputOf(answer)) {
    const id = isObject(item) ? item['id'] : undefined
    if (typeof id === 'string' && mayBeKept(id) && answerOfItem(id) !== answerId) ids.add(id)
    if (ids.size === mostIds) break
  }
  return [...ids]
}

function outputOf({ output }: Members): readonly unknown[] {
  return Array.isArray(output) ? output : []
}
