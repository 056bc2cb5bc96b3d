import { isObject } from '../../json/object.ts'

const texts = [['candidates', 0, 'content', 'parts', 0, 'text']] as const
/** What differs between answers with pieces of one text. */
export const textVaries = { texts, others: [] }
/** The same, with the usage so far. */
export const countedTextVaries = { texts, others: [['usageMetadata']] } as const

/** The members of an answer that only has a piece of text. */
const members: ReadonlySet<string> = new Set(['candidates', 'usageMetadata', 'modelVersion', 'responseId'])

/** Whether an answer has one candidate, with one text and no finish. */
export function isTextAlone(body: unknown): boolean {
  if (!isObject(body)) return false
  for (const name in body) if (!members.has(name)) return false
  const { candidates } = body
  if (!Array.isArray(candidates) || candidates.length !== 1 || !isObject(candidates[0])) return false
  const { finishReason, content } = candidates[0]
  const parts = isObject(content) ? content['parts'] : undefined
  if ((finishReason ?? undefined) !== undefined || !Array.isArray(parts) || parts.length !== 1) return false
  return isObject(parts[0]) && Object.keys(parts[0]).every((name) => name === 'text' || name === 'thought')
}
