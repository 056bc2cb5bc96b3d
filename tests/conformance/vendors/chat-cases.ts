import type { RecordedCase, Recordings } from '@turnpike/simulators'

/** APIs for conversations; other APIs (embeddings, …) are not tested here. */
const chatApis = new Set(['chat', 'messages', 'generateContent', 'streamGenerateContent', 'cohere-chat'])

/** Recorded exchanges of all vendors. `recordings.test.ts` also replays OpenAI's own byte for byte. */
export function chatCases(recordings: Recordings): RecordedCase[] {
  return recordings.cases.filter(({ api }) => chatApis.has(api))
}

/** Recordings from which their authors removed deltas, or in which two answers follow each other. */
const edited: ReadonlySet<string> = new Set([
  'vercel-ai-openai-phase-1-chunks',
  'vercel-ai-openai-shell-container-1-chunks',
  'vercel-ai-openai-shell-tool-1-chunks',
])

/** The same for vendors of OpenAI's Responses. */
export function responsesCases(recordings: Recordings): RecordedCase[] {
  return recordings.cases.filter(({ api, id }) => api === 'responses' && !edited.has(id))
}

/** The same for models that continue a text. */
function completionsCases(recordings: Recordings): RecordedCase[] {
  return recordings.cases.filter(({ api }) => api === 'completions')
}

/** All of these, which every caller format can be given. */
export function callersCases(recordings: Recordings): RecordedCase[] {
  return [...chatCases(recordings), ...responsesCases(recordings)]
}

/** Recorded streams of all formats. */
export function streamCases(recordings: Recordings): RecordedCase[] {
  return [...callersCases(recordings), ...completionsCases(recordings)].filter(({ stream }) => stream)
}

/** The provider of a recording, if the vendor alone does not determine it. */
export function providerOf({ api, vendor }: RecordedCase): string {
  return api === 'responses' || api === 'completions' ? api : vendor
}

/** Google's streaming calls are known by their path; for refused ones no stream was recorded. */
export function asksForStream(recorded: RecordedCase): boolean {
  return recorded.stream || recorded.api === 'streamGenerateContent'
}

/** The row of the table of vendors and cases in which a case counts. */
export function groupOf({ vendor, api }: RecordedCase): string {
  return `${vendor} ${api === 'generateContent' || api === 'streamGenerateContent' ? 'generate' : api}`
}
