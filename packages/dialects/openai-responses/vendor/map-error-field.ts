import type { ModelRequest } from '@turnpike/protocol'
import { messageOfItem } from './input.ts'

/** Fields of Responses and their names in chat completions, which are used internally. */
const ours: [theirs: RegExp, ours: string][] = [
  [/^max_output_tokens$/, 'max_completion_tokens'],
  [/^text\.format\b.*/, 'response_format'],
  [/^text\.verbosity$/, 'verbosity'],
  [/^reasoning\b.*/, 'reasoning_effort'],
  [/^(tools\[\d+\])\.(name|description|parameters|strict)\b/, '$1.function.$2'],
]

/** The neutral path of a field that the vendor's error names. */
export function mapErrorField(param: string, { messages }: ModelRequest): string {
  const [, item, part] = /^input\[(\d+)\](?:\.content\[(\d+)\])?/.exec(param) ?? []
  if (item !== undefined) {
    const index = messageOfItem(messages, Number(item))
    if (index === undefined) return 'messages'
    return part === undefined || messages[index]!.role !== 'user'
      ? `messages[${index}]`
      : `messages[${index}].content[${part}]`
  }
  const found = ours.find(([theirs]) => theirs.test(param))
  return found === undefined ? param : param.replace(...found)
}
