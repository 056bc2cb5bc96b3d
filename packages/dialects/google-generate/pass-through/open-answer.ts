import { withoutMoney } from '../../answers/withheld-members.ts'
import { withMembers } from '../../json/members.ts'
import { scanObject } from '../../json/scan.ts'

type Json = Record<string, unknown>

/** How a candidate ended, as a candidate without other content. */
export interface Ended {
  content: object
  finishReason: unknown
  finishMessage?: unknown
  index: number
}

/** Members about the whole answer, which are sent at its end. */
const wholes = ['usageMetadata', 'modelVersion', 'responseId'] as const

/**
 * One answer of a stream, byte for byte, without its candidates' endings and without what concerns the whole:
 * JSON in latin1 without its last brace. Undefined if nothing remains.
 * @param data its JSON, latin1
 * @param answer the same, parsed
 * @param endings each candidate's, by its index; those of this answer are added
 */
export function openAnswer(data: string, answer: Json, endings: Map<number, Ended>): string | undefined {
  const json = Buffer.from(data, 'latin1')
  const { members } = scanObject(json)
  const changes = new Map<string, string | undefined>(wholes.map((name) => [name, undefined]))
  let left = 0
  for (const { key, valueStart, end } of members) {
    if (changes.has(key)) continue
    const value = answer[key]
    const open = key === 'candidates' && Array.isArray(value) ? openAll(value, endings) : withoutMoney(value)
    const isEmpty = Array.isArray(open) && open.length === 0 && key === 'candidates'
    if (isEmpty) changes.set(key, undefined)
    else left++
    if (open === value || isEmpty) continue
    const written = key === 'candidates' ? openOnly(json.subarray(valueStart, end), value, open) : undefined
    changes.set(key, written ?? JSON.stringify(open))
  }
  if (left === 0) return undefined
  return withMembers(json, members, changes).toString('latin1').slice(0, -1)
}

/** Candidates without their endings. The same list if none has ended. */
function openAll(candidates: readonly unknown[], endings: Map<number, Ended>): readonly unknown[] {
  const open = candidates.flatMap((one, at) => openCandidate(one as Json | null, at, endings))
  return open.length === candidates.length && open.every((one, at) => one === candidates[at])
    ? candidates
    : open
}

/** A candidate without its ending, which is kept. Empty if nothing else remains. */
function openCandidate(candidate: Json | null, position: number, endings: Map<number, Ended>): Json[] {
  if (typeof candidate !== 'object' || candidate === null) return []
  const { finishReason, finishMessage, ...rest } = candidate
  if (finishReason === undefined || finishReason === null) return [candidate]
  const index = typeof rest['index'] === 'number' ? rest['index'] : position
  const message = finishMessage === undefined ? {} : { finishMessage }
  const content = { parts: [{ text: '' }], role: 'model' }
  endings.set(index, { content, finishReason, ...message, index })
  const { index: _index, content: ownContent, ...beside } = rest
  const parts = (ownContent as { parts?: unknown } | null | undefined)?.parts
  const isSilent = !Array.isArray(parts) || parts.every(isEmptyText)
  return isSilent && Object.keys(beside).length === 0 ? [] : [rest]
}

/** Google ends with an empty text, too. */
function isEmptyText(part: unknown): boolean {
  return typeof part === 'object' && part !== null && JSON.stringify(part) === '{"text":""}'
}

/** The only candidate in its vendor's own bytes; undefined if there are several. */
function openOnly(list: Buffer, before: unknown, after: unknown): string | undefined {
  if (!Array.isArray(before) || !Array.isArray(after) || before.length !== 1 || after.length !== 1)
    return undefined
  const candidate = list.subarray(1, -1)
  const without = new Map([
    ['finishReason', undefined],
    ['finishMessage', undefined],
  ])
  return `[${withMembers(candidate, scanObject(candidate).members, without).toString('utf8')}]`
}
