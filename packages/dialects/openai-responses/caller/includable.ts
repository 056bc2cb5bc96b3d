import { wrongMember } from '../../requests/fields/typed-members.ts'

/** What an answer may include in addition. For vendors' tools and the input there is nothing to add. */
const includable: ReadonlySet<string> = new Set([
  'reasoning.encrypted_content',
  'message.output_text.logprobs',
  'message.input_image.image_url',
  'web_search_call.action.sources',
  'web_search_call.results',
  'file_search_call.results',
  'code_interpreter_call.outputs',
  'computer_call_output.output.image_url',
])

export function isIncludable(name: string): boolean {
  return includable.has(name)
}

/** @throws {GatewayError} 400 for an unknown value */
export function requireIncludable(names: readonly string[]): void {
  for (const [at, name] of names.entries())
    if (!includable.has(name))
      throw wrongMember(name, `include[${at}]`, `one of ${[...includable].join(', ')}`)
}
