/** A function's index among the declarations, and the member of it that the error names, if any. */
const declaration =
  /tools\[\d+\]\.(?:function_declarations|functionDeclarations)\[(\d+)\](\.parameters|\.name|\.description)?/
const setting = /(?:generation_config|generationConfig)\.(\w+)/

/** Google's names of settings and the neutral ones. Google's are in lower case without underscores. */
const settings: Readonly<Record<string, string>> = {
  maxoutputtokens: 'max_completion_tokens',
  temperature: 'temperature',
  topp: 'top_p',
  topk: 'top_k',
  stopsequences: 'stop',
  candidatecount: 'n',
  seed: 'seed',
  presencepenalty: 'presence_penalty',
  frequencypenalty: 'frequency_penalty',
  responselogprobs: 'logprobs',
  logprobs: 'logprobs',
  responseschema: 'response_format.json_schema.schema',
  responsejsonschema: 'response_format.json_schema.schema',
  responsemodalities: 'modalities',
  thinkingconfig: 'reasoning_effort',
}

/**
 * Converts a field path in Google's error to the neutral path. Undefined if there is none, or if it is in the
 * conversation, whose turns are not the caller's messages.
 */
export function neutralPath(path: string): string | undefined {
  const [, index, member] = declaration.exec(path) ?? []
  if (index !== undefined) return `tools[${index}].function${member ?? ''}`
  const name = setting.exec(path)?.[1]?.toLowerCase().replaceAll('_', '')
  return name !== undefined && Object.hasOwn(settings, name) ? settings[name] : undefined
}
