/**
 * The path that a caller of this format knows a field by, for an error that names it in the words of chat
 * completions.
 * @param param as in `messages[0].content` or `max_completion_tokens`
 * @param body undefined where it was not understood: then the path is the caller's own
 */
export function fieldPath(param: string, body: object | undefined): string {
  if (body === undefined) return param
  if (param === 'max_completion_tokens') return 'max_tokens'
  return /^messages\b/.test(param) ? 'prompt' : param
}
