import type { VendorEvent, VendorSample } from '../../testing/vendor-contract.ts'

/** Answers in Google's format, made for the tests: each streamed and whole. */
const head = { modelVersion: 'gemini-3-flash-preview', responseId: 'Q1dXaPq9Lr2sz7IP' }
const counts = { promptTokenCount: 20, candidatesTokenCount: 9, totalTokenCount: 29 }
const signature = 'EsUBCsIBAQw51sdV+Gb/x0=='

function event(parts: object[], more: object = {}, usageMetadata: object = counts): VendorEvent {
  const candidates = [{ content: { parts, role: 'model' }, index: 0, ...more }]
  return { event: '', data: { candidates, usageMetadata, ...head } }
}

function whole(parts: object[], more: object = {}, usageMetadata: object = counts): unknown {
  const candidates = [{ content: { parts, role: 'model' }, finishReason: 'STOP', index: 0, ...more }]
  return { candidates, usageMetadata, ...head }
}

const thoughts = {
  ...counts,
  cachedContentTokenCount: 4,
  thoughtsTokenCount: 31,
  toolUsePromptTokenCount: 3,
  totalTokenCount: 63,
}

const text: VendorSample = {
  name: 'text with characters of several bytes',
  events: [
    event([{ text: 'Grüße, ' }], {}, { promptTokenCount: 20, totalTokenCount: 20 }),
    event([{ text: '世界 👋' }]),
    event([{ text: '' }], { finishReason: 'STOP' }),
  ],
  whole: whole([{ text: 'Grüße, 世界 👋' }]),
}

const signed: VendorSample = {
  name: 'thoughts, and text with a signature',
  events: [
    event([{ text: '**Weighing**', thought: true }], {}, thoughts),
    event([{ text: ' the words', thought: true }], {}, thoughts),
    event([{ text: 'Good' }], {}, thoughts),
    event([{ text: ' day' }], {}, thoughts),
    event([{ text: '', thoughtSignature: signature }], { finishReason: 'STOP' }, thoughts),
  ],
  whole: whole(
    [
      { text: '**Weighing** the words', thought: true },
      { text: 'Good day', thoughtSignature: signature },
    ],
    {},
    thoughts,
  ),
}

const calls = [
  { functionCall: { name: 'weather', args: { city: 'Zürich', days: [1, 2] } }, thoughtSignature: signature },
  { functionCall: { name: 'clock', args: {}, id: 'fc-71' } },
  { functionCall: { name: 'clock' } },
]

const calling: VendorSample = {
  name: 'several calls in one event, one of them without arguments',
  events: [
    event([{ text: 'Let me look.' }]),
    event(calls, { finishReason: 'STOP', finishMessage: 'Model generated function call(s).' }),
  ],
  whole: whole([{ text: 'Let me look.' }, ...calls], { finishMessage: 'Model generated function call(s).' }),
}

const grounding = {
  webSearchQueries: ['capital of Peru'],
  groundingChunks: [{ web: { uri: 'https://example.com' } }],
}
const code = [
  { executableCode: { language: 'PYTHON', code: 'print(2)' } },
  { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '2\n' } },
]

const beside: VendorSample = {
  name: 'code that Google ran, and where it read',
  events: [
    event(code),
    event([{ text: 'Lima, ' }], { groundingMetadata: {} }),
    event([{ text: 'twice.' }], { finishReason: 'STOP', groundingMetadata: grounding }),
  ],
  whole: whole([...code, { text: 'Lima, twice.' }], { groundingMetadata: grounding }),
}

const early: VendorSample = {
  name: 'a reason to finish with every event, as older models give it',
  events: [
    event([{ text: 'One, ' }], { finishReason: 'STOP' }),
    event([{ text: 'two' }], { finishReason: 'STOP' }),
  ],
  whole: whole([{ text: 'One, two' }]),
}

const blockedBody = { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' }, usageMetadata: counts, ...head }

const blocked: VendorSample = {
  name: 'a prompt that Google does not read',
  events: [{ event: '', data: blockedBody }],
  whole: blockedBody,
}

const choices: VendorSample = {
  name: 'several candidates, the first without its index',
  events: [
    {
      event: '',
      data: {
        ...head,
        candidates: [
          { content: { parts: [{ text: 'Heads' }] } },
          { content: { parts: [{ text: 'Tai' }] }, index: 1 },
        ],
      },
    },
    {
      event: '',
      data: {
        ...head,
        candidates: [
          { content: {}, finishReason: 'STOP' },
          { content: { parts: [{ text: 'ls' }] }, index: 1, finishReason: 'MAX_TOKENS' },
        ],
        usageMetadata: counts,
      },
    },
  ],
  whole: {
    ...head,
    candidates: [
      { content: { parts: [{ text: 'Heads' }] }, finishReason: 'STOP' },
      { content: { parts: [{ text: 'Tails' }] }, index: 1, finishReason: 'MAX_TOKENS' },
    ],
    usageMetadata: counts,
  },
}

export const googleSamples: VendorSample[] = [text, signed, calling, beside, early, blocked, choices]
