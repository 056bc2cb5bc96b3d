/**
 * Converts the path in an error, which uses the names of chat completions, to the caller's path.
 * @param param such as `messages[0].content` or `max_completion_tokens`
 * @param body undefined if it could not be parsed; then the path is already the caller's own
 */
export function fieldPath(param: string, body: object | undefined): string {
  if (body === undefined) return param
  if (param === 'max_completion_tokens') return 'max_tokens'
  return /^messages\b/.test(param) ? 'prompt' : param
}
