/** An intended difference between a recorded request and ours. */
export interface Justified {
  vendor: 'anthropic' | 'gemini'
  scenarios: readonly string[]
  /** Absent: in both. */
  turn?: 1 | 2
  /** The path in the request's meaning, including everything below it. */
  path: string
  reason: string
}

/** All of them, each with its reason. */
export const justified: readonly Justified[] = [
  {
    vendor: 'anthropic',
    scenarios: [
      'reasoningRequest',
      'simpleRequest',
      'stopSequencesParam',
      'temperatureParam',
      'textFormatJsonSchemaParam',
      'toolCallRequest',
      'toolChoiceRequiredParam',
    ],
    path: 'maxTokens',
    reason: "OpenAI's request sets no bound, and Anthropic wants one: the model's own limit, not a small cap",
  },
  {
    vendor: 'anthropic',
    scenarios: ['simpleRequest'],
    path: 'thinking',
    reason: "only OpenAI's request asks for reasoning (`reasoning_effort: low`)",
  },
  {
    vendor: 'anthropic',
    scenarios: ['stopSequencesParam'],
    path: 'turns[0].content[0].text',
    reason: 'the prompts were recorded with other words',
  },
  {
    vendor: 'anthropic',
    scenarios: ['toolChoiceRequiredParam'],
    path: 'tools[0].input_schema.additionalProperties',
    reason: "only OpenAI's schema forbids further properties, since strict tools there must",
  },
  {
    vendor: 'gemini',
    scenarios: ['simpleRequest'],
    path: 'generation.thinkingConfig',
    reason: "only OpenAI's request asks for reasoning (`reasoning_effort: low`)",
  },
  {
    vendor: 'gemini',
    scenarios: ['simpleRequestTruncated'],
    turn: 2,
    path: 'turns',
    reason: 'an answer without parts is no turn that may be sent back: what stands around it is one turn',
  },
  {
    vendor: 'gemini',
    scenarios: ['toolCallRequest', 'toolChoiceRequiredParam'],
    turn: 2,
    path: 'turns[2].parts[0].functionResponse.response',
    reason:
      'Google wants an object: a text goes under `output`, as documented; the recorder has its own name',
  },
  {
    vendor: 'gemini',
    scenarios: ['toolCallRequest'],
    turn: 2,
    path: 'turns[2].parts[0].functionResponse.id',
    reason: 'the call had an identifier, with which its result is matched; the recorder left it out',
  },
  {
    vendor: 'gemini',
    scenarios: ['toolChoiceRequiredParam'],
    path: 'tools[0].schema.additionalProperties',
    reason: "only OpenAI's schema forbids further properties",
  },
  {
    vendor: 'gemini',
    scenarios: ['textFormatJsonSchemaParam', 'jsonSchemaMinMaxItemsParam'],
    path: 'generation.responseJsonSchema.additionalProperties',
    reason: "only OpenAI's schema forbids further properties",
  },
  {
    vendor: 'gemini',
    scenarios: ['jsonSchemaMinMaxItemsParam'],
    path: 'generation.temperature',
    reason: "OpenAI's request says none",
  },
  {
    vendor: 'gemini',
    scenarios: ['jsonSchemaMinMaxItemsParam'],
    path: 'generation.maxOutputTokens',
    reason: "OpenAI's request sets no bound",
  },
  {
    vendor: 'gemini',
    scenarios: ['toolChoiceNoneParam'],
    path: 'generation.maxOutputTokens',
    reason: "the request is Anthropic's one said in OpenAI's words, and Anthropic's must have a bound",
  },
  {
    vendor: 'gemini',
    scenarios: ['googleToolCallThoughtSignatureReplayParam'],
    path: 'turns[1].parts[0].thoughtSignature',
    reason:
      "the recorder's `reasoning_signature` is no field of OpenAI's; in our answers the signature is in " +
      "the call's identifier, which second turns of `toolCallRequest` and `toolChoiceRequiredParam` return",
  },
]

/** Recorded at OpenAI, and not comparable with other vendors. */
export const notCompared = {
  logprobsParam:
    "recorded at OpenAI only; Anthropic refuses `logprobs`, Google's name for it was not recorded",
} as const
