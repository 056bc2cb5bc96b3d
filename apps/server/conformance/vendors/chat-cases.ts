import type { RecordedCase, Recordings } from '@turnpike/simulators'

/** APIs that answer a conversation; the others (responses, embeddings, …) are not spoken here. */
const chatApis = new Set(['chat', 'messages', 'generateContent', 'streamGenerateContent'])

/** Recorded exchanges of all vendors; OpenAI's own are replayed to the byte in `recordings.test.ts` too. */
export function chatCases(recordings: Recordings): RecordedCase[] {
  return recordings.cases.filter(({ api }) => chatApis.has(api))
}

/** Google's streaming calls say so in their path: of those that were refused no stream was recorded. */
export function asksForStream(recorded: RecordedCase): boolean {
  return recorded.stream || recorded.api === 'streamGenerateContent'
}

/** The part of the table of vendors and cases that a case counts for. */
export function groupOf({ vendor, api }: RecordedCase): string {
  return `${vendor} ${api === 'generateContent' || api === 'streamGenerateContent' ? 'generate' : api}`
}
