import type { RecordedCase, Recordings } from '@turnpike/simulators'

/** APIs that answer a conversation; the others (embeddings, …) are not spoken here. */
const chatApis = new Set(['chat', 'messages', 'generateContent', 'streamGenerateContent', 'cohere-chat'])

/** Recorded exchanges of all vendors; OpenAI's own are replayed to the byte in `recordings.test.ts` too. */
export function chatCases(recordings: Recordings): RecordedCase[] {
  return recordings.cases.filter(({ api }) => chatApis.has(api))
}

/** Some of their deltas were cut out by who recorded them, or two answers stand behind each other. */
const edited: ReadonlySet<string> = new Set([
  'vercel-ai-openai-phase-1-chunks',
  'vercel-ai-openai-shell-container-1-chunks',
  'vercel-ai-openai-shell-tool-1-chunks',
])

/** The same of vendors that speak OpenAI's Responses. */
export function responsesCases(recordings: Recordings): RecordedCase[] {
  return recordings.cases.filter(({ api, id }) => api === 'responses' && !edited.has(id))
}

/** The same of models that go on with a text. */
function completionsCases(recordings: Recordings): RecordedCase[] {
  return recordings.cases.filter(({ api }) => api === 'completions')
}

/** All of these, which every caller format may be told. */
export function callersCases(recordings: Recordings): RecordedCase[] {
  return [...chatCases(recordings), ...responsesCases(recordings)]
}

/** Recorded streams of all formats. */
export function streamCases(recordings: Recordings): RecordedCase[] {
  return [...callersCases(recordings), ...completionsCases(recordings)].filter(({ stream }) => stream)
}

/** Whose provider it is recorded of, where not its vendor alone decides that. */
export function providerOf({ api, vendor }: RecordedCase): string {
  return api === 'responses' || api === 'completions' ? api : vendor
}

/** Google's streaming calls say so in their path: of those that were refused no stream was recorded. */
export function asksForStream(recorded: RecordedCase): boolean {
  return recorded.stream || recorded.api === 'streamGenerateContent'
}

/** The part of the table of vendors and cases that a case counts for. */
export function groupOf({ vendor, api }: RecordedCase): string {
  return `${vendor} ${api === 'generateContent' || api === 'streamGenerateContent' ? 'generate' : api}`
}
