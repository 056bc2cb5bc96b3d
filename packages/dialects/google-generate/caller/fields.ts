import { leaves, Names, type NameTree } from '../../json/names.ts'

const blob = { mimeType: true, data: true, displayName: true } as const
const file = { mimeType: true, fileUri: true, displayName: true } as const

const part = {
  text: true,
  inlineData: blob,
  fileData: file,
  functionCall: { id: true, name: true, args: true },
  functionResponse: {
    ...leaves('id', 'name', 'response'),
    parts: { inlineData: blob, fileData: file },
    willContinue: true,
    scheduling: true,
  },
  ...leaves('thought', 'thoughtSignature', 'executableCode', 'codeExecutionResult'),
  videoMetadata: { fps: true, startOffset: true, endOffset: true },
  mediaResolution: true,
  partMetadata: true,
} as const

const content = { role: true, parts: part } as const

/** Members that set how to answer: https://ai.google.dev/api/generate-content#GenerationConfig. */
const generationConfig = {
  ...leaves('stopSequences', 'responseMimeType', 'responseSchema', 'responseJsonSchema'),
  ...leaves('responseModalities', 'candidateCount', 'maxOutputTokens', 'temperature', 'topP', 'topK'),
  ...leaves('seed', 'presencePenalty', 'frequencyPenalty', 'responseLogprobs', 'logprobs'),
  thinkingConfig: { includeThoughts: true, thinkingBudget: true, thinkingLevel: true },
  ...leaves('speechConfig', 'imageConfig', 'mediaResolution', 'enableEnhancedCivicAnswers'),
} as const

/**
 * The known members of a generateContent request, as Google's pages write them. Values under `true` are the
 * caller's own: schemas, arguments, results.
 */
export const generateTree = {
  contents: content,
  systemInstruction: content,
  tools: {
    functionDeclarations: {
      ...leaves('name', 'description', 'behavior', 'parameters', 'parametersJsonSchema', 'response'),
      ...leaves('responseJsonSchema'),
    },
    ...leaves('googleSearch', 'googleSearchRetrieval', 'urlContext', 'codeExecution', 'googleMaps'),
    ...leaves('enterpriseWebSearch', 'computerUse', 'fileSearch'),
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

/** Converts `systemInstruction` to `system_instruction`. Google's servers read both. */
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

/** The same for the walk over a body's bytes: each name in both of its spellings, and in no third one. */
export const generateNames = new Names(withBothSpellings(generateTree))
