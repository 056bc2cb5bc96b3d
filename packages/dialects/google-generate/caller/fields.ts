import { Names, type NameTree } from '../../json/names.ts'

const blob = { mimeType: true, data: true, displayName: true } as const
const file = { mimeType: true, fileUri: true, displayName: true } as const

const part = {
  text: true,
  inlineData: blob,
  fileData: file,
  functionCall: { id: true, name: true, args: true },
  functionResponse: {
    id: true,
    name: true,
    response: true,
    parts: { inlineData: blob, fileData: file },
    willContinue: true,
    scheduling: true,
  },
  thought: true,
  thoughtSignature: true,
  executableCode: true,
  codeExecutionResult: true,
  videoMetadata: { fps: true, startOffset: true, endOffset: true },
  mediaResolution: true,
  partMetadata: true,
} as const

const content = { role: true, parts: part } as const

/** https://ai.google.dev/api/generate-content#GenerationConfig: what a request may say of its answer. */
const generationConfig = {
  stopSequences: true,
  responseMimeType: true,
  responseSchema: true,
  responseJsonSchema: true,
  responseModalities: true,
  candidateCount: true,
  maxOutputTokens: true,
  temperature: true,
  topP: true,
  topK: true,
  seed: true,
  presencePenalty: true,
  frequencyPenalty: true,
  responseLogprobs: true,
  logprobs: true,
  thinkingConfig: { includeThoughts: true, thinkingBudget: true, thinkingLevel: true },
  speechConfig: true,
  imageConfig: true,
  mediaResolution: true,
  enableEnhancedCivicAnswers: true,
} as const

/**
 * The members of a generateContent request that are known, as Google's pages write them. What stands under
 * `true` is the caller's own: a schema, arguments, a result.
 */
export const generateTree = {
  contents: content,
  systemInstruction: content,
  tools: {
    functionDeclarations: {
      name: true,
      description: true,
      behavior: true,
      parameters: true,
      parametersJsonSchema: true,
      response: true,
      responseJsonSchema: true,
    },
    googleSearch: true,
    googleSearchRetrieval: true,
    urlContext: true,
    codeExecution: true,
    googleMaps: true,
    enterpriseWebSearch: true,
    computerUse: true,
    fileSearch: true,
  },
  toolConfig: {
    functionCallingConfig: { mode: true, allowedFunctionNames: true },
    retrievalConfig: true,
    includeServerSideToolInvocations: true,
  },
  generationConfig,
  safetySettings: { category: true, threshold: true, method: true },
  cachedContent: true,
  serviceTier: true,
} as const satisfies NameTree

/** `systemInstruction` as `system_instruction`: Google's servers read both. */
export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function withBothSpellings(tree: NameTree): NameTree {
  const entries = Object.entries(tree).flatMap(([name, below]) => {
    const both = below === true ? below : withBothSpellings(below)
    return [
      [name, both],
      [snakeCase(name), both],
    ]
  })
  return Object.fromEntries(entries) as NameTree
}

/** The same for the walk over a body's bytes: each in both of its spellings, and in no third one. */
export const generateNames = new Names(withBothSpellings(generateTree))
