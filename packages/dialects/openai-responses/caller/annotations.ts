import { isObject } from '../../json/object.ts'

/** Converts citations from the form of chat completions to that of Responses. */
export function annotationsIn(value: unknown): unknown[] {
  const list: unknown[] = Array.isArray(value) ? value : [value]
  return list.filter(isObject).map((annotation) => {
    const { type, url_citation: citation } = annotation
    if (type !== 'url_citation' || !isObject(citation)) return annotation
    const { url, title, start_index: start, end_index: end } = citation
    return {
      type,
      url: typeof url === 'string' ? url : '',
      title: typeof title === 'string' ? title : '',
      start_index: typeof start === 'number' ? start : 0,
      end_index: typeof end === 'number' ? end : 0,
    }
  })
}

interface ChatLogprobs {
  content?: unknown[] | null
  refusal?: unknown[] | null
}

/** Converts log probabilities from the form of chat completions to that of Responses, a list. */
export function logprobsIn(value: unknown): unknown[] {
  if (Array.isArray(value)) return value as unknown[]
  if (!isObject(value)) return []
  const { content, refusal } = value as ChatLogprobs
  return content ?? refusal ?? []
}
