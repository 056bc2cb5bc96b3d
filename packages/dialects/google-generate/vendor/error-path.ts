/** Where a function stands among the declarations, and what of it is meant, if anything. */
const declaration =
  /tools\[\d+\]\.(?:function_declarations|functionDeclarations)\[(\d+)\](\.parameters|\.name|\.description)?/
const setting = /(?:generation_config|generationConfig)\.(\w+)/

/** Settings in Google's words, and in ours; in all of them without case and underscores. */
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
 * What Google's words for a field mean in ours, where an error names one; undefined: none, or one of the
 * conversation, whose turns are not the caller's messages.
 */
export function neutralPath(said: string): string | undefined {
  const [, index, member] = declaration.exec(said) ?? []
  if (index !== undefined) return `tools[${index}].function${member ?? ''}`
  const name = setting.exec(said)?.[1]?.toLowerCase().replaceAll('_', '')
  return name !== undefined && Object.hasOwn(settings, name) ? settings[name] : undefined
}
